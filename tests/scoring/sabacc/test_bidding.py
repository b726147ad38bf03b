"""Antes, the bidding and the wagers of Contract Sabacc (S1 to S5)."""

from itertools import product
from typing import Any

import pytest

from scoring.events import ChipsMoved, HandClosed
from scoring.sabacc.auction import BIDS, PASS
from scoring.sabacc.commands import MakeCall
from scoring.sabacc.events import CallMade, ContractNamed
from scoring.sabacc.play import table
from tests.scoring.sabacc.table import (
    accept_hand,
    after,
    calls,
    chips_of,
    contract,
    dealt,
    game,
    given,
    hand,
    open_hand,
    refused,
    scored,
    void,
    when,
)


def test_s1_each_player_pays_the_ante_before_each_hand() -> None:
    assert chips_of(given(dealt("D"))) == {"A": -1, "B": -1, "C": -1, "D": -1, "ante": 4}
    assert chips_of(given(dealt("C"), players=3, ante=5)) == {"A": -5, "B": -5, "C": -5, "ante": 15}
    assert chips_of(given(dealt("D"), contract(None), dealt()))["ante"] == 8


def test_s1_an_ante_of_0_moves_no_chips() -> None:
    assert [type(event).__name__ for event in when(game(ante=0), dealt("D"))] == ["HandOpened"]


@pytest.mark.parametrize(("players", "tricks", "in_talon"), [(3, 24, 6), (4, 18, 6), (5, 15, 3)])
def test_s2_cards_each_and_talon_go_by_the_number_of_players(
    players: int, tricks: int, in_talon: int
) -> None:
    shown = table(game(players))

    assert (shown["tricks_in_all"], shown["talon_size"]) == (tricks, in_talon)
    assert players * tricks + in_talon == 78


@pytest.mark.parametrize(("first", "order"), [("left", "ADCB"), ("right", "CBAD")])
def test_s3_the_first_caller_sits_beside_the_dealer_and_it_goes_counterclockwise(
    first: str, order: str
) -> None:
    state = given(dealt("D"), first_caller=first)
    for seat in order:
        assert table(state)["hand"]["caller"] == seat
        state = after(state, MakeCall(seat=seat, call=PASS))


def test_s3_a_call_out_of_turn_is_refused() -> None:
    with refused("out_of_turn", rule="S3", path="calls[1]", says="D calls next, not B"):
        when(given(dealt("D"), *calls("A pass")), MakeCall(seat="B", call="push"))


def test_s3_an_excused_calling_order_is_taken_as_it_was() -> None:
    state = given(
        dealt("D", accepted=(accept_hand("out_of_turn"),)), *calls("B push, A pass, C pass, D pass")
    )

    begun = open_hand(state)
    assert (begun.declarer, begun.contract) == ("B", "push")


@pytest.mark.parametrize(("earlier", "later"), [*product(BIDS, BIDS)])
def test_s3_a_bid_must_be_higher(earlier: str, later: str) -> None:
    state = given(dealt("D"), MakeCall(seat="A", call=earlier))
    if BIDS.index(later) > BIDS.index(earlier):
        assert when(state, MakeCall(seat="D", call=later)) == [CallMade(seat="D", call=later)]
        assert later in table(state)["hand"]["higher"]
    else:
        with refused("bad_call", rule="S3", path="calls[1]", says="is bid, so D can say"):
            when(state, MakeCall(seat="D", call=later))
        assert later not in table(state)["hand"]["higher"]


def test_s3_who_passes_is_out() -> None:
    state = given(dealt("D"), *calls("A pass, D take, C push, B pass"))

    assert table(state)["hand"]["caller"] == "D"
    with refused(
        "out_of_turn",
        rule="S3",
        path="calls[4]",
        says="D calls next, not A (A has passed and is out)",
    ):
        when(state, MakeCall(seat="A", call="guard"))


def test_s3_it_ends_when_all_but_the_highest_have_passed() -> None:
    bidding = calls("A push, D pass, C guard, B pass, A guard_without, C pass")
    for place in range(1, len(bidding)):
        assert table(given(dealt("D"), *bidding[:place]))["stage"] == "calls"
    state = given(dealt("D"), *bidding)

    begun = open_hand(state)
    assert (begun.declarer, begun.contract, table(state)["stage"]) == ("A", "guard_without", "play")
    with refused("out_of_turn", rule="S3", path="calls[6]", says="the bidding is over"):
        when(state, MakeCall(seat="A", call="guard_against"))


def test_s3_the_highest_contract_too_ends_only_when_the_others_have_passed() -> None:
    state = given(dealt("D"), *calls("A guard_against, D pass, C pass"))

    assert table(state)["hand"]["caller"] == "B"
    assert table(state)["hand"]["higher"] == []
    with refused("bad_call", rule="S3", path="calls[3]", says="B can say only pass"):
        when(state, MakeCall(seat="B", call="guard_against"))


def test_s3_a_record_whose_calls_end_too_early_is_refused() -> None:
    with refused(
        "bad_call", rule="S3", path="hands[0].calls", says="the calls end before the bidding does"
    ):
        scored(hand("A", "push", calls=[["A", "push"], ["D", "pass"]], points=40))


