"""The facts of Contract Sabacc, and the names under which they are stored.

A fact that says what its act said has the fields of that act.
"""

from dataclasses import dataclass

from scoring.events import SHARED_SHAPES, Opened, OpeningPot, SharedEvent, Started
from scoring.sabacc import commands
from scoring.sabacc.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started[Rules]):
    """A game began, with `opening_pot` as in S13."""

    opening_pot: OpeningPot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Opened):
    """Hand `number` was dealt by `dealer`; `players` names only those who sat in another's seat."""

    dealer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMade(commands.MakeCall):
    """A seat bid a contract or said `pass` (S3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractNamed(commands.NameContract):
    """Declarer and contract of a hand whose calls were not written down; both None: no bid
    was made (S3, S4).
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDealt(commands.RecordDeal):
    """The holdings as they were dealt, in the order of the seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalonShown(commands.ShowTalon):
    """The cards that lay in the talon (S2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSetAside(commands.SetAside):
    """The cards the declarer set aside (S6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed(commands.PlayTrick):
    """The cards of a trick in the order played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsCounted(commands.CountPoints):
    """The declarer's card points in all, doubled, and the bonus that was earned (S8, S11)."""


type Event = (
    SharedEvent
    | GameStarted
    | HandOpened
    | CallMade
    | ContractNamed
    | CardsDealt
    | TalonShown
    | CardsSetAside
    | TrickPlayed
    | PointsCounted
)

SHAPES: dict[tuple[str, int], type[Event]] = {
    **SHARED_SHAPES,
    # Without an opening pot, which the default stands for.
    ("contract_sabacc.game_started", 1): GameStarted,
    ("contract_sabacc.game_started", 2): GameStarted,
    ("contract_sabacc.hand_opened", 1): HandOpened,
    ("contract_sabacc.call_made", 1): CallMade,
    ("contract_sabacc.contract_named", 1): ContractNamed,
    ("contract_sabacc.cards_dealt", 1): CardsDealt,
    ("contract_sabacc.talon_shown", 1): TalonShown,
    ("contract_sabacc.cards_set_aside", 1): CardsSetAside,
    ("contract_sabacc.trick_played", 1): TrickPlayed,
    ("contract_sabacc.points_counted", 1): PointsCounted,
}
