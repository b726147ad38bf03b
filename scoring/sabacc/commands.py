"""The acts of a Contract Sabacc table, as a scorer enters them."""

from dataclasses import dataclass

from scoring.commands import Dealing, EndGame, GivePotBack, Ruling, StartGame, TakePot, Undo


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand(Dealing):
    """Deal the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeCall:
    """Bid a contract, or `pass`."""

    seat: str
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameContract:
    """Write down only who declares what; both None: nobody bid."""

    declarer: str | None
    contract: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDeal:
    """Write down all holdings, in the order of the seats."""

    holdings: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTalon:
    """Write down the cards of the talon."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """Write down the cards the declarer sets aside."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTrick:
    """Write down the cards of the next trick, in the order played."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPoints:
    """Write down the declarer's card points in all, doubled, and the bonus earned; the hand is then
    over.
    """

    points: int
    bonus: str | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CountPile:
    """Count the declarer's pile by kinds of cards, talon or aside included; `tricks` where they are
    said, so that both agree.
    """

    honours: int = 0
    mistresses: int = 0
    commanders: int = 0
    legates: int = 0
    others: int = 0
    tricks: int | None = None
    bonus: str | None = None
    seat: str | None = None


type Command = (
    StartGame
    | TakePot
    | GivePotBack
    | EndGame
    | Undo
    | Ruling
    | OpenHand
    | MakeCall
    | NameContract
    | RecordDeal
    | ShowTalon
    | SetAside
    | PlayTrick
    | CountPoints
    | CountPile
)
