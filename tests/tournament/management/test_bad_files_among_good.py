"""Whatever lies among the files of a command, every good one is answered, in its place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.domain.standings.made import CUP, cup, setting
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import simple
from tournament.management.files import each_in

type Written = Callable[[Path], object]

BAD: dict[str, Written] = {
    "not there": lambda path: None,
    "a folder": lambda path: path.mkdir(),
    "empty": lambda path: path.write_bytes(b""),
    "a picture": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    "UTF-16": lambda path: path.write_text(json.dumps(CUP), encoding="utf-16"),
    "half an object": lambda path: path.write_text(json.dumps(CUP)[:200]),
    "a list": lambda path: path.write_text("[]"),
    "a number": lambda path: path.write_text("7"),
    "another format": lambda path: path.write_text('{"format": "salon-other/1"}'),
    "a stranger's result": lambda path: path.write_text(
        json.dumps(cup(setting("rounds", 0, "byes", 0, "entry", "nobody")))
    ),
    "deep": lambda path: path.write_text("[" * 5_000 + "]" * 5_000),
}
KNOCKOUT = {
    "format": "salon-tournament/1",
    "id": "knockout",
    "game": "precedence",
    "stage": {"kind": "knockout", "third_place": True, "reseed": True},
    "entries": [{"id": str(number)} for number in range(1, 5)],
}


def good(command: str, number: int) -> dict[str, Any]:
    if command in ("score", "record"):
        return simple(f"good-{number}")
    return KNOCKOUT | {"id": f"good-{number}"}


def answered(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[Any]]:
    files = []
    for number, (name, write) in enumerate(BAD.items()):
        bad, fine = tmp_path / f"{number} {name}", tmp_path / f"{number} good"
        write(bad)
        fine.write_text(json.dumps(good(command[0], number)))
        files += [bad, fine]
    ran = run(capsys, *command, *files, "--json")
    return ran.status, [line["id"] for line in ran.lines if "error" not in line]


@pytest.mark.parametrize("command", ["score", "standings", "pair", "schedule", "check_pairings"])
def test_every_good_file_is_answered_without_a_database(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, ids = answered((command,), tmp_path, capsys)
    assert (status, ids) == (1, [f"good-{number}" for number in range(len(BAD))])


@pytest.mark.django_db
@pytest.mark.parametrize("command", [("record",), ("tournament", "import")])
def test_every_good_file_is_stored(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, ids = answered(command, tmp_path, capsys)
    assert (status, ids) == (1, [f"good-{number}" for number in range(len(BAD))])


def test_a_fault_of_the_program_in_one_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "three"
    path.write_text("".join(json.dumps({"id": each}) + "\n" for each in "abc"))
    done: list[str] = []

    def answer(value: Any) -> None:
        if value["id"] == "b":
            raise KeyError("4")
        done.append(value["id"])

    with pytest.raises(SystemExit) as ended:
        each_in([path], answer, json=True)
    assert (ended.value.code, done) == (1, ["a", "c"])
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["code"] == "not_answered"
    assert "KeyError" in said.err
