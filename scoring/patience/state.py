"""State of a game of patience: immutable values that `evolve` makes anew with each
fact. What happened, happened: nothing there refuses.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from scoring.common_state import trim_trail
from scoring.events import ChipsMoved, GameClosed, HandClosed, HandExcused, PointsAdjusted
from scoring.folding import Changes, build_evolve, ended
from scoring.patience import events
from scoring.patience.deal import Deal, begun, built, move_to_waste, turned, with_king
from scoring.patience.rules import Rules


class Hand(NamedTuple):
    """One deal: the cards as they lie, how it was opened and how it ended.

    `king` is the one put out of a stock whose order wasn't known.
    """

    deal: Deal
    opened: events.HandOpened
    king: str | None = None
    rulings: tuple[HandExcused | PointsAdjusted, ...] = ()
    end: events.DealEnded | events.LengthsCounted | None = None


class HandResult(NamedTuple):
    """Result of a deal: the length of each foundation, passes, seconds, and points given
    or taken by rulings.
    """

    lengths: tuple[int, ...]
    passes: int
    seconds: int | None
    adjusted: int

    @property
    def built(self) -> int:
        """Cards built (O6)."""
        return sum(self.lengths)


class ClosedHand(NamedTuple):
    """A deal that is over."""

    hand: Hand
    result: HandResult


class State(NamedTuple):
    """A game after `version` events. `trail` holds what `Undo` may return to, oldest first, each
    without a trail.

    `act` is what the last act began with, `score` the cards built in all deals, rulings included.
    `opened` is the version before the last opening. There are no chips: `balances`, `bought` and
    `moves` stay empty. What every move changes stands first, and there are few fields: the rest is
    then copied as one short slice.
    """

    version: int
    hand: Hand | None
    act: events.Event | None
    trail: tuple["State", ...]
    balances: Mapping[str, int]
    moves: tuple[tuple[int, ChipsMoved], ...]
    start: events.GameStarted
    score: int = 0
    done: tuple[ClosedHand, ...] = ()
    closed: GameClosed | None = None
    opened: int = 0
    bought: Mapping[str, int] = {}

    @property
    def record(self) -> str:
        """The game's id as a file."""
        return self.start.record

    @property
    def rules(self) -> Rules:
        """The house rules."""
        return self.start.rules

    @property
    def players(self) -> Mapping[str, str]:
        """The one player by seat."""
        return dict(self.start.players)

    @property
    def table(self) -> str | None:
        """The table it is played at."""
        return self.start.table

    @property
    def played_on(self) -> str | None:
        """The day, as an ISO date."""
        return self.start.played_on

    @property
    def note(self) -> str | None:
        """The note made at the start."""
        return self.start.note

    @property
    def results(self) -> tuple[ClosedHand, ...]:
        """The deals that are over."""
        return self.done

    @property
    def played(self) -> int:
        """Number of deals that are over."""
        return len(self.done)


def start(event: events.GameStarted) -> State:
    """The state after a game's first event."""
    return State(version=1, hand=None, act=None, trail=(), balances={}, moves=(), start=event)


def result_of(hand: Hand) -> HandResult:
    """Return the result of a deal so far (O6)."""
    counted = hand.end if isinstance(hand.end, events.LengthsCounted) else None
    return HandResult(
        lengths=counted.lengths if counted else hand.deal.lengths,
        passes=counted.passes if counted else hand.deal.passes,
        seconds=hand.end.seconds if hand.end else None,
        adjusted=sum(
            ruling.points for ruling in hand.rulings if isinstance(ruling, PointsAdjusted)
        ),
    )


def _open(state: State, event: events.HandOpened) -> State:
    deal = begun(event.stock, king_removed=state.rules.first_king == "removed")
    return trim_trail(state)._replace(hand=Hand(deal=deal, opened=event))


def _set_king(hand: Hand, event: events.KingSet) -> Hand:
    return hand._replace(king=event.card, deal=with_king(hand.deal, event.card))


def _build(hand: Hand, event: events.CardBuilt) -> Hand:
    return Hand(built(hand.deal, event.card, event.foundation, waste=event.waste), *hand[1:])


def _waste(hand: Hand, event: events.CardWasted) -> Hand:
    return Hand(move_to_waste(hand.deal, event.card), *hand[1:])


def _turn(hand: Hand, event: events.WasteTurned) -> Hand:
    return hand._replace(deal=turned(hand.deal))


def _finish(hand: Hand, event: events.DealEnded | events.LengthsCounted) -> Hand:
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
    events.CardWasted: _waste,
    events.CardBuilt: _build,
    events.WasteTurned: _turn,
    events.KingSet: _set_king,
    events.DealEnded: _finish,
    events.LengthsCounted: _finish,
    PointsAdjusted: _rule,
    HandExcused: _rule,
}
CHANGES: Changes[State] = {events.HandOpened: _open, HandClosed: _close, GameClosed: ended}

# The state after one more fact; `None` is the state before the first.
evolve: Callable[[State | None, events.Event], State] = build_evolve(
    State, start, in_hand=IN_HAND, changes=CHANGES
)
