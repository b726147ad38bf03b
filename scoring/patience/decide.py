"""Turn an act of a patience into facts, or refuse it by its rule."""

from collections.abc import Callable, Sequence

from scoring.commands import AcceptHand, AdjustPoints, EndGame, StartGame, Undo
from scoring.common_state import decide_undo
from scoring.deciding import (
    Decisions,
    build_decide,
    build_start_refusal,
    excused,
    fact_of,
    hand_opened,
    require_start,
)
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import GameClosed, HandClosed, PointsAdjusted
from scoring.french import card_name
from scoring.patience import commands, events
from scoring.patience.deal import CARDS, FULL, PACKS, SEATS, STOCK, Deal, check_fits
from scoring.patience.rules import Rules
from scoring.patience.state import Hand, State
from scoring.seating import check_players

# One value for each card that can be wasted: nine moves in ten are that, and events never change.
WASTED = {card: events.CardWasted(card=card) for card in CARDS}


def open_hand_of(state: State) -> Hand:
    """The open deal. Raises RuleViolation `game_over` or `out_of_turn` when there is none."""
    if state.hand is not None:
        return state.hand
    if state.closed is not None:
        raise RuleViolation("game_over", "the game is over; start another one", rule="Called games")
    raise RuleViolation("out_of_turn", "no deal is open; open the next one first", rule="O4")


def needs_king(hand: Hand, rules: Rules) -> bool:
    """Whether it must first be said which King was put on foundation 1 (O1)."""
    return rules.first_king == "removed" and not hand.deal.lengths[0]


def seen_out(hand: Hand) -> frozenset[str]:
    """The cards of which both packs' are known to be out, so that neither can turn up in the first
    pass any more.
    """
    out = [*hand.deal.out, *([hand.king] if hand.king else [])]
    return frozenset(card for card in out if out.count(card) == PACKS)


def _start(command: commands.Command) -> list[events.Event]:
    start, _ = require_start(command, Rules, rule="O4")
    expected = sentence("Order of Precedence is played by one, at the seat A")
    check_players(start.players, (SEATS,), expected)
    return [fact_of(events.GameStarted, start)]


def _open(command: commands.OpenHand, state: State) -> list[events.Event]:
    if state.closed is not None:
        raise RuleViolation(
            "game_over", "the game is over; no further deal belongs to it", rule="Called games"
        )
    if state.hand is not None:
        raise RuleViolation(
            "out_of_turn",
            "deal %(number)s is still open; finish it first",
            rule="O4",
            number=state.hand.opened.number,
        )
    if command.stock:
        check_stock(command.stock)
    return [hand_opened(events.HandOpened, command, state), *excused(command)]


def check_stock(stock: Sequence[str]) -> None:
    """Raise RuleViolation `bad_total` unless these are the 104 cards of two packs."""
    if len(stock) != STOCK:
        message = sentence(
            "the stock has %(stock)s cards, two packs, not %(given)s", stock=STOCK, given=len(stock)
        )
        raise RuleViolation("bad_total", message, rule="O4", path="stock")
    left = dict.fromkeys(CARDS, PACKS)
    for place, card in enumerate(stock):
        if not left[card]:
            message = sentence(
                "%(card)s is in the stock a third time; two packs have two", card=card
            )
            raise RuleViolation("bad_total", message, rule="O4", path=f"stock[{place}]")
        left[card] -= 1


def _king(command: commands.SetKing, state: State) -> list[events.Event]:
    hand = open_hand_of(state)
    if not needs_king(hand, state.rules):
        raise RuleViolation(
            "out_of_turn",
            "no King is put out now; the first foundation is started by the deal",
            rule="O1",
        )
    if command.card[0] != "K":
        message = sentence(
            "foundation 1 starts with a King, not the %(card)s", card=card_name(command.card)
        )
        raise RuleViolation("bad_build", message, rule="O2", path="card")
    return [events.KingSet(card=command.card)]


