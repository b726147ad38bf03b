"""Fold facts into the state of a Preference game. What happened, happened: nothing here refuses."""

from collections.abc import Callable
from typing import Any

from scoring.chips import BANK
from scoring.events import (
    ChipsMoved,
    ChipsRuled,
    EntryRetracted,
    GameClosed,
    HandClosed,
    HandExcused,
    PlayAccepted,
    TricksAdjusted,
)
from scoring.own_seats import accounts_of
from scoring.preference.contracts import may_keep_out
from scoring.preference.deals import after_deal
from scoring.preference.events import (
    CallMade,
    CardsDealt,
    ContractNamed,
    DefenceChosen,
    Event,
    GameStarted,
    HandOpened,
    HandThrownIn,
    TrickPlayed,
    TricksCounted,
    TrickTaken,
)
from scoring.preference.payments import POT
from scoring.preference.score import adjusted_tricks, is_made
from scoring.preference.seats import SEATS, defenders_of
from scoring.preference.state import ClosedHand, Hand, HandResult, Play, State
from scoring.preference.tricks import after_trick, denied_after, first_order, players_of, turned
from scoring.spine import retracted, trimmed, with_move


def start(event: GameStarted) -> State:
    """The state after a game's first event."""
    return State(
        version=1,
        hand=None,
        act=None,
        trail=(),
        balances={},
        moves=(),
        record=event.record,
        rules=event.rules,
        players=dict(event.players),
        table=event.table,
        played_on=event.played_on,
        note=event.note,
        bought={},
    )


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, GameStarted)
        return start(event)
    if isinstance(event, ChipsMoved):
        return _move(state, event)
    if isinstance(event, EntryRetracted):
        return retracted(state, event)
    kind = type(event)
    version, hand, act, trail = state[:4]
    if kind in BEGINS_ACT or (isinstance(event, GameClosed) and event.kind != "played"):
        act, trail = event, (*trail, State(version, hand, act, (), *state[4:]))
    if kind in IN_HAND:
        return State(version + 1, IN_HAND[kind](hand, event), act, trail, *state[4:])  # type: ignore[arg-type]
    return CHANGES[kind](State(version + 1, hand, act, trail, *state[4:]), event)


def _move(state: State, event: ChipsMoved) -> State:
    hand, after = state.hand, with_move(state, event)
    if hand is None or event.reverses is not None:
        return after
    if event.source != BANK:
        return after._replace(hand=hand._replace(moves=(*hand.moves, event)))
    seat = next(seat for seat, account in hand.accounts.items() if account == event.target)
    return after._replace(hand=hand._replace(buy_ins=(*hand.buy_ins, (seat, event.chips))))


def _open(state: State, event: HandOpened) -> State:
    hand = Hand(
        play=Play(),
        number=event.number,
        dealer=event.dealer,
        accounts=accounts_of(state.players, event.players),
        players=event.players,
        at=event.at,
        note=event.note,
    )
    return trimmed(state._replace(hand=hand))


def _name(state: State, event: ContractNamed) -> State:
    assert state.hand is not None
    hand = state.hand._replace(soloist=event.soloist, contract=event.contract)
    if not may_keep_out(event.contract, state.rules):
        hand = _ready(hand, dict.fromkeys(defenders_of(event.soloist), "along"))
    return state._replace(hand=hand)


def _defend(hand: Hand, event: DefenceChosen) -> Hand:
    return _ready(hand, dict(event.choices))


def _ready(hand: Hand, defence: dict[str, str]) -> Hand:
    order = first_order(hand.contract, players_of(hand.soloist, defence))
    return hand._replace(defence=defence, play=hand.play._replace(order=order))


def _excuse(hand: Hand, event: HandExcused) -> Hand:
    return hand._replace(excuses=hand.excuses | set(event.excuses), rulings=(*hand.rulings, event))


def _call(hand: Hand, event: CallMade) -> Hand:
    return hand._replace(calls=(*hand.calls, (event.seat, event.call)))


def _throw_in(hand: Hand, event: HandThrownIn) -> Hand:
    return hand


def _deal(hand: Hand, event: CardsDealt) -> Hand:
    return hand._replace(deal=event, play=after_deal(hand.play, event, hand.contract, hand.soloist))


def _play(hand: Hand, event: TrickPlayed) -> Hand:
    return Hand(after_trick(hand, event.cards), *hand[1:])


def _take(hand: Hand, event: TrickTaken) -> Hand:
    play = hand.play
    return hand._replace(play=play._replace(order=turned(play.order, event.seat), winners=(*play.winners, event.seat)))


def _count(hand: Hand, event: TricksCounted) -> Hand:
    return hand._replace(counted=event.tricks, in_succession=event.in_succession)


def _accept(hand: Hand, event: PlayAccepted) -> Hand:
    accepted = hand.accepted | {(event.trick, event.seat)}
    play = hand.play._replace(denied=denied_after(hand, accepted)) if hand.play.cards else hand.play
    return hand._replace(accepted=accepted, rulings=(*hand.rulings, event), play=play)


def _adjust(hand: Hand, event: TricksAdjusted) -> Hand:
    return hand._replace(adjusted=(*hand.adjusted, event), rulings=(*hand.rulings, event))


def _rule_chips(hand: Hand, event: ChipsRuled) -> Hand:
    return hand._replace(rulings=(*hand.rulings, event))


def _close(state: State, event: HandClosed) -> State:
    hand = state.hand
    assert hand is not None
    tricks = adjusted_tricks(hand)
    counted = tuple(tricks[seat] for seat in SEATS) if tricks is not None else None
    result = HandResult(made=is_made(hand), tricks=counted, pot=state.balances.get(POT, 0))
    return state._replace(hand=None, done=(*state.done, ClosedHand(hand, result)))


def _end(state: State, event: GameClosed) -> State:
    return state._replace(closed=event)


IN_HAND: dict[type, Callable[[Hand, Any], Hand]] = {
    HandExcused: _excuse,
    CallMade: _call,
    HandThrownIn: _throw_in,
    DefenceChosen: _defend,
    CardsDealt: _deal,
    TrickPlayed: _play,
    TrickTaken: _take,
    TricksCounted: _count,
    PlayAccepted: _accept,
    TricksAdjusted: _adjust,
    ChipsRuled: _rule_chips,
}
CHANGES: dict[type, Callable[[State, Any], State]] = {
    HandOpened: _open,
    ContractNamed: _name,
    HandClosed: _close,
    GameClosed: _end,
}
# What an act of the table begins with; the other facts follow from it.
BEGINS_ACT = frozenset((*IN_HAND, *CHANGES)) - {HandExcused, HandClosed, GameClosed}
