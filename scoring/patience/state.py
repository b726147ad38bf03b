"""What a game of patience has come to: immutable values that `evolve` makes anew with each fact."""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.events import ChipsMoved, GameClosed, HandExcused, PointsAdjusted
from scoring.patience.deal import Deal
from scoring.patience.events import DealEnded, Event, GameStarted, HandOpened, LengthsCounted
from scoring.patience.rules import Rules


class Hand(NamedTuple):
    """One deal: the cards as they lie, how it was opened and how it ended.

    `king` is the one put out of a stock whose order wasn't known.
    """

    deal: Deal
    opened: HandOpened
    king: str | None = None
    rulings: tuple[HandExcused | PointsAdjusted, ...] = ()
    end: DealEnded | LengthsCounted | None = None


class HandResult(NamedTuple):
    """What a deal came to: the length of each foundation, passes, seconds, and points given or
    taken by rulings.
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
    act: Event | None
    trail: tuple["State", ...]
    balances: Mapping[str, int]
    moves: tuple[tuple[int, ChipsMoved], ...]
    start: GameStarted
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
        """Where it is played."""
        return self.start.table

    @property
    def played_on(self) -> str | None:
        """The day, as an ISO date."""
        return self.start.played_on

    @property
    def note(self) -> str | None:
        """What was noted at the start."""
        return self.start.note

    @property
    def results(self) -> tuple[ClosedHand, ...]:
        """The deals that are over."""
        return self.done

    @property
    def played(self) -> int:
        """How many deals are over."""
        return len(self.done)