def _build(command: commands.BuildCard, state: State) -> list[events.Event]:
    hand = _ready(state)
    card = _top(hand.deal, command.card) if command.waste else _next(hand, command.card)
    check_fits(hand.deal, card, command.foundation, _place(hand.deal))
    return [events.CardBuilt(card=card, foundation=command.foundation, waste=command.waste)]


def _waste(command: commands.WasteCard, state: State) -> list[events.Event]:
    return [WASTED[_next(_ready(state), command.card)]]


def _waste_run(command: commands.WasteCards, state: State) -> list[events.Event]:
    deal = _ready(state).deal
    coming = deal.stock[deal.dealt : deal.dealt + command.cards]
    if len(coming) < command.cards:
        message = sentence(
            "of the next cards %(coming)s are known; lay the others one by one", coming=len(coming)
        )
        raise RuleViolation("bad_build", message, rule="O4", path=_place(deal))
    return [WASTED[card] for card in coming]


def _ready(state: State) -> Hand:
    """The open deal, in which a card may move. Raises RuleViolation `out_of_turn`, `game_over`."""
    hand = open_hand_of(state)
    if not hand.deal.lengths[0] and needs_king(hand, state.rules):
        raise RuleViolation(
            "out_of_turn",
            "say first which King was put on foundation 1",
            rule="O1",
            path=_place(hand.deal),
        )
    return hand


def _cards(count: int) -> str:
    return "1 card is" if count == 1 else f"{count} cards are"


def _place(deal: Deal) -> str:
    """The path of the next move in a record."""
    return f"moves[{deal.move}]"


def _top(deal: Deal, named: str | None) -> str:
    """The top card of the waste, which is the one `named` if any is."""
    if not deal.waste:
        raise RuleViolation(
            "bad_build",
            "the waste is empty; there is no card to build from it",
            rule="O4",
            path=_place(deal),
        )
    if named not in (None, deal.waste[-1]):
        message = sentence(
            "the %(card)s is on top of the waste, and only the top card can be built",
            card=card_name(deal.waste[-1]),
        )
        raise RuleViolation("bad_build", message, rule="O4", path=_place(deal))
    return deal.waste[-1]


def _next(hand: Hand, named: str | None) -> str:
    """The next card of the stock, which is the one `named` if any is."""
    deal = hand.deal
    known = deal.next_card
    if known is None and not deal.stock_left:
        message = sentence("the stock is used up; turn the waste over, or end the deal")
        raise RuleViolation("bad_build", message, rule="O5", path=_place(deal))
    if known is not None and named in (None, known):
        return known
    if known is not None:
        message = sentence("the next card of the stock is the %(card)s", card=card_name(known))
        raise RuleViolation("card_not_held", message, rule="O4", path=_place(deal))
    if named is None:
        raise NotationError(
            "name the card that turned up: the order of the stock isn't known", path="card"
        )
    if named in seen_out(hand):
        message = sentence(
            "both cards %(card)s are out already; two packs have two", card=card_name(named)
        )
        raise RuleViolation("bad_total", message, rule="O4", path=_place(deal))
    return named


def _turn(command: commands.TurnWaste, state: State) -> list[events.Event]:
    deal = _ready(state).deal
    path = _place(deal)
    if deal.stock_left:
        message = sentence(
            "%(cards)s still in the stock; the waste is turned over when it is used up",
            cards=_cards(deal.stock_left),
        )
        raise RuleViolation("bad_build", message, rule="O5", path=path)
    if deal.passes >= state.rules.passes:
        message = sentence(
            "pass %(passes)s is the last one; the waste isn't turned over any more",
            passes=deal.passes,
        )
        raise RuleViolation("bad_build", message, rule="O5", path=path)
    if not deal.waste:
        raise RuleViolation(
            "bad_build", "the waste is empty; there is nothing to turn over", rule="O5", path=path
        )
    return [events.WasteTurned()]


def _stop(command: commands.EndDeal, state: State) -> list[events.Event]:
    hand = _ready(state)
    if hand.deal.stock_left:
        message = sentence(
            "%(cards)s still in the stock; a deal ends with an empty stock",
            cards=_cards(hand.deal.stock_left),
        )
        raise RuleViolation("bad_total", message, rule="O6", path="moves")
    return [events.DealEnded(seconds=command.seconds), HandClosed(number=hand.opened.number)]


