"""Laws that hold for every patience, tried on random ones; and what a table offers is accepted, all
else refused.
"""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as st

from scoring.errors import Refusal, RuleViolation
from scoring.patience.commands import BuildCard, EndDeal, TurnWaste, WasteCard, WasteCards
from scoring.patience.deal import CARDS
from scoring.patience.decide import decide
from scoring.patience.events import CardWasted
from scoring.patience.legal import offer
from scoring.patience.play import PATIENCE, place, table
from scoring.patience.sheet import Sheet
from scoring.patience.state import State
from scoring.records import decide_record, read_record, write_record
from tests.scoring.laws import PLAYED, every_step
from tests.scoring.patience.table import (
    WAITING,
    after,
    folded,
    given,
    king,
    made,
    moved,
    opened,
    piles,
    record,
    scored,
    stacked,
    turned_up,
)

FEW = settings(max_examples=40, deadline=None)
games = st.integers(0, 2**32).map(lambda seed: made(Random(seed)))


def check_result(value: dict[str, Any]) -> None:
    """The lengths are those of a game followed without any of our code; their sum is what was
    built.
    """
    result = scored(value)
    ruled = sum(
        ruling.get("points", 0) for hand in value["hands"] for ruling in hand.get("rulings", [])
    )
    for hand, given_hand in zip(result["hands"], value["hands"], strict=True):
        if "moves" in given_hand:
            assert (hand["foundations"], hand["passes"]) == piles(
                given_hand["stock"], given_hand["moves"], value["options"]
            )
        else:
            assert (hand["foundations"], hand["passes"]) == (
                given_hand["built"],
                given_hand["passes"],
            )
        assert hand["built"] == sum(hand["foundations"])
    assert result["score"] == sum(hand["built"] for hand in result["hands"]) + ruled


def check_written(value: dict[str, Any]) -> None:
    """Every deal is written as it was read."""
    _, state = decide_record(read_record(value))

    assert json.loads(json.dumps(write_record(PATIENCE, state)))["hands"] == value["hands"]


LAWS = [check_result, check_written]


@FEW
@over(value=games)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_holds_for_every_patience(law: Any, value: dict[str, Any]) -> None:
    law(value)


@pytest.mark.long
@settings(max_examples=1000, deadline=None)
@over(value=games)
def test_all_laws_hold_for_a_thousand_games(value: dict[str, Any]) -> None:
    for law in LAWS:
        law(value)


@FEW
@over(value=games)
def test_a_deal_followed_card_by_card_from_an_unknown_stock_is_the_deal_of_the_file(
    value: dict[str, Any],
) -> None:
    for sheet in read_record(value).sheets:
        assert isinstance(sheet, Sheet)
        if sheet.moves is None:
            continue
        rules = value["options"]
        removed = rules["first_king"] == "removed"
        known = given(opened(sheet.opening.stock), **rules)
        state = after(
            given(opened(), **rules),
            *([king(known.hand.deal.tops[0])] if removed and known.hand else []),
        )
        for move in moved(" ".join(sheet.moves)):
            (event,) = decide(move, known)
            named = decide(_named(move, event), state)
            assert named == [event]
            known, state = folded([event], known), folded(named, state)
        closed = after(state, EndDeal())
        again = record(PATIENCE.write_hands(closed)[0], options=rules)
        assert scored(again)["score"] == after(known, EndDeal()).score


def _named(move: Any, event: Any) -> Any:
    """The act as a pad sends it: with its card."""
    if isinstance(move, TurnWaste):
        return move
    if isinstance(move, WasteCard):
        return WasteCard(card=event.card)
    return BuildCard(foundation=move.foundation, waste=move.waste, card=event.card)


def accepts(act: Any, state: State) -> bool:
    try:
        decide(act, state)
    except Refusal:
        return False
    return True


