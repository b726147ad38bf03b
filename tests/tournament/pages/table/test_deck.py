"""Which suit a phone shows first where cards are written down: one in which a card may come
(P13).
"""

import pytest
from django.test import Client

from tests.tournament.helpers.playing import done, flat, playing
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.templatetags.accord import first_suit

pytestmark = pytest.mark.django_db


def shown_suit(owner: Client, cards: str) -> str:
    """The suit chosen on the pad with these cards drafted."""
    page = owner.get("/tables/4/", {"by": "cards", "cards": cards}).text
    return str(match_in(flat(page), r'data-suit="(.)" checked')[1])


def test_the_suit_that_was_led_is_shown_while_it_can_be_followed() -> None:
    owner = owner_of(playing(opened_salon()).salon)

    assert shown_suit(owner, "2B") == "B"


def test_who_has_shown_to_have_none_of_it_sees_another_suit() -> None:
    game = done(playing(opened_salon()), "tricks", cards=["2B", "9B", "CB", "5F"])

    assert shown_suit(owner_of(game.salon), "3B") == "V"


def test_cards_without_a_suit_are_shown_together() -> None:
    assert first_suit(["-3", "0"], "S") == "-"
    assert first_suit([], None) == ""


def test_the_last_trick_is_filled_in_where_everybodys_last_card_is_known() -> None:
    game = playing(opened_salon())
    suits = dict(zip("NESW", "VFBC", strict=True))
    game = done(game, "deals", **{s: [f"{r}{suits[s]}" for r in "23456789TOCPE"] for s in "NESW"})
    for trick, rank in enumerate("ECPOT98765432"[:12], 1):
        order = "WNES" if trick == 1 else "NESW"
        game = done(game, "tricks", cards=[f"{rank}{suits[seat]}" for seat in order])

    page = flat(owner_of(game.salon).get("/tables/4/?by=cards").text)

    assert 'value="2V,2F,2B,2C"' in page
    assert "Record trick 13" in page
    assert "Undo trick 12" in page
