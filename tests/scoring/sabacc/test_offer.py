"""What a table of Contract Sabacc offers next is accepted, and everything else is refused."""

from random import Random
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from scoring.errors import Refusal, RuleViolation
from scoring.pad_state import place
from scoring.sabacc.cards import CARDS, SUIT_OF
from scoring.sabacc.commands import Command, MakeCall, PlayTrick
from scoring.sabacc.decide import decide
from scoring.sabacc.legal import offer
from scoring.sabacc.play import table
from scoring.sabacc.state import ALL, State
from tests.scoring.sabacc.games_made import deal as dealt_at_random
from tests.scoring.sabacc.table import (
    accept_play,
    after,
    aside,
    contract,
    deal,
    dealt,
    given,
    legal_cards,
    points,
    talon,
    trick,
)

PLAY: list[Command] = [dealt("D"), contract("B", "guard_without")]


def refusal_of(act: Any, state: State) -> Refusal | None:
    try:
        decide(act, state)
    except Refusal as refusal:
        return refusal
    return None


def check_play(state: State, chance: Random, holdings: dict[str, list[str]]) -> State:
    """Play one trick as offered and as S7 has it; every card refused on the way is refused by the
    rules for the same reason.
    """
    drafted: list[str] = []
    assert state.hand is not None
    players, trick_place = len(state.seats), state.hand.play.trick - 1
    for seat_place in range(players):
        offered = offer(table(state), drafted)
        seat = offered["seat"]
        assert set(offered["legal"]) | set(offered["refused"]) == set(CARDS)
        by_the_rules = legal_cards(holdings[seat], SUIT_OF[drafted[0]] if drafted else None)
        assert set(by_the_rules) <= set(offered["legal"])
        if state.hand.deal is not None:
            assert set(by_the_rules) == set(offered["legal"])
        for card, reason in chance.sample(
            sorted(offered["refused"].items()), min(12, len(offered["refused"]))
        ):
            rest = [other for other in CARDS if other not in drafted and other != card][
                : players - 1 - seat_place
            ]
            refusal = refusal_of(PlayTrick(cards=(*drafted, card, *rest)), state)
            assert refusal is not None
            assert refusal.path == f"plays[{trick_place}][{seat_place}]"
            assert (refusal.rule, refusal.message) == (reason["rule"], reason["message"])
        card = chance.choice(by_the_rules)
        holdings[seat].remove(card)
        drafted.append(card)
    assert offer(table(state), drafted)["seat"] is None
    return after(state, PlayTrick(cards=tuple(drafted)))


@settings(max_examples=15, deadline=None)
@over(seed=st.integers(0, 2**32), players=st.integers(3, 5), with_deal=st.booleans())
def test_every_card_offered_is_accepted_and_every_other_refused_by_the_same_rule(
    seed: int, players: int, with_deal: bool
) -> None:
    chance = Random(seed)
    holdings, _ = dealt_at_random(chance, ALL[:players])
    written = [deal(holdings)] if with_deal else []
    state = given(dealt("C"), contract("B", "guard_without"), *written, players=players)
    left = {seat: list(cards) for seat, cards in holdings.items()}
    while state.hand is not None:
        state = check_play(state, chance, left)

    assert state.played == 1


def test_the_stage_says_what_the_table_waits_for() -> None:
    over: list[Command] = [
        dealt("D"),
        contract(None),
        dealt(),
        contract(None),
        dealt(),
        contract(None),
        dealt(),
        contract(None),
    ]
    stages: list[list[Command]] = [[], [dealt("D")], PLAY, [*PLAY, points(40)], over]

    assert [table(given(*acts))["stage"] for acts in stages] == [
        "opening",
        "calls",
        "play",
        "opening",
        "over",
    ]


def test_the_place_names_the_hand_and_the_trick() -> None:
    state = given(*PLAY)

    assert place(given()) == {"hand": 1, "trick": 0}
    assert place(state) == {"hand": 1, "trick": 1}
    assert place(after(state, trick("1S 2S 3S 4S"))) == {"hand": 1, "trick": 2}
    assert place(after(state, points(40))) == {"hand": 2, "trick": 0}


def test_a_drafted_card_that_may_not_lie_there_is_refused() -> None:
    state = given(*PLAY, talon("-18 -19 -20 -21 -1 0"))

    with pytest.raises(RuleViolation, match="0 lies in the talon or was set aside"):
        offer(table(state), ["1S", "0"])
    with pytest.raises(ValueError, match="XX is no card"):
        offer(table(state), ["XX"])
    with pytest.raises(ValueError, match="a trick is 4 cards"):
        offer(table(state), ["1S", "2S", "3S", "4S", "5S"])


def test_what_was_set_aside_and_accepted_is_known_to_the_offer() -> None:
    set_aside = given(dealt("D"), contract("A", "take"), aside("1C 2C 3C 4C 5C 6C"))
    accepted = given(*PLAY, accept_play(2, "B"), trick("1S -9 -2 -14"))

    assert "1C" in offer(table(set_aside), [])["refused"]
    assert "2S" in offer(table(accepted), ["1T", "2T"])["legal"]
    assert "2S" not in offer(table(given(*PLAY, trick("1S -9 -2 -14"))), ["1T", "2T"])["legal"]


def test_who_wins_the_open_trick_so_far_is_known() -> None:
    state = given(*PLAY)

    assert offer(table(state), [])["winning"] is None
    assert offer(table(state), ["2S", "5S"])["winning"] == "B"
    assert offer(table(state), ["2S", "5S", "-1"])["winning"] == "A"


def test_undo_is_offered_with_the_act_it_takes_back() -> None:
    state = given(dealt("D"), *[MakeCall(seat="A", call="push")])

    assert table(state)["undo"] == {
        "version": state.version,
        "act": {"type": "contract_sabacc.call_made", "seat": "A", "call": "push"},
    }
    assert table(given())["undo"] is None
