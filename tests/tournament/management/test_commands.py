"""`manage.py score`, `record`, `export` and `rebuild` as somebody runs them."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tests.conftest import OwnDatabase
from tests.material import MATERIAL, lines_of
from tests.tournament.helpers.commanding import ended, run, start
from tests.tournament.helpers.running import PATIENCE
from tests.tournament.helpers.tables import (
    SAMPLES,
    a_salon,
    counts,
    everything,
    expected,
    recorded,
    samples,
    simple,
)
from tournament.models import Game, Salon
from tournament.projections.audit import audit

GAMES = SAMPLES / "games.jsonl"
PIPE = 65_536  # bytes that wait in a pipe until somebody reads them


def written(path: Path, *records: object) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def own_database_at(path: Path) -> dict[str, str]:
    return {"DATABASE_URL": f"sqlite:///{path}", "ACCORD_DATA": str(path.parent / "kept")}


# score


def test_score_prints_what_each_game_comes_to_in_the_order_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ran = run(capsys, "score", GAMES, "--json")

    assert ran.status == 0
    assert ran.lines == [expected()[game["id"]] for game in samples()]


@pytest.mark.parametrize(
    "name", ["precedence_games", "precedence_claimed_games", "precedence_simulated"]
)
def test_score_prints_what_the_reference_does(
    unpacked: Callable[[Path], Path], capsys: pytest.CaptureFixture[str], name: str
) -> None:
    ran = run(capsys, "score", unpacked(MATERIAL / f"{name}.jsonl"), "--json")

    assert (ran.status, ran.lines) == (0, lines_of(MATERIAL / f"{name}.expected.jsonl"))


def test_score_prints_tables_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    ran = run(capsys, "score", GAMES)

    assert ran.status == 0
    assert "bridge-002, Precedence" in ran.out
    assert "Won by" in ran.out


def test_score_prints_an_id_as_it_is_whatever_it_looks_like(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "score", written(tmp_path / "games", simple("[bold]:smile:[/]")))

    assert "[bold]:smile:[/], Precedence" in ran.out


def test_score_needs_no_database(tmp_path: Path) -> None:
    nowhere = {
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
        "ACCORD_DATA": str(tmp_path),
    }

    ran = ended(start(["score", GAMES, "--json"], nowhere))

    assert (ran.status, len(ran.lines)) == (0, 5)


def test_score_goes_on_after_a_game_that_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = simple(
        "bad",
        hands=[
            {"dealer": "N", "bids": {"N": 15, "E": 0, "S": 0, "W": 0}, "tricks": {"NS": 7, "EW": 6}}
        ],
    )
    ran = run(
        capsys, "score", written(tmp_path / "games", simple("one"), bad, simple("two")), "--json"
    )

    assert (ran.status, [line["id"] for line in ran.lines]) == (1, ["one", "bad", "two"])
    assert ran.lines[1]["error"] == {
        "code": "bad_bid",
        "rule": "P11",
        "path": "hands[0].bids.N",
        "message": "North can bid 0 to 13, not 15",
    }


# record and export


def test_record_stores_export_prints_and_score_comes_to_the_same(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = run(capsys, "record", GAMES, "--json")
    exported = run(capsys, "export")
    (tmp_path / "exported.jsonl").write_text(exported.out)
    scored = run(capsys, "score", tmp_path / "exported.jsonl", "--json")

    assert stored.lines == [{"id": game["id"], "outcome": "recorded"} for game in samples()]
    assert (stored.status, exported.status, scored.status) == (0, 0, 0)
    assert scored.lines == [expected()[game["id"]] for game in samples()]
    assert run(capsys, "verify").status == 0
    assert run(capsys, "rebuild", "--json").lines == [
        {"salon": "salon", "games": 5, "differences": [], "whole": True}
    ]


def test_record_again_changes_nothing(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "record", GAMES)
    before, exported = counts(), run(capsys, "export").out

    ran = run(capsys, "record", GAMES, GAMES)

    assert (ran.status, ran.out.count(": unchanged\n")) == (0, 10)
    assert (counts(), run(capsys, "export").out) == (before, exported)


def test_record_stores_the_good_games_of_a_file_with_bad_ones(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    lines = [simple("one"), simple("bad", players={}), simple("two"), simple("one", tricks=9)]
    file.write_text(
        '{"cut off": \n'
        + "".join(f"{json.dumps(line)}\n" for line in lines)
        + "no JSON\n"
        + json.dumps(simple("three"))
    )

    ran = run(capsys, "record", file, "--json")

    assert ran.status == 1
    assert [(line["id"], line.get("outcome")) for line in ran.lines] == [
        (None, None),
        ("one", "recorded"),
        ("bad", None),
        ("two", "recorded"),
        ("one", None),
        (None, None),
        ("three", "recorded"),
    ]
    assert [json.loads(line)["id"] for line in run(capsys, "export").out.splitlines()] == [
        "one",
        "two",
        "three",
    ]


def test_record_says_where_and_why_a_game_was_refused(
    tmp_path: Path, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path / "games", simple("one"), simple("one", tricks=9))

    ran = run(capsys, "record", file)

    where, why = (
        f"{file}:2: one refused at id: ",
        "the salon has another game with the id 'one'; a game is recorded once [bad_record]",
    )
    assert ran.out.splitlines() == ["one: recorded", where + why]


def test_record_makes_the_first_salon_and_takes_the_only_one(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "record", GAMES)
    assert [salon.slug for salon in Salon.objects.all()] == ["salon"]

    Salon.objects.update(slug="the-only-one")
    assert run(capsys, "record", GAMES).status == 0
    assert Salon.objects.count() == 1


@pytest.mark.parametrize(
    "command",
    [("record", GAMES), ("export",), ("rebuild",), ("verify",)],
    ids=lambda command: command[0],
)
def test_a_salon_that_is_not_there_is_refused(
    db: None, capsys: pytest.CaptureFixture[str], command: tuple[object, ...]
) -> None:
    a_salon("here")

    ran = run(capsys, *command, "--salon", "nowhere")

    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "There is no salon 'nowhere'; there are: here."


@pytest.mark.parametrize(
    "command", [("record", GAMES), ("export",)], ids=lambda command: command[0]
)
def test_of_two_salons_one_has_to_be_named(
    db: None, capsys: pytest.CaptureFixture[str], command: tuple[object, ...]
) -> None:
    a_salon("here")
    a_salon("there")

    ran = run(capsys, *command)
    assert (ran.status, ran.err) == (1, "Say which salon with --salon; there are: here, there.")
    assert run(capsys, *command, "--salon", "there").status == 0
    assert Game.objects.exclude(salon__slug="there").count() == 0


def test_export_prints_the_games_asked_for(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "record", GAMES)

    ran = run(capsys, "export", "claimed-187", "bridge-002")
    assert [line["id"] for line in ran.lines] == ["bridge-002", "claimed-187"]
    ran = run(capsys, "export", "bridge-002", "nothing")
    assert (ran.status, ran.out, ran.err) == (1, "", "The salon has no game 'nothing'.")


def test_export_of_a_database_without_a_salon_says_so(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "export")
    assert (ran.status, ran.err) == (
        1,
        "There is no salon yet; `manage.py record` or the first visit makes one.",
    )


# rebuild


def test_rebuild_prints_and_mends_and_then_finds_nothing(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(a_salon(), simple())
    game = Game.objects.get().pk
    Game.objects.update(version=1)

    ran = run(capsys, "rebuild")

    assert (ran.status, ran.out.splitlines()[-1]) == (
        1,
        "salon: 1 games folded again, 1 differences",
    )
    assert ran.out.startswith(f"salon: game {game}: version is 1, its events say ")
    assert "; mended" in ran.out
    assert run(capsys, "rebuild").status == 0


# Databases


@pytest.mark.parametrize(
    ("command", "url"),
    [
        (("record", GAMES), "sqlite:///{folder}/no database"),
        (("export",), "sqlite:///{folder}/no/folder/here"),
        (("rebuild",), "postgresql://nobody@127.0.0.1:1/nothing"),
        (("verify",), "sqlite:///{folder}/no database"),
    ],
    ids=["record", "export", "rebuild", "verify"],
)
def test_a_database_that_cannot_be_used_is_told_in_words(
    tmp_path: Path, command: tuple[object, ...], url: str
) -> None:
    (tmp_path / "no database").write_text("This is a letter, not a database. " * 100)

    ran = ended(
        start(command, {"DATABASE_URL": url.format(folder=tmp_path), "ACCORD_DATA": str(tmp_path)})
    )

    assert (ran.status, ran.out) == (1, "")
    assert "The database can't be used: " in ran.err


def test_a_database_of_another_version_is_refused(
    own_database: OwnDatabase, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.management.salon_argument.PATIENCE", 0.2)
    a_salon()
    recorder = MigrationRecorder(connection)

    recorder.record_applied("tournament", "9999_from_the_future")
    assert run(capsys, "verify").err == "The database is of a newer version than this program."
    recorder.record_unapplied("tournament", "9999_from_the_future")
    assert run(capsys, "verify").status == 0
    recorder.record_unapplied(
        "tournament",
        max(name for app, name in recorder.applied_migrations() if app == "tournament"),
    )
    assert (
        run(capsys, "verify").err
        == "The database is of an older version; run `manage.py migrate` first."
    )


@pytest.mark.long
def test_processes_that_record_the_same_file_into_an_empty_database_record_it_once(
    tmp_path: Path,
) -> None:
    """They make the tables, the salon, the players and the games at the same time."""
    environment = own_database_at(tmp_path / "fresh.sqlite3")

    ran = [
        ended(process)
        for process in [start(["record", GAMES, "--json"], environment) for _ in range(2)]
    ]

    assert [each.status for each in ran] == [0, 0], [each.err for each in ran]
    outcomes = [line["outcome"] for each in ran for line in each.lines]
    assert (outcomes.count("recorded"), outcomes.count("unchanged")) == (5, 5)
    assert ended(start(["verify"], environment)).out.endswith("events verified, no findings\n")
    assert len(ended(start(["export"], environment)).lines) == 5


def test_processes_that_record_games_of_the_same_new_players_store_them_all(
    own_database: OwnDatabase, tmp_path: Path
) -> None:
    salon = a_salon()
    files = [
        written(tmp_path / f"{who}.jsonl", *[simple(f"{who}-{number}") for number in range(8)])
        for who in "ab"
    ]

    ran = [
        ended(process)
        for process in [start(["record", file], own_database.environment) for file in files]
    ]

    assert [each.status for each in ran] == [0, 0], [each.err for each in ran]
    assert Game.objects.count() == 16
    assert list(audit(salon)) == []


def test_a_reader_who_stops_reading_gets_no_traceback(own_database: OwnDatabase) -> None:
    salon, longest = a_salon(), max(samples(), key=lambda value: len(json.dumps(value)))
    for number in range(2 * PIPE // len(json.dumps(longest)) + 1):
        recorded(salon, {**longest, "id": f"{number}"})

    process = start(["export"], own_database.environment)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read() if process.stderr else ""
    process.wait(timeout=PATIENCE)

    assert (process.returncode, err) == (1, "")


def test_a_file_can_come_from_standard_input(own_database: OwnDatabase) -> None:
    process = start(
        ["record", "/dev/stdin", "--json"], own_database.environment, stdin=subprocess.PIPE
    )

    out, err = process.communicate(json.dumps(everything()), timeout=PATIENCE)

    assert (process.returncode, json.loads(out), err) == (
        0,
        {"id": "everything", "outcome": "recorded"},
        "",
    )


def test_what_cannot_be_printed_is_written_out(tmp_path: Path) -> None:
    file = written(tmp_path / "\udce9.jsonl", simple("\x1b[2J\ud800"), simple("Łódź"))

    words = ended(
        start(["score", file], {"ACCORD_DATA": str(tmp_path), "PYTHONIOENCODING": "ascii"})
    )
    lines = ended(start(["score", file, "--json"], {"ACCORD_DATA": str(tmp_path)}))

    assert "\\x1b[2J" in words.out
    assert "\x1b" not in words.out
    assert lines.lines[0]["error"]["path"] == "id"
    assert lines.lines[1]["id"] == "Łódź"
