"""Several sources and play-offs at the desk: set up in the form, told to the director by name,
recorded, seen by everybody, taken back.
"""

import re
from collections.abc import Sequence
from html import unescape

import pytest
from django.test import Client

from scoring.commands import EndGame
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.festivals import FORM, after_one_round
from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import BY_PLAY_OFF, Takes
from tournament.exchange.game_records import Outcome
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.models import Game, Tournament
from tournament.projections.background import catch_up
from tournament.recording.door import start_game
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.django_db

SOURCES = {
    "stages.2.kind": "knockout",
    "stages.2.top": "8",
    "stages.2.first": "5",
    "stages.2.rounds": "",
    "stages.2.ties": "play_off",
    "stages.3.kind": "knockout",
    "stages.3.top": "4",
    "stages.3.from": "1",
    "stages.3.ties": "play_off",
    "stages.3.also.1.top": "4",
    "stages.3.also.1.from": "2",
}


def test_the_form_sets_up_several_sources_and_shows_them_again() -> None:
    client = owner_of(opened_salon())

    assert (
        client.post("/tournaments/new/", FORM | SOURCES | {"command": "a" * 32}).status_code == 302
    )
    row = Tournament.objects.get()
    stages = state_of(row).every_stage
    page = client.get(f"/tournaments/{row.pk}/desk/stage/").text
    sent = FORM | SOURCES | {"command": "b" * 32, "version": str(row.version)}
    again = client.post(f"/tournaments/{row.pk}/desk/stage/", sent)
    row.refresh_from_db()

    assert [each.sources for each in stages] == [
        (),
        (Takes(first=5, top=8, ties=BY_PLAY_OFF),),
        (Takes(top=4, ties=BY_PLAY_OFF), Takes(from_stage=2, top=4)),
    ]
    assert 'name="stages.3.also.1.top"' in page
    assert page.count('<option value="play_off" selected>') == 2
    assert again.status_code == 302
    assert state_of(row).every_stage == stages


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"stages.2.first": "five"}, "stages.1.takes.places"),
        ({"stages.3.also.1.top": "many"}, "stages.2.takes.1.top"),
        ({"stages.3.from": "3"}, "stages.2.takes.0.from"),
        ({"stages.3.ties": "tie_breaks"}, "stages.2.takes.0.ties"),
        (
            {"stages.3.also.1.from": "1", "stages.3.also.1.ties": "play_off"},
            "stages.2.takes.1.top",
        ),
    ],
)
def test_what_is_wrong_with_a_source_stands_at_its_field(wrong: dict[str, str], field: str) -> None:
    client = owner_of(opened_salon())

    answer = client.post("/tournaments/new/", FORM | SOURCES | {"command": "a" * 32} | wrong)

    assert answer.status_code == 422
    assert f'id="{field}-error"' in answer.text
    assert not Tournament.objects.exists()


def game_of(row: Tournament, entries: Sequence[str], *, ended: bool = True) -> Game:
    """A game of one hand between these pairs at a table of the salon."""
    (north, south), (east, west) = ((f"A{each}", f"B{each}") for each in entries)
    game = start_game(
        row.salon,
        actor="user:1",
        command=a_command(),
        kind="precedence",
        players={"N": north, "E": east, "S": south, "W": west},
        options={},
        table="6",
    )
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    if ended:
        record(game, EndGame(kind="called", by="Mara", reason="one hand"))
    return game


def test_the_director_names_the_games_that_decided_a_play_off_and_everybody_finds_them() -> None:
    row = after_one_round()
    level = [each.entries[1] for each in state_of(row).rounds[0].tables]
    others = [each.entries[0] for each in state_of(row).rounds[0].tables]
    theirs, strange = game_of(row, level), game_of(row, others)
    going_on = game_of(row, level, ended=False)
    client, page = owner_of(row.salon), f"/tournaments/{row.pk}/desk/"
    desk = client.get(page).text
    assert [f'value="{game.pk}"' in desk for game in (theirs, strange, going_on)] == [
        *(True, False, False),
    ]
    sent = {"stage:number": "1", "reason": "one hand", "order.0": level[0], "order.1": level[1]}
    acts = f"/tournaments/{row.pk}/acts/play-offs/"

    for wrong in (going_on.pk, row.pk):
        stamp = {"command": a_command(), "version": str(row.version)}
        refused = client.post(acts, sent | stamp | {"games.0": theirs.pk, "games.1": wrong})
        assert (refused.status_code, 'id="games-error"' in refused.text) == (422, True), wrong
        assert re.search(rf'value="{theirs.pk}"\s+checked', refused.text)
    stamp = {"command": a_command(), "version": str(row.version)}
    assert client.post(acts, sent | stamp | {"games.0": theirs.pk}).status_code == 302

    row.refresh_from_db()
    assert state_of(row).play_offs[0].games == (theirs.pk,)
    catch_up(row.salon.log, PROJECTIONS)
    link = f'href="/games/{theirs.pk}/"'
    shown = Client().get(f"/tournaments/{row.pk}/standings/").text
    assert link in shown
    assert "the game at table 6" in shown
    assert link in client.get(page).text
    assert f"/games/{theirs.pk}/history/" in client.get(f"/tournaments/{row.pk}/history/").text
    answer = owner_calls(row.salon).get(f"tournaments/{row.pk}/").value
    assert answer["play_offs"][0]["games"] == [theirs.pk]


