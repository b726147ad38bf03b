"""Acts that every game shares: ending it, taking back, and a director's rulings."""

from dataclasses import dataclass

from scoring.events import OpeningPot


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame:
    """Begin a game: `players` are (seat, player) pairs in the order of the seats, `rules` the
    game's own options.

    `opening_pot` is what an earlier game left for it, where its game has a pot for that.
    """

    record: str
    players: tuple[tuple[str, str], ...]
    rules: object
    table: str | None = None
    played_on: str | None = None
    note: str | None = None
    opening_pot: OpeningPot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakePot:
    """Take the `chips` that this game left in its pot for another game, whose record is `game`."""

    game: str
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GivePotBack:
    """Put back what was taken of this game's pot: the game that took it holds it no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndGame:
    """End the game: `kind` is `called` or `abandoned` after a closed hand, `not_played` before the
    first.
    """

    kind: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take back the last act; `version` is the stream version of its first event, so that no other
    is meant.
    """

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptHand:
    """Excuse a hand's dealer, trump, calling order or missing chips; `excuses` are error codes."""

    excuses: tuple[str, ...]
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Fields of every act that opens a hand: the players in another's seat, the excuses,
    the time and a note.
    """

    players: tuple[tuple[str, str], ...] = ()
    accepted: tuple[AcceptHand, ...] = ()
    at: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing(Opening):
    """The same of a hand that somebody deals. An absent `dealer` follows the rotation; `buy_ins`
    are (seat, chips).
    """

    dealer: str | None = None
    buy_ins: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptPlay:
    """Accept a play that breaks a rule of following as it happened; `trick` counts from 1."""

    trick: int
    seat: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustTricks:
    """Take tricks from `source`, give them to `target`; one of the two may be absent."""

    source: str | None
    target: str | None
    tricks: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustPoints:
    """Add `points` to one side's points of this hand."""

    side: str
    points: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveChips:
    """Move chips between seats and pots."""

    source: str
    target: str
    chips: int
    by: str
    reason: str


type Ruling = AcceptHand | AcceptPlay | AdjustTricks | AdjustPoints | MoveChips
