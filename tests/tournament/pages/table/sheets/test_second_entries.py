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


OTHER_FIELDS = {
    "precedence": {"tricks.NS:number": "7", "tricks.EW:number": "6"},
    "preference": {"tricks.A:number": "4", "tricks.B:number": "5"},
    "contract_sabacc": {"points:half": "45"},
    "order_of_precedence": {"built.4:number": "2"},
}
# What marks the difference, first entry and second.
MARKED = {
    "precedence": ("North–South 8", "North–South 7"),
    "preference": ("Ilse Marrow 6", "Ilse Marrow 5"),
    "contract_sabacc": ("50", "45"),
    "order_of_precedence": ("10", "12"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_entries_that_differ_are_compared_by_what_they_come_to(
    salon: Salon, owner: Client, kind: str
) -> None:
    """In words, with the difference marked, and no row for what is the same or said once."""
    game = after_a_hand(salon, kind)
    page = owner.get(address_of(game))
    owner.post(address_of(game), about(page) | FIELDS[kind] | OTHER_FIELDS[kind])

    said = flat(owner.get(f"/games/{game.pk}/confirmation/").text)
    table = said[said.index("This hand, entered twice") :].partition("</table>")[0]

    assert state(game) == "disputed"
    assert all(f"<mark>{part}</mark>" in table for part in MARKED[kind])
    assert "It comes to" in table
    assert not re.search(r"\b(NS|EW|A|B|C) \d", table)


def test_winners_are_compared_trick_by_trick_with_totals_by_their_sum(
    salon: Salon, owner: Client
) -> None:
    """One entry says who won each trick, the other how many tricks were won."""
    game = after_a_hand(salon, "precedence")
    page = owner.get(address_of(game))
    winners = {"winners:list": "N " * 6 + "E " * 7}
    fields = {key: value for key, value in FIELDS["precedence"].items() if "tricks" not in key}
    owner.post(address_of(game), about(page) | fields | winners)

    said = flat(owner.get(f"/games/{game.pk}/confirmation/").text)
    table = said[said.index("This hand, entered twice") :].partition("</table>")[0]

    assert "<mark>North–South 8</mark>" in table
    assert "<mark>North–South 6</mark>" in table
    assert "Winners" not in table
