"""What a Preference table offers next is accepted, and everything else is refused."""

from random import Random
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from scoring.errors import Refusal, RuleViolation
from scoring.pad_state import place
from scoring.preference.auction import CALLS, HOLD, PASS
from scoring.preference.cards import CARDS
from scoring.preference.commands import Command, MakeCall, NameContract, PlayTrick, RecordDeal
from scoring.preference.contracts import CONTRACTS
from scoring.preference.decide import decide
from scoring.preference.legal import offer
from scoring.preference.play import table
from scoring.preference.state import SEATS, State
from tests.scoring.preference.made import auction, legal
from tests.scoring.preference.table import (
    accept_play,
    after,
    calls,
    dealt,
    given,
    ready,
    totals,
    trick,
    winners,
)


def accepts(act: Any, state: State) -> bool:
    try:
        decide(act, state)
    except Refusal:
        return False
    return True


def refusal_of(cards: list[str], state: State) -> RuleViolation | None:
    try:
        decide(PlayTrick(cards=tuple(cards)), state)
    except RuleViolation as refusal:
        return refusal
    return None


def check_play(state: State, chance: Random) -> State:
    """Play one trick as offered; every card that was refused on the way is refused by the rules for
    the same reason.
    """
    assert state.hand is not None
    drafted: list[str] = []
    size, number = len(state.hand.play.order), state.hand.play.trick - 1
    for seat_place in range(size):
        offered = offer(table(state), drafted)
        assert set(offered["legal"]) | set(offered["refused"]) == set(CARDS)
        assert offered["legal"]
        for card in CARDS:
            rest = [other for other in CARDS if other not in drafted and other != card][
                : size - 1 - seat_place
            ]
            refusal, here = (
                refusal_of([*drafted, card, *rest], state),
                f"plays[{number}][{seat_place}]",
            )
            if card in offered["refused"]:
                assert refusal is not None
                reason = {"rule": refusal.rule, "message": refusal.message}
                assert (refusal.path, reason) == (here, offered["refused"][card])
            else:
                assert refusal is None or refusal.path > here
        drafted.append(chance.choice(offered["legal"]))
    assert offer(table(state), drafted)["seat"] is None
    return after(state, PlayTrick(cards=tuple(drafted)))


def shuffled(chance: Random) -> tuple[tuple[str, ...], ...]:
    pack = list(CARDS)
    chance.shuffle(pack)
    return tuple(tuple(pack[10 * place : 10 * place + 10]) for place in range(3))


CONTRACTS_PLAYED = st.sampled_from(["one", "misere", "four_hand", "misere_hand", "no_trump"])


@settings(max_examples=25, deadline=None)
@over(
    seed=st.integers(0, 2**32),
    contract=CONTRACTS_PLAYED,
    alone=st.booleans(),
    with_deal=st.booleans(),
    excused=st.booleans(),
)
def test_every_card_offered_is_accepted_and_every_other_refused_by_the_same_rule(
    seed: int, contract: str, alone: bool, with_deal: bool, excused: bool
) -> None:
    chance = Random(seed)
    written = [RecordDeal(holdings=shuffled(chance))] if with_deal else []
    choices = {"C": "out"} if alone else {}
    state = given(
        *ready("A", contract, **choices), *written, *([accept_play(2, "B")] if excused else [])
    )
    for _ in range(10 if with_deal and contract in ("four_hand", "no_trump", "misere_hand") else 4):
        state = check_play(state, chance)

    assert state.played in (0, 1)


@settings(max_examples=40, deadline=None)
@over(
    seed=st.integers(0, 2**32),
    contract=st.sampled_from(["three_hand", "misere_hand", "no_trump"]),
    alone=st.booleans(),
)
def test_the_cards_offered_are_those_that_the_rules_say_word_by_word(
    seed: int, contract: str, alone: bool
) -> None:
    chance = Random(seed)
    holdings = shuffled(chance)
    state = given(
        *ready("A", contract, **({"B": "out"} if alone else {})), RecordDeal(holdings=holdings)
    )
    held = {seat: set(cards) for seat, cards in zip(SEATS, holdings, strict=True)}
    while state.hand is not None:
        lying: list[str] = []
        for number, seat in enumerate(order := state.hand.play.order):
            exempt = number == 1 and len(order) == 3 and order[0] == "A"
            allowed = legal(held[seat], lying, contract, exempt=exempt)
            assert set(offer(table(state), lying)["legal"]) == allowed
            lying.append(chance.choice(sorted(allowed)))
            held[seat].remove(lying[-1])
        state = after(state, PlayTrick(cards=tuple(lying)))


@settings(max_examples=60, deadline=None)
@over(seed=st.integers(0, 2**32), dealer=st.sampled_from(SEATS))
def test_every_call_offered_is_accepted_and_every_other_refused(seed: int, dealer: str) -> None:
    said, soloist, high = auction(Random(seed), dealer)
    state = given(dealt(dealer))
    for seat, call in said:
        offered = table(state)["hand"]["auction"]
        allowed = {PASS, *offered["bids"], *([HOLD] if offered["may_hold"] else [])}
        assert offered["speaker"] == seat
        assert {
            (who, each)
            for who in SEATS
            for each in CALLS
            if accepts(MakeCall(seat=who, call=each), state)
        } == {(seat, each) for each in allowed}
        state = after(state, MakeCall(seat=seat, call=call))
    if soloist is None:
        assert state.played == 1
        return
    offered = table(state)["hand"]["auction"]
    assert (offered["speaker"], offered["holder"], offered["high"]) == (None, soloist, high)
    assert {
        (who, each)
        for who in SEATS
        for each in CONTRACTS
        if accepts(NameContract(soloist=who, contract=each), state)
    } == {(soloist, each) for each in offered["contracts"]}


def test_the_stage_says_what_the_table_waits_for() -> None:
    auction_over: list[Command] = [dealt("C"), *calls("A one, B pass, C pass")]
    named: list[Command] = [*auction_over, NameContract(soloist="A", contract="one")]
    stages: list[list[Command]] = [
        [],
        [dealt("C")],
        auction_over,
        named,
        ready("A", "one"),
        [*ready("A", "one"), totals(6, 2, 2)],
    ]

    assert [table(given(*acts))["stage"] for acts in stages] == [
        "opening",
        "auction",
        "contract",
        "defence",
        "play",
        "opening",
    ]


def test_the_place_names_the_hand_and_the_trick() -> None:
    state = given(*ready("A", "one"))

    assert place(given()) == {"hand": 1, "trick": 0}
    assert place(after(state, trick("7H 9H 8H"))) == {"hand": 1, "trick": 2}
    assert place(after(state, totals(6, 2, 2))) == {"hand": 2, "trick": 0}


def test_a_drafted_card_that_may_not_lie_there_is_refused() -> None:
    state = given(*ready("A", "one"), trick("8H 7S 9H"))

    with pytest.raises(RuleViolation, match="Seat B did not follow Hearts"):
        offer(table(state), ["7D", "8D", "TH"])
    with pytest.raises(ValueError, match="XX is no card"):
        offer(table(state), ["XX"])
    with pytest.raises(ValueError, match="a trick is 3 cards here"):
        offer(table(state), ["7D", "8D", "9D", "TD"])


def test_undo_is_offered_with_the_act_it_takes_back() -> None:
    state = given(*ready("A", "one"), *winners("A"))

    assert table(state)["undo"] == {
        "version": state.version,
        "act": {"type": "preference.trick_taken", "seat": "A"},
    }
