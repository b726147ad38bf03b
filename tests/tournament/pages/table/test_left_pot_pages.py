"""A pot that an earlier game left, on pages and by the API: offered, chosen, shown in both games
and corrected (S13).
"""

import html
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from ledger.models import Event
from scoring.games import GAMES
from tests.tournament.api.calling import Caller, owner_calls
from tests.tournament.helpers.playing import flat, state_of, told
from tests.tournament.helpers.sabacc_chains import (
    NAMES,
    a_command,
    a_game,
    begun,
    chips_of,
    is_sound,
    recorded,
)
from tests.tournament.helpers.salons import scorer_at
from tournament.models import Game, Salon

OFFER = "An earlier game left its pot for a further one."


@pytest.fixture
def caller(salon: Salon) -> Caller:
    return owner_calls(salon)


def a_form(**changes: str) -> dict[str, str]:
    form = {
        "command": a_command(),
        "game": "contract_sabacc",
        "table": "3",
        "dealer": "A",
        "options.ante_pot_end": "leave",
    }
    return (
        form | {f"players.{seat}": name for seat, name in zip("ABC", NAMES, strict=False)} | changes
    )


def all_options() -> dict[str, str]:
    """Every house rule of the game as the form sends it by itself."""
    sent = {
        each.name: "" if each.default is None else str(each.default)
        for each in GAMES["contract_sabacc"].options
    }
    return {
        f"options.{name}": value.lower() if value in ("True", "False") else value
        for name, value in sent.items()
    }


def test_where_nothing_is_left_nothing_is_offered(owner: Client, salon: Salon) -> None:
    assert OFFER not in told(owner.get("/games/new/?game=contract_sabacc&table=3"))
    recorded(salon, a_game("first"))
    assert OFFER in told(owner.get("/games/new/?game=contract_sabacc&table=3"))
    for other in ("precedence", "preference", "order_of_precedence"):
        assert OFFER not in told(owner.get(f"/games/new/?game={other}&table=3"))


def test_what_the_last_game_at_this_table_left_is_chosen_there_and_elsewhere_only_offered(
    salon: Salon, owner: Client
) -> None:
    recorded(salon, a_game("first"))
    recorded(salon, a_game("second"))
    chosen = '<input type="radio" name="opening_pot" value="9 second" checked>'

    here = flat(
        html.unescape(owner.get("/games/new/?game=contract_sabacc&table=3").content.decode())
    )
    assert chosen in here
    assert 'value="9 first">' in here
    for elsewhere in ("&table=4", ""):
        assert chosen not in flat(
            html.unescape(
                owner.get(f"/games/new/?game=contract_sabacc{elsewhere}").content.decode()
            )
        )
    assert chosen in flat(
        html.unescape(
            scorer_at(salon, "3").get("/games/new/?game=contract_sabacc").content.decode()
        )
    )