def _count(command: commands.CountLengths, state: State) -> list[events.Event]:
    hand = open_hand_of(state)
    _check_lengths(command.lengths, state.rules)
    if not 1 <= command.passes <= state.rules.passes:
        message = sentence(
            "a deal has 1 to %(passes)s passes, not %(given)s",
            passes=state.rules.passes,
            given=command.passes,
        )
        raise RuleViolation("bad_total", message, rule="O5", path="passes")
    for place, (length, moved) in enumerate(zip(command.lengths, hand.deal.lengths, strict=True)):
        if length < moved:
            message = sentence(
                "foundation %(foundation)s has %(moved)s cards as recorded, so it can't have "
                "%(length)s in all",
                foundation=place + 1,
                moved=moved,
                length=length,
            )
            raise RuleViolation("bad_total", message, rule="O3", path=f"built[{place}]")
    if command.passes < hand.deal.passes:
        message = sentence(
            "this is pass %(passes)s as recorded, so it can't have been %(given)s in all",
            passes=hand.deal.passes,
            given=command.passes,
        )
        raise RuleViolation("bad_total", message, rule="O5", path="passes")
    return [fact_of(events.LengthsCounted, command), HandClosed(number=hand.opened.number)]


def _check_lengths(lengths: Sequence[int], rules: Rules) -> None:
    for place, length in enumerate(lengths):
        if not 0 <= length <= FULL:
            message = sentence(
                "foundation %(foundation)s can have 0 to %(full)s cards, not %(length)s",
                foundation=place + 1,
                full=FULL,
                length=length,
            )
            raise RuleViolation("bad_total", message, rule="O3", path=f"built[{place}]")
        if length and place and not lengths[place - 1]:
            message = sentence(
                "foundation %(foundation)s is empty, so foundation %(next)s can't have started",
                foundation=place,
                next=place + 1,
            )
            raise RuleViolation("bad_total", message, rule="O2", path=f"built[{place}]")
    if rules.first_king == "removed" and not lengths[0]:
        message = sentence("foundation 1 has at least the King that was put there before the deal")
        raise RuleViolation("bad_total", message, rule="O1", path="built[0]")


def _adjust(command: AdjustPoints, state: State) -> list[events.Event]:
    open_hand_of(state)
    return [fact_of(PointsAdjusted, command)]


def _end(command: EndGame, state: State) -> list[events.Event]:
    if state.closed is not None:
        raise RuleViolation(
            "game_over", "the game is over already", rule="Called games", path="ended"
        )
    if state.hand is not None:
        message = sentence("a deal is open; finish it or take it back before the game is ended")
        raise RuleViolation("out_of_turn", message, rule="Called games", path="ended")
    if not state.done:
        message = sentence(
            "a game can be ended only after a deal was played; say that it was not played"
        )
        raise RuleViolation("out_of_turn", message, rule="Called games", path="ended")
    return [GameClosed(kind=command.kind, by=command.by, reason=command.reason)]


def _accept_hand(command: AcceptHand, state: State) -> list[events.Event]:
    raise RuleViolation(
        "out_of_turn", "a deal is excused when it is opened", rule="Infractions", path="rulings"
    )


DECISIONS: Decisions[State, events.Event] = {
    commands.WasteCard: _waste,
    commands.BuildCard: _build,
    commands.WasteCards: _waste_run,
    commands.TurnWaste: _turn,
    StartGame: build_start_refusal("O4"),
    commands.OpenHand: _open,
    commands.SetKing: _king,
    commands.EndDeal: _stop,
    commands.CountLengths: _count,
    AdjustPoints: _adjust,
    AcceptHand: _accept_hand,
    EndGame: _end,
    Undo: decide_undo,
}

decide: Callable[[commands.Command, State | None], list[events.Event]] = build_decide(
    _start, DECISIONS
)