def test_a_game_for_a_play_off_begins_with_its_people_and_the_house_rules_of_the_event() -> None:
    row = after_one_round()
    client = owner_of(row.salon)
    desk = client.get(f"/tournaments/{row.pk}/desk/").text

    (query,) = re.findall(r'href="(/games/new/\?[^"]*)"', desk)
    shown = fields_sent(client.get(unescape(query)).text)

    level = [each.entries[1] for each in state_of(row).rounds[0].tables]
    people = {f"{letter}{entry}" for entry in level for letter in "AB"}
    assert {shown[f"players.{seat}"] for seat in "NESW"} == people
    assert shown["players.N"][1:] == shown["players.S"][1:]


def test_the_desk_says_who_plays_off_and_records_how_they_came_out() -> None:
    row = after_one_round()
    client, page = owner_of(row.salon), f"/tournaments/{row.pk}/desk/"
    level = [each.entries[1] for each in state_of(row).rounds[0].tables]
    acts = f"/tournaments/{row.pk}/acts/play-offs/"
    sent = {"stage:number": "1", "order.0": level[1], "reason": "one hand, 121 : 96"}

    desk = client.get(page).text
    assert "play off for place 3" in desk
    assert 'name="top:number"' not in desk
    stamp = {"command": "d" * 32, "version": str(row.version)}
    refused = client.post(acts, sent | stamp | {"order.1": level[1]})
    assert (refused.status_code, 'id="order-error"' in refused.text) == (422, True)
    assert "one hand, 121 : 96" in refused.text
    assert client.post(acts, sent | stamp | {"order.1": level[0]}).status_code == 302
    row.refresh_from_db()
    stamp = {"command": "e" * 32, "version": str(row.version)}
    begin = {"stage:number": "2", "top:number": "3"}
    assert "Take it back" in client.get(page).text
    beginnings = f"/tournaments/{row.pk}/acts/stage-beginnings/"
    assert client.post(beginnings, begin | stamp).status_code == 302
    row.refresh_from_db()
    cut = state_of(row).begun[0].cut

    assert (cut.made, cut.missed, cut.criterion) == (level[1], level[0], "play_off")
    catch_up(row.salon.log, PROJECTIONS)
    standings = client.get(f"/tournaments/{row.pk}/standings/").text
    assert "the play-off decided" in standings
    assert "one hand, 121 : 96" in standings
    assert "Play-off after stage 1" in client.get(f"/tournaments/{row.pk}/history/").text
    back = {"number:number": "1", "reason": "wrong", "command": "f" * 32}
    cancellations = f"/tournaments/{row.pk}/acts/play-off-cancellations/"
    assert client.post(cancellations, back | {"version": str(row.version)}).status_code == 302
    assert "play off for place 3" in client.get(page).text


def test_a_play_off_goes_out_as_a_file_and_comes_in_elsewhere() -> None:
    row = after_one_round()
    level = [each.entries[1] for each in state_of(row).rounds[0].tables]
    stamp = {"command": "d" * 32, "version": str(row.version), "stage:number": "1"}
    order = {"order.0": level[1], "order.1": level[0], "reason": "one hand"}
    owner_of(row.salon).post(f"/tournaments/{row.pk}/acts/play-offs/", stamp | order)
    file = export_tournament(row.salon, row.pk, Audience.SALON)

    assert file["play_offs"] == [{"stage": 1, "order": level[::-1], "reason": "one hand"}]
    elsewhere = opened_salon("Elsewhere", "e@example.org")
    read = read_tournament(file)
    assert import_tournament(elsewhere, read, actor="d") is Outcome.RECORDED
    there = Tournament.objects.get(salon=elsewhere)
    assert export_tournament(elsewhere, there.pk, Audience.SALON) == file
    assert import_tournament(elsewhere, read, actor="d") is Outcome.UNCHANGED
