"""Outcomes of games, kept in a file for each tournament beside the database: a web process that has
just begun reads it there, where it would fold every game of a large event from its first event.

An outcome counts only for a game whose last event has the same hash, so that no other history and
no other version of the rows gets it. Jobs, `rebuild` and audits fold everything themselves: only
whoever calls `keep_in` has files.
"""

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ledger.reading import hashes_at
from tournament.domain.tournament.outcomes import Outcome
from tournament.models.rows_made_by import ROWS_MADE_BY

FEWEST = 50  # games that have to be folded: for fewer no file is read or written
MOST_FILES = 64

type Kept = dict[str, tuple[str, Outcome]]  # by game: the hash of its last event, and the outcome

_folder: Path | None = None
_decoder = msgspec.json.Decoder(Kept)


def keep_in(folder: Path | None) -> None:
    """Have this process keep outcomes in this folder; None for none."""
    global _folder
    _folder = folder


def read_kept(
    log: int, versions: Mapping[str, int], *, wanted: Mapping[str, int]
) -> dict[str, Outcome]:
    """The kept outcomes of the games that are `wanted`, of all of an event at these versions."""
    if _folder is None or len(wanted) < FEWEST:
        return {}
    try:
        kept = _decoder.decode(_file(_folder, versions).read_bytes())
    except (OSError, msgspec.DecodeError):
        return {}
    known = {game: version for game, version in wanted.items() if game in kept}
    return {
        game: kept[game][1]
        for game, found in hashes_at(log, known).items()
        if kept[game][0] == found
    }


def keep_outcomes(
    log: int, versions: Mapping[str, int], outcomes: Mapping[str, Outcome], *, new: int
) -> None:
    """Keep these outcomes, where so many `new` ones had to be folded that it saves work."""
    if _folder is None or new < FEWEST:
        return
    over = {game: version for game, version in versions.items() if game in outcomes}
    kept = {game: (found, outcomes[game]) for game, found in hashes_at(log, over).items()}
    with contextlib.suppress(OSError):
        _folder.mkdir(mode=0o700, exist_ok=True)
        number, partial = tempfile.mkstemp(dir=_folder, prefix=".partial-")
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.encode(kept))
        Path(partial).replace(_file(_folder, versions))
        for old in sorted(_folder.glob("*.json"), key=_age)[MOST_FILES:]:
            old.unlink(missing_ok=True)


def _file(folder: Path, versions: Mapping[str, int]) -> Path:
    return folder / f"{min(versions)}-{ROWS_MADE_BY}.json"


def _age(path: Path) -> float:
    return -path.stat().st_mtime
