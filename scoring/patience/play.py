"""Order of Precedence as one value: the names every game offers."""

from scoring.game import DuplicateStock, Game, Limit
from scoring.options import rules_as_options
from scoring.patience.acts import ACTS
from scoring.patience.cards import SEATS
from scoring.patience.commands import Command, OpenHand
from scoring.patience.decide import decide
from scoring.patience.events import SHAPES, Event
from scoring.patience.evolve import evolve
from scoring.patience.legal import legal_next
from scoring.patience.offer import offer
from scoring.patience.results import (
    explain,
    hand_result,
    numbers,
    result,
    result_table,
    rulings_of,
    sides,
    write_sheet,
)
from scoring.patience.rules import OPTIONS, Rules, read_rules
from scoring.patience.sheet import RULINGS, Sheet, completed, read_sheet
from scoring.patience.shuffle import commitment, stock_of
from scoring.patience.state import State
from scoring.patience.table import place, table
from scoring.patience.whole_hand import decide_sheet
from scoring.rulings import explained
from scoring.shape import JsonObject


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    return [
        explained(hand_result(hand, result), explain(result), rulings_of(hand))
        for hand, result in state.done[above:]
    ]


def _may_overdraw(state: State) -> bool:
    return False  # nothing is paid in a patience


def opening_with(stock: tuple[str, ...]) -> OpenHand:
    """The act that opens a deal with this stock."""
    return OpenHand(stock=stock)


PATIENCE: Game[State, Command, Event, Rules, Sheet] = Game(
    name="order_of_precedence",
    title="Order of Precedence",
    sign="diamond",
    letter="O",
    players="one alone",
    seatings=(SEATS,),
    seat_names={"A": "Player"},
    pot_names={},
    options=OPTIONS,
    shapes=SHAPES,
    read_rules=read_rules,
    write_rules=rules_as_options,
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
    place=place,
    may_overdraw=_may_overdraw,
    numbers=numbers,
    has_dealer=False,
    ends_itself=False,
    duplicates=DuplicateStock(commitment=commitment, stock_of=stock_of, opening=opening_with),
    limits={"built": Limit(104, "O6", unsaid=1)},
)
