"""What is offered where somebody can't pay, or where a ruling binds how a hand can end (Chips,
Infractions; P12, P16, R14, S6).
"""

from random import Random
from typing import Any

import pytest

from scoring.errors import RuleViolation
from scoring.precedence.commands import Command
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import ROUND
from scoring.preference.play import PREFERENCE
from scoring.sabacc.play import SABACC
from tests.scoring.every_act import check_state
from tests.scoring.preference import table as preference
from tests.scoring.sabacc import table as sabacc
from tests.scoring.spaces import SPACES
from tests.scoring.table import (
    ONE_SUIT_EACH,
    accept_hand,
    adjust_tricks,
    after,
    bids,
    dealt,
    given,
    totals,
    trick,
    winners,
)

THREES = bids("E", 3, 3, 3, 3)
SABACCS = sabacc.strong_holdings(
    ["1C", "14C", "14F", "14S", "14T", *(f"-{number}" for number in range(2, 15))],
    talon=[f"-{number}" for number in range(15, 21)],
)
SELDOM = {
    "a declarer with one card that may be set aside before Sabaccs are": (
        "contract_sabacc",
        sabacc.given(sabacc.dealt("D"), sabacc.contract("A", "take"), sabacc.deal(SABACCS)),
    ),
    "the last trick of a hand whose aside nobody wrote down": (
        "contract_sabacc",
        sabacc.given(
            sabacc.dealt("D"),
            sabacc.contract("A", "take"),
            *[
                sabacc.trick(" ".join(cards))
                for cards in sabacc.play_out(sabacc.strong_holdings(SABACCS["A"], talon=[]), "D")[
                    :17
                ]
            ],
        ),
    ),
}


def offered(game: Any, state: Any) -> dict[str, Any]:
    """What may come next at a table, by collection."""
    legal: dict[str, Any] = game.legal_next(game.table(state))
    return legal


def test_who_has_nothing_and_owes_even_may_bid_nothing() -> None:
    owing = given(
        dealt("N", accepted=(accept_hand("no_chips"),)),
        *THREES,
        totals(7, 6),
        opening_chips=6,
        ante=0,
    )
    state = after(owing, dealt())
    assert state.balances["E"] < 0

    for seat in ROUND["S"]:
        most = offered(PRECEDENCE, state)["bids"][0]["tricks"]["most"]
        assert most == max(0, state.balances[seat])
        with pytest.raises(RuleViolation, match="must pay"):
            after(state, *bids(seat, most + 1))
        state = after(state, *bids(seat, 0))


def test_the_last_trick_goes_to_nobody_who_would_have_too_many_with_what_was_ruled() -> None:
    won: list[Command] = [*winners("N " * 12), adjust_tricks(None, "NS", 1)]
    state = given(dealt("N"), *THREES, *won)

    assert offered(PRECEDENCE, state)["winners"] == [{"seat": ["E", "W"]}]
    assert [form["NS"] for form in offered(PRECEDENCE, state)["totals"]] == [[12]]


def test_the_last_card_of_a_hand_lets_nobody_win_who_can_t_win_with_what_was_ruled() -> None:
    cards = {seat: held.split() for seat, held in ONE_SUIT_EACH.items()}
    order = ROUND["E"]
    lines = [trick(" ".join(cards[seat][number] for seat in order)) for number in range(12)]
    state = given(dealt("N", "F"), *THREES, *lines, adjust_tricks(None, "EW", 1), trump="declared")

    offer = PRECEDENCE.offer(PRECEDENCE.table(state), [cards[seat][12] for seat in order][:3])

    assert offer["legal"] == []
    assert "leaves East–West with 14 tricks" in offer["refused"]["EV"]["message"]


def test_a_soloist_who_couldn_t_pay_the_forfeit_can_t_be_said_to_fail() -> None:
    state = preference.given(
        *preference.ready("A", "one"), opening_chips=15, ante=10, forfeit=20, duty=0
    )

    soloist = {form["tricks"]["fields"]["A"][0] for form in offered(PREFERENCE, state)["totals"]}

    assert soloist == {6, 7, 8, 9, 10}


def test_a_call_that_ends_the_bidding_is_offered_only_where_everybody_can_stake() -> None:
    rich = sabacc.given(
        sabacc.dealt("D"), *sabacc.calls("A take, D pass, C pass"), opening_chips=8, ante=1
    )
    poor = sabacc.given(
        sabacc.dealt("D"), *sabacc.calls("A guard_without, D pass, C pass"), opening_chips=8, ante=1
    )

    assert "pass" in offered(SABACC, rich)["calls"][0]["call"]
    assert offered(SABACC, poor)["calls"] == [{"seat": ["B"], "call": ["guard_against"]}]


@pytest.mark.parametrize("where", SELDOM)
def test_what_is_offered_is_taken_and_all_else_refused_where_chance_seldom_leads(
    where: str,
) -> None:
    name, state = SELDOM[where]

    for seed in range(3):
        assert check_state(SPACES[name], state, Random(seed))
