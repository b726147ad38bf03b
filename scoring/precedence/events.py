"""The facts of Precedence, and the names under which they are stored."""

from dataclasses import dataclass

from scoring.events import SHARED_SHAPES, Opened, SharedEvent, Started
from scoring.precedence.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started[Rules]):
    """A game began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Opened):
    """Hand `number` was dealt by `dealer` with `trump` ("" when a misdeal named none).

    `players` names only those who sat in another's seat.
    """

    dealer: str
    trump: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldDeclared:
    """A seat showed a run, triad or quad (P6); `cards` suit by suit, low to high."""

    seat: str
    kind: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade:
    """A seat bid so many tricks (P11)."""

    seat: str
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt:
    """The four holdings as they were dealt, in the order N E S W."""

    holdings: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed:
    """The four cards of a trick in the order played."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken:
    """A seat won a trick whose cards were not written down."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksCounted:
    """The hand's tricks in all, by team."""

    ns: int
    ew: int


type Event = (
    SharedEvent
    | GameStarted
    | HandOpened
    | MeldDeclared
    | BidMade
    | CardsDealt
    | TrickPlayed
    | TrickTaken
    | TricksCounted
)

SHAPES: dict[tuple[str, int], type[Event]] = {
    **SHARED_SHAPES,
    ("precedence.game_started", 1): GameStarted,
    ("precedence.hand_opened", 1): HandOpened,
    ("precedence.meld_declared", 1): MeldDeclared,
    ("precedence.bid_made", 1): BidMade,
    ("precedence.cards_dealt", 1): CardsDealt,
    ("precedence.trick_played", 1): TrickPlayed,
    ("precedence.trick_taken", 1): TrickTaken,
    ("precedence.tricks_counted", 1): TricksCounted,
}
