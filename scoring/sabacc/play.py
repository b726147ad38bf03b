"""Contract Sabacc as one value: the names every game offers."""

from scoring.purses import may_overdraw
from scoring.rulings import explained
from scoring.sabacc.acts import ACTS
from scoring.sabacc.commands import Command
from scoring.sabacc.decide import decide
from scoring.sabacc.events import SHAPES, Event
from scoring.sabacc.evolve import evolve
from scoring.sabacc.explain import explain
from scoring.sabacc.left_pots import opening_pot
from scoring.sabacc.legal import legal_next
from scoring.sabacc.offer import offer
from scoring.sabacc.opening import turns
from scoring.sabacc.piles import tally
from scoring.sabacc.pots import POT_NAMES, leaves_pots
from scoring.sabacc.results import hand_result, result, result_table, rulings_of, sides, write_sheet
from scoring.sabacc.rules import OPTIONS, Rules, read_rules
from scoring.sabacc.seats import HOLDING, SEAT_NAMES, SEATINGS
from scoring.sabacc.sheet import RULINGS, Sheet, check_seats, read_sheet
from scoring.sabacc.state import State
from scoring.sabacc.table import table
from scoring.sabacc.whole_hand import decide_sheet
from scoring.shape import JsonObject
from scoring.trick_game import TrickGame


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    return [
        explained(hand_result(hand, result, state.seats), explain(hand, result), rulings_of(hand))
        for hand, result in state.done[above:]
    ]


SABACC: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="contract_sabacc",
    title="Contract Sabacc",
    sign="sabacc",
    letter="S",
    players="three to five, each for themselves",
    seatings=SEATINGS,
    seat_names=SEAT_NAMES,
    pot_names=POT_NAMES,
    options=OPTIONS,
    shapes=SHAPES,
    read_rules=read_rules,
    read_sheet=read_sheet,
    check_seats=check_seats,
    acts=ACTS,
    decide=decide,
    decide_sheet=decide_sheet,
    evolve=evolve,
    write_hands=_write_hands,
    hand_results=_hand_results,
    sides=sides,
    rulings=RULINGS,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    offer=offer,
    turns=turns,
    may_overdraw=may_overdraw,
    leaves_pots=leaves_pots,
    opening_pot=opening_pot,
    tally=tally,
    tricks=HOLDING.get,
)
