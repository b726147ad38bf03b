"""The table's words: what pages call seats, teams and cards, and how they write numbers."""

import pytest

from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.precedence import cards
from tournament.queries import number_format
from tournament.templatetags import accord


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
def test_numbers_have_a_real_minus_and_thousands_stand_apart(
    value: int, shown: str, as_change: str
) -> None:
    assert number_format.number(value) == shown
    assert number_format.signed(value) == as_change


@pytest.mark.parametrize("variant", cards.VARIANTS)
def test_pages_call_every_card_as_the_rules_do(variant: str) -> None:
    said = {
        card: accord.wording("precedence/card_name.html", code=card, variant=variant)
        for card in cards.CARDS
    }
    assert said == {card: cards.card_name(card, variant) for card in cards.CARDS}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_pages_call_seats_and_teams_as_their_game_does(game: AnyGame) -> None:
    assert {seat: accord.seat_name(seat, game.name) for seat in game.seat_names} == game.seat_names
    assert {team: accord.team_name(team, game.name) for team in game.teams} == game.teams
    # One letter is another seat in another game: East of Precedence, Seat E of Contract Sabacc.
    assert all(accord.seat_name(code, game.name) == code for code in "XYZ")


def test_no_two_games_begin_the_numbers_of_their_rules_with_the_same_letter() -> None:
    assert len({game.letter for game in GAMES.values()}) == len(GAMES)
    assert all(
        option.rule[0] == game.letter
        for game in GAMES.values()
        for option in game.options
        if option.rule[1:].isdecimal()
    )
