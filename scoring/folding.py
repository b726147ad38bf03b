"""The frame of a game's fold: what every fact does to a state before its game says what else
changes.

The states of a game are NamedTuples that begin with the fields `HEAD`; where hands move chips,
theirs begin with `play` and `moves`. What follows is copied as one slice: a tuple of all its values
at once takes a third of the time of its own constructor, and every fact makes some.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, Self

from scoring import events
from scoring.chips import BANK
from scoring.common_state import GameState, moved, plus, retract_entries

HEAD = ("version", "hand", "act", "trail", "balances", "moves")
# These follow from an act, of this game or of another, so that none begins with them.
FOLLOWING = frozenset({events.HandExcused, events.HandClosed, events.PotTaken, events.PotReturned})
_made: Callable[..., Any] = tuple.__new__

# How a fact of each kind changes something: each function takes the kind it stands under.
type Changes[Changed] = Mapping[type, Callable[[Changed, Any], Changed]]


class Sliced(GameState, Protocol):
    """The state of a game as the tuple it is."""

    def __getitem__(self, fields: slice, /) -> tuple[Any, ...]: ...


class Dealing(Protocol):
    """The fields of an open hand that rulings change."""

    @property
    def excuses(self) -> frozenset[str]: ...
    @property
    def adjusted(self) -> tuple[events.TricksAdjusted | events.PointsAdjusted, ...]: ...
    @property
    def rulings(self) -> tuple[object, ...]: ...
    @property
    def _replace(self) -> Callable[..., Self]: ...


def build_evolve[State: Sliced, Hand](
    shape: type[State],
    start: Callable[[Any], State],
    *,
    in_hand: Changes[Hand],
    changes: Changes[State],
) -> Callable[[State | None, Any], State]:
    """The `evolve` of a game whose states have this `shape`.

    `start` makes the first state of the first fact. `in_hand` says for a kind of fact how it
    changes the open hand, `changes` how it changes the state, whose version, act and trail are the
    new ones already.
    """
    assert getattr(shape, "_fields")[: len(HEAD)] == HEAD  # noqa: B009 - a NamedTuple is no type that can be named
    begins_act = frozenset((*in_hand, *changes)) - FOLLOWING

    def evolve(state: State | None, event: Any) -> State:  # noqa: ANN401 - of the kinds in the tables
        if state is None:
            return start(event)
        kind = type(event)
        if kind is events.ChipsMoved:
            return _with_chips(shape, state, event)
        if kind is events.EntryRetracted:
            return retract_entries(state, event)
        version, hand, act, trail = state[:4]
        rest = state[4:]
        if kind in begins_act and not (kind is events.GameClosed and event.kind == "played"):
            act, trail = event, trail + (_made(shape, (version, hand, act, (), *rest)),)  # noqa: RUF005 - one copy, not two
        if kind in in_hand:
            hand = in_hand[kind](hand, event)
            after: State = _made(shape, (version + 1, hand, act, trail, *rest))
            return after
        return changes[kind](_made(shape, (version + 1, hand, act, trail, *rest)), event)

    return evolve


def _with_chips[State: Sliced](shape: type[State], state: State, event: events.ChipsMoved) -> State:
    """The state after chips moved; those that go back to where they came from are no moves of a
    hand.
    """
    version, hand, act, trail, balances, moves = state[:6]
    if event.reverses is None:
        moves = (*moves, (version + 1, event))
        hand = hand and _made(type(hand), (hand[0], (*hand[1], event), *hand[2:]))
    after: State = _made(
        shape, (version + 1, hand, act, trail, moved(balances, event), moves, *state[6:])
    )
    if event.source != BANK or event.reverses is not None:
        return after
    return after._replace(bought=plus(state.bought, event.target, event.chips))


def begun[State](shape: Callable[..., State], event: events.Started[Any]) -> State:
    """The first state of a game, of the fact that says who sits where under which rules."""
    return shape(
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


def excused[Hand: Dealing](hand: Hand, event: events.HandExcused) -> Hand:
    """The hand with a director's excuse for it."""
    return hand._replace(excuses=hand.excuses | set(event.excuses), rulings=(*hand.rulings, event))


def adjusted[Hand: Dealing](
    hand: Hand, event: events.TricksAdjusted | events.PointsAdjusted
) -> Hand:
    """The hand with an adjustment of its tricks or points."""
    return hand._replace(adjusted=(*hand.adjusted, event), rulings=(*hand.rulings, event))


def ruled[Hand: Dealing](hand: Hand, event: events.ChipsRuled) -> Hand:
    """The hand with a ruling that moves chips; the move follows."""
    return hand._replace(rulings=(*hand.rulings, event))


def of_nothing[Hand: Dealing](hand: Hand) -> Hand:
    """A hand that counts for nothing: rulings on its tricks and points have lapsed, excuses and
    chips moved stand.
    """
    if not hand.rulings:
        return hand
    standing = tuple(
        ruling
        for ruling in hand.rulings
        if isinstance(ruling, events.HandExcused | events.ChipsRuled)
    )
    return hand._replace(rulings=standing, adjusted=(), accepted=frozenset())


def ended[State: GameState](state: State, event: events.GameClosed) -> State:
    """The state of a game that is over; in one that was not played nothing was bought."""
    if event.has_result:
        return state._replace(closed=event)
    return state._replace(closed=event, bought={})


# How a director's rulings change the open hand, where a game has nothing to say about it.
RULED: Changes[Any] = {
    events.HandExcused: excused,
    events.TricksAdjusted: adjusted,
    events.PointsAdjusted: adjusted,
    events.ChipsRuled: ruled,
}
