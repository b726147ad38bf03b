"""What only Precedence promises of every game, tried on random ones: pots, points, net chips,
misdeals.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scoring.commands import Undo
from scoring.events import EntryRetracted
from scoring.precedence.commands import CallMisdeal
from scoring.precedence.evolve import evolve
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.pots import HAND
from scoring.precedence.state import State
from scoring.records import decide_record, read_record
from tests.scoring.games_made import records
from tests.scoring.laws import PLAYED, after, every_step, legal, shown
from tests.scoring.table import dealt
from tests.scoring.table import given as on_table

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
MANY = settings(max_examples=1500, deadline=None, suppress_health_check=SLOW)


games = records().map(legal)


def check_pots(value: dict[str, Any]) -> None:
    """Hand Pot = 4·ante + trick_stake·Σbids + meld_stake·melds + carried, rulings apart."""
    read = read_record(value)
    _, state = decide_record(read)
    assert isinstance(state, State)
    carried = 0
    for closed in state.done:
        ruled = sum(
            move.chips * ((move.target == HAND) - (move.source == HAND))
            for move in closed.hand.moves
            if move.why == "ruling"
        )
        if closed.result is None:
            carried += ruled
            continue
        bid = sum((*closed.hand.bids.values(), *closed.hand.named.values()))
        staked = 4 * state.rules.ante + state.rules.trick_stake * bid
        assert (
            closed.result.pot
            == staked + state.rules.meld_stake * len(closed.hand.melds) + carried + ruled
        )
        carried = closed.result.pot - sum(chips for _, chips in closed.result.payouts)


def check_misdeal(value: dict[str, Any], place: int) -> None:
    """A misdeal called at any moment of an open hand gives back what was staked, keeps what was
    shown, and can be taken back.
    """
    opened = [
        state for _, _, state in every_step(PLAYED["precedence"], value) if state.hand is not None
    ]
    assume(opened)
    state = opened[place % len(opened)]
    opening = next(before.hand for before in (*state.trail, state) if before.version > state.opened)
    called = after(PRECEDENCE, state, CallMisdeal())

    assert opening is not None
    assert called.done[-1].hand.moves == (
        *opening.moves,
        *(move for move in state.hand.moves if move.why == "ruling"),
    )
    kept = called.done[-1].hand
    assert (kept.bids, kept.named) == (state.hand.bids, state.hand.named)
    assert kept.melds == state.hand.melds
    assert called.done[-1].hand.play.cards == ()
    assert sum(called.balances.values()) == 0
    assert shown(after(PRECEDENCE, called, Undo(version=state.version + 1))) == shown(state)


def check_points(value: dict[str, Any]) -> None:
    """P16 to P19 computed again, from the record alone."""
    read = read_record(value)
    _, state = decide_record(read)
    carry = value["options"].get("excess_reset") == "carry"
    score, excess = {"NS": 0, "EW": 0}, {"NS": 0, "EW": 0}
    for result, written in zip(
        read.game.result(state)["hands"],
        [hand for hand in value["hands"] if "misdeal" not in hand],
        strict=True,
    ):
        swapped = written.get("players", {}).get("E") == "Asha"
        for team, seats in (("NS", "EW" if swapped else "NS"), ("EW", "NS" if swapped else "EW")):
            said = written.get("bids", written.get("contracts"))
            contract = sum(said[each] for each in said if each[0] in seats)
            tricks = result["tricks"][team]
            melds = sum(
                {"run": 3 if len(meld["cards"]) == 3 else 6, "triad": 5, "quad": 12}[meld["kind"]]
                for meld in written.get("melds", [])
                if meld["seat"] in seats
            )
            ruled = sum(
                each["points"] for each in written.get("rulings", []) if each.get("side") == seats
            )
            points = (
                10 * contract + tricks - contract + melds
                if tricks >= contract
                else -10 * contract + melds // 2
            )
            over = max(0, tricks - contract)
            score[team] += points + ruled
            excess[team] += over
            while excess[team] >= 10:
                score[team] -= 100
                excess[team] = excess[team] - 10 if carry else 0
            assert (result["points"][team], result["score"][team], result["excess"][team]) == (
                points + ruled,
                score[team],
                excess[team],
            )


def check_net_chips(value: dict[str, Any]) -> None:
    """Seats and pots sum to zero; before the end, what a seat won is the sum of its hands less the
    accord stake.
    """
    read = read_record(value)
    _, state = decide_record(read)
    assert isinstance(state, State)
    result = read.game.result(state)

    assert sum(result["chips"].values()) + sum(result["pots"].values()) == 0
    if (
        state.closed is None
        and state.redealt is None
        and not any("rulings" in hand for hand in value["hands"])
    ):
        stake = state.rules.accord_stake
        assert result["pots"]["accord"] == 4 * stake
        assert result["chips"] == {
            seat: sum(hand["chips"][seat] for hand in result["hands"]) - stake for seat in "NESW"
        }


LAWS = [check_pots, check_points, check_net_chips]


@FEW
@given(value=games)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_holds_for_every_game(law: Any, value: dict[str, Any]) -> None:
    law(value)


@FEW
@given(value=games, place=st.integers(0, 10_000))
def test_a_misdeal_called_at_any_moment_can_be_taken_back(
    value: dict[str, Any], place: int
) -> None:
    check_misdeal(value, place)


@pytest.mark.long
@MANY
@given(value=games, number=st.integers(0, 10_000))
def test_all_laws_hold_for_thousands_of_games(value: dict[str, Any], number: int) -> None:
    for law in LAWS:
        law(value)
    check_misdeal(value, number)


def test_an_undo_that_names_no_act_changes_nothing_when_folded() -> None:
    """A fact never refuses; one that names the ante after an opening takes nothing back."""
    state = on_table(dealt("N"))

    for version in (state.version - 1, state.version, state.version + 1):
        assert shown(evolve(state, EntryRetracted(version=version))) == shown(state)
