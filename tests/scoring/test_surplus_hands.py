"""Hands after the end of a game are kept as they were played, whatever house rules are corrected
meanwhile (Corrections).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from scoring.corrections import CorrectOptions, write_closed_hands
from scoring.effective_history import hands_of
from scoring.errors import Refusal
from tests.scoring.corrected import Corrected, check_as_if_right_first_time
from tests.scoring.sample_games import SHORT, a_beginning, records

FURTHER = 4  # hands after the end that a correction lays down
FEW = 3  # games of a kind


def corrected(table: Corrected, **options: Any) -> None:
    """Put other house rules in the place of these; None is the default. Raises Refusal."""
    told = {
        name: value
        for name, value in {**table.intended.options, **options}.items()
        if value is not None
    }
    table.correct(
        CorrectOptions(rules=table.game.read_rules(told)), replace(table.intended, options=told)
    )


def cut_short(game: str, number: int) -> Corrected:
    """A sample game that house rules corrected afterwards ended some hands before the last."""
    seats = len(records(game)[number]["players"])
    table = a_beginning(game, number, seats + FURTHER, "going on")
    corrected(table, **{SHORT[game]: seats})
    return table


def surplus(table: Corrected) -> list[dict[str, Any]]:
    """The hands that don't count, as a record holds them."""
    written = zip(hands_of(table.course), write_closed_hands(table.game, table.course), strict=True)
    return [hand for part, hand in written if part.surplus]


def long_enough(game: str) -> list[int]:
    """A few sample games that are still played after as many hands as there are seats."""
    lengths = [
        (number, len(value["hands"]), len(value["players"]))
        for number, value in enumerate(records(game))
    ]
    played = [number for number, hands, seats in lengths if hands > seats]
    return [number for number in played if surplus(cut_short(game, number))][:FEW]


def other_rules(table: Corrected) -> Iterator[dict[str, Any]]:
    """Every other choice of every house rule that has choices."""
    for option in table.game.options:
        for choice, *_ in option.choices or ():
            if table.intended.options.get(option.name) != choice:
                yield {option.name: choice}


@pytest.mark.parametrize("game", SHORT)
def test_surplus_hands_are_read_by_the_options_they_were_played_by(game: str) -> None:
    """No correction of the house rules changes what such a hand says: they don't hold for it any
    more.
    """
    tried = 0
    for number in long_enough(game):
        for rules in other_rules(cut_short(game, number)):
            table = cut_short(game, number)
            kept = surplus(table)
            try:
                corrected(table, **rules)
            except Refusal:
                continue  # A hand that counts could not have been played so.
            assert surplus(table) == kept, rules
            tried += 1
    assert tried


@pytest.mark.parametrize("number", [1, 5])
def test_surplus_hands_that_count_again_are_decided_by_the_options_that_hold_now(
    number: int,
) -> None:
    """While they didn't count, the rule of who may keep out was corrected, by which their tricks
    are read.
    """
    table = cut_short("preference", number)
    other = {"value_6": "six_trick", "six_trick": "value_6"}[table.intended.options["concede"]]
    corrected(table, concede=other)

    corrected(table, hands=len(records("preference")[number]["hands"]))

    assert surplus(table) == []
    check_as_if_right_first_time(table)
