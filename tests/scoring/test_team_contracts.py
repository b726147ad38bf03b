"""Contracts named by side in place of single bids, a house rule (P11, P12)."""

from typing import Any

import pytest

from scoring.commands import Undo
from scoring.events import ChipsMoved
from scoring.precedence.commands import Command, MakeBid, NameContract
from scoring.precedence.events import ContractNamed
from scoring.precedence.play import PRECEDENCE, table
from tests.scoring.table import (
    after,
    bids,
    contracts,
    dealt,
    game,
    given,
    hand,
    meld,
    refused,
    scored,
    totals,
    trick,
    when,
    winners,
)

OPEN = dealt("N")
BY_SIDE = {"contracts": "side"}
A_HAND: dict[str, Any] = {"contracts": {"NS": 7, "EW": 5}, "tricks": {"NS": 8, "EW": 5}}


def test_two_contracts_stand_in_the_place_of_four_bids() -> None:
    state = given(OPEN, **BY_SIDE)

    assert table(state)["hand"]["to_name"] == "EW", "East sits at the dealer's left"
    state = after(state, *contracts(EW=5))
    assert table(state)["stage"] == "bids"
    state = after(state, *contracts(NS=7))

    assert table(state)["stage"] == "play"
    assert table(state)["hand"]["contracts"] == {"NS": 7, "EW": 5}
    assert set(table(state)["hand"]["bids"].values()) == {None}, "nobody bid alone"
    assert after(state, totals(8, 5)).score == (71, 50)


def test_a_hand_by_contracts_scores_as_bids_of_the_same_sums_and_is_written_as_it_was_named() -> (
    None
):
    named = scored(A_HAND, **BY_SIDE)["hands"][0]
    bid = scored(hand(8, bid=(4, 3, 3, 2)))["hands"][0]

    assert {key: named[key] for key in named if key != "chips"} == {
        key: bid[key] for key in bid if key != "chips"
    }
    state = given(OPEN, *contracts(NS=7, EW=5), totals(8, 5), **BY_SIDE)
    assert PRECEDENCE.write_hands(state)[0] == {"dealer": "N", "trump": "V", **A_HAND}


def test_partners_pay_by_halves_and_the_nearer_to_the_dealers_left_the_odd_chip() -> None:
    assert when(given(OPEN, **BY_SIDE), NameContract(side="NS", tricks=7)) == [
        ContractNamed(side="NS", tricks=7),
        ChipsMoved(source="S", target="hand", chips=4, why="bid", rule="P12"),
        ChipsMoved(source="N", target="hand", chips=3, why="bid", rule="P12"),
    ]
    assert when(given(dealt("E"), trick_stake=3, **BY_SIDE), NameContract(side="EW", tricks=1)) == [
        ContractNamed(side="EW", tricks=1),
        ChipsMoved(source="W", target="hand", chips=2, why="bid", rule="P12"),
        ChipsMoved(source="E", target="hand", chips=1, why="bid", rule="P12"),
    ]
    assert len(when(given(OPEN, **BY_SIDE), NameContract(side="NS", tricks=0))) == 1


def test_a_contract_is_what_both_partners_can_pay_for() -> None:
    poor = given(OPEN, opening_chips=9, accord_stake=5, ante=1, **BY_SIDE)

    assert table(poor)["hand"]["may_name"] == {"EW": 6, "NS": 6}
    with refused("no_chips", rule="Chips", path="contracts.EW", says="East has 3 chips"):
        when(poor, NameContract(side="EW", tricks=7))


@pytest.mark.parametrize("tricks", [-1, 14, 1_000_000])
def test_a_contract_is_0_to_13(tricks: int) -> None:
    with refused("bad_bid", rule="P11", path="contracts.NS", says=f"0 to 13, not {tricks}"):
        when(given(OPEN, **BY_SIDE), NameContract(side="NS", tricks=tricks))


def test_each_side_names_one_and_nobody_bids_alone() -> None:
    named = given(OPEN, *contracts(NS=7), **BY_SIDE)

    with refused(
        "out_of_turn", rule="P11", path="contracts.NS", says="North–South named a contract of 7"
    ):
        when(named, NameContract(side="NS", tricks=6))
    with refused("bad_bid", rule="P11", path="bids.E", says="East can't bid alone"):
        when(named, MakeBid(seat="E", tricks=3))
    with refused("bad_bid", rule="P11", path="contracts.NS", says="each player bids in this game"):
        when(given(OPEN), NameContract(side="NS", tricks=7))
    with refused("bad_meld", rule="P6", path="melds[0]", says="before the contracts"):
        when(named, meld("E", "run", "2V 3V 4V"))


@pytest.mark.parametrize("act", [trick("2V 3V 4V 5V"), *winners("N"), totals(7, 6)])
def test_play_begins_after_both_contracts(act: Command) -> None:
    with refused(
        "out_of_turn",
        rule="P11",
        path={"PlayTrick": "plays", "TakeTrick": "winners"}.get(type(act).__name__, "tricks"),
        says="East–West's contract is missing",
    ):
        when(given(OPEN, *contracts(NS=7), **BY_SIDE), act)


def test_a_contract_is_taken_back_by_itself() -> None:
    state = given(OPEN, *contracts(EW=5, NS=7), **BY_SIDE)
    shown = table(state)["undo"]
    assert shown["act"] == {"type": "precedence.contract_named", "side": "NS", "tricks": 7}

    state = after(state, Undo(version=shown["version"]))

    assert table(state)["hand"]["named"] == {"NS": None, "EW": 5}


@pytest.mark.parametrize(
    ("written", "options", "path", "says"),
    [
        ({"tricks": A_HAND["tricks"]}, BY_SIDE, "hands[0].contracts", "contracts of both sides"),
        (
            {**A_HAND, "contracts": {"NS": 7}},
            BY_SIDE,
            "hands[0].contracts.EW",
            "East–West's contract is missing",
        ),
        ({**A_HAND, "contracts": {"N": 7}}, BY_SIDE, "hands[0].contracts.N", "N"),
    ],
)
def test_a_record_says_what_its_house_rule_asks_for(
    written: dict[str, Any], options: dict[str, Any], path: str, says: str
) -> None:
    with refused("bad_record", rule="", path=path, says=says):
        scored({"dealer": "N", **written}, **options)


@pytest.mark.parametrize(
    ("written", "options", "path"),
    [
        (hand(8, bid=(4, 3, 3, 2)), BY_SIDE, "hands[0].bids.E"),
        (A_HAND, {}, "hands[0].contracts.EW"),
    ],
)
def test_a_record_by_the_other_house_rule_is_refused(
    written: dict[str, Any], options: dict[str, Any], path: str
) -> None:
    with refused("bad_bid", rule="P11", path=path, says="in this game"):
        scored({"dealer": "N", **written}, **options)


def test_games_of_single_bids_say_nothing_of_contracts() -> None:
    state = given(OPEN, *bids("E", 3, 3, 3, 3), totals(7, 6))

    assert "contracts" not in PRECEDENCE.write_rules(game().rules)
    assert "contracts" not in table(state)
    assert "named" not in table(given(OPEN))["hand"]
