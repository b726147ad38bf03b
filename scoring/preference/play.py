"""Preference as one value: the names every game offers."""

from functools import partial

from scoring.preference.acts import ACTS
from scoring.preference.commands import Command
from scoring.preference.decide import decide
from scoring.preference.events import SHAPES, Event
from scoring.preference.evolve import evolve
from scoring.preference.explain import explain
from scoring.preference.legal import legal_next
from scoring.preference.offer import offer
from scoring.preference.opening import turns
from scoring.preference.payments import POT_NAMES
from scoring.preference.results import hand_result, result, result_table, write_sheet
from scoring.preference.rules import OPTIONS, Rules, read_rules
from scoring.preference.seats import SEAT_NAMES, SEATS
from scoring.preference.sheet import RULINGS, Sheet, completed, read_sheet
from scoring.preference.state import State
from scoring.preference.table import table
from scoring.preference.tricks import TRICKS
from scoring.preference.whole_hand import decide_sheet
from scoring.purses import may_overdraw
from scoring.rulings import explained, rulings_of
from scoring.shape import JsonObject
from scoring.side_results import declared_by
from scoring.trick_game import TrickGame


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed, state.rules) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    return [
        explained(hand_result(hand, result), explain(hand, result), rulings_of(hand))
        for hand, result in state.done[above:]
    ]


def tricks_in_all(players: int) -> int:
    """How many tricks a hand has."""
    return TRICKS


PREFERENCE: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="preference",
    title="Preference",
    sign="spade",
    letter="R",
    players="three, each for themselves",
    seatings=(SEATS,),
    seat_names=SEAT_NAMES,
    pot_names=POT_NAMES,
    options=OPTIONS,
    shapes=SHAPES,
    read_rules=read_rules,
    read_sheet=read_sheet,
    acts=ACTS,
    decide=decide,
    decide_sheet=decide_sheet,
    evolve=evolve,
    write_hands=_write_hands,
    hand_results=_hand_results,
    sides=partial(declared_by, "soloist"),
    rulings=RULINGS,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    completed=completed,
    offer=offer,
    turns=turns,
    may_overdraw=may_overdraw,
    tricks=tricks_in_all,
)
