"""The rules pages have the words by which people know a game, and a line of where it comes from."""

import pytest
from django.test import Client

from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import opened_salon, owner_of

WORDS = [
    ("precedence", "the small blind of the table"),
    ("precedence", "costs the bidder a credit"),
    ("precedence", "came out of the Core Worlds with the Stellar Drive Empire"),
    ("precedence", "Salons of the Core and of the Border"),
    ("precedence", "a misdeal may be recorded before it did"),
    ("contract_sabacc", "78 cards, the Centran deck"),
    ("contract_sabacc", "91 card points of the declarer are a Grand Slam"),
    ("order_of_precedence", "known as Precedence, Panama and Downing Street too"),
    ("order_of_precedence", "Legitimist is a variant"),
    ("preference", "A defender who plays alone has nobody to leave it to"),
]


@pytest.mark.parametrize(("game", "words"), WORDS)
def test_the_rules_of_a_game_have_the_words_people_look_for(
    game: str, words: str, db: None
) -> None:
    owner: Client = owner_of(opened_salon())

    assert words in told(owner.get(f"/rules/{game}/"))


def test_the_ante_of_precedence_is_called_small_blind_where_a_game_is_started(db: None) -> None:
    owner: Client = owner_of(opened_salon())

    assert "Ante (small blind)" in told(owner.get("/games/new/?table=4"))
