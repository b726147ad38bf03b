"""The facts of Order of Precedence, and the names under which they are stored.

A fact that says what its act said has the fields of that act.
"""

from dataclasses import dataclass

from scoring.events import SHARED_SHAPES, Opened, SharedEvent, Started
from scoring.patience import commands
from scoring.patience.rules import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started[Rules]):
    """A game began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Opened):
    """Deal `number` began. `stock` is the order of its cards, the first King (O1) among them, empty
    when it wasn't known.

    `players` names only a substitute.
    """

    stock: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KingSet(commands.SetKing):
    """This King was put on foundation 1 before the deal, from a stock whose order wasn't known
    (O1).
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CardBuilt:
    """A card went to a foundation (1 to 8), from the stock or the top of the waste (O3, O4)."""

    card: str
    foundation: int
    waste: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardWasted:
    """A card of the stock went to the waste (O4)."""

    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WasteTurned:
    """The waste was turned over as the new stock (O5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEnded(commands.EndDeal):
    """The player stopped with the stock used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthsCounted(commands.CountLengths):
    """Length of each foundation, and the number of passes."""


type Moved = KingSet | CardBuilt | CardWasted | WasteTurned
type Event = SharedEvent | GameStarted | HandOpened | Moved | DealEnded | LengthsCounted

SHAPES: dict[tuple[str, int], type[Event]] = {
    **SHARED_SHAPES,
    ("order_of_precedence.game_started", 1): GameStarted,
    ("order_of_precedence.hand_opened", 1): HandOpened,
    ("order_of_precedence.king_set", 1): KingSet,
    ("order_of_precedence.card_built", 1): CardBuilt,
    ("order_of_precedence.card_wasted", 1): CardWasted,
    ("order_of_precedence.waste_turned", 1): WasteTurned,
    ("order_of_precedence.deal_ended", 1): DealEnded,
    ("order_of_precedence.lengths_counted", 1): LengthsCounted,
}
