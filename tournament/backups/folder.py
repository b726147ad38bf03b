"""The folder of backups: which there are, which are taken away after some time, and what the last
attempt and the last drill said.
"""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.files import locks

from ledger import times
from tournament.server.environment.secret_file import private_folder, write_secret

NAME = re.compile(
    r"accord-(?P<nightly>nightly-)?(?P<made>\d{8}-\d{6})-(?P<size>\d+)-(?P<root>[0-9a-f]{16}|unsigned)\.tar\.gz(?P<encrypted>\.enc)?"
)
PARTIAL = ".partial-"
STATE = "state.json"


class AtWork(Exception):
    """Another backup is being written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup as its name tells it: when it was made, and the checkpoint (entries, and how its
    root begins) that it holds.
    """

    path: Path
    bytes: int
    made_at: datetime
    size: int
    root: str
    nightly: bool
    encrypted: bool

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name


@dataclass(frozen=True, slots=True, kw_only=True)
class NotedOutcome:
    """The outcome of the last attempt, or of the last drill; `error` is "" if it
    succeeded. Times are microseconds UTC.
    """

    at: int
    name: str = ""
    error: str = ""
    words: str = ""

    @property
    def moment(self) -> datetime:
        """The time."""
        return times.moment(self.at)


def the_folder() -> Path:
    """Return the folder of the backups."""
    return Path(settings.BACKUPS or Path(settings.DATA_DIR) / "backups")


def backups_in(folder: Path) -> list[Backup]:
    """The backups of a folder, the newest first."""
    found = [each for each in map(_backup, folder.glob("accord-*")) if each is not None]
    return sorted(found, key=lambda each: (each.made_at, each.name), reverse=True)


def rotate(folder: Path, *, days: int, weeks: int) -> list[Backup]:
    """Take away nightly backups but the newest of each of the last `days` days and `weeks` weeks
    that have one; those taken away.

    What somebody asked for stays until somebody takes it away.
    """
    nightly = [each for each in backups_in(folder) if each.nightly]
    by_day, by_week = dict[str, Backup](), dict[str, Backup]()
    for each in nightly:
        by_day.setdefault(f"{each.made_at:%Y-%m-%d}", each)
        by_week.setdefault(f"{each.made_at:%G-%V}", each)
    kept = [*list(by_day.values())[:days], *list(by_week.values())[:weeks], *nightly[:1]]
    gone = [each for each in nightly if each not in kept]
    for each in gone:
        each.path.unlink(missing_ok=True)
    return gone


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Nobody else writes a backup into this folder meanwhile; what a killed one left is gone.
    Raises AtWork, OSError.
    """
    with (private_folder(folder) / ".lock").open("a", encoding="ascii") as lock:
        if not locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB):
            raise AtWork("another backup is being written")
        for left in folder.glob(f"{PARTIAL}*"):
            shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(
                missing_ok=True
            )
        yield


def is_at_work(folder: Path) -> bool:
    """Whether a backup is being written just now."""
    try:
        with (folder / ".lock").open("r+", encoding="ascii") as lock:
            return not locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB)
    except OSError:
        return False


def note(folder: Path, what: str, outcome: NotedOutcome) -> None:
    """Keep what the last `backup` or `drill` came to. Where even that can't be written, whoever
    asked is told all the same.
    """
    with suppress(OSError):
        write_secret(folder / STATE, json.dumps(_state(folder) | {what: asdict(outcome)}))


def read_outcome(folder: Path, what: str) -> NotedOutcome | None:
    """Return the last outcome, None if there is none."""
    found = _state(folder).get(what)
    try:
        return NotedOutcome(**found) if isinstance(found, dict) else None
    except TypeError:
        return None


def _state(folder: Path) -> dict[str, object]:
    try:
        found = json.loads((folder / STATE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _backup(path: Path) -> Backup | None:
    said = NAME.fullmatch(path.name)
    if said is None or not path.is_file():
        return None
    return Backup(
        path=path,
        bytes=path.stat().st_size,
        made_at=datetime.strptime(said["made"], "%Y%m%d-%H%M%S").replace(tzinfo=UTC),
        size=int(said["size"]),
        root="" if said["root"] == "unsigned" else said["root"],
        nightly=bool(said["nightly"]),
        encrypted=bool(said["encrypted"]),
    )
