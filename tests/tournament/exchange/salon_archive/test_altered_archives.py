"""An archive that is not as it was written is refused, the place is named, and nothing of it is
kept.
"""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.ledger.signing import Pocket
from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.forging import chained, changed, signed, values_of
from tests.tournament.exchange.salon_archive.salons import sign
from tests.tournament.exchange.salon_archive.taking_in import everything_stored, taken, written
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import everything, recorded, simple
from tournament.exchange.salon_archive.file_format import (
    ActorLine,
    ArchiveRefused,
    CheckpointLine,
    CosignatureLine,
    EventLine,
    KeyLine,
    PlayerLine,
    SalonLine,
    TextLine,
)
from tournament.exchange.salon_archive.read import lines_of
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Salon
from tournament.streams.texts import digest_of

PARTS = 20  # of all bytes of an archive: CI takes a tenth of the parts


@pytest.fixture
def archive(db: None) -> bytes:
    """A salon with a game of everything, a checkpoint in the midst of it, and a game after that."""
    salon = opened_salon()
    recorded(salon, everything())
    sign(salon)
    recorded(salon, simple("later"))
    return b"".join(archive_of(salon, load_keyring()))


@pytest.fixture
def small(db: None) -> bytes:
    """A patience that has only begun."""
    salon = opened_salon()
    recorded(
        salon,
        simple(
            "begun",
            game="order_of_precedence",
            players={"A": "Ash"},
            hands=[],
            note="by the window",
        ),
    )
    sign(salon)
    return b"".join(archive_of(salon, load_keyring()))


def refused(archive: bytes) -> ArchiveRefused:
    """How a file is refused before anything of it is stored."""
    with pytest.raises(ArchiveRefused) as refusal:
        for _ in lines_of(io.BytesIO(archive)):
            pass
    return refusal.value


def flipped(archive: bytes, places: Iterator[int] | range) -> Iterator[bytes]:
    for place in places:
        for bit in (1, 32):
            yield archive[:place] + bytes([archive[place] ^ bit]) + archive[place + 1 :]


def test_an_archive_as_it_was_written_is_read_to_its_end(archive: bytes) -> None:
    assert sum(1 for _ in lines_of(io.BytesIO(archive))) == archive.count(b"\n") - 1


def test_no_byte_of_an_archive_can_change_unseen(archive: bytes) -> None:
    for altered in flipped(archive, range(0, len(archive), 1013)):
        assert refused(altered)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_not_a_single_byte_of_an_archive_can_change_unseen(archive: bytes, part: int) -> None:
    for altered in flipped(archive, range(part, len(archive), PARTS)):
        assert refused(altered)


def test_not_a_single_byte_of_a_small_archive_can_change_unseen(small: bytes) -> None:
    for altered in flipped(small, range(len(small))):
        assert refused(altered)


def test_no_line_can_be_taken_away_doubled_or_moved(archive: bytes) -> None:
    lines = archive.splitlines(keepends=True)
    for place in Random(1).sample(range(len(lines) - 1), 40):
        without = lines[:place] + lines[place + 1 :]
        assert refused(b"".join(without))
        assert refused(b"".join([*lines[:place], lines[place], *lines[place:]]))
        assert refused(b"".join([*without[:-1], lines[place], without[-1]]))
    for end in (0, 1, 17, len(lines) - 1):
        assert refused(b"".join(lines[:end])).code in {"cut_short", "not_an_archive"}
    assert refused(archive[:-1]).code == "bad_line"
    assert refused(archive + b"\n").code == "bad_line"


def test_an_event_that_was_changed_is_named(archive: bytes) -> None:
    lines = archive.splitlines(keepends=True)
    place = next(place for place, line in enumerate(lines) if b'"position":9,' in line)
    lines[place] = lines[place].replace(b'"actor":"test"', b'"actor":"tess"')

    refusal = refused(b"".join(lines))
    assert (refusal.code, refusal.path) == ("altered", f"line {place + 1}")
    assert "event 9 does not have the hash" in refusal.message


def test_words_that_were_changed_are_named(archive: bytes) -> None:
    altered = archive.replace(b"the window table", b"the garden table")
    refusal = refused(altered)

    assert (refusal.code, refusal.message) == (
        "altered",
        "the words and their salt don't give the digest",
    )


def test_a_name_that_was_changed_is_named_by_its_kind(archive: bytes) -> None:
    refusal = refused(archive.replace(b'"name":"Birch"', b'"name":"Beech"'))

    assert (refusal.code, refusal.path) == ("altered", "player")


def test_what_is_no_archive_or_a_later_one_is_said(archive: bytes) -> None:
    assert refused(b"").code == refused(b'{"format":"salon-record/1"}\n').code == "not_an_archive"
    assert refused(archive.replace(b"salon-archive/1", b"salon-archive/2")).code == "newer_format"


