"""At states reached by chance every act that there is gets tried: the offered ones are accepted, all others refused."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.patience import cards as patience
from scoring.patience import commands as patient
from scoring.patience.play import PATIENCE
from scoring.patience.whole_hand import acts_of as patience_acts
from scoring.precedence import commands as precedent
from scoring.precedence.cards import CARDS, SUITS
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import LEFT, SEATS
from scoring.precedence.whole_hand import acts_of as precedence_acts
from scoring.preference import commands as preferred
from scoring.preference.auction import CALLS, HOLD, PASS
from scoring.preference.cards import CARDS as PREFERENCE_CARDS
from scoring.preference.contracts import CHOICES, CONTRACTS
from scoring.preference.play import PREFERENCE
from scoring.preference.seats import SEATS as THREE
from scoring.preference.whole_hand import acts_of as preference_acts
from scoring.sabacc import commands as sabacc
from scoring.sabacc.auction import BIDS
from scoring.sabacc.cards import CARDS as SABACC_CARDS
from scoring.sabacc.play import SABACC
from scoring.sabacc.whole_hand import acts_of as sabacc_acts
from tests.scoring.every_act import Space, check_state, states_of
from tests.scoring.games_made import records as precedence_records
from tests.scoring.patience.table import made
from tests.scoring.preference.made import records as preference_records
from tests.scoring.sabacc.games_made import records as sabacc_records

LENGTHS = range(-1, 15)
SUITED = [CARDS[13 * place :][:13] for place in range(len(SUITS))]
RUNS = [cards[low:high] for cards in SUITED for low, high in combinations(range(14), 2) if high - low > 2]


def precedence_tried(state: Any) -> Iterator[Any]:
    yield precedent.CallMisdeal()
    yield from (precedent.OpenHand(dealer=dealer, trump=trump) for dealer, trump in product(SEATS, SUITS))
    yield from (precedent.MakeBid(seat=seat, tricks=tricks) for seat, tricks in product(SEATS, LENGTHS))
    yield from (precedent.TakeTrick(seat=seat) for seat in SEATS)
    yield from (precedent.CountTricks(ns=ns, ew=ew) for ns, ew in product(LENGTHS, LENGTHS))
    if state.hand is None or state.hand.bids:  # before the first bid the rules of melds decide: see below
        yield from (precedent.DeclareMeld(seat=seat, kind="run", cards=cards) for seat, cards in product(SEATS, RUNS))


def precedence_offered(shown: dict[str, Any]) -> Iterator[Any]:
    hand, following = shown["hand"], shown["next"]
    if hand is not None:
        yield precedent.CallMisdeal()
    if shown["stage"] == "opening":
        dealers, trumps = [following["dealer"]] if following["dealer"] else SEATS, [following["trump"]] if following["trump"] else SUITS
        yield from (precedent.OpenHand(dealer=dealer, trump=trump) for dealer, trump in product(dealers, trumps))
    elif shown["stage"] == "bids":
        yield from (precedent.MakeBid(seat=hand["bidder"], tricks=tricks) for tricks in range(hand["most"] + 1))
    elif shown["stage"] == "play":
        yield from (precedent.TakeTrick(seat=seat) for seat in SEATS)
        won = hand["tricks"]
        yield from (precedent.CountTricks(ns=ns, ew=13 - ns) for ns in range(won["NS"], 14 - won["EW"]))


def preference_tried(state: Any) -> Iterator[Any]:
    yield preferred.ThrowIn()
    yield from (preferred.OpenHand(dealer=dealer) for dealer in THREE)
    yield from (preferred.MakeCall(seat=seat, call=call) for seat, call in product(THREE, CALLS))
    yield from (preferred.NameContract(soloist=seat, contract=contract) for seat, contract in product(THREE, CONTRACTS))
    choices = list(product(THREE, CHOICES))
    yield from (preferred.ChooseDefence(choices=chosen) for chosen in ((), *((each,) for each in choices)))
    yield from (preferred.ChooseDefence(choices=(one, other)) for one, other in product(choices, choices) if one[0] != other[0])
    yield from (preferred.TakeTrick(seat=seat) for seat in THREE)
    every_ten = ((one, two, 10 - one - two) for one, two in product(range(-1, 12), range(-1, 12)))
    all_tricks = [*every_ten, (4, 3, 2), (5, 4, 3)]
    yield from (preferred.CountTricks(tricks=each, in_succession=said) for each, said in product(all_tricks, (None, True, False)))


def preference_offered(shown: dict[str, Any]) -> Iterator[Any]:
    hand = shown["hand"]
    if shown["stage"] == "opening":
        due = shown["next"]["dealer"]
        yield from (preferred.OpenHand(dealer=dealer) for dealer in ([due] if due else THREE))
    elif shown["stage"] in ("auction", "contract"):
        auction = hand["auction"]
        if auction["speaker"]:
            calls = (PASS, *([HOLD] if auction["may_hold"] else []), *auction["bids"])
            yield from (preferred.MakeCall(seat=auction["speaker"], call=call) for call in calls)
        else:
            yield from (preferred.NameContract(soloist=auction["holder"], contract=contract) for contract in auction["contracts"])
        if not hand["calls"]:  # nobody writes the calls down
            yield preferred.ThrowIn()
            yield from (preferred.NameContract(soloist=seat, contract=contract) for seat, contract in product(THREE, CONTRACTS))
    elif shown["stage"] == "defence":
        outcomes = ("along along", "out out", "along out", "out along", "along insisted", "insisted along")
        keys = (tuple(zip(hand["defenders"], outcome.split(), strict=True)) for outcome in outcomes)
        yield from (preferred.ChooseDefence(choices=choices) for choices in keys)
    elif shown["stage"] == "play":
        yield from (preferred.TakeTrick(seat=seat) for seat in hand["playing"])
        yield from preference_totals(hand)


def preference_totals(hand: dict[str, Any]) -> Iterator[Any]:
    """As the pad asks: the soloist's, then one defender's, the rest the other's."""
    first, second = hand["defenders"]
    for said, totals in hand["totals"].items():
        for solo, mine in product(totals, range(11)):
            tricks = {hand["soloist"]: solo, first: mine, second: 10 - solo - mine}
            if all(won >= hand["tricks"][seat] and (not won or seat in hand["playing"]) for seat, won in tricks.items()):
                ordered = tuple(tricks[seat] for seat in THREE)
                yield preferred.CountTricks(tricks=ordered, in_succession={"": None, "true": True, "false": False}[said])


