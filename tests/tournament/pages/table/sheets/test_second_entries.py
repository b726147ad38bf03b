"""A second entry asks nothing of the table, says what its buttons do, and loses nothing that was
typed.
"""

import re
from html import unescape

import pytest
from django.test import Client

from tests.tournament.helpers.answers import Shown
from tests.tournament.helpers.playing import a_command, about, flat, told
from tests.tournament.pages.table.sheets.tables import FIELDS, KINDS, after_a_hand, over
from tournament.accounts.seat_links import links_of
from tournament.models import Game, Salon


def address_of(game: Game, hand: int = 1) -> str:
    return f"/games/{game.pk}/hands/{hand}/second-entry/"


def form_of(page: Shown) -> str:
    text = page.content.decode()
    return text[text.index("<form", text.index('<main id="main"')) : text.index("</main>")]


def state(game: Game) -> str:
    game.refresh_from_db()
    return str(game.confirmation["hands"]["1"]["state"]) if game.confirmation else ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_entry_in_a_finished_game_is_handed_in(
    salon: Salon, owner: Client, kind: str
) -> None:
    game = over(after_a_hand(salon, kind))

    page = owner.get(address_of(game))
    form = form_of(page)

    assert f'action="{address_of(game)}"' in form
    assert "hx-post" not in form
    assert 'id="preview"' not in page.text
    words = told(page)
    assert "Hand in" in words
    assert "Record" not in words
    assert "Discard this sheet" not in words
    answer = owner.post(address_of(game), about(page) | FIELDS[kind])
    assert answer.status_code == 303, told(answer)
    assert state(game) == "confirmed"


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_is_at_no_table_has_second_entries_too(
    salon: Salon, owner: Client, kind: str
) -> None:
    game = over(after_a_hand(salon, kind))
    Game.objects.filter(pk=game.pk).update(table="")

    assert owner.get(address_of(game)).status_code == 200


def test_a_second_entry_after_somebody_said_something_meanwhile_keeps_what_was_typed(
    salon: Salon, owner: Client
) -> None:
    game = after_a_hand(salon, "precedence")
    page = owner.get(address_of(game))
    after_a_word = {
        "game": game.pk,
        "version": game.version,
        "command": a_command(),
        "number:number": "1",
    }
    pins = {"seat": "N", "pin": links_of(game, ["N"])["N"].pin}
    assert (
        owner.post(f"/games/{game.pk}/attestations/confirmations/", after_a_word | pins).status_code
        == 303
    )

    answer = owner.post(address_of(game), about(page) | FIELDS["precedence"])

    assert answer.status_code == 409
    assert 'name="bids.N:number" value="4"' in flat(answer.text)
    assert "hand it in again" in told(answer)
    again = owner.post(address_of(game), about(answer) | FIELDS["precedence"])
    assert again.status_code == 303


def test_two_who_enter_at_once_are_both_told_and_keep_what_they_typed(
    salon: Salon, owner: Client
) -> None:
    game = after_a_hand(salon, "precedence")
    first, second = owner.get(address_of(game)), owner.get(address_of(game))
    assert owner.post(address_of(game), about(first) | FIELDS["precedence"]).status_code == 303

    answer = owner.post(address_of(game), about(second) | FIELDS["precedence"])

    assert answer.status_code == 409
    assert "entered a second time already" in told(answer)
    assert 'name="bids.N:number" value="4"' in flat(answer.text)


def test_a_number_that_is_none_loses_none_of_the_others(salon: Salon, owner: Client) -> None:
    game = after_a_hand(salon, "precedence")
    page = owner.get(address_of(game))

    answer = owner.post(
        address_of(game), about(page) | FIELDS["precedence"] | {"tricks.NS:number": "eight"}
    )

    assert answer.status_code == 400
    assert 'name="bids.N:number" value="4"' in flat(answer.text)
    assert 'name="tricks.NS:number" value="eight"' in flat(answer.text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_for_a_game_that_is_over_records_nothing_and_keeps_what_was_typed(
    salon: Salon, owner: Client, kind: str
) -> None:
    game = after_a_hand(salon, kind)
    page = owner.get("/tables/4/sheet/")
    over(game)
    typed = FIELDS[kind]

    answer = owner.post("/tables/4/sheet/", about(page) | typed)
    preview = owner.post(
        "/tables/4/sheet/preview/", about(page) | typed, headers={"HX-Request": "true"}
    )

    assert (answer.status_code, preview.status_code) == (409, 200)
    assert "This game is over" in told(answer)
    assert "This game is over" in told(preview)
    assert "HX-Replace-Url" not in preview
    kept = re.findall(r'<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"', unescape(answer.text))
    numbers = {name: text for name, text in typed.items() if name.endswith((":number", ":half"))}
    assert numbers.items() <= dict(kept).items()


def test_a_sheet_for_the_game_before_is_not_recorded_into_another(
    salon: Salon, owner: Client
) -> None:
    game = after_a_hand(salon, "precedence")
    page = owner.get("/tables/4/sheet/")
    over(game)
    other = after_a_hand(salon, "preference")

    answer = owner.post("/tables/4/sheet/", about(page) | FIELDS["precedence"])

    assert answer.status_code == 409
    assert "This game is over" in told(answer)
    assert 'name="bids.N:number" value="4"' in flat(answer.text)
    version = other.version
    other.refresh_from_db()
    assert other.version == version
