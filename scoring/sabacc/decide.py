"""Turn an act of a Contract Sabacc table into facts, or refuse it by its rule."""

from collections.abc import Callable

from scoring.balances import is_limited
from scoring.commands import EndGame, GivePotBack, MoveChips, Ruling, TakePot, Undo
from scoring.deciding import (
    Decisions,
    build_decide,
    build_shared_decisions,
    check_calling,
    ending,
    no_open_hand,
)
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import ChipsMoved, GameClosed, HandClosed
from scoring.legal import refusal_of
from scoring.rulings import UNWEIGHED
from scoring.sabacc import commands
from scoring.sabacc.auction import (
    BIDS,
    PASS,
    Auction,
    auction,
    bidding_over,
    check_call,
    higher_bids,
)
from scoring.sabacc.cards import in_order
from scoring.sabacc.deals import check_aside, check_deal, check_end, check_talon
from scoring.sabacc.events import (
    CallMade,
    CardsDealt,
    CardsSetAside,
    ContractNamed,
    Event,
    PointsCounted,
    TalonShown,
    TrickPlayed,
)
from scoring.sabacc.evolve import evolve
from scoring.sabacc.left_pots import give_back, take, undo
from scoring.sabacc.opening import decide_opening, decide_start
from scoring.sabacc.piles import check_pile, pile_points
from scoring.sabacc.pots import ANTE, WAGER, call_stake, final_payouts, final_stakes, payouts
from scoring.sabacc.rules import hands_of
from scoring.sabacc.score import outcome
from scoring.sabacc.sheet import seats_ruled_on
from scoring.sabacc.state import HOLDING, Hand, State
from scoring.sabacc.totals import check_counted
from scoring.sabacc.tricks import check_trick
from scoring.seating import check_seat


def open_hand_of(state: State) -> Hand:
    """The open hand. Raises RuleViolation `game_over` or `out_of_turn` when there is none."""
    if state.hand is None:
        raise no_open_hand(state, over="S12", unopened="S1")
    return state.hand


def bidding(hand: Hand) -> Auction:
    """The bidding of a hand so far."""
    return auction(hand.calls, hand.first, len(hand.accounts))


def may_call(hand: Hand, state: State) -> dict[str, list[str]]:
    """Return the calls each seat can make now and pay for: only the seat in turn, unless a
    director excused that (S3, S5).
    """
    so_far = bidding(hand)
    if hand.settled or so_far.next_seat is None:
        return {}
    calls = (PASS, *(BIDS if "bad_call" in hand.excuses else higher_bids(so_far.contract)))
    seats = state.seats if "out_of_turn" in hand.excuses else (so_far.next_seat,)
    if not is_limited(state, hand):
        return {seat: [*calls] for seat in seats}
    acts = {seat: [commands.MakeCall(seat=seat, call=call) for call in calls] for seat in seats}
    return {
        seat: [act.call for act in each if refusal_of(decide, act, state) is None]
        for seat, each in acts.items()
    }


def may_name(hand: Hand, state: State) -> dict[str, list[str]]:
    """Return the seats that may be named declarer, each with its contracts, if no call is
    written down and the stakes can be paid (S5).
    """
    if hand.settled or hand.calls or state.rules.wager == "bidders_only":
        return {}
    if not is_limited(state, hand):
        return {seat: [*BIDS] for seat in state.seats}
    acts = {
        seat: [commands.NameContract(declarer=seat, contract=bid) for bid in BIDS]
        for seat in state.seats
    }
    return {
        seat: [str(act.contract) for act in each if refusal_of(decide, act, state) is None]
        for seat, each in acts.items()
    }


def _call(command: commands.MakeCall, state: State) -> list[Event]:
    check_calling(state.hand, state.done, rule="S3")
    hand = open_hand_of(state)
    path = f"calls[{len(hand.calls)}]"
    check_seat(command.seat, state.seats, f"{path}[0]")
    if hand.settled:
        raise bidding_over(hand.calls, path)
    check_call(command.seat, command.call, bidding(hand), hand.excuses, path)
    event = CallMade(seat=command.seat, call=command.call)
    stake = (
        call_stake(state, hand, command.seat, command.call, path) if command.call != PASS else []
    )
    if (
        auction((*hand.calls, (event.seat, event.call)), hand.first, len(hand.accounts)).next_seat
        is not None
    ):
        return [event, *stake]
    return _decide_settlement(state, [event, *stake], path)


def _name(command: commands.NameContract, state: State) -> list[Event]:
    hand = open_hand_of(state)
    if command.declarer is not None:
        check_seat(command.declarer, state.seats, "declarer")
    if state.rules.wager == "bidders_only":
        message = sentence(
            "calls are missing here: where only bidders wager, every bid is written down"
        )
        raise NotationError(message, path="calls", rule="S5")
    if hand.calls or hand.settled:
        message = sentence(
            "the bidding is being written down call by call; go on with calls, or take them back"
        )
        raise RuleViolation("out_of_turn", message, rule="S3", path="declarer")
    return _decide_settlement(
        state, [ContractNamed(declarer=command.declarer, contract=command.contract)], "contract"
    )


def _decide_settlement(state: State, events: list[Event], path: str) -> list[Event]:
    """The events of the last call, and what follows: the stakes of the contract, or a void hand
    closed.
    """
    after = _after(state, events)
    hand = open_hand_of(after)
    if hand.declarer is not None:
        return [*events, *final_stakes(after, hand, path)]
    return [*events, *_close_hand(after, hand, [])]


