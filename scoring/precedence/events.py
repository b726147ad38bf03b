"""The facts of Precedence, and the names under which they are stored.

A fact that says what its act said has the fields of that act.
"""

from dataclasses import dataclass

from scoring.events import SHARED_SHAPES, Opened, SharedEvent, Started
from scoring.precedence import commands
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
class MeldDeclared(commands.DeclareMeld):
    """A seat showed a run, triad or quad (P6); `cards` suit by suit, low to high."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidMade(commands.MakeBid):
    """A seat bid so many tricks (P11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractNamed(commands.NameContract):
    """The two seats of a side named their Team Contract, nobody a bid of their own (P11)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt(commands.RecordDeal):
    """The four holdings as they were dealt, in the order N E S W."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed(commands.PlayTrick):
    """The four cards of a trick in the order played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken(commands.TakeTrick):
    """A seat won a trick whose cards were not written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksCounted(commands.CountTricks):
    """The hand's tricks in all, by team."""


type Event = (
    SharedEvent
    | GameStarted
    | HandOpened
    | MeldDeclared
    | BidMade
    | ContractNamed
    | CardsDealt
    | TrickPlayed
    | TrickTaken
    | TricksCounted
)

SHAPES: dict[tuple[str, int], type[Event]] = {
    **SHARED_SHAPES,
    ("precedence.game_started", 1): GameStarted,
    ("precedence.game_started", 2): GameStarted,
    ("precedence.hand_opened", 1): HandOpened,
    ("precedence.meld_declared", 1): MeldDeclared,
    ("precedence.bid_made", 1): BidMade,
    ("precedence.contract_named", 1): ContractNamed,
    ("precedence.cards_dealt", 1): CardsDealt,
    ("precedence.trick_played", 1): TrickPlayed,
    ("precedence.trick_taken", 1): TrickTaken,
    ("precedence.tricks_counted", 1): TricksCounted,
}