def sabacc_tried(state: Any) -> Iterator[Any]:
    yield from (sabacc.OpenHand(dealer=dealer) for dealer in state.seats)
    yield from (sabacc.MakeCall(seat=seat, call=call) for seat, call in product(state.seats, (PASS, *BIDS)))
    yield sabacc.NameContract(declarer=None, contract=None)
    yield from (sabacc.NameContract(declarer=seat, contract=contract) for seat, contract in product(state.seats, BIDS))
    if state.hand is None or not state.hand.settled:  # in play the rules of card points decide
        yield from (sabacc.CountPoints(points=points) for points in range(183))


def sabacc_offered(shown: dict[str, Any]) -> Iterator[Any]:
    hand = shown["hand"]
    if shown["stage"] == "opening":
        due = shown["next"]["dealer"]
        yield from (sabacc.OpenHand(dealer=dealer) for dealer in ([due] if due else shown["seats"]))
    elif shown["stage"] == "calls":
        yield from (sabacc.MakeCall(seat=hand["caller"], call=call) for call in (PASS, *hand["higher"]))
        if not hand["calls"] and shown["wager"] == "all_match":  # nobody writes the calls down
            yield sabacc.NameContract(declarer=None, contract=None)
            yield from (sabacc.NameContract(declarer=seat, contract=contract) for seat, contract in product(shown["seats"], BIDS))


def patience_tried(state: Any) -> Iterator[Any]:
    named = (None, *patience.CARDS)
    yield patient.OpenHand()
    yield patient.TurnWaste()
    yield patient.EndDeal()
    yield from (patient.SetKing(card=card) for card in patience.CARDS)
    yield from (patient.WasteCard(card=card) for card in named)
    yield from (patient.WasteCards(cards=cards) for cards in range(1, 105))
    for foundation, card, waste in product(range(1, 9), named, (False, True)):
        yield patient.BuildCard(foundation=foundation, card=card, waste=waste)


