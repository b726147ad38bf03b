"""Whatever a file holds: clear words with place and rule, exit status 1, nothing stored of the bad
game, no traceback.
"""

import json
import os
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import OwnDatabase
from tests.tournament.helpers.commanding import ended, run, start, weighed
from tests.tournament.helpers.tables import TREES, bids, counts, samples, simple
from tournament.formats.record_files import LONGEST, records_in
from tournament.models import Game

MILLION = 1_000_000


def hand(**changes: Any) -> dict[str, Any]:
    return {**simple()["hands"][0], **changes}


def one_hand(**changes: Any) -> dict[str, Any]:
    return simple(hands=[hand(**changes)])


def played(**changes: Any) -> dict[str, Any]:
    """The first hand of a real game, with every card."""
    game = samples()[0]
    return simple(hands=[{**game["hands"][0], **changes}])


def without(key: str) -> dict[str, Any]:
    record = simple()
    del record[key]
    return record


PLAYS: list[list[str]] = samples()[0]["hands"][0]["plays"]
OVERLAPPING = [
    {"seat": "N", "kind": "run", "cards": ["2V", "3V", "4V"]},
    {"seat": "N", "kind": "triad", "cards": ["4V", "4F", "4B"]},
]

# What is wrong: the record, then the code, rule and path of the refusal.
WRONG: dict[str, tuple[object, tuple[str, str | None, str | None]]] = {
    "a list": ([simple()], ("bad_record", None, None)),
    "a number": (7, ("bad_record", None, None)),
    "null": (None, ("bad_record", None, None)),
    "another format": (simple(format="salon-record/2"), ("bad_record", None, "format")),
    "no format": (without("format"), ("bad_record", None, "format")),
    "no id": (without("id"), ("bad_record", None, "id")),
    "an empty id": (simple(""), ("bad_record", None, "id")),
    "an id too long": (simple("x" * 65), ("bad_record", None, "id")),
    "an id with a NUL": (simple("a\0b"), ("bad_record", None, "id")),
    "half a character": (simple("\ud800"), ("bad_record", None, "id")),
    "an unknown game": (simple(game="whist"), ("bad_record", None, "game")),
    "an unknown key": (simple(winner="N"), ("bad_record", None, "winner")),
    "an unknown key that is half a character": (
        simple() | {"\ud800": 1},
        ("bad_record", None, "\\ud800"),
    ),
    "an unknown seat": (simple(players=TREES | {"X": "Fir"}), ("bad_record", None, "players.X")),
    "a seat left empty": (simple(players={"N": "Ash"}), ("bad_record", None, "players")),
    "one name in two seats": (
        simple(players=TREES | {"S": "Ash"}),
        ("bad_record", None, "players.S"),
    ),
    "one name in two seats, oddly spaced": (
        simple(players=TREES | {"S": "Ash\u200b"}),
        ("bad_record", None, "players.S"),
    ),
    "a name that can't be seen": (
        simple(players=TREES | {"S": "\u200b"}),
        ("bad_record", None, "players.S"),
    ),
    "an unknown option": (simple(options={"anti": 1}), ("bad_record", None, "options.anti")),
    "an option out of range": (simple(options={"ante": -1}), ("bad_record", "P4", "options.ante")),
    "an option of another type": (
        simple(options={"ante": True}),
        ("bad_record", "P4", "options.ante"),
    ),
    "a date that is none": (simple(played_on="2026-02-30"), ("bad_record", None, "played_on")),
    "hands that are no list": (simple(hands={}), ("bad_record", None, "hands")),
    "a hand that is none": (simple(hands=[7]), ("bad_record", None, "hands[0]")),
    "an unknown key in a hand": (one_hand(winner="N"), ("bad_record", None, "hands[0].winner")),
    "a time that is none": (one_hand(at="half past seven"), ("bad_record", None, "hands[0].at")),
    "a time too far away": (
        one_hand(at="9999-12-31T00:00:00Z"),
        ("bad_record", None, "hands[0].at"),
    ),
    "an unknown dealer": (one_hand(dealer="X"), ("bad_record", None, "hands[0].dealer")),
    "an unknown suit": (one_hand(trump="H"), ("bad_record", None, "hands[0].trump")),
    "a trump out of turn": (one_hand(trump="C"), ("bad_trump", "P5", "hands[0].trump")),
    "a bid that is missing": (one_hand(bids={"N": 1}), ("bad_record", None, "hands[0].bids.E")),
    "a bid that is no number": (
        one_hand(bids=bids("2323") | {"E": "3"}),
        ("bad_record", None, "hands[0].bids.E"),
    ),
    "a bid that is a fraction": (
        one_hand(bids=bids("2323") | {"E": 3.5}),
        ("bad_record", None, "hands[0].bids.E"),
    ),
    "a bid beyond all numbers": (
        one_hand(bids=bids("2323") | {"E": 10**400}),
        ("bad_record", None, "hands[0].bids.E"),
    ),
    "a bid of 15": (one_hand(bids=bids("2323") | {"E": 15}), ("bad_bid", "P11", "hands[0].bids.E")),
    "a contract above 13": (one_hand(bids=bids("7070")), ("bad_bid", "P11", "hands[0].bids.N")),
    "a card that is none": (
        played(plays=[["1V", *PLAYS[0][1:]], *PLAYS[1:]]),
        ("bad_record", None, "hands[0].plays[0][0]"),
    ),
    "a Voidpilot in a core game": (
        one_hand(melds=[{"seat": "N", "kind": "run", "cards": ["Voidpilot of Void", "CV", "OV"]}]),
        ("bad_record", "P2", "hands[0].melds[0].cards[0]"),
    ),
    "a card played twice": (
        played(plays=[PLAYS[0], PLAYS[0], *PLAYS[2:]], deal=samples()[0]["hands"][0]["deal"]),
        ("bad_total", "P13", None),
    ),
    "14 tricks": (played(plays=[*PLAYS, PLAYS[0]]), ("bad_total", "P13", "hands[0].plays")),
    "14 winners": (
        one_hand(winners=["N"] * 14, tricks={"NS": 13, "EW": 0}),
        ("bad_total", "P13", "hands[0].winners"),
    ),
    "totals of 14": (one_hand(tricks={"NS": 7, "EW": 7}), ("bad_total", "P13", "hands[0].tricks")),
    "melds that overlap": (
        one_hand(melds=OVERLAPPING),
        ("bad_meld", "P9", "hands[0].melds[1].cards"),
    ),
    "a hand after the end": (
        simple(options={"hands_limit": 1}, hands=[hand(), hand(dealer="E")]),
        ("game_over", "P23", "hands[1]"),
    ),
    "an end that is none": (
        simple(ended={"kind": "forgotten", "by": "Elder", "reason": "late"}),
        ("bad_record", None, "ended.kind"),
    ),
}