def test_pots_left_at_one_table_are_told_apart_by_when_they_were_left(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = datetime(2026, 11, 20, 18, 5, tzinfo=UTC)
    for hours, name in enumerate(("first", "second")):
        recorded_at = started + timedelta(hours=hours)
        monkeypatch.setattr(time, "time_ns", lambda at=recorded_at: int(at.timestamp()) * 10**9)
        recorded(salon, a_game(name))

    page = told(owner.get("/games/new/?game=contract_sabacc&table=3"))

    assert "20 November, 18:05" in page
    assert "20 November, 19:05" in page


def test_a_game_begun_with_it_shows_so_on_both_boards_in_history_and_books(
    salon: Salon, owner: Client
) -> None:
    first = recorded(salon, a_game("first"))
    assert owner.post("/games/new/", a_form(opening_pot="9 first")).status_code == 302
    second = Game.objects.get(salon=salon, finished=False)

    assert state_of(second)["pots"]["ante"] == 12
    assert "It began with 9 chips that game first left in its Ante Pot." in told(
        owner.get(f"/games/{second.pk}/")
    )
    assert f"Game {second.record} began with the 9 chips that were left." in told(
        owner.get(f"/games/{first.pk}/")
    )
    assert f"/games/{first.pk}/" in owner.get(f"/games/{second.pk}/").content.decode()
    assert f"/games/{second.pk}/" in owner.get(f"/games/{first.pk}/").content.decode()
    assert "It began with 9 chips that game first left" in told(
        owner.get(f"/games/{second.pk}/history/")
    )
    assert "The pot is taken:" in told(owner.get(f"/games/{first.pk}/history/"))
    for game, other, words in (
        (first, second, f"Left for game {second.record}"),
        (second, first, "Left in the Ante Pot by game first"),
    ):
        page = owner.get(f"/ledger/games/{game.pk}/ante/")
        assert words in told(page)
        assert f"/ledger/games/{other.pk}/" in page.content.decode()
        assert "game" in told(owner.get(f"/ledger/games/{game.pk}/"))
    assert owner.get("/ledger/").status_code == 200


@pytest.mark.parametrize("pot", ["10 first", "9 nobody", "x first", "9", "999999999999 first"])
def test_a_pot_that_is_gone_is_said_beside_the_field_and_nothing_is_recorded(
    salon: Salon, owner: Client, pot: str
) -> None:
    recorded(salon, a_game("first"))
    events = Event.objects.count()

    answer = owner.post("/games/new/", a_form(opening_pot=pot))

    assert answer.status_code == 422
    assert 'id="opening_pot-error"' in answer.content.decode()
    assert Event.objects.count() == events


def test_an_empty_pot_leaves_the_other_where_it_is(salon: Salon, owner: Client) -> None:
    first = recorded(salon, a_game("first"))
    owner.post("/games/new/", a_form(opening_pot=""))

    assert chips_of(first)["ante"] == 9


def test_a_director_corrects_at_the_page_what_a_game_began_with(
    salon: Salon, owner: Client
) -> None:
    first = recorded(salon, a_game("first"))
    second = recorded(salon, a_game("second"))
    address = f"/games/{second.pk}/corrections/pot/"
    assert address in owner.get(f"/games/{second.pk}/corrections/").content.decode()
    assert "9 first" in html.unescape(owner.get(address).content.decode())

    seen = owner.post(address, {"opening_pot": "9 first", "game": second.pk})
    assert "It began with another pot." in told(seen)
    second.refresh_from_db()
    sent = {
        "step": "record",
        "opening_pot": "9 first",
        "game": second.pk,
        "version": second.version,
    }
    assert (
        owner.post(
            address, sent | {"command": a_command(), "excused": "[]", "reason": "It was forgotten"}
        ).status_code
        == 302
    )

    assert (chips_of(first)["later"], chips_of(second)["ante"]) == (9, 18)
    assert "what it began with in its pot." in told(owner.get(f"/games/{second.pk}/history/"))
    another_ante = all_options() | {
        "options.ante": "2",
        "options.ante_pot_end": "leave",
        "game": first.pk,
    }
    refused = owner.post(f"/games/{first.pk}/corrections/options/", another_ante)
    assert refused.status_code == 422
    assert "second" in told(refused)
    second.refresh_from_db()
    sent |= {
        "opening_pot": "",
        "version": second.version,
        "command": a_command(),
        "excused": "[]",
        "reason": "It was empty",
    }
    assert owner.post(address, sent).status_code == 302
    assert "The pot is back:" in told(owner.get(f"/games/{first.pk}/history/"))
    assert is_sound(salon)


def test_the_api_begins_with_a_pot_shows_it_and_corrects_it(salon: Salon, caller: Caller) -> None:
    recorded(salon, a_game("first"))
    new = {
        "game": "contract_sabacc",
        "players": dict(zip("ABC", NAMES, strict=False)),
        "table": "3",
        "options": {"ante_pot_end": "leave"},
    }

    wrong = caller.post("games/", new | {"opening_pot": {"from": "first", "chips": 10}})
    assert (wrong.status, wrong.value["code"], wrong.value["path"], wrong.value["rule"]) == (
        422,
        "no_chips",
        "opening_pot.chips",
        "S13",
    )
    done = caller.post("games/", new | {"opening_pot": {"from": "first", "chips": 9}})
    assert done.status == 201
    board = caller.get(f"games/{done.value['stream']}/").value
    assert board["state"]["opening_pot"] == {"from": "first", "chips": 9}

    said = {"what": "pot", "opening_pot": None, "reason": "It was empty"}
    assert (
        caller.post(
            f"games/{done.value['stream']}/corrections/", said, version=done.value["version"]
        ).status
        == 201
    )
    assert caller.get(f"games/{done.value['stream']}/").value["state"]["opening_pot"] is None
    assert is_sound(salon)


def test_the_pad_says_how_many_chips_stay(salon: Salon, owner: Client) -> None:
    begun(salon, None)
    game = Game.objects.get(salon=salon)
    for dealer in ("A", "", ""):
        shown = Game.objects.get(pk=game.pk).state
        sent = {
            "game": game.pk,
            "version": Game.objects.get(pk=game.pk).version,
            "command": a_command(),
        }
        owner.post("/tables/3/hands/", sent | ({"dealer": dealer} if dealer else {}))
        assert shown["stage"] == "opening"
        sent = {
            "game": game.pk,
            "version": Game.objects.get(pk=game.pk).version,
            "command": a_command(),
        }
        owner.post("/tables/3/contracts/", sent | {"declarer": "", "contract": ""})
    assert "9 chips stay in the Ante Pot for a further game." in told(owner.get("/tables/3/"))
