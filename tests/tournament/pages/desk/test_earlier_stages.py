"""What was played in an earlier stage stays on the pages when the next one is played."""

import pytest
from django.test import Client

from scoring.errors import NotationError
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.festivals import does
from tests.tournament.helpers.salons import opened_salon
from tournament.domain.standings.sequence import in_sequence
from tournament.domain.standings.values import Result, Stage, Takes
from tournament.domain.tournament.cuts import BeginStage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Tournament
from tournament.recording.tournaments import open_tournament
from tournament.streams.tournament_rows import state_of

pytestmark = pytest.mark.django_db


def opened(*later: Stage, first: Stage, game: str = "precedence") -> Tournament:
    row = open_tournament(
        opened_salon(),
        actor="d",
        command="c" * 32,
        name="Festival",
        game=game,
        stage=first,
        later=later,
        seed=7,
    )
    pairs = [(("1", f"A{number}"), ("2", f"B{number}")) for number in range(1, 5)]
    does(row, EnterPhase(phase="registration"), *(MakeEntry(players=pair) for pair in pairs))
    does(row, EnterPhase(phase="running"))
    return row


def plays(row: Tournament, number: int) -> None:
    does(row, DrawRound(round=number), PublishRound(round=number))
    results = (Result(score=26200), Result(score=18700))
    for table in state_of(row).rounds[number - 1].tables:
        does(row, EnterResult(round=number, table=table.table, results=results))
    does(row, CloseRound(round=number))


@pytest.fixture
def two_trees(db: None) -> Tournament:
    """The final four by knock-out, then the best two once more, drawn."""
    row = opened(Stage(kind="knockout", takes=Takes(top=2)), first=Stage(kind="knockout"))
    plays(row, 1)
    plays(row, 2)
    does(row, BeginStage(stage=2))
    does(row, DrawRound(round=3), PublishRound(round=3))
    return row


def test_each_tree_of_two_can_be_seen_and_the_one_that_is_played_first(
    two_trees: Tournament,
) -> None:
    address = f"/tournaments/{two_trees.pk}/bracket/"

    now, first, second = (
        Client().get(f"{address}{query}").text for query in ("", "?stage=1", "?stage=2")
    )

    everybody = [f"A{number} &amp; B{number}" for number in range(1, 5)]
    assert [sum(name in page for name in everybody) for page in (now, first, second)] == [2, 4, 2]
    assert 'href="?stage=1"' in now
    assert Client().get(f"{address}?stage=3").status_code == 404
    assert Client().get(f"{address}?stage=0").status_code == 404


def test_programs_ask_for_the_tree_of_a_stage(two_trees: Tournament) -> None:
    asks, address = owner_calls(two_trees.salon), f"tournaments/{two_trees.pk}/bracket/"

    trees = [len(asks.get(f"{address}{query}").value["matches"]) for query in ("", "?stage=1")]

    assert trees == [1, 3]


def test_a_plan_is_there_while_the_knock_out_after_it_is_played(db: None) -> None:
    row = opened(
        Stage(kind="knockout", takes=Takes(top=2)), first=Stage(kind="round_robin", double=False)
    )
    for number in (1, 2, 3):
        plays(row, number)
    before = Client().get(f"/tournaments/{row.pk}/plan/").text
    does(row, BeginStage(stage=2))

    after = Client().get(f"/tournaments/{row.pk}/plan/")

    assert after.status_code == 200
    assert [after.text.count(f"A{each}") for each in range(1, 5)] == [
        before.count(f"A{each}") for each in range(1, 5)
    ]
    assert f"/tournaments/{row.pk}/bracket/" in after.text


def test_no_two_stages_play_the_same_deals() -> None:

    again = Stage(kind="duplicate", takes=Takes(top=2))
    with pytest.raises(NotationError) as refusal:
        in_sequence((Stage(kind="movement"), again))
    assert refusal.value.path == "stages[1].kind"