# What no JSON value says: the bytes of a file, and words of the message.
UNREADABLE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "is empty"),
    "blank lines": (b"\n \r\n\t\n", "is empty"),
    "a byte order mark alone": (b"\xef\xbb\xbf\n", "is empty"),
    "words": (b"Dear salon,\n", "isn't JSON"),
    "half an object": (json.dumps(simple()).encode()[:-9], "isn't JSON"),
    "an object too many brackets": (json.dumps(simple()).encode() + b"}", "isn't JSON"),
    "Latin-1": (
        json.dumps(simple("caf\u00e9"), ensure_ascii=False).encode("latin-1"),
        "isn't UTF-8",
    ),
    "UTF-16": (json.dumps(simple()).encode("utf-16"), "isn't UTF-8"),
    "NUL bytes": (b"\0" * 100, "isn't JSON"),
    "a NUL in an object": (b'{"format": "salon-record/1", "id": "a\0b"}', "isn't JSON"),
    "not a number": (b'{"format": NaN}', "NaN is no number"),
    "a key twice": (b'{"id": "a", "id": "b"}', "the key 'id' stands twice"),
    "a number of a million digits": (b'{"id": ' + b"9" * MILLION + b"}", "isn't JSON"),
    "brackets in brackets": (b"[" * 200_000 + b"]" * 200_000, "nested too deep"),
    "objects in objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deep"),
    "a line too long": (
        b'{"note": "' + b"x" * (LONGEST + 1) + b'"}\n',
        "longer than 8 million bytes",
    ),
    "an object too long": (
        b'{\n "note": "' + b"x" * (LONGEST + 1) + b'"}\n',
        "longer than 8 million bytes",
    ),
}


