"""The auction and the contract (R4, R6 to R9)."""

import pytest

from scoring.events import HandClosed
from scoring.preference.commands import ThrowIn
from scoring.preference.contracts import CONTRACTS
from scoring.preference.events import CallMade
from scoring.preference.play import table
from scoring.preference.state import State
from tests.scoring.preference.table import (
    accept_hand,
    after,
    calls,
    dealt,
    defence,
    given,
    hand,
    open_hand,
    plays,
    refused,
    scored,
    totals,
    when,
)


def said(text: str = "", *, dealer: str = "A", **more: object) -> State:
    """A hand in which this was called; B sits left of dealer A."""
    return given(dealt(dealer, **more), *(calls(text) if text else []))


def speaker(text: str = "") -> str | None:
    speaks: str | None = table(said(text))["hand"]["auction"]["speaker"]
    return speaks


def test_r4_contracts_rise_from_one_to_misere_ouvert() -> None:
    assert " ".join(CONTRACTS) == (
        "one two three four misere one_hand two_hand three_hand four_hand misere_hand "
        "no_trump misere_ouvert"
    )


@pytest.mark.parametrize(
    ("text", "next_to_speak"),
    [
        ("", "B"),
        ("B one", "C"),
        ("B pass", "C"),
        ("B one, C two", "B"),
        ("B one, C two, B hold", "C"),
        ("B one, C two, B pass", "A"),
        ("B one, C pass", "A"),
        ("B pass, C one", "A"),
        ("B pass, C pass", "A"),
        ("B pass, C one, A two", "C"),
        ("B one, C pass, A two", "B"),
        ("B one, C pass, A two, B hold", "A"),
        ("B one, C pass, A pass", None),
        ("B pass, C pass, A one", None),
        ("B one, C two, B hold, C pass, A three, B pass", None),
    ],
)
def test_r6_two_bid_against_each_other_and_then_the_survivor_against_the_dealer(
    text: str, next_to_speak: str | None
) -> None:
    assert speaker(text) == next_to_speak


def test_r6_who_is_not_next_cannot_speak() -> None:
    with refused("out_of_turn", rule="R6", path="calls[1]", says="Seat C speaks now, not Seat A"):
        when(said("B one"), calls("A two")[0])


def test_r6_nobody_speaks_after_the_auction_is_over() -> None:
    with refused("out_of_turn", rule="R6", path="calls[3]", says="the auction is over"):
        when(said("B one, C pass, A pass"), calls("B two")[0])


@pytest.mark.parametrize("call", ["one", "two"])
def test_r6_the_later_speaker_bids_higher_or_passes(call: str) -> None:
    with refused("bad_call", rule="R6", path="calls[1]", says="must bid above two or pass"):
        when(said("B two"), calls(f"C {call}")[0])


def test_r6_the_later_speaker_cannot_hold() -> None:
    with refused(
        "bad_call", rule="R6", path="calls[1]", says="only the player who spoke earlier may hold"
    ):
        when(said("B two"), calls("C hold")[0])


def test_r6_the_dealer_is_the_later_speaker_against_the_survivor() -> None:
    with refused(
        "bad_call", rule="R6", path="calls[2]", says="only the player who spoke earlier may hold"
    ):
        when(said("B pass, C one"), calls("A hold")[0])

    assert when(said("B pass, C one, A two"), calls("C hold")[0]) == [
        CallMade(seat="C", call="hold")
    ]


def test_r6_nothing_can_be_held_before_a_bid() -> None:
    with refused("bad_call", rule="R6", path="calls[0]", says="there is nothing to hold yet"):
        when(said(), calls("B hold")[0])


def test_r6_after_a_hold_only_a_higher_bid_goes_on() -> None:
    assert table(said("B one, C two, B hold"))["hand"]["auction"]["bids"] == list(CONTRACTS[2:])


def test_r7_three_passes_throw_the_deal_in_and_the_pot_stays() -> None:
    events = when(said("B pass, C pass"), calls("A pass")[0])
    result = scored(hand(None), hand("A", "one", "6 2 2"))

    assert events == [CallMade(seat="A", call="pass"), HandClosed(number=1)]
    assert result["hands"][0] == {
        "number": 1,
        "dealer": "C",
        "soloist": None,
        "contract": None,
        "made": None,
        "tricks": None,
        "chips": {"A": -10, "B": -10, "C": -10},
        "pot": 30,
    }
    assert result["hands"][1]["dealer"] == "A"


