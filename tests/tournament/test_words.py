"""The table's words: what pages call seats, suits and cards, and how they write numbers."""

import pytest

from scoring.games import GAMES
from scoring.precedence import cards, seats
from tournament.pages import words


@pytest.mark.parametrize(
    ("value", "shown", "as_change"),
    [
        (0, "0", "0"),
        (71, "71", "+71"),
        (-100, "−100", "−100"),
        (1250, "1\u00a0250", "+1\u00a0250"),
        (-1234567, "−1\u00a0234\u00a0567", "−1\u00a0234\u00a0567"),
    ],
)
def test_numbers_have_a_real_minus_and_thousands_stand_apart(value: int, shown: str, as_change: str) -> None:
    assert words.number(value) == shown
    assert words.signed(value) == as_change


@pytest.mark.parametrize("variant", cards.VARIANTS)
def test_pages_call_every_card_as_the_rules_do(variant: str) -> None:
    assert {card: words.card_name(card, variant) for card in cards.CARDS} == {card: cards.card_name(card, variant) for card in cards.CARDS}


def test_pages_call_seats_and_teams_as_the_rules_do() -> None:
    named = {**GAMES["preference"].seat_names, **GAMES["precedence"].seat_names}
    assert {seat: str(name) for seat, name in words.SEATS.items()} == named
    assert {team: str(name) for team, name in words.TEAMS.items()} == seats.TEAM_NAMES
