"""The desk asks whether the games of who left a round robin count, and shows what was said."""

import json
from pathlib import Path

import pytest
from django.test import Client

from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does, in_round_1, result, send
from tests.tournament.helpers.playing import told
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Salon, Tournament
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.tasks import PROJECTIONS


@pytest.fixture
def row(salon: Salon) -> Tournament:
    row = in_round_1(salon, 6, Stage(kind="round_robin", tie_breaks=("sonneborn_berger",)))
    results = [result(table, 250, 200) for table in (1, 2, 3)]
    return does(row, *results, CloseRound(round=1), Withdraw(entry="6"))


def page(owner: Client, row: Tournament, path: str) -> str:
    return told(owner.get(f"/tournaments/{row.pk}/{path}"))


def test_the_games_of_a_leaver_are_left_out_and_count_again(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    assert "played 1 of 5: leave these games out?" in page(owner, row, "desk/")

    send(owner, row, "settled-leavers", "desk", entry="6", games="out")

    catch_up(salon.log, PROJECTIONS)
    assert "leave these games out?" not in page(owner, row, "desk/")
    assert "withdrawn, its games are left out" in page(owner, row, "standings/")
    assert "<s>" in owner.get(f"/tournaments/{row.pk}/plan/crosstable/").text
    assert "They are left out of the standings." in page(owner, row, "desk/entries/6/")
    assert "are left out of the standings" in page(owner, row, "history/")

    send(owner, row, "settled-leavers", "entry-6", entry="6", games="count")

    catch_up(salon.log, PROJECTIONS)
    assert "its games are left out" not in page(owner, row, "standings/")
    assert not list(differences(salon, mend=False, progress=lambda done: None))


def test_the_rule_travels_with_the_file_and_a_command_settles_it(
    salon: Salon, row: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    act = json.dumps({"entry": "6"})
    assert run(capsys, "tournament", "act", row.pk, "settled-leavers", act).status == 0
    again = run(capsys, "tournament", "act", row.pk, "settled-leavers", act)
    assert (again.status, "settled for entry 6 already" in again.err) == (1, True)

    (written,) = run(capsys, "tournament", "export", row.pk).lines

    assert written["entries"][5]["left_out"] == [1]


def test_a_file_with_a_leaver_left_out_is_stored_and_exported_alike(
    salon: Salon, row: Tournament, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    act = json.dumps({"entry": "6"})
    run(capsys, "tournament", "act", row.pk, "settled-leavers", act)
    (written,) = run(capsys, "tournament", "export", row.pk).lines
    path = tmp_path / "robin.json"
    path.write_text(json.dumps(written | {"id": "another-robin"}))

    ran = run(capsys, "tournament", "import", path)
    assert ran.status == 0, ran.err

    again = run(capsys, "tournament", "export").lines
    other = next(each for each in again if each["id"] == "another-robin")
    assert other["entries"][5]["left_out"] == [1]
