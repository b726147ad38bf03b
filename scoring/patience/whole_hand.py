"""Decide a whole deal from its sheet, by the same acts a scorer would enter one by one."""

from scoring.deciding import build_act
from scoring.errors import RuleViolation, sentence
from scoring.patience.commands import Command, EndDeal
from scoring.patience.decide import decide, open_hand_of
from scoring.patience.events import Event
from scoring.patience.sheet import MOVES, Sheet
from scoring.patience.state import Hand, State, evolve

_add = build_act(decide, evolve)


def decide_sheet(sheet: Sheet, state: State) -> tuple[list[Event], State]:
    """The facts of a whole deal, the same that its acts give one by one, and the state they lead
    to.

    A deal that is open already goes on from what was recorded of it, with which the sheet has to
    agree.

    Raises the first RuleViolation in the order of salon-record/1: game over, the stock, the moves
    in order, totals.
    """
    events: list[Event] = []
    if state.hand is None:
        state = _add([sheet.opening], state, events)
    else:
        _check_agreement(sheet, state.hand)
    *moves, closing = moves_of(sheet)
    state = _add([*sheet.rulings, *moves], state, events)
    if sheet.moves is not None:
        _check_totals(sheet, open_hand_of(state))
    return events, _add([closing], state, events)


def moves_of(sheet: Sheet) -> list[Command]:
    """The moves, and how the deal was over."""
    moves: list[Command] = [MOVES[move] for move in sheet.moves or ()]
    if sheet.moves is None and sheet.count is not None:
        return [sheet.count]
    return [*moves, EndDeal(seconds=sheet.seconds)]


def _check_agreement(sheet: Sheet, hand: Hand) -> None:
    """Refuse a sheet (`out_of_turn`) that differs from what is recorded of the open deal: that is
    taken back first.
    """
    if sheet.opening.stock and sheet.opening.stock != hand.opened.stock:
        message = sentence(
            "this deal was opened with another stock, or none; undo its opening first"
        )
        raise RuleViolation("out_of_turn", message, rule="O4", path="stock")
    if sheet.moves is not None and hand.deal.moves:
        message = sentence(
            "%(move)s moves are recorded already; the sheet of an open deal gives the lengths only",
            move=hand.deal.move,
        )
        raise RuleViolation("out_of_turn", message, rule="O4", path="moves")


def _check_totals(sheet: Sheet, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` where lengths or passes are given beside the moves and don't
    agree with them.
    """
    deal = hand.deal
    if deal.stock_left:
        # The first thing to say is that the moves end too soon, and the end of the deal says it.
        return
    for place, (said, length) in enumerate(zip(sheet.lengths or (), deal.lengths, strict=False)):
        if said != length:
            message = sentence(
                "foundation %(foundation)s has %(length)s cards by the moves, not %(said)s",
                foundation=place + 1,
                length=length,
                said=said,
            )
            raise RuleViolation("bad_total", message, rule="O6", path=f"built[{place}]")
    if sheet.passes not in (None, deal.passes):
        message = sentence(
            "the stock was gone through %(passes)s times by the moves, not %(given)s",
            passes=deal.passes,
            given=sheet.passes,
        )
        raise RuleViolation("bad_total", message, rule="O6", path="passes")
