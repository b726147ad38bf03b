"""What can be corrected in what was recorded of a game."""

from dataclasses import dataclass

from scoring.events import OpeningPot
from scoring.sheets import HandSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectHand:
    """Record hand `hand` again in its own place; `sheet` is the game's own. Hands count from 1,
    with the misdealt ones.
    """

    hand: int
    sheet: HandSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertHand:
    """Record a hand that was forgotten; it becomes hand `hand`."""

    hand: int
    sheet: HandSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveHand:
    """Take out hand `hand`, which was recorded twice."""

    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectSeats:
    """Say who really sat where in the hands `first` to `last`: (seat, player) pairs, none when all
    sat in their own seats.
    """

    first: int
    last: int
    players: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectOptions:
    """Put the right house rules, a value of the game's own, in the place of those the game was
    started with.
    """

    rules: object


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectOpeningPot:
    """Say what an earlier game left for this one to begin with; None: it began with an
    empty pot.
    """

    opening_pot: OpeningPot | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenGame:
    """Take away the end of a game that was called or abandoned."""


type Change = (
    CorrectHand
    | InsertHand
    | RemoveHand
    | CorrectSeats
    | CorrectOptions
    | CorrectOpeningPot
    | ReopenGame
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A change of what was recorded, by whom and why.

    `excused` are the rulings `accept_hand` that hands need after it: each hand's number as it is
    then, and error codes.
    """

    change: Change
    by: str
    reason: str
    excused: tuple[tuple[int, tuple[str, ...]], ...] = ()