def test_s3_calls_and_contract_of_a_record_must_agree() -> None:
    said = [["A", "push"], ["D", "pass"], ["C", "pass"], ["B", "pass"]]
    with refused(
        "bad_contract", rule="S3", path="hands[0].contract", says="by the calls A declares Push"
    ):
        scored(hand("A", "guard", calls=said, points=40))
    with refused(
        "bad_contract", rule="S3", path="hands[0].declarer", says="by the calls A declares Push"
    ):
        scored(hand("B", "push", calls=said, points=40))
    assert scored(hand("A", "push", calls=said, points=40))["hands"][0]["declarer"] == "A"


def test_s3_a_game_that_writes_no_calls_names_the_contract() -> None:
    assert when(given(dealt("D")), contract("B", "guard"))[0] == ContractNamed(
        declarer="B", contract="guard"
    )
    with refused("out_of_turn", rule="S3", path="declarer", says="call by call"):
        when(given(dealt("D"), *calls("A push")), contract("A", "push"))


def test_s4_a_hand_that_nobody_bids_is_void_and_counts_as_its_dealers() -> None:
    state = given(dealt("D"), *calls("A pass, D pass, C pass"))
    events = when(state, MakeCall(seat="B", call="pass"))
    closed = after(state, MakeCall(seat="B", call="pass"))

    assert events == [CallMade(seat="B", call="pass"), HandClosed(number=1)]
    assert chips_of(closed)["ante"] == 4
    assert table(closed)["next"] == {"number": 2, "dealer": "C"}


def test_s4_a_void_hand_has_no_points_and_no_bonus() -> None:
    result = scored(void())["hands"][0]

    assert [
        result[key] for key in ("declarer", "contract", "points", "made", "bonus", "ante_pot")
    ] == [None, None, None, None, None, 4]
    assert result["chips"] == dict.fromkeys("ABCD", -1)
    with refused(
        "bad_record", rule="S4", path="hands[0].points", says="a hand that nobody bid has no points"
    ):
        scored(void(points=40))


@pytest.mark.parametrize(
    ("name", "stake"),
    [("take", 1), ("push", 1), ("guard", 2), ("guard_without", 4), ("guard_against", 6)],
)
def test_s5_everybody_stakes_the_contract_and_the_declarer_once_more_for_each_defender(
    name: str, stake: int
) -> None:
    state = given(dealt("D"), contract("B", name), ante=0)

    assert chips_of(state) == {
        "A": -stake,
        "B": -4 * stake,
        "C": -stake,
        "D": -stake,
        "wager": 7 * stake,
    }


def test_s5_with_calls_everybody_pays_when_the_bidding_is_over() -> None:
    state = given(dealt("D"), *calls("A push, D pass, C guard, B pass"), ante=0)

    assert chips_of(state) == {}
    assert chips_of(after(state, *calls("A pass"))) == {
        "A": -2,
        "B": -2,
        "C": -8,
        "D": -2,
        "wager": 14,
    }


def test_s5_where_only_bidders_wager_each_has_their_own_highest_bid_topped_up() -> None:
    rules: dict[str, Any] = {"wager": "bidders_only", "ante": 0}
    state = given(dealt("D"), *calls("A push, D pass, C guard, B pass"), **rules)
    over = after(state, *calls("A guard_without, C pass"))

    assert chips_of(state) == {"A": -1, "C": -2, "wager": 3}
    assert when(state, MakeCall(seat="A", call="guard_without"))[1] == ChipsMoved(
        source="A", target="wager", chips=3, why="wager", rule="S5"
    )
    assert chips_of(over) == {"A": -(4 + 3 * 4), "C": -2, "wager": 18}


def test_s5_where_only_bidders_wager_the_calls_are_written_down() -> None:
    with refused("bad_record", rule="S5", path="hands[0].calls", says="calls are missing"):
        scored(hand("B", "push", points=40), wager="bidders_only")


def test_chips_nobody_stakes_what_they_do_not_have() -> None:
    with refused(
        "no_chips",
        rule="Chips",
        path="contract",
        says="B has 4 chips and must pay 6: 2 are missing",
    ):
        when(given(dealt("D"), opening_chips=7), contract("B", "guard"))
    with refused(
        "no_chips",
        rule="Chips",
        path="calls[0]",
        says="A has 1 chips and must pay 2: 1 are missing",
    ):
        when(
            given(dealt("D"), opening_chips=2, wager="bidders_only"),
            MakeCall(seat="A", call="guard"),
        )
    assert given(dealt("D"), contract("B", "guard"), opening_chips=9).balances["B"] == 0


def test_chips_an_excused_hand_lets_a_purse_go_below_0() -> None:
    state = given(
        dealt("D", accepted=(accept_hand("no_chips"),)),
        contract("B", "guard_against"),
        opening_chips=3,
    )

    assert state.balances["B"] == 3 - 1 - 24


def test_chips_a_buy_in_is_paid_before_the_ante_and_never_counts_as_won() -> None:
    state = given(dealt("D", buy_ins=(("B", 10),)), opening_chips=0, ante=0)

    assert (state.balances["B"], table(state)["score"]["B"]) == (10, 0)
    with refused("no_chips", rule="Chips", path="", says="A has 0 chips and must pay 1"):
        when(game(opening_chips=0), dealt("D", buy_ins=(("B", 10),)))
