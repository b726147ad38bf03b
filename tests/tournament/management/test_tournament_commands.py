"""`manage.py standings` and `pair` as somebody runs them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.material import MATERIAL, text_of
from tests.tournament.domain.standings.made import CUP, cup, setting
from tests.tournament.helpers.commanding import ended, run, start
from tournament.formats.record_files import LONGEST

NEXT = setting("rounds", 1, {"tables": [{"table": 1, "entries": ["1", "5"]}], "byes": []})


def written(path: Path, *tournaments: object) -> Path:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in tournaments))
    return path


def test_standings_prints_rank_points_and_tie_breaks_of_every_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "standings", written(tmp_path / "cup", CUP), "--json")

    assert ran.status == 0
    (line,) = ran.lines
    assert (line["id"], line["after_round"]) == ("spring-cup", 1)
    assert line["rows"][1] == {
        "rank": 2,
        "entry": "1",
        "points": 1,
        "tie_breaks": {
            "buchholz_cut_1": 0,
            "buchholz": 0,
            "sonneborn_berger": 0,
            "score_difference": 75,
        },
        "played": 1,
    }
    assert [(row["rank"], row["entry"], row["points"]) for row in line["rows"][3:]] == [
        (4, "2", 0),
        (5, "4", -0.5),
    ]


def test_pair_prints_the_next_round_with_reasons_and_a_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "pair", written(tmp_path / "cup", CUP), "--json")

    assert ran.status == 0
    (line,) = ran.lines
    assert (line["id"], line["round"], [bye["entry"] for bye in line["byes"]]) == (
        "spring-cup",
        2,
        ["4"],
    )
    assert [reason["words"] for reason in line["byes"][0]["why"]] == [
        "has not sat out, nor won without playing, until now",
        "nobody has a lower score",
        "nobody with the same score stands lower",
        "did not meet a lower score in the last round",
    ]
    assert [table["table"] for table in line["tables"]] == [1, 2]
    assert sorted(entry for table in line["tables"] for entry in table["entries"]) == [
        "1",
        "2",
        "3",
        "5",
    ]
    assert [reason["tier"] for reason in line["tables"][0]["why"]] == [
        "rematch",
        "score_difference",
        "repeated_float",
        "seat_balance",
    ]
    assert len(line["digest"]) == 64
    assert run(capsys, "pair", tmp_path / "cup", "--json").lines == [line]


def test_pair_draws_with_the_engine_and_the_lots_that_a_file_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = written(
        tmp_path / "cup",
        CUP,
        cup(setting("draw", {"seed": 99})),
        cup(setting("draw", {"engine": "accord pairing 1"})),
    )
    usual, lots, old = run(capsys, "pair", other, "--json").lines

    assert (usual["engine"], usual["seed"], lots["seed"], old["engine"]) == (
        "accord pairing 5",
        7,
        99,
        "accord pairing 1",
    )
    assert len({usual["digest"], lots["digest"], old["digest"]}) == 3
    unknown = written(tmp_path / "unknown", cup(setting("draw", {"engine": "accord pairing 9"})))
    assert run(capsys, "pair", unknown, "--json").lines[0]["error"]["path"] == "draw.engine"


def test_both_print_tables_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "cup", CUP)
    standing, paired = run(capsys, "standings", file), run(capsys, "pair", file)

    assert "spring-cup, Spring Cup" in standing.out
    assert "Buchholz: The points of all opponents, added up" in standing.out
    assert "FIDE C.07, 8.1" in standing.out
    assert "Gus & Hal sits out." in paired.out
    assert "they have not met yet" in paired.out


def test_neither_needs_a_database(tmp_path: Path) -> None:
    nowhere = {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
        "ACCORD_DATA": str(tmp_path),
    }
    file = written(tmp_path / "cup", CUP)

    for ran in map(
        ended,
        [
            start([command, file, "--json"], nowhere)
            for command in ("standings", "pair", "check_pairings")
        ],
    ):
        assert (ran.status, [line["id"] for line in ran.lines]) == (0, ["spring-cup"])


def test_pair_refuses_a_draw_with_results_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "cup", cup(NEXT), CUP)

    ran = run(capsys, "pair", file, "--json")

    assert (ran.status, ran.lines[1]["id"]) == (1, "spring-cup")
    assert ran.lines[0]["error"]["code"] == "result_missing"
    assert ran.lines[0]["error"]["path"] == "rounds[1].tables[0].result"
    assert run(capsys, "standings", file, "--json").status == 0


BAD: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "bad_record", "is empty"),
    "words": (b"Dear salon,", "bad_record", "isn't JSON"),
    "Latin-1": ('{"id": "café"}'.encode("latin-1"), "bad_record", "isn't UTF-8"),
    "nested too deep": (b"[" * 100_000, "bad_record", "nested too deep"),
    "not a number": (b'{"seed": NaN}', "bad_record", "NaN is no number"),
    "too long": (b'{"name": "' + b"x" * (LONGEST + 1), "bad_record", "longer than 8 million bytes"),
    "an unknown tie-break": (
        json.dumps(cup(setting("stage", "tie_breaks", 0, "bucholz"))).encode(),
        "bad_record",
        "one of buchholz, buchholz_cut_1",
    ),
    "one player in two entries": (
        json.dumps(cup(setting("entries", 1, "players", 0, "Asha"))).encode(),
        "player_twice",
        "Asha is a player of entry 1 too",
    ),
}


@pytest.mark.parametrize("wrong", BAD)
@pytest.mark.parametrize("command", ["standings", "pair", "check_pairings"])
def test_a_bad_file_is_refused_with_clear_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, wrong: str
) -> None:
    content, code, words = BAD[wrong]
    (tmp_path / "bad").write_bytes(content)

    ran = run(capsys, command, tmp_path / "bad", written(tmp_path / "cup", CUP), "--json")
    in_words = run(capsys, command, tmp_path / "bad")

    error: dict[str, Any] = ran.lines[0]["error"]
    assert (ran.status, error["code"], ran.lines[-1]["id"]) == (1, code, "spring-cup")
    assert words in error["message"]
    assert in_words.status == 1
    assert words in in_words.out


def test_fifty_million_bytes_in_one_piece_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.write(b'{"name": "')
        for _ in range(50):
            file.write(b"x" * 1_000_000)

    for command in ("standings", "pair", "check_pairings"):
        ran = run(capsys, command, tmp_path / "huge", "--json")
        assert (ran.status, "longer than 8 million bytes" in ran.lines[0]["error"]["message"]) == (
            1,
            True,
        )


def test_check_pairings_says_round_by_round_what_the_engine_draws_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (drawn,) = run(capsys, "pair", written(tmp_path / "cup", CUP), "--json").lines
    met = [{"table": each["table"], "entries": each["entries"]} for each in drawn["tables"]]
    one, two = met[0]["entries"][0], met[1]["entries"][0]
    swapped = [
        {"table": 1, "entries": [two, met[0]["entries"][1]]},
        {"table": 2, "entries": [one, met[1]["entries"][1]]},
    ]
    byes = [{"entry": each["entry"]} for each in drawn["byes"]]
    files = written(
        tmp_path / "cups",
        cup(setting("rounds", 1, {"tables": met, "byes": byes})),
        cup(setting("rounds", 1, {"tables": swapped, "byes": byes})),
    )

    ran = run(capsys, "check_pairings", files, "--json")

    assert ran.status == 0
    same, other = (line["rounds"][1] for line in ran.lines)
    assert (same["answer"], same["digest"], same["seed"]) == ("same", drawn["digest"], 7)
    assert other["answer"] == "different"
    assert other["played"] == swapped
    assert other["drawn"] == met
    assert other["aims"]
    assert all(aim["words"].endswith(" in the draw") for aim in other["aims"])
    assert all(aim["words"].count("entries") <= 1 for aim in other["aims"])
    told = run(capsys, "check_pairings", files)
    assert (told.status, told.out.count("played: 1: ")) == (0, 3)


def test_check_pairings_reads_reports_of_other_programs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = tmp_path / "report.trf"
    report.write_text(text_of(MATERIAL / "tournament/swiss/gen_001.trf"))
    ran = run(capsys, "check_pairings", report, "--json")
    broken = tmp_path / "broken.trf"
    broken.write_text("012 Cup\n001    1      Kit Two\n001    1      Pat One\n")

    assert ran.status == 0
    assert ran.lines[0]["rounds"][0]["answer"] in ("same", "seats")
    refused = run(capsys, "check_pairings", broken)
    assert refused.status == 1
    assert "line 3, column 5: the player in line 2 has the number 1 already" in " ".join(
        refused.out.split()
    )


def test_check_pairings_fails_for_a_file_that_is_refused_and_for_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = cup(NEXT, setting("rounds", 2, {"tables": [], "byes": []}))
    ran = run(capsys, "check_pairings", written(tmp_path / "late", late), "--json")

    assert ran.status == 0
    assert ran.lines[0]["rounds"][2]["error"]["code"] == "result_missing"
    broken = written(tmp_path / "broken", cup(setting("game", "chess")))
    assert run(capsys, "check_pairings", broken, "--json").status == 1
