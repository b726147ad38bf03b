"""The acts of a Preference table, as a scorer enters them."""

from dataclasses import dataclass

from scoring.commands import Dealing, EndGame, Ruling, StartGame, Undo


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand(Dealing):
    """Deal the next hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeCall:
    """Speak in the auction: `call` is a contract, `hold` or `pass`."""

    seat: str
    call: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameContract:
    """The soloist names the contract that is played."""

    soloist: str
    contract: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowIn:
    """Everybody passed, and nobody wrote the calls down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseDefence:
    """Choose for the defenders: (seat, choice) pairs, `along`, `out` or `insisted`; a
    defender who isn't named goes along.
    """

    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordDeal:
    """Write down what was dealt: holdings in the order A B C, the widow, what the soloist
    discarded; each may be empty.
    """

    holdings: tuple[tuple[str, ...], ...] = ()
    widow: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTrick:
    """Write down the cards of the next trick, in the order played."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeTrick:
    """Write down only who won the next trick."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTricks:
    """Write down the hand's tricks in all, in the order A B C; `in_succession` says in `no_trump`
    whether six came in a row.
    """

    tricks: tuple[int, int, int]
    in_succession: bool | None = None


type Command = (
    StartGame
    | EndGame
    | Undo
    | Ruling
    | OpenHand
    | MakeCall
    | NameContract
    | ThrowIn
    | ChooseDefence
    | RecordDeal
    | PlayTrick
    | TakeTrick
    | CountTricks
)