def patience_offered(shown: dict[str, Any]) -> Iterator[Any]:
    if shown["stage"] == "opening":
        yield patient.OpenHand()
    elif shown["stage"] == "king":
        yield from (patient.SetKing(card=f"K{suit}") for suit in patience.SUITS)
    elif shown["stage"] == "play":
        offered = PATIENCE.offer(shown, [])
        yield from patience_moves(offered, shown["hand"]["waste_card"])
        for card in offered["legal"]:  # one of them turned up
            yield from patience_moves(PATIENCE.offer(shown, [card]), None)
        yield from (patient.WasteCards(cards=cards) for cards in range(1, known_to_come(shown) + 1))


def patience_moves(offered: dict[str, Any], top: str | None) -> Iterator[Any]:
    if offered["card"] is not None:
        yield patient.WasteCard(card=offered["card"])
    yield from (patient.BuildCard(foundation=foundation, card=offered["card"]) for foundation in offered["stock_to"])
    if top is not None:
        yield from (patient.BuildCard(foundation=foundation, card=top, waste=True) for foundation in offered["waste_to"])
    yield from [patient.TurnWaste()] * offered["may_turn"]
    yield from [patient.EndDeal()] * offered["may_end"]


def known_to_come(shown: dict[str, Any]) -> int:
    """How many cards may be laid on the waste at once where their order is known: all that are left."""
    return shown["hand"]["left"] if shown["hand"]["next_card"] is not None else 0


SPACES = {
    "precedence": Space(
        game=PRECEDENCE,
        acts_of=lambda sheet, state: precedence_acts(sheet, sheet.opening.dealer or LEFT[state.done[-1].hand.dealer]),
        tried=precedence_tried,
        offered=precedence_offered,
        cards=CARDS,
        trick=lambda cards: precedent.PlayTrick(cards=cards),
    ),
    "preference": Space(
        game=PREFERENCE,
        acts_of=lambda sheet, state: preference_acts(sheet, state.rules),
        tried=preference_tried,
        offered=preference_offered,
        cards=PREFERENCE_CARDS,
        trick=lambda cards: preferred.PlayTrick(cards=cards),
    ),
    "contract_sabacc": Space(
        game=SABACC,
        acts_of=lambda sheet, state: sabacc_acts(sheet, len(state.seats)),
        tried=sabacc_tried,
        offered=sabacc_offered,
        cards=SABACC_CARDS,
        trick=lambda cards: sabacc.PlayTrick(cards=cards),
    ),
    "order_of_precedence": Space(
        game=PATIENCE, acts_of=lambda sheet, state: patience_acts(sheet), tried=patience_tried, offered=patience_offered
    ),
}
RECORDS = {
    "precedence": precedence_records(most_hands=2),
    "preference": preference_records(most_hands=3),
    "contract_sabacc": sabacc_records(),
    "order_of_precedence": st.integers(0, 2**32).map(lambda seed: made(Random(seed))),
}


STATES = {"precedence": 11, "preference": 11, "contract_sabacc": 11, "order_of_precedence": 61}  # one in so many is tried


def check_game(name: str, record: dict[str, Any], *, one_in: int, first: int) -> int:
    """Try everything at one in so many states of a game; how many acts that were."""
    space = SPACES[name]
    return sum(check_state(space, state) for place, state in enumerate(states_of(space, record)) if place % one_in == first % one_in)


@pytest.mark.parametrize("name", SPACES)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), first=st.integers(0, 100))
def test_what_a_table_offers_is_accepted_and_everything_else_refused(name: str, data: st.DataObject, first: int) -> None:
    check_game(name, data.draw(RECORDS[name]), one_in=STATES[name], first=first)


@pytest.mark.long
@pytest.mark.parametrize("name", SPACES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), first=st.integers(0, 100))
def test_so_it_is_at_thousands_of_states(name: str, data: st.DataObject, first: int) -> None:
    check_game(name, data.draw(RECORDS[name]), one_in=STATES[name] // 3, first=first)
