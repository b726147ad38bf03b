"""Chips given out at the start, buy-ins, and who cannot pay (Chips)."""

import pytest

from scoring.balances import may_overdraw
from scoring.events import ChipsMoved
from scoring.precedence.commands import MakeBid
from tests.scoring.table import (
    accept_hand,
    bids,
    chips_of,
    dealt,
    decided,
    game,
    given,
    hand,
    meld,
    record,
    refused,
    ruling,
    scored,
    totals,
    when,
)

RICH = {"opening_chips": 100}


def test_without_opening_chips_players_may_go_below_0() -> None:
    assert given(dealt("N"), *bids("E", 13), ante=1_000_000).balances["E"] == -5 - 1_000_000 - 13
    assert may_overdraw(game())


def test_every_player_is_given_the_opening_chips_and_net_chips_never_count_them() -> None:
    assert chips_of(game(**RICH)) == {
        "bank": -400,
        "N": 95,
        "E": 95,
        "S": 95,
        "W": 95,
        "accord": 20,
    }
    assert scored(hand(7), **RICH)["chips"] == scored(hand(7))["chips"]
    assert not may_overdraw(game(**RICH))


def test_nobody_can_pay_an_accord_stake_they_do_not_have() -> None:
    with refused(
        "no_chips",
        rule="Chips",
        path="options.opening_chips",
        says="North has 4 chips and must pay 5: 1 are missing",
    ):
        game(opening_chips=4)


def test_nobody_can_pay_an_ante_they_do_not_have() -> None:
    with refused(
        "no_chips",
        rule="Chips",
        path="",
        says="North has 1 chips and must pay 2: 1 are missing; a further buy-in can be recorded",
    ):
        when(game(opening_chips=6, ante=2), dealt("N"))


def test_nobody_can_show_a_meld_or_bid_what_they_do_not_have() -> None:
    state = given(dealt("N"), opening_chips=8, meld_stake=3)

    with refused("no_chips", rule="Chips", path="melds[0]", says="East has 2 chips and must pay 3"):
        when(state, meld("E", "run", "2V 3V 4V"))
    with refused("no_chips", rule="Chips", path="bids.E", says="East has 2 chips and must pay 3"):
        when(state, MakeBid(seat="E", tricks=3))
    assert when(state, MakeBid(seat="E", tricks=2))


def test_a_buy_in_comes_before_the_ante_and_is_no_win() -> None:
    opening = dealt("N", buy_ins=(("E", 30),))

    assert when(game(opening_chips=5), dealt("N", buy_ins=tuple((seat, 1) for seat in "NESW")))
    assert when(game(**RICH), opening)[1] == ChipsMoved(
        source="bank", target="E", chips=30, why="buy_in", rule="Chips"
    )
    assert scored(hand(7, buy_ins={"E": 30}), **RICH)["chips"] == scored(hand(7))["chips"]
    assert (
        scored(hand(7, buy_ins={"E": 30}), **RICH)["hands"][0]["chips"]
        == scored(hand(7))["hands"][0]["chips"]
    )


def test_a_buy_in_needs_opening_chips() -> None:
    with refused(
        "bad_record", rule="Chips", path="hands[0].buy_ins", says="a buy-in needs opening_chips"
    ):
        decided(record(hand(7, buy_ins={"E": 30})))


def test_a_hand_excused_from_no_chips_may_be_played_below_0() -> None:
    excused = dealt("N", accepted=(accept_hand("no_chips"),))
    state = given(excused, *bids("E", 3, 3, 3, 3), opening_chips=5)

    assert [state.balances[seat] for seat in "NESW"] == [-4, -4, -4, -4]
    assert may_overdraw(state)
    assert may_overdraw(given(excused, *bids("E", 3, 3, 3, 3), totals(7, 6), opening_chips=5))
    with refused("no_chips", rule="Chips", path="", says="East has -4 chips and must pay 1"):
        when(given(excused, *bids("E", 3, 3, 3, 3), totals(7, 6), opening_chips=5), dealt())


def test_an_excuse_is_for_one_code_only() -> None:
    with refused("no_chips", rule="Chips", path="", says="North has 0 chips"):
        when(game(opening_chips=5), dealt("N", accepted=(accept_hand("bad_dealer"),)))


def test_chips_are_won_back_to_be_paid_again() -> None:
    poor = {"opening_chips": 10, "accord_stake": 5}

    assert scored(hand(7, bid=(1, 1, 1, 1)), hand(7, bid=(6, 1, 0, 1)), **poor)["score"] == {
        "NS": 25 + 61,
        "EW": 24 + 24,
    }
    with refused(
        "no_chips", rule="Chips", path="hands[1].bids.E", says="East has 2 chips and must pay 3"
    ):
        scored(hand(7, bid=(1, 1, 1, 1)), hand(7, bid=(0, 3, 0, 0)), **poor)


@pytest.mark.parametrize("source", ["hand", "accord"])
def test_a_ruling_takes_no_more_than_a_pot_holds(source: str) -> None:
    with refused("no_chips", rule="Chips", path="hands[0].rulings", says=f"{source} has"):
        scored(hand(7, rulings=[ruling("move_chips", source=source, to="E", chips=21)]))


def test_a_ruling_takes_no_more_than_a_seat_holds_where_chips_are_given_out() -> None:
    moved = [ruling("move_chips", source="E", to="W", chips=92)]

    assert scored(hand(7, rulings=[ruling("move_chips", source="E", to="W", chips=91)]), **RICH)
    with refused("no_chips", rule="Chips", path="hands[0].rulings", says="E has 91 chips"):
        scored(hand(7, rulings=moved), **RICH)
    assert scored(hand(7, rulings=moved))["chips"]["E"] == -5 - 4 - 92
    assert (
        scored(hand(7, rulings=[*moved, ruling("accept_hand", excuses=["no_chips"])]), **RICH)[
            "chips"
        ]["E"]
        == -5 - 4 - 92
    )
