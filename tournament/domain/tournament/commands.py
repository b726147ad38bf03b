"""What a director can do: with rounds as it stands in `round_commands`, and here with everything
else. Points are hundredths.

Persons stand by name until they are recorded, `reason` and `by` as they were written.
"""

from dataclasses import dataclass, field

from tournament.domain.standings.values import Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.round_commands import (
    NOTHING_SEEN,
    AcceptDifference,
    CallLastHand,
    ClearTable,
    CloseRound,
    CountGame,
    DetachGame,
    DrawRound,
    DropRound,
    EndTableGame,
    EnterResult,
    ExcuseTable,
    ExtendTime,
    ForfeitTable,
    FreeTables,
    LinkGame,
    Outcome,
    PauseClock,
    PublishRound,
    RecallLastHand,
    ReopenRound,
    RoundCommand,
    SeatRound,
    Seen,
    StartClock,
    SwapEntries,
    UnlinkGame,
    UnpublishRound,
)

__all__ = [
    "NOTHING_SEEN",
    "AcceptDifference",
    "AskBye",
    "BeginPractice",
    "BeginSilence",
    "CallLastHand",
    "CancelAllCheckIns",
    "CancelCheckIn",
    "CancelPenalty",
    "ChangeStage",
    "CheckIn",
    "CheckInAll",
    "ChooseAddress",
    "ClearTable",
    "CloseRound",
    "CountGame",
    "DetachGame",
    "DrawRound",
    "DropBye",
    "DropRound",
    "DropSingle",
    "EndTableGame",
    "EnterPhase",
    "EnterResult",
    "ExcuseTable",
    "ExtendTime",
    "ForfeitTable",
    "FreeTables",
    "GivePenalty",
    "LinkGame",
    "MakeEntry",
    "NoteSingle",
    "OpenTournament",
    "Outcome",
    "PairRemaining",
    "PairSingles",
    "PauseClock",
    "PublishRound",
    "RecallLastHand",
    "ReopenRound",
    "ReplacePlayer",
    "Return",
    "SeatRound",
    "Seen",
    "SetRated",
    "StartClock",
    "SwapEntries",
    "UnlinkGame",
    "UnpublishRound",
    "Withdraw",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTournament:
    """Set up a tournament as a draft."""

    record: str
    name: str
    game: str
    seed: int
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)
    silent_from: int | None = None
    rated: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeStage:
    """Set name, stage and conditions anew, before the first round."""

    name: str
    stage: Stage
    conditions: Conditions = field(default_factory=Conditions)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRated:
    """Let the tournament count for the ratings of its players, or not."""

    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseAddress:
    """Give the tournament another short address."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginPractice:
    """Make a draft an event to practise with, for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPhase:
    """Go on to a phase, or with a reason back to one."""

    phase: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeEntry:
    """Enter a player, a pair or a solo, `players` as (place, player) pairs; once rounds are drawn,
    from the next one on.

    A file names the entry itself (`entry`) and the round it joined in; else it gets the next number
    and plays at once. `missed` is what the rounds before that are worth: half or zero.
    """

    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None
    entry: str | None = None
    joined_in: int | None = None
    missed: str = "zero"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteSingle:
    """Let somebody who came alone wait for a partner; `players` is the one (place, player) pair."""

    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DropSingle:
    """Let a single wait no longer."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSingles:
    """Enter two singles as a pair."""

    one: int
    two: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRemaining:
    """Enter all singles as pairs in the order in which they came; the odd one waits on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckIn:
    """Confirm that an entry is here."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelCheckIn:
    """Take the confirmation back."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInAll:
    """Confirm that everybody is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelAllCheckIns:
    """Take the confirmations of these entries back in one go; () means everybody's."""

    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """Seat the entry in no further round."""

    entry: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """Seat a withdrawn entry again from the next round on."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskBye:
    """Don't seat the entry in a round that is not drawn yet; `kind` is half or zero. Or give it
    half for one before it joined.
    """

    entry: str
    round: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBye:
    """Seat it in that round after all."""

    entry: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacePlayer:
    """Let another person play at this place of an entry: `players` is the one (place, player) pair.

    It counts from round `from_round` on; None: from the round that the entry has not begun to play.
    `until_round` is the last one, after which the others play again by themselves; None: to the
    end.
    """

    entry: str
    players: tuple[tuple[str, str], ...]
    reason: str | None = None
    from_round: int | None = None
    until_round: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivePenalty:
    """Give an entry points, or take them (below 0), from round `after_round` on."""

    entry: str
    points: int
    after_round: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelPenalty:
    """Take a penalty or adjustment back."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginSilence:
    """Hide results from this round on until the end (None: hide nothing)."""

    from_round: int | None


type Command = (
    RoundCommand
    | OpenTournament
    | ChangeStage
    | SetRated
    | ChooseAddress
    | BeginPractice
    | EnterPhase
    | MakeEntry
    | NoteSingle
    | DropSingle
    | PairSingles
    | PairRemaining
    | CheckIn
    | CancelCheckIn
    | CheckInAll
    | CancelAllCheckIns
    | Withdraw
    | Return
    | AskBye
    | DropBye
    | ReplacePlayer
    | GivePenalty
    | CancelPenalty
    | BeginSilence
)