def test_r7_a_deal_that_somebody_won_is_not_thrown_in() -> None:
    with refused("bad_contract", rule="R7", path="soloist", says="Seat B won the auction"):
        when(said("B one, C pass, A pass"), ThrowIn())
    with refused("bad_contract", rule="R7", path="hands[0].soloist", says="everybody passed"):
        scored(
            hand("B", "one", "2 6 2", calls=[["B", "pass"], ["C", "pass"], ["A", "pass"]]),
            dealer="A",
        )


def test_r8_the_contract_is_at_or_above_the_highest_bid() -> None:
    state = said("B one, C three, B pass, A pass")

    with refused(
        "bad_contract",
        rule="R8",
        path="contract",
        says="the highest bid was three; two is below it",
    ):
        when(state, plays("C", "two"))
    assert open_hand(after(state, plays("C", "three"))).contract == "three"
    assert open_hand(after(state, plays("C", "misere_ouvert"))).contract == "misere_ouvert"


def test_r6_the_survivor_is_the_soloist_and_nobody_else() -> None:
    with refused("bad_contract", rule="R6", path="soloist", says="Seat B won the auction"):
        when(said("B one, C two, B hold, C pass, A pass"), plays("C", "two"))


def test_r6_the_contract_waits_for_the_end_of_the_auction() -> None:
    with refused("bad_call", rule="R6", path="calls", says="Seat A speaks next"):
        when(said("B one, C pass"), plays("B", "one"))


def test_a_director_can_excuse_the_order_and_height_of_calls() -> None:
    state = said("C two, B one, A pass", accepted=(accept_hand("out_of_turn", "bad_call"),))

    assert open_hand(after(state, plays("B", "one"))).soloist == "B"


@pytest.mark.parametrize(
    ("contract", "asked"),
    [
        ("one", True),
        ("four_hand", True),
        ("no_trump", True),
        ("misere", False),
        ("misere_ouvert", False),
    ],
)
def test_r9_defenders_may_keep_out_of_six_trick_contracts(contract: str, asked: bool) -> None:
    state = given(dealt("A"), plays("B", contract))

    assert table(state)["stage"] == ("defence" if asked else "play")


@pytest.mark.parametrize(
    ("contract", "asked"),
    [
        ("one", False),
        ("misere", False),
        ("one_hand", True),
        ("misere_hand", True),
        ("no_trump", True),
    ],
)
def test_r9_under_value_6_the_value_decides(contract: str, asked: bool) -> None:
    state = given(dealt("A"), plays("B", contract), concede="value_6")

    assert table(state)["stage"] == ("defence" if asked else "play")


def test_r9_nobody_keeps_out_of_a_misere() -> None:
    with refused(
        "bad_contract", rule="R9", path="hands[0].defenders.B", says="Seat B must go along"
    ):
        scored(hand("A", "misere", "0 5 5", defenders={"B": "out"}))


@pytest.mark.parametrize("other", ["out", "insisted"])
def test_r9_only_who_goes_along_can_insist(other: str) -> None:
    with refused(
        "bad_contract", rule="R9", path="defenders.B", says="only by a defender who goes along"
    ):
        when(given(dealt("C"), plays("A", "one")), defence(B="insisted", C=other))


def test_r9_both_out_and_the_soloist_wins_without_play() -> None:
    state = given(dealt("C"), plays("A", "four"), defence(B="out", C="out"))

    assert state.done[0].result.made is True
    assert state.done[0].result.tricks is None
    assert state.balances == {"A": 0, "B": -10, "C": -10, "pot": 20}


def test_r9_no_trick_can_be_written_where_both_keep_out() -> None:
    with refused("bad_total", rule="R9", path="hands[0].tricks", says="no trick is played"):
        scored(hand("A", "one", "10 0 0", defenders={"B": "out", "C": "out"}))


def test_r9_who_keeps_out_wins_no_trick() -> None:
    state = given(dealt("C"), plays("A", "one"), defence(C="out"))

    with refused(
        "bad_total", rule="R9", path="tricks.C", says="Seat C keeps out and has 0 tricks, not 2"
    ):
        when(state, totals(6, 2, 2))
    with refused("bad_total", rule="R9", path="hands[0].winners[0]", says="Seat C keeps out"):
        scored(hand("A", "one", winners=["C"] * 10, defenders={"C": "out"}))


def test_the_defence_is_settled_once_and_after_the_contract() -> None:
    with refused("out_of_turn", rule="R9", path="defenders", says="the contract is named first"):
        when(given(dealt("C")), defence())
    with refused("out_of_turn", rule="R9", path="defenders", says="settled already"):
        when(given(dealt("C"), plays("A", "one"), defence()), defence(C="out"))
    with refused("out_of_turn", rule="R9", path="tricks", says="say first whether they go along"):
        when(given(dealt("C"), plays("A", "one")), totals(6, 2, 2))
