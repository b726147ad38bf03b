"""Precedence as one value: the names every game offers."""

from scoring.game import Limit
from scoring.precedence.acts import ACTS
from scoring.precedence.cards import CARDS
from scoring.precedence.commands import Command
from scoring.precedence.decide import decide
from scoring.precedence.events import SHAPES, Event
from scoring.precedence.evolve import evolve
from scoring.precedence.explain import explain, numbers
from scoring.precedence.legal import legal_next
from scoring.precedence.offer import offer
from scoring.precedence.opening import turns
from scoring.precedence.pots import POT_NAMES
from scoring.precedence.results import hand_result, result, result_table, sides, write_sheet
from scoring.precedence.rules import OPTIONS, Rules, read_rules
from scoring.precedence.score import AUDIT_AT
from scoring.precedence.seats import SEAT_NAMES, SEATS, TEAM_NAMES
from scoring.precedence.sheet import RULINGS, Sheet, completed, read_sheet
from scoring.precedence.state import State
from scoring.precedence.table import table
from scoring.precedence.tricks import TRICKS
from scoring.precedence.whole_hand import decide_sheet
from scoring.purses import may_overdraw
from scoring.rulings import explained, rulings_of
from scoring.shape import JsonObject
from scoring.trick_game import TrickGame


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    played = [(closed.hand, closed.result) for closed in state.done if closed.result is not None]
    return [
        explained(hand_result(hand, result), explain(hand, result), rulings_of(hand))
        for hand, result in played[above:]
    ]


def tricks_in_all(players: int) -> int:
    """How many tricks a hand has."""
    return TRICKS


PRECEDENCE: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="precedence",
    title="Precedence",
    sign="core",
    letter="P",
    players="four, in two pairs",
    seatings=(SEATS,),
    seat_names=SEAT_NAMES,
    pot_names=POT_NAMES,
    teams=TEAM_NAMES,
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
    sides=sides,
    rulings=RULINGS,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    completed=completed,
    offer=offer,
    turns=turns,
    may_overdraw=may_overdraw,
    numbers=numbers,
    tricks=tricks_in_all,
    target="target_score",
    pack=CARDS,
    limits={"excess": Limit(TRICKS, "P18"), "audits": Limit(TRICKS, "P19", one_in=AUDIT_AT)},
)
