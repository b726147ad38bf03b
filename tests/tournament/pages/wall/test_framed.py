"""A table over the picture of a stream, and pages for the frames of other pages: they alone may be
framed, and show what everybody may see.
"""

import re
from html import unescape

import pytest
from django.test import Client

from tests.tournament.helpers import playing as precedence
from tests.tournament.helpers import preference, sabacc
from tests.tournament.helpers.evenings import after_round_1, does, here, registered
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Game, Salon
from tournament.recording.door import start_game
from tournament.recording.tournaments import start_linked_game


def words(address: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200, address
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", answer.text.partition("<body")[2]).split()))


def test_these_alone_may_stand_in_a_frame(salon: Salon) -> None:
    event = after_round_1(salon)
    framed = (
        "/overlays/4/",
        "/overlays/4/?size=box",
        "/embed/tables/4/",
        f"/embed/tournaments/{event.pk}/standings/",
    )
    others = ("/", "/tables/", "/screens/", f"/tournaments/{event.pk}/standings/", "/s/none/")
    desk = owner_of(salon)

    for address in framed:
        answer = desk.get(address)
        assert "frame-ancestors *" in answer["Content-Security-Policy"], address
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
    for address in others:
        answer = desk.get(address)
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"], address
        assert answer["X-Frame-Options"] == "DENY"


def test_what_may_be_framed_takes_no_form(salon: Salon) -> None:
    for address in ("/overlays/4/", "/embed/tables/4/"):
        assert "<form" not in owner_of(salon).get(address).text
        assert owner_of(salon).post(address).status_code == 405


@pytest.mark.parametrize("size", ["line", "box"])
def test_an_overlay_says_of_each_game_what_matters(salon: Salon, size: str) -> None:
    precedence.done(precedence.playing(salon), "winners", seat="E")
    for label, game in {"2": preference.playing(salon), "3": sabacc.guarded(salon)}.items():
        Game.objects.filter(pk=game.pk).update(table=label)
    patience = {"kind": "order_of_precedence", "players": {"A": "Asha Renn"}, "options": {}}
    start_game(salon, actor="user:1", command=a_command(), table="7", **patience)  # type: ignore[arg-type]
    said = {
        "4": ("Asha Renn & Cato Liss", "Void", "East–West: 1 of 5", "Accord Pot 20"),
        "2": ("Three: Asha Renn", "0 of 6 tricks", "Pot 30"),
        "3": ("Guard", "Ante Pot"),
        "7": ("Asha Renn",),
        "6": ("No game is played here",),
    }
    for label, wanted in said.items():
        found = words(f"/overlays/{label}/?size={size}")
        assert [each for each in wanted if each not in found] == []


def test_an_overlay_has_two_sizes_and_follows_tables_that_there_are(salon: Salon) -> None:
    assert Client().get("/overlays/4/?size=huge").status_code == 404
    assert Client().get("/overlays/99/").status_code == 404


def test_of_a_silent_round_an_overlay_says_who_plays_and_nothing_else(salon: Salon) -> None:
    row = registered(salon)
    silent = BeginSilence(from_round=1)
    begun = (EnterPhase(phase="running"), silent, DrawRound(round=1), PublishRound(round=1))
    row = does(row, *here(row), *begun)
    by = {"actor": "user:1", "command": a_command(), "version": row.version}
    start_linked_game(salon, row.pk, round=1, table=1, label="4", **by)  # type: ignore[arg-type]
    desk = owner_of(salon)

    for address in ("/overlays/4/", "/embed/tables/4/"):
        found = words(address, desk)
        assert "silent round" in found
        assert "Pot" not in found
        assert found == words(address)


def test_names_in_a_frame_are_those_of_the_public_whoever_looks(salon: Salon) -> None:
    Salon.objects.filter(pk=salon.pk).update(names_shown="first")
    event = after_round_1(salon)
    precedence.playing(salon)

    for address in (
        "/overlays/4/",
        "/embed/tables/4/",
        f"/embed/tournaments/{event.pk}/standings/",
    ):
        found = words(address, owner_of(salon))
        assert "Asha" in found
        assert "Renn" not in found


def test_embedded_standings_need_no_script_and_come_again(salon: Salon) -> None:
    event = after_round_1(salon)
    answer = Client().get(f"/embed/tournaments/{event.pk}/standings/")

    assert "<script" not in answer.text
    assert answer["Refresh"] == "30"
    assert "Standings after round 1" in answer.text


def test_a_draft_is_in_no_frame(salon: Salon) -> None:
    event = registered(salon)
    address = f"/embed/tournaments/{event.pk}/standings/"
    assert "as soon as the first results are in" in words(address)
    event.phase = "draft"
    event.save()

    assert owner_of(salon).get(address).status_code == 404