def check_offer(state: State, offered: dict[str, Any]) -> None:
    """Each move is accepted if and only if it is offered, and a foundation closed to it for the
    reason given.
    """
    card = offered["card"]
    for foundation in range(1, 9):
        if card is not None:
            assert accepts(BuildCard(foundation=foundation, card=card), state) == (
                foundation in offered["stock_to"]
            )
        assert accepts(BuildCard(foundation=foundation, waste=True), state) == (
            foundation in offered["waste_to"]
        )
        reason = offered["closed_to"].get(foundation)
        if reason is not None:
            with pytest.raises(RuleViolation) as caught:
                decide(BuildCard(foundation=foundation, card=card, waste=card is None), state)
            assert (caught.value.rule, caught.value.message) == (reason["rule"], reason["message"])
    assert accepts(WasteCard(card=card), state) == offered["may_waste"]
    if offered["run"]:
        check_run(state, offered["run"])
    assert accepts(TurnWaste(), state) == offered["may_turn"]
    assert accepts(EndDeal(), state) == offered["may_end"]


def check_run(state: State, run: int) -> None:
    """So many cards may go to the waste at once, as if one by one; nothing fits before the last of
    them is out.
    """
    assert state.hand is not None
    assert decide(WasteCards(cards=run), state) == [
        CardWasted(card=card) for card in state.hand.deal.stock[state.hand.deal.dealt :][:run]
    ]
    for dealt in range(run):
        shown_then = offer(table(after(state, WasteCards(cards=dealt)) if dealt else state), [])
        assert (shown_then["stock_to"], shown_then["waste_to"]) == ([], [])
    last = offer(table(after(state, WasteCards(cards=run))), [])
    assert last["stock_to"] or last["card"] is None


@settings(max_examples=15, deadline=None)
@over(value=games)
def test_what_a_table_offers_is_accepted_and_all_else_refused(value: dict[str, Any]) -> None:
    for _, _, state in every_step(PLAYED["order_of_precedence"], value):
        shown_table = json.loads(json.dumps(table(state)))
        if shown_table["stage"] == "play" and len(state.trail) % 7 == 0:
            check_offer(state, offer(shown_table, []))


@settings(max_examples=15, deadline=None)
@over(seed=st.integers(0, 2**32))
def test_of_an_unknown_stock_the_cards_offered_are_accepted_and_the_others_refused(
    seed: int,
) -> None:
    chance = Random(seed)
    stock = list(CARDS) * 2
    chance.shuffle(stock)
    state = given(opened(), *turned_up(" ".join(stock[: chance.randint(0, 103)])), **WAITING)
    offered = offer(table(state), [])

    assert set(offered["legal"]) | set(offered["refused"]) == set(CARDS)
    for card in CARDS:
        assert accepts(WasteCard(card=card), state) == (card in offered["legal"])
        if card in offered["legal"]:
            check_offer(state, offer(table(state), [card]))
        else:
            with pytest.raises(RuleViolation, match="two packs have two"):
                offer(table(state), [card])


def test_what_is_no_card_is_said_to_be_none() -> None:
    with pytest.raises(ValueError, match="XX is no card"):
        offer(table(given(opened(), king())), ["XX"])


def test_the_stage_says_what_the_table_waits_for() -> None:
    stages = [
        given(),
        given(opened()),
        given(opened(), king()),
        given(opened(stacked("KS"))),
        given(opened(), **WAITING),
    ]

    assert [table(state)["stage"] for state in stages] == [
        "opening",
        "king",
        "play",
        "play",
        "play",
    ]


def test_the_place_names_the_deal_and_the_move() -> None:
    state = given(opened("KS QH"))

    assert place(given()) == {"hand": 1, "trick": 0}
    assert place(state) == {"hand": 1, "trick": 1}
    assert place(after(state, *moved("1 -"))) == {"hand": 1, "trick": 3}


def test_undo_is_offered_with_the_act_it_takes_back() -> None:
    state = given(opened("KS QH"), *moved("1"))

    built = {
        "type": "order_of_precedence.card_built",
        "card": "QH",
        "foundation": 1,
        "waste": False,
    }
    assert table(state)["undo"] == {"version": state.version, "act": built}
    assert table(given())["undo"] is None
