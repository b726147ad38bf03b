"""Stages after a cut at the desk: set up in the form, begun with a preview, shown to everybody."""

import pytest

from tests.tournament.helpers.festivals import FORM, does
from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.domain.standings.values import Result, Stage, Takes
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Tournament
from tournament.projections.background import catch_up
from tournament.recording.tournaments import open_tournament
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.django_db


def cut_of(row: Tournament) -> tuple[str, ...]:
    """Who went on to the stage that is played."""
    return state_of(row).begun[-1].cut.entries


def test_the_desk_begins_a_stage_and_everybody_sees_who_went_on() -> None:
    salon = opened_salon()
    row = open_tournament(
        salon,
        actor="d",
        command="c" * 32,
        name="Festival",
        game="precedence",
        stage=Stage(rounds=1, tie_breaks=("buchholz",)),
        later=(Stage(kind="knockout", takes=Takes(top=2)),),
        seed=7,
    )
    pairs = [(("1", f"A{number}"), ("2", f"B{number}")) for number in range(1, 5)]
    does(row, EnterPhase(phase="registration"), *(MakeEntry(players=pair) for pair in pairs))
    does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    results = (Result(score=26200), Result(score=18700))
    does(row, *(EnterResult(round=1, table=table, results=results) for table in (1, 2)))
    does(row, CloseRound(round=1))
    client = owner_of(salon)
    desk = client.get(f"/tournaments/{row.pk}/desk/").text

    assert "Begin stage 2" in desk
    assert "just made it" in desk
    acts, begin = f"/tournaments/{row.pk}/acts/stage-beginnings/", {"stage:number": "2"}
    refused = client.post(
        acts, begin | {"command": "e" * 32, "version": str(row.version), "top:number": "20"}
    )
    assert (refused.status_code, 'id="top-error"' in refused.text) == (422, True)
    answer = client.post(
        acts,
        {"command": "d" * 32, "version": str(row.version), "stage:number": "2", "top:number": "2"},
    )
    row.refresh_from_db()

    assert answer.status_code == 302
    assert state_of(row).stage_number == 2
    catch_up(salon.log, PROJECTIONS)
    page = client.get(f"/tournaments/{row.pk}/standings/").text
    assert "The cut to stage 2" in page
    assert "Stage 2 of 2: Knock-out" in page
    assert page.count('/points/"') == 4, "the Swiss has points, whatever comes after it"
    gone = next(each.id for each in state_of(row).entries if each.id not in cut_of(row))
    assert "Place 3" in client.get(f"/tournaments/{row.pk}/entries/{gone}/").text

    does(row, EnterResult(round=1, table=1, results=results[::-1], reason="swapped"))
    assert "instead of" in client.get(f"/tournaments/{row.pk}/desk/").text


def test_the_form_sets_up_later_stages_and_shows_them_again() -> None:
    client = owner_of(opened_salon())

    assert client.post("/tournaments/new/", FORM | {"command": "a" * 32}).status_code == 302
    row = Tournament.objects.get()
    stages = state_of(row).every_stage
    page = client.get(f"/tournaments/{row.pk}/desk/stage/").text
    sent = FORM | {"command": "b" * 32, "version": str(row.version)}
    again = client.post(f"/tournaments/{row.pk}/desk/stage/", sent)
    row.refresh_from_db()

    assert [(each.kind, each.rounds, each.takes) for each in stages] == [
        ("swiss", 3, None),
        ("swiss", 2, Takes(from_stage=1, top=12, ties="lots")),
        ("knockout", None, Takes(from_stage=2, top=4)),
    ]
    assert 'value="12"' in page
    shown = fields_sent(page)
    assert (shown["stages.2.ties"], shown["stages.3.ties"]) == ("lots", "tie_breaks")
    assert [shown[f"stages.{number}.kind"] for number in (2, 3)] == ["swiss", "knockout"]
    assert again.status_code == 302
    assert state_of(row).every_stage == stages


def test_the_form_takes_a_later_stage_away() -> None:
    client = owner_of(opened_salon())
    client.post("/tournaments/new/", FORM | {"command": "a" * 32})
    row = Tournament.objects.get()
    sent = FORM | {"command": "b" * 32, "version": str(row.version), "stages.3.kind": ""}

    assert client.post(f"/tournaments/{row.pk}/desk/stage/", sent).status_code == 302
    row.refresh_from_db()
    assert [each.kind for each in state_of(row).every_stage] == ["swiss", "swiss"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"stages.2.top": "four"}, "stages.1.takes.top"),
        ({"stages.2.top": "1"}, "stages.1.takes.top"),
        ({"stages.2.rounds": "x"}, "stages.1.rounds"),
        ({"stages.2.rounds": ""}, "stages.1.rounds"),
        ({"stages.3.top": "0"}, "stages.2.takes.top"),
        ({"stages.3.kind": "whist"}, "stages.2"),
    ],
)
def test_what_is_wrong_with_a_later_stage_stands_at_its_field(
    wrong: dict[str, str], field: str
) -> None:
    client = owner_of(opened_salon())

    answer = client.post("/tournaments/new/", FORM | {"command": "a" * 32} | wrong)

    assert answer.status_code == 422
    assert f'id="{field}-error"' in answer.text
    assert not Tournament.objects.exists()


def test_a_team_of_whom_some_play_plays_so_in_every_stage() -> None:
    client = owner_of(opened_salon())

    answer = client.post("/tournaments/new/", FORM | {"command": "a" * 32, "line_up": "2"})

    assert answer.status_code == 302
    assert {each.line_up for each in state_of(Tournament.objects.get()).every_stage} == {2}
