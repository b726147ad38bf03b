"""The facts of Preference, and the names under which they are stored.

A fact that says what its act said has the fields of that act.
"""

from dataclasses import dataclass

from scoring.events import SHARED_SHAPES, Opened, SharedEvent, Started
from scoring.preference import commands
from scoring.preference.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started[Rules]):
    """A game began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Opened):
    """Hand `number` was dealt by `dealer`. `players` names only those who sat in another's seat."""

    dealer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade(commands.MakeCall):
    """A seat spoke in the auction: a contract, `hold` or `pass` (R6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractNamed(commands.NameContract):
    """The soloist named the contract that is played (R8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandThrownIn:
    """Everybody passed, and the calls were not written down (R7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DefenceChosen(commands.ChooseDefence):
    """Choices of both defenders, clockwise from the soloist: `along`, `out` or `insisted`
    (R9).
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt(commands.RecordDeal):
    """Holdings in the order A B C, the widow and the discards, as far as they were written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed(commands.PlayTrick):
    """The cards of a trick in the order played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken(commands.TakeTrick):
    """A seat won a trick whose cards were not written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksCounted(commands.CountTricks):
    """The hand's tricks in all, in the order A B C; `in_succession` is known in `no_trump` only
    (R13).
    """


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
