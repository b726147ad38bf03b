"""The acts of a patience, as the player or a scorer enters them."""

from dataclasses import dataclass

from scoring.commands import AcceptHand, AdjustPoints, EndGame, Opening, StartGame, Undo


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand(Opening):
    """Begin the next deal. `stock` is the order of its 104 cards where it is known, else empty."""

    stock: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetKing:
    """Say which King was put on foundation 1 before the deal (O1)."""

    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildCard:
    """Put the next card of the stock, or with `waste` its top card, on a foundation (1 to 8).

    `card` names it; it may be absent where it is known.
    """

    foundation: int
    card: str | None = None
    waste: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WasteCard:
    """Lay the next card of the stock on the waste; `card` may be absent where it is known."""

    card: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WasteCards:
    """Lay the next `cards` cards of the stock on the waste, one after the other; their order has to
    be known.
    """

    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWaste:
    """Turn the waste over as the new stock (O5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndDeal:
    """The deal is played out: its stock is used up, and nothing more is built."""

    seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountLengths:
    """Write down how long each foundation became and how many passes it took; the deal is then
    over.
    """

    lengths: tuple[int, ...]
    passes: int
    seconds: int | None = None


type Move = BuildCard | WasteCard | TurnWaste
type Command = (
    StartGame
    | EndGame
    | Undo
    | AcceptHand
    | AdjustPoints
    | OpenHand
    | SetKing
    | Move
    | WasteCards
    | EndDeal
    | CountLengths
)
