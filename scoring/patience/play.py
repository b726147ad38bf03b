"""Order of Precedence as one value: the names every game offers, and what a pad or a board shows of
it, as plain JSON values.
"""

from collections.abc import Sequence

from scoring.game import DuplicateStock, Game, Limit, Turns
from scoring.options import rules_as_options
from scoring.pad_state import undoable
from scoring.patience.commands import Command, OpenHand
from scoring.patience.deal import (
    BASES,
    SEATS,
    STOCK,
    TAKES,
    Deal,
    commitment,
    list_open_foundations,
    stock_of,
)
from scoring.patience.decide import decide, needs_king, seen_out
from scoring.patience.events import SHAPES, Event
from scoring.patience.legal import legal_next, offer
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
from scoring.patience.sheet import ACTS, RULINGS, Sheet, complete_sheet, read_sheet
from scoring.patience.state import Hand, State, evolve, result_of
from scoring.patience.whole_hand import decide_sheet
from scoring.rulings import explained, rulings_field
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


def table(state: State) -> JsonObject:
    """The game as it stands: stage, the open deal, cards built so far, and what `Undo` would take
    back.

    `stage` is `opening` (a deal may be opened), `king` (which King is put out?), `play`, or `over`.
    `score` counts the closed deals.
    """
    return {
        "stage": _stage(state),
        "first_king": state.rules.first_king,
        "passes": state.rules.passes,
        "cards": STOCK,
        "score": dict.fromkeys(SEATS, state.score),
        "winners": [],
        "closed": state.closed.kind if state.closed is not None else None,
        "hands": state.played,
        "next": {"number": state.played + 1},
        "hand": _hand(state.hand, state.rules) if state.hand is not None else None,
        "undo": undoable(state, SHAPES),
    }


def turns(rules: Rules, seats: Sequence[str]) -> Turns:
    """Nobody deals and nothing is trump: what comes next is the next deal."""
    return Turns({})


def place(state: State) -> dict[str, int]:
    """Return the place of the game: the number of the open or next deal, and of the next
    move in an open one (else 0).
    """
    return {"hand": state.played + 1, "trick": state.hand.deal.move + 1 if state.hand else 0}


def _stage(state: State) -> str:
    if state.closed is not None:
        return "over"
    if state.hand is None:
        return "opening"
    return "king" if needs_king(state.hand, state.rules) else "play"


def _hand(hand: Hand, rules: Rules) -> JsonObject:
    deal = hand.deal
    return {
        "number": hand.opened.number,
        "players": dict(hand.opened.players),
        "built": result_of(hand).built,
        "foundations": [_foundation(deal, place) for place in range(len(BASES))],
        "left": deal.stock_left,
        "next_card": deal.next_card,
        "run": _run(deal),
        "waste": len(deal.waste),
        "waste_card": deal.waste[-1] if deal.waste else None,
        "pass": deal.passes,
        "redeals_left": rules.passes - deal.passes,
        "seen_out": sorted(seen_out(hand)) if deal.passes == 1 else [],
        "moves": deal.move,
        "trick": deal.move + 1,
        **rulings_field(rulings_of(hand)),
    }


def _run(deal: Deal) -> int:
    """Count the cards of the stock known to come next that fit nowhere, one after the
    other.
    """
    coming = deal.stock[deal.dealt :]
    return next(
        (place for place, card in enumerate(coming) if list_open_foundations(deal, card)),
        len(coming),
    )


def _foundation(deal: Deal, place: int) -> JsonObject:
    length = deal.lengths[place]
    return {
        "number": place + 1,
        "length": length,
        "top": deal.tops[place],
        "takes": TAKES[place][length],
        "waits": bool(place and not length and not deal.lengths[place - 1]),
    }


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
    completed=complete_sheet,
    offer=offer,
    place=place,
    turns=turns,
    may_overdraw=_may_overdraw,
    numbers=numbers,
    has_dealer=False,
    ends_itself=False,
    duplicates=DuplicateStock(commitment=commitment, stock_of=stock_of, opening=opening_with),
    limits={"built": Limit(104, "O6", unsaid=1)},
)
