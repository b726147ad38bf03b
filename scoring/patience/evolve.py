"""Fold facts into the state of a patience. What happened, happened: nothing here refuses."""

from collections.abc import Callable

from scoring.common_state import trimmed
from scoring.events import GameClosed, HandClosed, HandExcused, PointsAdjusted
from scoring.folding import Changes, ended, folding
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


def start(event: GameStarted) -> State:
    """The state after a game's first event."""
    return State(version=1, hand=None, act=None, trail=(), balances={}, moves=(), start=event)


def result_of(hand: Hand) -> HandResult:
    """What a deal has come to so far (O6)."""
    counted = hand.end if isinstance(hand.end, LengthsCounted) else None
    return HandResult(
        lengths=counted.lengths if counted else hand.deal.lengths,
        passes=counted.passes if counted else hand.deal.passes,
        seconds=hand.end.seconds if hand.end else None,
        adjusted=sum(
            ruling.points for ruling in hand.rulings if isinstance(ruling, PointsAdjusted)
        ),
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
    return state._replace(
        hand=None,
        score=state.score + result.built + result.adjusted,
        done=(*state.done, ClosedHand(hand, result)),
    )


IN_HAND: Changes[Hand] = {
    CardWasted: _waste,
    CardBuilt: _build,
    WasteTurned: _turn,
    KingSet: _set_king,
    DealEnded: _finish,
    LengthsCounted: _finish,
    PointsAdjusted: _rule,
    HandExcused: _rule,
}
CHANGES: Changes[State] = {HandOpened: _open, HandClosed: _close, GameClosed: ended}

# The state after one more fact; `None` is the state before the first.
evolve: Callable[[State | None, Event], State] = folding(
    State, start, in_hand=IN_HAND, changes=CHANGES
)
