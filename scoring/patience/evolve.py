"""Fold facts into the state of a patience. What happened, happened: nothing here refuses."""

from collections.abc import Callable
from typing import Any

from scoring.events import EntryRetracted, GameClosed, HandClosed, HandExcused, PointsAdjusted
from scoring.patience.deal import begun, built, turned, wasted, with_king
from scoring.patience.events import (
    CardBuilt,
    CardWasted,
    DealEnded,
    Event,
    GameStarted,
    HandOpened,
    KingSet,
    LengthsCounted,
    WasteTurned,
)
from scoring.patience.state import ClosedHand, Hand, HandResult, State
from scoring.spine import retracted, trimmed


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, GameStarted)
        return start(event)
    kind = type(event)
    if kind is EntryRetracted:
        return retracted(state, event)  # type: ignore[arg-type]
    version, hand, act, trail = state[:4]
    rest = state[4:]
    if kind in BEGINS_ACT:
        act, trail = event, trail + (State(version, hand, act, (), *rest),)  # noqa: RUF005 - one copy, not two
    if kind in IN_HAND:
        return State(version + 1, IN_HAND[kind](hand, event), act, trail, *rest)  # type: ignore[arg-type]
    return CHANGES[kind](State(version + 1, hand, act, trail, *rest), event)


def start(event: GameStarted) -> State:
    """The state after a game's first event."""
    return State(version=1, hand=None, act=None, trail=(), start=event)


def result_of(hand: Hand) -> HandResult:
    """What a deal has come to so far (O6)."""
    counted = hand.end if isinstance(hand.end, LengthsCounted) else None
    return HandResult(
        lengths=counted.lengths if counted else hand.deal.lengths,
        passes=counted.passes if counted else hand.deal.passes,
        seconds=hand.end.seconds if hand.end else None,
        adjusted=sum(ruling.points for ruling in hand.rulings if isinstance(ruling, PointsAdjusted)),
    )


def _open(state: State, event: HandOpened) -> State:
    deal = begun(event.stock, king_removed=state.rules.first_king == "removed")
    return trimmed(state)._replace(hand=Hand(deal=deal, opened=event))


def _set_king(hand: Hand, event: KingSet) -> Hand:
    return hand._replace(king=event.card, deal=with_king(hand.deal, event.card))


def _build(hand: Hand, event: CardBuilt) -> Hand:
    return Hand(built(hand.deal, event.card, event.foundation, waste=event.waste), *hand[1:])


def _waste(hand: Hand, event: CardWasted) -> Hand:
    return Hand(wasted(hand.deal, event.card), *hand[1:])


def _turn(hand: Hand, event: WasteTurned) -> Hand:
    return hand._replace(deal=turned(hand.deal))


def _finish(hand: Hand, event: DealEnded | LengthsCounted) -> Hand:
    return hand._replace(end=event)


def _rule(hand: Hand, event: HandExcused | PointsAdjusted) -> Hand:
    return hand._replace(rulings=(*hand.rulings, event))


def _close(state: State, event: HandClosed) -> State:
    hand = state.hand
    assert hand is not None
    result = result_of(hand)
    return state._replace(hand=None, score=state.score + result.built + result.adjusted, done=(*state.done, ClosedHand(hand, result)))


def _end(state: State, event: GameClosed) -> State:
    return state._replace(closed=event)


IN_HAND: dict[type, Callable[[Hand, Any], Hand]] = {
    CardWasted: _waste,
    CardBuilt: _build,
    WasteTurned: _turn,
    KingSet: _set_king,
    DealEnded: _finish,
    LengthsCounted: _finish,
    PointsAdjusted: _rule,
    HandExcused: _rule,
}
CHANGES: dict[type, Callable[[State, Any], State]] = {HandOpened: _open, HandClosed: _close, GameClosed: _end}
# What an act begins with; the other facts follow from it.
BEGINS_ACT = frozenset((*IN_HAND, *CHANGES)) - {HandExcused, HandClosed}
