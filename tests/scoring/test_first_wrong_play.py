"""What is said first where a hand's plays are wrong: the first wrong play, with what it should have
been; and a call too many.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from scoring.errors import Refusal
from scoring.precedence.seats import ROUND
from scoring.preference.state import ROUND as THREE
from scoring.records import decide_record, read_record
from scoring.sabacc.cards import CARDS as SABACC_CARDS
from scoring.sabacc.cards import SUIT_OF
from scoring.sabacc.state import ROUND as SABACC_ROUND
from tests.scoring.dead_hands import CARDS, DEAD, PASSES, SEATS, a_record
from tests.scoring.preference import made as preference
from tests.scoring.sabacc.table import legal_cards

type Holdings = Mapping[str, Sequence[str]]

RULES = {"precedence": "P11", "preference": "R6", "contract_sabacc": "S3"}


def refusal_of(record: dict[str, Any]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        decide_record(read_record(record))
    return caught.value


def test_who_revokes_is_told_the_card_that_was_due_and_no_card_that_would_be_a_revoke_too() -> None:
    melds = [{"seat": "S", "kind": "run", "cards": ["8C", "9C", "TC"]}]
    # South, who declared a run of Core, throws 2F on Border and plays 8B later: Border was due, and
    # no card of the run was.
    plays = [["2B", "2F", "3B", "4B"], ["5B", "6B", "8B", "7B"]]
    bids = {"E": 3, "S": 3, "W": 3, "N": 3}
    hand = {
        "dealer": "N",
        "melds": melds,
        "bids": bids,
        "plays": plays,
        "tricks": {"NS": 6, "EW": 7},
    }
    refusal = refusal_of(a_record("precedence", hand))

    assert (refusal.code, refusal.rule, refusal.path) == ("revoke", "P13", "hands[0].plays[0][1]")
    assert refusal.message == "South can follow Border and must, so not 2F but 8B"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """How a game is played: the seats in turn from a leader, what may be played, and the card that
    wins.
    """

    order: Callable[[str], Sequence[str]]
    legal: Callable[[list[str], list[str], tuple[str, str]], Collection[str]]
    best: Callable[[list[str]], str]


def careless(chance: Random, holdings: Holdings, leader: str, game: Played) -> list[list[str]]:
    """All tricks of a hand, in which about one card in thirty is played without a look at the
    rules.
    """
    left = {seat: set(cards) for seat, cards in holdings.items()}
    tricks = []
    while left[leader]:
        order, trick = game.order(leader), list[str]()
        for seat in order:
            own = sorted(left[seat])
            card = chance.choice(
                own if chance.random() < 0.03 else sorted(game.legal(own, trick, (seat, leader)))
            )
            left[seat].remove(card)
            trick.append(card)
        leader = order[trick.index(game.best(trick))]
        tricks.append(trick)
    return tricks


def of_suit(own: list[str], trick: list[str], _seats: tuple[str, str]) -> list[str]:
    return [card for card in own if trick and card[1] == trick[0][1]] or own


GAMES = {
    "precedence": Played(
        order=lambda leader: ROUND[leader],
        legal=of_suit,
        best=lambda trick: max(
            trick,
            key=lambda card: (
                card[1] == "V",
                card[1] == trick[0][1],
                "23456789TOCPE".index(card[0]),
            ),
        ),
    ),
    "preference": Played(
        order=lambda leader: THREE[leader],
        legal=lambda own, trick, seats: preference.legal(
            {*own}, trick, "two_hand", exempt=len(trick) == 1 and seats[1] == "B"
        ),
        best=lambda trick: preference.best_of(trick, "S"),
    ),
    "contract_sabacc": Played(
        order=lambda leader: SABACC_ROUND[3][leader],
        legal=lambda own, trick, _: legal_cards(own, SUIT_OF[trick[0]] if trick else None),
        best=lambda trick: max(
            trick,
            key=lambda card: (
                SUIT_OF[card] == "-",
                SUIT_OF[card] == SUIT_OF[trick[0]],
                SABACC_CARDS.index(card),
            ),
        ),
    ),
}
HANDS: dict[str, dict[str, Any]] = {
    "precedence": {"dealer": "N", "bids": dict.fromkeys("NESW", 3)},
    "preference": {"dealer": "C", "soloist": "B", "contract": "two_hand"},
    "contract_sabacc": {"dealer": "A", "declarer": "B", "contract": "guard_against"},
}
LEADERS = {"precedence": "E", "preference": "B", "contract_sabacc": "C"}


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("name", GAMES)
def test_without_the_deal_the_same_is_said_as_with_it(name: str, seed: int) -> None:
    """Everybody plays all their cards, so what was wrong first can be known from the plays
    alone.
    """
    chance = Random(seed)
    cards, size = CARDS[name]
    pack = chance.sample(cards, len(cards))
    holdings = {seat: pack[size * place :][:size] for place, seat in enumerate(SEATS[name])}
    hand = HANDS[name] | {"plays": careless(chance, holdings, LEADERS[name], GAMES[name])}

    assert found(a_record(name, hand)) == found(a_record(name, hand | {"deal": holdings}))


def found(record: dict[str, Any]) -> tuple[str, str, str] | None:
    try:
        decide_record(read_record(record))
    except Refusal as refusal:
        return refusal.code, refusal.path, refusal.message
    return None


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("last", [1, 3])
def test_a_call_after_all_have_passed_is_named_by_its_place_in_the_last_hand_too(
    name: str, last: int
) -> None:
    dead = {key: value for key, value in DEAD[name].items() if key != "dealer"}
    calls = [*PASSES[name], ["A", "pass"]]
    hands = [DEAD[name] if place == 1 else dead for place in range(1, last + 1)]
    hands[-1] = hands[-1] | {
        "calls": calls if last == 1 else [[turned(seat, name), call] for seat, call in calls]
    }
    refusal = refusal_of(a_record(name, *hands, hands=3))

    assert (refusal.code, refusal.rule, refusal.path) == (
        "out_of_turn",
        RULES[name],
        f"hands[{last - 1}].calls[3]",
    )
    assert refusal.message == f"everybody has passed, so the bidding of hand {last} is over"


def turned(seat: str, name: str) -> str:
    """Who sits there in the third hand, seen from its dealer as the first hand is from its own."""
    return "ABC"[("ABC".index(seat) + (2 if name == "preference" else -2)) % 3]


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("hands", [3, 6])
def test_so_it_is_at_the_table(name: str, hands: int) -> None:
    first = DEAD[name] | {"calls": PASSES[name]}
    more = [{key: value for key, value in DEAD[name].items() if key != "dealer"}] * 2
    game = read_record(a_record(name)).game
    for last in (
        [first],
        [
            DEAD[name],
            *more[1:],
            {**more[0], "calls": [[turned(seat, name), call] for seat, call in PASSES[name]]},
        ],
    ):
        _, state = decide_record(read_record(a_record(name, *last, hands=hands)))
        with pytest.raises(Refusal) as caught:
            game.decide(game.acts["calls"]({"seat": "A", "call": "pass"}, state.rules), state)
        assert (caught.value.code, caught.value.path) == ("out_of_turn", "calls[3]")
        assert (
            caught.value.message
            == f"everybody has passed, so the bidding of hand {len(last)} is over"
        )
