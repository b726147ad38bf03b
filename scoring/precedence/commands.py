"""The acts of a Precedence table, as a scorer enters them."""

from dataclasses import dataclass

from scoring.commands import Dealing, EndGame, Ruling, StartGame, Undo


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand(Dealing):
    """Deal the next hand. An absent `trump` follows the rotation.

    `misdealt` when it is known already that the deal was wrong: then no trump needs to be named
    (P25).
    """

    trump: str | None = None
    misdealt: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMisdeal:
    """The hand was dealt wrongly: what was paid after its opening is given back, the antes stay
    (P25).

    With an `opening` it was seen before anything else was recorded: the hand is opened and over at
    once.
    """

    opening: OpenHand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclareMeld:
    """Show a meld: `kind` is `run`, `triad` or `quad`."""

    seat: str
    kind: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeBid:
    """Bid a number of tricks."""

    seat: str
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameContract:
    """Name the Team Contract of the two seats of a `side`, where the house has no single bids
    (P11).
    """

    side: str
    tricks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDeal:
    """Write down all four holdings, in the order N E S W."""

    holdings: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTrick:
    """Write down the four cards of the next trick, in the order played."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeTrick:
    """Write down only who won the next trick."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTricks:
    """Write down the hand's tricks in all, by team; it is then over."""

    ns: int
    ew: int


type Command = (
    StartGame
    | EndGame
    | Undo
    | Ruling
    | OpenHand
    | CallMisdeal
    | DeclareMeld
    | MakeBid
    | NameContract
    | RecordDeal
    | PlayTrick
    | TakeTrick
    | CountTricks
)
