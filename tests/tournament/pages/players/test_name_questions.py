"""A new player is made only when someone says so: a name that may mean somebody known, or is very
short, is asked about first.
"""

import json
import re

import pytest
from django.test import Client

from tests.tournament.helpers.evenings import in_round_1, registered
from tests.tournament.helpers.playing import a_command, a_game, about
from tournament.models import Game, Player, Salon
from tournament.streams.tournament_rows import state_of

KNOWN = ("Mira Vale", "Nico Ash", "Oleg Finn", "Olga Stern", "Asha Renn")


@pytest.fixture(autouse=True)
def known(salon: Salon) -> None:
    Player.objects.bulk_create(Player(salon=salon, name=name) for name in KNOWN)


def started(owner: Client, **more: str) -> tuple[int, str]:
    names = {"N": "mi", "E": "ni", "S": "ol", "W": "Zoe Quill"}
    form = {
        "game": "precedence",
        "table": "4",
        "command": a_command(),
        **{f"players.{seat}": name for seat, name in names.items()},
    }
    answer = owner.post("/games/new/", form | more)
    return answer.status_code, answer.content.decode()


def test_beginnings_of_names_are_asked_about_and_make_nobody(owner: Client) -> None:
    status, page = started(owner)

    assert status == 422
    assert "Who is meant?" in page
    assert all(name in page for name in ("Mira Vale", "Nico Ash", "Oleg Finn", "Olga Stern"))
    assert re.search(r'value="Mira Vale" required\s+checked', page)
    assert Player.objects.count() == len(KNOWN)
    assert not Game.objects.exists()


def test_the_game_starts_with_those_who_were_meant_and_a_new_one_who_was_said_to_be_new(
    owner: Client,
) -> None:
    status, _page = started(
        owner,
        **{
            "asked.players.N": "mi",
            "meant.players.N": "Mira Vale",
            "asked.players.E": "ni",
            "meant.players.E": "new",
            "asked.players.S": "ol",
            "meant.players.S": "Olga Stern",
        },
    )

    assert status == 302
    names = dict(Player.objects.values_list("id", "name"))
    seated = {seat: names[player] for seat, player in Game.objects.get().seats.items()}
    assert seated == {"N": "Mira Vale", "E": "ni", "S": "Olga Stern", "W": "Zoe Quill"}
    assert Player.objects.count() == len(KNOWN) + 2


def test_an_answer_about_another_name_answers_nothing(owner: Client) -> None:
    answered = {"asked.players.N": "mir", "meant.players.N": "new"}

    assert started(owner, **answered)[0] == 422
    assert Player.objects.count() == len(KNOWN)


def test_an_entry_and_a_substitute_are_asked_about_alike(salon: Salon, owner: Client) -> None:
    row = registered(salon)
    form = {"version": str(row.version), "command": a_command()}
    pair = {"players.0": "mi", "players.1": "Nico Ash"}
    address = f"/tournaments/{row.pk}/acts/entries/?page=entries"
    before = len(state_of(row).entries)

    answer = owner.post(address, form | pair)

    assert answer.status_code == 422
    assert "Who is meant?" in answer.content.decode()
    meant = {"asked.players.0": "mi", "meant.players.0": "Mira Vale"}
    answer = owner.post(address, form | pair | meant)
    assert answer.status_code == 302, answer.content.decode()
    row.refresh_from_db()
    assert len(state_of(row).entries) == before + 1
    assert not Player.objects.filter(name="mi").exists()


def test_a_substitute_is_asked_about_before_one_is_made(salon: Salon, owner: Client) -> None:
    row = in_round_1(salon)
    form = {
        "version": str(row.version),
        "command": a_command(),
        "entry": "1",
        "place": "0",
        "player": "ol",
        "from_round:number": "1",
    }

    answer = owner.post(f"/tournaments/{row.pk}/acts/substitutes/?page=entry-1", form)

    assert answer.status_code == 422
    assert "Olga Stern" in answer.content.decode()
    assert not Player.objects.filter(name="ol").exists()


@pytest.mark.parametrize("door", ["hands", "sheet"])
def test_who_sits_in_for_somebody_is_asked_about_where_it_was_typed(
    salon: Salon, owner: Client, door: str
) -> None:
    """On the pad and on the hand sheet, with all else that was typed still there."""
    game = a_game(salon)
    before = Player.objects.count()
    sheet = {f"bids.{seat}:number": "3" for seat in "NESW"} | {
        "tricks.NS:number": "7",
        "tricks.EW:number": "6",
    }
    typed = {"dealer": "S", "players.E": "ol", "note": "late"}
    typed |= sheet if door == "sheet" else {}
    form = about(owner.get("/tables/4/")) | typed

    answer = owner.post(f"/tables/4/{door}/", form)
    page = answer.content.decode()

    assert answer.status_code == 400
    assert "who ol is" in page
    assert all(f'name="meant.players.E" value="{name}"' in page for name in ("Olga Stern", "new"))
    assert 'value="late"' in page
    assert Player.objects.count() == before
    said = {"asked.players.E": "ol", "meant.players.E": "Olga Stern"}
    answer = owner.post(f"/tables/4/{door}/", form | said)
    assert answer.status_code == 303, answer.content.decode()
    assert Player.objects.count() == before
    assert "Olga Stern" in owner.get(f"/games/{game.pk}/history/").content.decode()


def test_what_a_phone_kept_asks_as_well_and_says_who_is_new(salon: Salon, owner: Client) -> None:
    game = a_game(salon)
    body = f"game={game.pk}&dealer=S&players.E=ol"
    act = {"command": a_command(), "collection": "hands", "version": game.version, "body": body}
    said = act | {"body": f"{body}&asked.players.E=ol&meant.players.E=new"}

    first, second = (
        owner.post("/tables/4/outbox/", {"acts": json.dumps([each])}).json()["answers"][0]
        for each in (act, said)
    )

    assert (first["state"], second["state"]) == ("refused", "recorded")
    assert Player.objects.filter(name="ol").exists()


def test_no_text_says_that_two_letters_are_enough(owner: Client) -> None:
    page = owner.get("/games/new/?game=precedence&table=4").content.decode()

    assert "letters" not in page