@pytest.mark.parametrize("command", ["score", "record"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_bad_record_is_refused_with_its_place_and_rule(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str], wrong: str, command: str
) -> None:
    value, (code, rule, path) = WRONG[wrong]
    file = tmp_path / "game.json"
    file.write_text(f"{json.dumps(value)}\n")
    before = counts()

    ran = run(capsys, command, file, "--json")

    assert ran.status == 1
    (line,) = ran.lines
    error = line["error"]
    assert (error["code"], error["rule"]) == (code, rule)
    assert path is None or error["path"] == path
    assert error["message"]
    assert counts() == before
    in_words = run(capsys, command, file)
    assert in_words.status == 1
    assert in_words.out.startswith(f"{file}:1: ")
    assert in_words.out.endswith(f"[{code}]\n")


@pytest.mark.parametrize("command", ["score", "record"])
@pytest.mark.parametrize("wrong", UNREADABLE)
def test_what_is_no_json_is_refused_in_words(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str], wrong: str, command: str
) -> None:
    content, words = UNREADABLE[wrong]
    file = tmp_path / "game.json"
    file.write_bytes(content)

    ran = run(capsys, command, file, "--json")

    assert ran.status == 1
    assert words in ran.lines[0]["error"]["message"]
    assert {(line["id"], line["error"]["code"]) for line in ran.lines} == {(None, "bad_record")}
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (".", "Is a directory"),
        ("missing.json", "No such file"),
        ("here.json/inside", "Not a directory"),
        ("x" * 300, "File name too long"),
    ],
)
@pytest.mark.parametrize("command", ["score", "record"])
def test_a_file_that_cannot_be_opened_is_told_and_the_others_are_read(
    tmp_path: Path,
    db: None,
    capsys: pytest.CaptureFixture[str],
    place: str,
    words: str,
    command: str,
) -> None:
    (tmp_path / "here.json").write_text(json.dumps(simple()))

    ran = run(capsys, command, tmp_path / place, tmp_path / "here.json", "--json")

    assert ran.status == 1
    first, second = ran.lines
    assert f"can't be read: {words}" in first["error"]["message"]
    assert second["id"] == "simple"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(simple()))
    file.chmod(0)

    ran = run(capsys, "score", file, "--json")
    assert (ran.status, "Permission denied" in ran.lines[0]["error"]["message"]) == (1, True)


def test_a_file_that_is_not_allowed_to_be_opened_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(path: Path, *_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", forbidden)
    monkeypatch.setattr(Path, "stat", forbidden)

    ran = run(capsys, "score", tmp_path / "game.json", "--json")
    assert (ran.status, "Permission denied" in ran.lines[0]["error"]["message"]) == (1, True)


GOOD: dict[str, Callable[[list[dict[str, Any]]], bytes]] = {
    "one a line": lambda games: b"".join(json.dumps(game).encode() + b"\n" for game in games),
    "no line end at the end": lambda games: b"\n".join(json.dumps(game).encode() for game in games),
    "lines of a printer": lambda games: b"".join(
        json.dumps(game).encode() + b"\r\n" for game in games
    ),
    "blank lines between": lambda games: b"\n\n".join(json.dumps(game).encode() for game in games),
    "a byte order mark": lambda games: (
        b"\xef\xbb\xbf" + b"\n".join(json.dumps(game).encode() for game in games)
    ),
}


@pytest.mark.parametrize("form", GOOD)
def test_games_are_read_one_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    file = tmp_path / "games"
    file.write_bytes(GOOD[form]([simple("one"), simple("two")]))

    ran = run(capsys, "score", file, "--json")
    assert (ran.status, [line["id"] for line in ran.lines]) == (0, ["one", "two"])


@pytest.mark.parametrize(
    "before",
    [b"", b"\n\n", b"\xef\xbb\xbf"],
    ids=["at once", "after blank lines", "after a byte order mark"],
)
@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_one_game_may_stand_over_many_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: bytes, indent: int | None, end: str
) -> None:
    file = tmp_path / "game"
    file.write_bytes(before + json.dumps(simple("one"), indent=indent).replace("\n", end).encode())

    ran = run(capsys, "score", file, "--json")
    assert (ran.status, [line["id"] for line in ran.lines]) == (0, ["one"])


def test_a_first_line_that_is_a_whole_object_inside_does_not_confuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps(simple("one", options={"ante": 2}), separators=(", ", ": "))
    file = tmp_path / "game"
    file.write_text(text.replace('{"ante": 2}', '\n{"ante": 2}\n').replace('"hands"', '\n"hands"'))

    ran = run(capsys, "score", file, "--json")
    assert (ran.status, [line["id"] for line in ran.lines]) == (0, ["one"])


@pytest.mark.parametrize(
    "broken", [b'{"format": "salon-rec', b'{"a": {}', b"{", b"no JSON", b"x" * (LONGEST + 10)]
)
def test_a_broken_first_line_does_not_hide_the_games_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], broken: bytes
) -> None:
    file = tmp_path / "games"
    file.write_bytes(broken + b"\n" + GOOD["one a line"]([simple("one"), simple("two")]))

    ran = run(capsys, "score", file, "--json")
    assert (ran.status, [line["id"] for line in ran.lines]) == (1, [None, "one", "two"])
    assert run(capsys, "score", file).out.startswith(f"{file}:1: ")