def test_what_nothing_covers_is_refused(archive: bytes) -> None:
    """A further signature at the end, and a line so deep that it can't be read."""
    (*lines, end) = archive.splitlines(keepends=True)
    more = "\u2014 Mara-is-right AAAAAAAA\n".encode()
    signed_twice = end.replace(b'\\n","parts"', b"\\n" + more[:-1] + b'\\n","parts"')
    assert signed_twice != end
    assert refused(b"".join([*lines, signed_twice])).code == "altered"
    deep = b'{"player":{"id":' + b"[" * 200_000 + b"\n"
    assert refused(b"".join([lines[0], deep, *lines[1:], end])).code == "bad_line"
    assert refused(b'{"salon":{"x":' + b"[" * 200_000 + b"\n").code == "not_an_archive"


def test_words_whose_first_line_was_moved_into_the_salt_are_refused(archive: bytes) -> None:
    values = values_of(archive)
    text = next(value for value in values if isinstance(value, TextLine))
    digest = digest_of(text.salt, "It is not true that\nthe game was given up.")
    forged = TextLine(
        digest=digest, salt=f"{text.salt}\nIt is not true that", text="the game was given up."
    )
    changed_values = [forged if value is text else value for value in values]

    assert (
        refused(signed(changed_values)).message == "the words and their salt don't give the digest"
    )


def test_an_event_that_only_a_later_program_reads_is_refused(archive: bytes) -> None:
    values = chained(changed(values_of(archive), EventLine, schema=99))

    refusal = refused(signed(values))
    assert refusal.code == "newer_events"
    assert "schema 99" in refusal.message


def test_another_key_than_the_salons_signs_nothing(archive: bytes) -> None:
    private = Pocket("x").new("x", frozenset())

    assert refused(signed(values_of(archive), private)).code == "altered"


# What somebody could make who has the salon's own key: whole and signed, and not what was recorded
# and signed before.
FORGERIES: dict[str, tuple[type, dict[str, Any], str]] = {
    "an event before the checkpoint": (EventLine, {"occurred_at": 7}, "ledger_checkpoint"),
    "a body that can't be folded": (EventLine, {"body": "{}"}, "[0-9a-f]{32}"),
    "a checkpoint": (CheckpointLine, {"root": "ab" * 32}, "ledger_checkpoint"),
    "the time of a checkpoint": (CheckpointLine, {"made_at": 1_000_000}, "ledger_checkpoint"),
    "a cosignature": (CosignatureLine, {"signed_at": 7_000_000}, "ledger_cosignature"),
    "when a key was made": (KeyLine, {"made_at": 7}, "ledger_signingkey"),
}


@pytest.mark.parametrize(
    "what",
    [
        each if number % 2 == 0 else pytest.param(each, marks=pytest.mark.long)
        for number, each in enumerate(FORGERIES)
    ],
)
def test_what_was_signed_with_the_right_key_and_is_not_what_was_recorded_is_refused(
    another_server: Server, what: str, tmp_path: Path
) -> None:
    salon = opened_salon()
    recorded(salon, everything())
    sign(salon)
    shape, columns, path = FORGERIES[what]
    values = values_of(written(salon, tmp_path / "right").read_bytes())
    (tmp_path / "forged").write_bytes(signed(chained(changed(values, shape, **columns))))
    with another_server():
        before = everything_stored()
        with pytest.raises(ArchiveRefused) as refusal:
            taken(tmp_path / "forged")
        assert refusal.value.code == "unsound"
        assert re.match(path, refusal.value.path), refusal.value.path
        assert everything_stored() == before


def test_a_player_whom_events_seat_must_be_among_the_players(
    another_server: Server, tmp_path: Path
) -> None:
    salon = opened_salon()
    recorded(salon, simple())
    values = values_of(written(salon, tmp_path / "right").read_bytes())
    without = next(value for value in values if isinstance(value, PlayerLine))
    (tmp_path / "forged").write_bytes(signed([value for value in values if value is not without]))
    with another_server():
        with pytest.raises(ArchiveRefused, match="not among the salon's players"):
            taken(tmp_path / "forged")
        assert not Salon.objects.exists()


def test_every_kind_of_line_is_in_the_archives_that_are_altered_here(archive: bytes) -> None:
    kinds = {next(iter(json.loads(line))) for line in archive.splitlines()}

    assert {
        "salon",
        "player",
        "text",
        "table",
        "event",
        "actor",
        "checkpoint",
        "cosignature",
        "key",
        "end",
    } == kinds
    assert {SalonLine, TextLine, ActorLine} <= {type(value) for value in values_of(archive)}
