"""Whole plans of files, and rounds of files counted, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command


def a_file(folder: Path, kind: str, game: str, entries: int, **more: Any) -> Path:
    stage = {"kind": kind} | more.pop("stage", {})
    path = folder / f"{kind}.json"
    path.write_text(
        json.dumps(
            {
                "format": "salon-tournament/1",
                "id": kind,
                "game": game,
                "seed": 7,
                "stage": stage,
                "entries": [{"id": str(each)} for each in range(1, entries + 1)],
                **more,
            }
        )
    )
    return path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    call_command("schedule", *arguments, "--json")
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_a_whist_tournament_of_thirteen_has_everybody_as_partner_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, str(a_file(tmp_path, "rotating", "precedence", 13)))

    assert told["construction"] == "bose-cameron 13"
    assert told["proof"]["partners"] == {"1": 78}
    assert told["proof"]["opponents"] == {"2": 78}
    assert told["proof"]["sit_outs"] == {"1": 13}
    assert told["proof"]["never_met"] == []
    assert [len(each["tables"]) for each in told["rounds"]] == [3] * 13
    assert told["rounds"][0]["byes"][0]["kind"] == "pairing"


def test_a_knock_out_is_its_tree_with_the_places_that_matches_come_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = answer(capsys, str(a_file(tmp_path, "knockout", "precedence", 5)))
    tables = [table for each in told["rounds"] for table in each["tables"]]

    assert [table["match"] for table in tables] == [1, 3, 2, 4]  # as soon as they can be played
    assert tables[0]["entries"] == ["4", "5"]
    assert tables[-1]["entries"] == ["winner of 2", "winner of 3"]
    assert tables[-1]["bracket"] == "final"


def test_rounds_that_came_with_a_file_are_counted_and_what_is_wrong_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = [
        {"tables": [{"table": 1, "entries": ["1", "2", "3"]}]},
        {"tables": [{"table": 1, "entries": ["1", "2", "4"]}]},
    ]
    given = a_file(tmp_path, "pods", "preference", 4, rounds=rounds)
    told = answer(capsys, str(given), "--given")

    assert told["construction"] == "as given"
    assert told["proof"]["meetings"] == {"0": 1, "1": 4, "2": 1}
    assert told["faults"] == ["numbers 1 and 2 meet 2 times, not 1 at most"]


def test_a_plan_of_seven_for_fives_and_fours_is_refused_with_what_would_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seven = a_file(tmp_path, "pods", "contract_sabacc", 7, stage={"sizes": [5, 4], "rounds": 2})
    with pytest.raises(SystemExit):
        call_command("schedule", str(seven))

    assert "with tables of 3 too all can" in " ".join(capsys.readouterr().out.split())