def test_games_beyond_the_first_eight_million_bytes_are_found_after_a_broken_first_line(
    tmp_path: Path,
) -> None:
    file = tmp_path / "games"
    line = json.dumps(simple()).encode() + b"\n"
    count = LONGEST // len(line) + 1000
    file.write_bytes(b"{\n" + line * count)

    found = list(records_in(file, lambda size: None))

    assert len(found) == count + 1
    assert [place.error is None for place in found[:2]] == [False, True]
    assert {place.value["id"] for place in found[1:]} == {"simple"}
    assert found[-1].where.endswith(f":{count + 1}")


def test_reading_says_how_far_it_is_to_the_last_byte(tmp_path: Path) -> None:
    for name, content in (
        ("lines", GOOD["one a line"]([simple()] * 9)),
        ("object", json.dumps(simple(), indent=1).encode()),
    ):
        (tmp_path / name).write_bytes(content)
        sizes: list[int] = []
        list(records_in(tmp_path / name, sizes.append))
        assert sum(sizes) == len(content)


def test_a_key_that_stands_twice_among_very_many_is_found_at_once(tmp_path: Path) -> None:
    keys = ",".join(f'"{number}":0' for number in range(400_000))
    (tmp_path / "game").write_text(f'{{{keys},"399999":0}}')

    (found,) = records_in(tmp_path / "game", lambda size: None)

    assert found.error is not None
    assert "'399999' stands twice" in found.error.message


def fifty_million_bytes(file: Path) -> int:
    """Games one a line; how many."""
    count = 0
    with file.open("w") as lines:
        while lines.tell() < 50 * MILLION:
            for _ in range(1000):
                lines.write(json.dumps(simple(f"game-{count}", note="x" * 1900)) + "\n")
                count += 1
    return count


@pytest.mark.long
def test_fifty_million_bytes_of_games_are_read_in_little_memory(tmp_path: Path) -> None:
    count = fifty_million_bytes(tmp_path / "games")
    tracemalloc.start()
    try:
        read = sum(
            found.error is None for found in records_in(tmp_path / "games", lambda size: None)
        )
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert read == count
    assert most < MILLION


@pytest.mark.parametrize("form", ["one long line", "one object over many lines"])
def test_fifty_million_bytes_in_one_piece_are_refused_in_little_memory(
    tmp_path: Path, form: str
) -> None:
    file, start_of_it = (
        tmp_path / "games",
        b'{"note": "' if form == "one long line" else b'{\n"note":\n"',
    )
    with file.open("wb") as content:
        content.write(start_of_it)
        for _ in range(50):
            content.write((b"x" * 999 + (b"x" if form == "one long line" else b"\n")) * 1000)
    tracemalloc.start()
    try:
        (found,) = records_in(file, lambda size: None)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert found.error is not None
    assert "longer than 8 million bytes" in found.error.message
    assert most < 40 * MILLION


@pytest.mark.long
@pytest.mark.parametrize("command", ["score", "record"])
def test_fifty_million_bytes_of_games_are_scored_and_recorded_in_little_memory(
    tmp_path: Path, own_database: OwnDatabase, command: str
) -> None:
    count = fifty_million_bytes(tmp_path / "games")

    with (tmp_path / "said").open("w") as said:
        status, peak = weighed(
            [command, tmp_path / "games", "--json"], own_database.environment, stdout=said
        )

    assert status == 0
    assert len((tmp_path / "said").read_text().splitlines()) == count
    assert peak < 200_000  # kilobytes


def odd_files() -> Iterator[bytes]:
    yield from (content for content, _ in UNREADABLE.values() if len(content) < MILLION)
    yield from (json.dumps(value).encode() for value, _ in WRONG.values())
    yield json.dumps(simple("\x1b[2J\u2028")).encode()


def test_a_process_that_reads_all_of_this_shows_no_traceback(
    tmp_path: Path, own_database: OwnDatabase
) -> None:
    files = []
    for number, content in enumerate(odd_files()):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_bytes(content)

    for command, *form in (("score",), ("record", "--json")):
        ran = ended(start([command, *files, *form], own_database.environment))
        assert ran.status == 1
        assert len(ran.out.splitlines()) >= len(files)
        assert ran.err == ""
