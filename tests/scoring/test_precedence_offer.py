"""What a table offers next is accepted, and everything else is refused."""

from random import Random
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from scoring.errors import Refusal, RuleViolation
from scoring.pad_state import place
from scoring.precedence.cards import CARDS
from scoring.precedence.commands import Command, PlayTrick
from scoring.precedence.decide import decide
from scoring.precedence.legal import offer
from scoring.precedence.play import table
from scoring.precedence.seats import SEATS
from scoring.precedence.state import State
from tests.scoring.games_made import deal as dealt_at_random
from tests.scoring.games_made import melds_in
from tests.scoring.table import (
    accept_play,
    after,
    bids,
    deal,
    dealt,
    given,
    meld,
    totals,
    trick,
    winners,
)

BIDS = bids("E", 3, 3, 3, 3)


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
    drafted: list[str] = []
    trick_place = state.hand.play.trick - 1 if state.hand else 0
    for seat_place in range(4):
        offered = offer(table(state), drafted)
        assert set(offered["legal"]) | set(offered["refused"]) == set(CARDS)
        assert offered["legal"]
        for card, reason in offered["refused"].items():
            rest = [other for other in CARDS if other not in drafted and other != card][
                : 3 - seat_place
            ]
            refusal = refusal_of([*drafted, card, *rest], state)
            assert refusal is not None
            assert refusal.path == f"plays[{trick_place}][{seat_place}]"
            assert (refusal.rule, refusal.message) == (reason["rule"], reason["message"])
        for card in offered["legal"]:
            rest = [other for other in CARDS if other not in drafted and other != card][
                : 3 - seat_place
            ]
            later = refusal_of([*drafted, card, *rest], state)
            assert later is None or later.path > f"plays[{trick_place}][{seat_place}]"
        drafted.append(chance.choice(offered["legal"]))
    assert offer(table(state), drafted)["seat"] is None
    return after(state, PlayTrick(cards=tuple(drafted)))


@settings(max_examples=15, deadline=None)
@over(
    seed=st.integers(0, 2**32),
    with_deal=st.booleans(),
    with_melds=st.booleans(),
    excused=st.booleans(),
)
def test_every_card_offered_is_accepted_and_every_other_refused_by_the_same_rule(
    seed: int, with_deal: bool, with_melds: bool, excused: bool
) -> None:
    chance = Random(seed)
    holdings = dealt_at_random(chance)
    shown = (
        [
            meld(seat, kind, " ".join(cards))
            for seat in SEATS
            for kind, cards in melds_in(holdings[seat])[:1]
        ]
        if with_melds
        else []
    )
    shown = [
        each
        for place, each in enumerate(shown)
        if all(not set(each.cards) & set(other.cards) for other in shown[:place])
    ]
    written = (
        [deal(**{seat: " ".join(cards) for seat, cards in holdings.items()})] if with_deal else []
    )
    state = given(dealt("N"), *shown, *BIDS, *written, *([accept_play(2, "S")] if excused else []))
    for _ in range(13 if with_deal else 5):
        state = check_play(state, chance)

    assert state.hand is None or not with_deal


def test_the_stage_says_what_the_table_waits_for() -> None:
    stages: list[list[Command]] = [
        [],
        [dealt("N")],
        [dealt("N"), *BIDS],
        [dealt("N"), *BIDS, totals(7, 6)],
    ]

    assert [table(given(*acts, hands_limit=1))["stage"] for acts in stages] == [
        "opening",
        "bids",
        "play",
        "over",
    ]


def test_the_place_names_the_hand_and_the_trick() -> None:
    state = given(dealt("N"), *BIDS)

    assert place(given()) == {"hand": 1, "trick": 0}
    assert place(state) == {"hand": 1, "trick": 1}
    assert place(after(state, trick("2V 3V 4V 5V"))) == {"hand": 1, "trick": 2}
    assert place(after(state, totals(7, 6))) == {"hand": 2, "trick": 0}


def test_a_drafted_card_that_may_not_lie_there_is_refused() -> None:
    state = given(dealt("N"), meld("S", "run", "6V 7V 8V"), *BIDS)

    with pytest.raises(RuleViolation, match="South must play a declared card"):
        offer(table(state), ["2V", "EV"])
    with pytest.raises(ValueError, match="XX is no card"):
        offer(table(state), ["XX"])


def test_who_wins_the_open_trick_so_far_is_known() -> None:
    state = given(dealt("N", "C"), *BIDS, trump="declared")

    assert offer(table(state), [])["winning"] is None
    assert offer(table(state), ["2V", "5V"])["winning"] == "S"
    assert offer(table(state), ["2V", "5V", "2C"])["winning"] == "W"


def test_undo_is_offered_with_the_act_it_takes_back() -> None:
    state = given(dealt("N"), *BIDS, *winners("E"))

    assert table(state)["undo"] == {
        "version": state.version,
        "act": {"type": "precedence.trick_taken", "seat": "E"},
    }
    assert table(given())["undo"] is None
