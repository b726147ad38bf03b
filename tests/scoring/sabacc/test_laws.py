"""What only Contract Sabacc promises of every game, tried on random ones: its hands, and that no
wager outlives one.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from scoring.records import decide_record, read_record
from scoring.sabacc.pots import payouts_of
from scoring.sabacc.state import State
from tests.scoring.sabacc.games_made import records

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
FEW = settings(max_examples=50, deadline=None, suppress_health_check=SLOW)


def check_hands(value: dict[str, Any]) -> None:
    """Each hand's chips and the change of the Ante Pot sum to zero; 46 make it; the bonus fits the
    pot after the antes.
    """
    read = read_record(value)
    _, state = decide_record(read)
    assert isinstance(state, State)
    pot = 0
    for result, closed in zip(read.game.result(state)["hands"], state.done, strict=True):
        assert sum(result["chips"].values()) + result["ante_pot"] - pot == 0
        assert closed.hand.anted == pot + state.rules.ante * len(state.seats)
        if result["declarer"] is not None:
            assert result["made"] == (result["points"] >= 46)
            quarters = {"idiot": 1, "magician": 2, "slam": 3, "grand_slam": 4}
            bonus = result["bonus"]
            assert (
                bonus is None or bonus["chips"] == closed.hand.anted * quarters[bonus["kind"]] // 4
            )
        pot = result["ante_pot"]


def check_wagers(value: dict[str, Any]) -> None:
    """S5 and S10 computed again: what the declarer wins the defenders lose, or they share all but
    the odd chips.
    """
    read = read_record(value)
    _, state = decide_record(read)
    assert isinstance(state, State)
    stakes = {"take": 1, "push": 1, "guard": 2, "guard_without": 4, "guard_against": 6}
    for closed in state.done:
        hand, defenders = closed.hand, len(state.seats) - 1
        if hand.declarer is None:
            continue
        bid = {
            seat: max(
                (stakes.get(call, 0) for caller, call in hand.calls if caller == seat), default=0
            )
            for seat in state.seats
        }
        own = (
            bid
            if state.rules.wager == "bidders_only"
            else dict.fromkeys(state.seats, stakes[hand.contract or ""])
        )
        assert closed.result.wagered == sum(own.values()) + defenders * stakes[hand.contract or ""]
        shares = [move.chips for move in payouts_of(hand) if move.why == "failed"]
        assert closed.result.made or shares == [closed.result.wagered // defenders] * defenders


LAWS = [check_hands, check_wagers]


@FEW
@given(value=records())
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_holds_for_every_game(law: Any, value: dict[str, Any]) -> None:
    law(value)


@pytest.mark.long
@settings(FEW, max_examples=1500)
@given(value=records())
def test_all_laws_hold_for_thousands_of_games(value: dict[str, Any]) -> None:
    for law in LAWS:
        law(value)
