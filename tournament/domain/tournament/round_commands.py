"""What a director can do with rounds: draw, clock, games, results. Times are microseconds UTC,
lengths of time seconds.

`reason` stands as it was written until it is recorded.
"""

from dataclasses import dataclass

from tournament.domain.standings.values import Bye, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a game that is over came to for the entries at its table, in the order of the seats;
    `kind` as in `GameClosed`.
    """

    game: str
    results: tuple[Result, ...]
    hands: int
    kind: str = "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the desk sees of games as a command is decided; tables are (round, table).

    `outcomes` are the games that are over, `live` the tables at which one goes on, `ended` those
    whose game the command ends, with how it ended.
    """

    outcomes: tuple[Outcome, ...] = ()
    live: tuple[tuple[int, int], ...] = ()
    ended: tuple[tuple[int, int, str], ...] = ()


NOTHING_SEEN = Seen()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRound:
    """Draw the next round, or the last one anew, with `other_lots` for a reason; `outcomes` are the
    finished games of earlier tables.

    The entries `away` sit it out, those `here` play it although they had asked not to.
    """

    round: int
    away: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    other_lots: bool = False
    reason: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRound:
    """Seat the next round as a file has it: (table, entries in the order of the seats, first
    dealer), and its byes.
    """

    round: int
    tables: tuple[tuple[int, tuple[str, ...], str | None], ...]
    byes: tuple[Bye, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DropRound:
    """Take the draw of the last round back."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapEntries:
    """Let two entries of a round change places; `outcomes` are the finished games linked to tables
    of earlier rounds.
    """

    round: int
    one: str
    two: str
    reason: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound:
    """Show the draw to everybody; no game of an earlier round may still hold a table."""

    round: int
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpublishRound:
    """Hide the draw again."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StartClock:
    """Start the clock of a round at `at`, or let it go on."""

    round: int
    at: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseClock:
    """Stop the clock of a round at `at`."""

    round: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendTime:
    """Give more time to one table, or to the whole round (`table` None)."""

    round: int
    seconds: int
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLastHand:
    """Let every table finish the hand in progress."""

    round: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLastHand:
    """Let the tables play on."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGame:
    """Count the game with this stream at a table of a round."""

    round: int
    table: int
    game: str
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkGame:
    """Count it there no longer."""

    round: int
    table: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachGame:
    """Let the game at a table go on, or stand, without counting."""

    round: int
    table: int
    reason: str
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class CountGame:
    """Let the game at a table count: though it was abandoned or detached, or in the place of what
    was typed.
    """

    round: int
    table: int
    reason: str | None = None
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTableGame:
    """End the game at a table from the desk; without a `kind` it was not played, or is abandoned
    when a hand of it is closed.
    """

    round: int
    table: int
    reason: str
    kind: str = ""
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeTables:
    """End the games of the rounds before this one that still go on."""

    round: int
    reason: str
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptDifference:
    """Say why something else counts at a table than its game came to."""

    round: int
    table: int
    reason: str
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterResult:
    """Write down what each entry of a table reached, in the order of the seats; with `forfeit`
    nobody played for it.

    Where a game still goes on there `game` says what becomes of it: `end` or `detach`. A closed
    round asks for a `reason`.
    """

    round: int
    table: int
    results: tuple[Result, ...]
    hands: int | None = None
    forfeit: bool = False
    game: str = ""
    reason: str | None = None
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitTable:
    """Note that entries did not come; `game` and `reason` as in `EnterResult`."""

    round: int
    table: int
    absent: tuple[str, ...]
    reason: str | None = None
    game: str = ""
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcuseTable:
    """Go on without this table's result; `game` as in `EnterResult`."""

    round: int
    table: int
    reason: str
    game: str = ""
    seen: Seen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearTable:
    """Take a result, forfeit or excuse back."""

    round: int
    table: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseRound:
    """Let the results stand; `outcomes` are the finished games linked to its tables."""

    round: int
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenRound:
    """Let results be changed again."""

    round: int
    reason: str


type RoundCommand = (
    DrawRound
    | SeatRound
    | DropRound
    | SwapEntries
    | PublishRound
    | UnpublishRound
    | StartClock
    | PauseClock
    | ExtendTime
    | CallLastHand
    | RecallLastHand
    | LinkGame
    | UnlinkGame
    | DetachGame
    | CountGame
    | EndTableGame
    | FreeTables
    | AcceptDifference
    | EnterResult
    | ForfeitTable
    | ExcuseTable
    | ClearTable
    | CloseRound
    | ReopenRound
)