def _after(state: State, events: list[Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _ready_to_play(state: State, path: str) -> Hand:
    hand = open_hand_of(state)
    if not hand.settled:
        due = bidding(hand).next_seat
        raise RuleViolation(
            "out_of_turn",
            "%(due)s calls first; play begins after the bidding",
            rule="S3",
            path=path,
            due=due,
        )
    return hand


def _before_tricks(hand: Hand, path: str, known: Callable[[Hand], object]) -> Hand:
    if known(hand) is not None or hand.play.winners:
        raise RuleViolation(
            "out_of_turn",
            sentence("the %(path)s is written down once, before the first trick", path=path),
            rule="S6",
            path=path,
        )
    return hand


def _deal(command: commands.RecordDeal, state: State) -> list[Event]:
    hand = _before_tricks(open_hand_of(state), "deal", lambda hand: hand.deal)
    if len(command.holdings) != len(state.seats):
        raise NotationError(
            "the holdings of %(seats)s are expected here", path="deal", seats=", ".join(state.seats)
        )
    if hand.aside is not None:
        raise RuleViolation(
            "out_of_turn",
            "the deal is written down before what was set aside",
            rule="S6",
            path="deal",
        )
    check_deal(command.holdings, state.seats, hand.talon or ())
    return [CardsDealt(holdings=tuple(in_order(cards) for cards in command.holdings))]


def _show(command: commands.ShowTalon, state: State) -> list[Event]:
    hand = _before_tricks(open_hand_of(state), "talon", lambda hand: hand.talon)
    if hand.aside is not None:
        raise RuleViolation(
            "out_of_turn",
            "the talon is written down before what was set aside",
            rule="S6",
            path="talon",
        )
    check_talon(command.cards, hand)
    return [TalonShown(cards=in_order(command.cards))]


def _set_aside(command: commands.SetAside, state: State) -> list[Event]:
    check_aside(
        command.cards,
        _before_tricks(_ready_to_play(state, "aside"), "aside", lambda hand: hand.aside),
    )
    return [CardsSetAside(cards=in_order(command.cards))]


def _play(command: commands.PlayTrick, state: State) -> list[Event]:
    hand = _ready_to_play(state, "plays")
    if len(command.cards) != len(hand.accounts):
        message = sentence(
            "a trick is %(accounts)s cards, not %(cards)s",
            accounts=len(hand.accounts),
            cards=len(command.cards),
        )
        raise RuleViolation("bad_total", message, rule="S7", path=f"plays[{len(hand.play.cards)}]")
    check_trick(hand.play, command.cards, hand.accepted)
    event = TrickPlayed(cards=command.cards)
    return _close(state, event) if hand.play.trick == HOLDING[len(hand.accounts)] else [event]


def _count(command: commands.CountPoints, state: State) -> list[Event]:
    hand = _ready_to_play(state, "points")
    if command.seat is not None:
        check_seat(command.seat, state.seats, "bonus.seat")
    bonus = (
        (command.bonus, command.seat)
        if command.bonus is not None and command.seat is not None
        else None
    )
    if UNWEIGHED not in hand.excuses:
        check_counted(command.points, bonus, hand)
    kind, seat = bonus or (None, None)
    return _close(state, PointsCounted(points=command.points, bonus=kind, seat=seat))


def _count_pile(command: commands.CountPile, state: State) -> list[Event]:
    check_pile(command, _ready_to_play(state, "others"))
    return _count(
        commands.CountPoints(points=pile_points(command), bonus=command.bonus, seat=command.seat),
        state,
    )


def _close(state: State, event: Event) -> list[Event]:
    """The last fact of a hand that was played, and what follows from it: wagers and bonus paid, the
    hand closed.
    """
    after = evolve(state, event)
    hand = open_hand_of(after)
    check_end(hand)
    paid = payouts(hand, outcome(hand), state.balances.get(WAGER, 0), state.balances.get(ANTE, 0))
    return [event, *_close_hand(after, hand, paid)]


def _close_hand(state: State, hand: Hand, paid: list[ChipsMoved]) -> list[Event]:
    """The hand closed after what was `paid` at its end, and perhaps the game (S4, S12, S13)."""
    events: list[Event] = [*paid, HandClosed(number=hand.number)]
    if state.played + 1 < hands_of(state.rules, len(state.seats)):
        return events
    left = _after(state, [*paid]).balances.get(ANTE, 0)
    return [*events, GameClosed(kind="played"), *final_payouts(hand, state, left)]


def _end(command: EndGame, state: State) -> list[Event]:
    closing = ending(command, state, over="S12", rule="S12")
    return [closing, *final_payouts(state.done[-1].hand, state, state.balances.get(ANTE, 0))]


def _check_seated(ruling: Ruling, state: State) -> None:
    """Raise NotationError for a ruling about a seat that nobody has in this game."""
    seats = (*state.seats, ANTE) if isinstance(ruling, MoveChips) else state.seats
    for place in seats_ruled_on(ruling):
        check_seat(place, seats, "rulings")


DECISIONS: Decisions[State, Event] = {
    **build_shared_decisions(open_hand_of, start="S1", pots=(ANTE,), check=_check_seated),
    commands.OpenHand: decide_opening,
    commands.MakeCall: _call,
    commands.NameContract: _name,
    commands.RecordDeal: _deal,
    commands.ShowTalon: _show,
    commands.SetAside: _set_aside,
    commands.PlayTrick: _play,
    commands.CountPoints: _count,
    commands.CountPile: _count_pile,
    EndGame: _end,
    TakePot: take,
    GivePotBack: give_back,
    Undo: undo,
}

decide: Callable[[commands.Command, State | None], list[Event]] = build_decide(
    decide_start, DECISIONS
)
