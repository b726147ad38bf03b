"""What a pad or a board shows of a patience, as plain JSON values."""

from scoring.pad_state import undoable
from scoring.patience.cards import BASES, SEATS, STOCK, TAKES
from scoring.patience.deal import Deal, taken_by
from scoring.patience.decide import needs_king, seen_out
from scoring.patience.events import SHAPES
from scoring.patience.evolve import result_of
from scoring.patience.results import rulings_of
from scoring.patience.rules import Rules
from scoring.patience.state import Hand, State
from scoring.rulings import shown
from scoring.shape import JsonObject


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


def place(state: State) -> dict[str, int]:
    """Where the game is: the number of the open or next deal, and of the next move in an open one
    (else 0).
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
        "left": deal.left,
        "next_card": deal.next_card,
        "run": _run(deal),
        "waste": len(deal.waste),
        "waste_card": deal.waste[-1] if deal.waste else None,
        "pass": deal.passes,
        "redeals_left": rules.passes - deal.passes,
        "seen_out": sorted(seen_out(hand)) if deal.passes == 1 else [],
        "moves": deal.move,
        "trick": deal.move + 1,
        **shown(rulings_of(hand)),
    }


def _run(deal: Deal) -> int:
    """How many cards of the stock that are known to come next fit nowhere, one after the other."""
    coming = deal.stock[deal.dealt :]
    return next((place for place, card in enumerate(coming) if taken_by(deal, card)), len(coming))


def _foundation(deal: Deal, place: int) -> JsonObject:
    length = deal.lengths[place]
    return {
        "number": place + 1,
        "length": length,
        "top": deal.tops[place],
        "takes": TAKES[place][length],
        "waits": bool(place and not length and not deal.lengths[place - 1]),
    }
