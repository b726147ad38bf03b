"""Bids and their stakes (P11, P12)."""

import pytest

from scoring.commands import Undo
from scoring.events import ChipsMoved
from scoring.precedence.commands import Command, MakeBid
from scoring.precedence.events import BidMade
from scoring.precedence.play import table
from tests.scoring.table import (
    accept_hand,
    after,
    bids,
    dealt,
    game,
    given,
    hand,
    refused,
    scored,
    totals,
    trick,
    when,
    winners,
)

OPEN = dealt("N")


def test_p11_the_player_left_of_the_dealer_bids_first_then_clockwise() -> None:
    state = given(dealt("S"))
    for seat in "WNES":
        assert table(state)["hand"]["bidder"] == seat
        state = after(state, MakeBid(seat=seat, tricks=2))

    assert table(state)["hand"]["bidder"] is None
    assert table(state)["stage"] == "play"


def test_p11_a_bid_out_of_turn_is_refused() -> None:
    with refused("out_of_turn", rule="P11", path="bids.W", says="East bids next, not West"):
        when(given(OPEN), MakeBid(seat="W", tricks=3))


def test_p11_each_player_bids_once() -> None:
    with refused("out_of_turn", rule="P11", path="bids.E", says="East has bid 4; each bids once"):
        when(given(OPEN, *bids("E", 4)), MakeBid(seat="E", tricks=3))


def test_p11_an_excused_calling_order_is_taken_as_it_was() -> None:
    excused = dealt("N", accepted=(accept_hand("out_of_turn"),))
    state = given(excused, *bids("W", 3, 3), *bids("E", 3, 3), totals(7, 6))

    assert state.score == given(OPEN, *bids("E", 3, 3, 3, 3), totals(7, 6)).score


@pytest.mark.parametrize("tricks", [-1, 14, 15, 1_000_000])
def test_p11_a_bid_is_0_to_13(tricks: int) -> None:
    with refused("bad_bid", rule="P11", path="bids.E", says=f"East can bid 0 to 13, not {tricks}"):
        when(given(OPEN), MakeBid(seat="E", tricks=tricks))


def test_p11_a_bid_of_0_is_allowed_and_has_no_bonus() -> None:
    assert scored(hand(0, bid=(0, 6, 0, 6)))["hands"][0]["points"] == {"NS": 0, "EW": 121}


def test_p11_partners_bids_add_up_to_the_team_contract() -> None:
    assert scored(hand(7, bid=(4, 1, 3, 5)))["hands"][0]["contracts"] == {"NS": 7, "EW": 6}


def test_p11_a_team_contract_above_thirteen_is_refused() -> None:
    state = given(OPEN, *bids("E", 8, 3))

    with refused(
        "bad_bid", rule="P11", path="bids.W", says="East bid 8, so West can bid 0 to 5, not 6"
    ):
        when(state, MakeBid(seat="W", tricks=6))
    assert when(state, MakeBid(seat="W", tricks=5))[0] == BidMade(seat="W", tricks=5)


@pytest.mark.parametrize(("stake", "paid"), [(1, 4), (3, 12)])
def test_p12_each_trick_bid_costs_the_bidder_the_trick_stake(stake: int, paid: int) -> None:
    assert when(given(OPEN, trick_stake=stake), MakeBid(seat="E", tricks=4)) == [
        BidMade(seat="E", tricks=4),
        ChipsMoved(source="E", target="hand", chips=paid, why="bid", rule="P12"),
    ]


def test_p12_nothing_moves_for_a_bid_of_0_or_without_a_trick_stake() -> None:
    assert when(given(OPEN), MakeBid(seat="E", tricks=0)) == [BidMade(seat="E", tricks=0)]
    assert when(given(OPEN, trick_stake=0), MakeBid(seat="E", tricks=4)) == [
        BidMade(seat="E", tricks=4)
    ]


@pytest.mark.parametrize("act", [trick("2V 3V 4V 5V"), *winners("N"), totals(7, 6)])
def test_play_begins_after_the_four_bids(act: Command) -> None:
    with refused(
        "out_of_turn",
        rule="P11",
        path={"PlayTrick": "plays", "TakeTrick": "winners"}.get(type(act).__name__, "tricks"),
        says="West bids first",
    ):
        when(given(OPEN, *bids("E", 3, 3)), act)


def test_a_bid_needs_an_open_hand() -> None:
    with refused("out_of_turn", rule="P4", path="", says="open the next hand first"):
        when(game(), MakeBid(seat="E", tricks=3))


def test_the_highest_bid_offered_is_what_the_contract_and_the_purse_allow() -> None:
    rich, poor = (
        given(OPEN, *bids("E", 8, 3)),
        given(OPEN, *bids("E", 1, 1, 2), opening_chips=12, accord_stake=5, ante=1),
    )

    assert table(rich)["hand"]["most"] == 5
    assert table(poor)["hand"]["most"] == 6
    assert table(after(poor, Undo(version=poor.trail[-1].version + 1)))["hand"]["most"] == 6
    with refused("no_chips", rule="Chips", path="bids.N", says="North has 6 chips and must pay 7"):
        when(poor, MakeBid(seat="N", tricks=7))
