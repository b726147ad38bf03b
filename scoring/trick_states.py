"""Parts shared by the states of trick games, so that what they decide and show alike
is said once.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from scoring.balances import PaidHand
from scoring.common_state import GameState
from scoring.events import ChipsMoved, GameClosed
from scoring.shape import Fields


class TricksPlayed(Protocol):
    """The tricks of a hand: by whom they were won, and the number of the next one, from 1."""

    @property
    def winners(self) -> tuple[str, ...]: ...
    @property
    def trick(self) -> int: ...


class TrickHand(Protocol):
    """One dealing: its number and the play so far."""

    @property
    def number(self) -> int: ...
    @property
    def play(self) -> TricksPlayed: ...


class TrickState(GameState, Protocol):
    """The state of a trick game."""

    @property
    def hand(self) -> TrickHand | None: ...


class WrittenHand(PaidHand, Protocol):
    """Opening of a hand as a record holds it: the seats that differ from those of the
    game, its note and time, and the rulings.
    """

    @property
    def players(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def at(self) -> str | None: ...
    @property
    def note(self) -> str | None: ...
    @property
    def rulings(self) -> Sequence[object]: ...


class CalledHand(TrickHand, Protocol):
    """A hand whose contract is called for."""

    @property
    def calls(self) -> Sequence[object]: ...
    @property
    def contract(self) -> str | None: ...


class ClosedCalledHand(Protocol):
    """Such a hand that is over."""

    @property
    def hand(self) -> CalledHand: ...


class DealtState[Rules, Hand, Closed](NamedTuple):
    """The state of a game that needs no more than its hands, after `version` events; a game's own
    `State` names their types.

    `act` is what the last act began with, `done` are the hands that are over, every one of which
    counts; the rest as in `CommonState`. What nearly every event changes stands first: the rest is
    then copied as one slice.
    """

    version: int
    hand: Hand | None
    act: Fields | None
    trail: tuple["DealtState[Rules, Hand, Closed]", ...]
    balances: Mapping[str, int]
    moves: tuple[tuple[int, ChipsMoved], ...]
    record: str
    rules: Rules
    players: Mapping[str, str]
    table: str | None
    played_on: str | None
    note: str | None
    bought: Mapping[str, int]
    done: tuple[Closed, ...] = ()
    closed: GameClosed | None = None
    opened: int = 0

    @property
    def results(self) -> tuple[Closed, ...]:
        """The hands that are over."""
        return self.done

    @property
    def played(self) -> int:
        """Number of hands that are over."""
        return len(self.done)
