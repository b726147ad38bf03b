"""Parts shared by the sheets of all games: the opening of the hand, and its rulings."""

from collections.abc import Sequence
from typing import Protocol

from scoring.commands import AcceptHand
from scoring.shape import Fields


class HandOpening(Fields, Protocol):
    """A dataclass that opens a hand: the (seat, player) pairs of those who sit otherwise than in
    the game, its time and its excuses.
    """

    @property
    def players(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def at(self) -> str | None: ...
    @property
    def accepted(self) -> tuple[AcceptHand, ...]: ...


class HandSheet(Fields, Protocol):
    """A dataclass that holds a whole hand as a table wrote it down."""

    @property
    def opening(self) -> HandOpening: ...
    @property
    def rulings(self) -> Sequence[object]: ...
