"""The facts of Preference, and the names under which they are stored."""

from dataclasses import dataclass

from scoring.events import SHARED_SHAPES, Opened, SharedEvent, Started
from scoring.preference.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started[Rules]):
    """A game began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Opened):
    """Hand `number` was dealt by `dealer`. `players` names only those who sat in another's seat."""

    dealer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade:
    """A seat spoke in the auction: a contract, `hold` or `pass` (R6)."""

    seat: str
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractNamed:
    """The soloist named the contract that is played (R8)."""

    soloist: str
    contract: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandThrownIn:
    """Everybody passed, and the calls were not written down (R7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceChosen:
    """What both defenders do, clockwise from the soloist: `along`, `out` or `insisted` (R9)."""

    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt:
    """Holdings in the order A B C, the widow and the discards, as far as they were written down."""

    holdings: tuple[tuple[str, ...], ...] = ()
    widow: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed:
    """The cards of a trick in the order played."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken:
    """A seat won a trick whose cards were not written down."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksCounted:
    """The hand's tricks in all, in the order A B C; `in_succession` is known in `no_trump` only
    (R13).
    """

    tricks: tuple[int, int, int]
    in_succession: bool | None = None


type Event = (
    SharedEvent
    | GameStarted
    | HandOpened
    | CallMade
    | ContractNamed
    | HandThrownIn
    | DefenceChosen
    | CardsDealt
    | TrickPlayed
    | TrickTaken
    | TricksCounted
)

SHAPES: dict[tuple[str, int], type[Event]] = {
    **SHARED_SHAPES,
    ("preference.game_started", 1): GameStarted,
    ("preference.hand_opened", 1): HandOpened,
    ("preference.call_made", 1): CallMade,
    ("preference.contract_named", 1): ContractNamed,
    ("preference.hand_thrown_in", 1): HandThrownIn,
    ("preference.defence_chosen", 1): DefenceChosen,
    ("preference.cards_dealt", 1): CardsDealt,
    ("preference.trick_played", 1): TrickPlayed,
    ("preference.trick_taken", 1): TrickTaken,
    ("preference.tricks_counted", 1): TricksCounted,
}
