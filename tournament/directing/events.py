"""The facts of a tournament, and the names under which they are stored. Times are microseconds UTC, lengths of time seconds.

Persons stand by their ids, `reason` and `by` by the digests of what was written; points are hundredths.
"""

from dataclasses import dataclass

from tournament.standings.values import Bye, Result, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentOpened:
    """A tournament was set up as a draft. `record` is its id as a file, `seed` what all its lots are drawn from."""

    record: str
    name: str
    game: str
    seed: int
    stage: Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class StageChanged:
    """Name and stage were set anew before the first round."""

    name: str
    stage: Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSet:
    """From now on the tournament counts for the ratings of its players, or doesn't."""

    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeBegun:
    """The tournament is one to practise with: its players are nobody, and it counts for no rating and in no season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEntered:
    """The tournament went on to `phase` (draft, registration, running, finished, archived), or back with a reason."""

    phase: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryMade:
    """A player, pair or solo takes part from round `joined_in`; `players` are (place, player) pairs."""

    entry: str
    players: tuple[tuple[str, str], ...]
    rating: int | None = None
    club: str | None = None
    joined_in: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCheckedIn:
    """Somebody at the door confirmed that the entry is here."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInCancelled:
    """The entry is not here after all."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithdrawn:
    """The entry plays no round after `after_round`."""

    entry: str
    after_round: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryReturned:
    """A withdrawn entry plays again from round `in_round`; the rounds between it was absent."""

    entry: str
    in_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeAsked:
    """The entry asked not to be seated in a round; `kind` is half or zero."""

    entry: str
    round: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeDropped:
    """The entry plays that round after all."""

    entry: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReplaced:
    """From now on another person plays at this place of an entry: `players` is the one (place, player) pair."""

    entry: str
    players: tuple[tuple[str, str], ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What one aim of a draw came to at a table; `cost` 0 is kept."""

    tier: str
    cost: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A drawn table: entries in the order of the seats, who deals first, why they meet, and what would have been next best."""

    table: int
    entries: tuple[str, ...]
    dealer: str | None = None
    why: tuple[Why, ...] = ()
    next_best: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDrawn:
    """A round was drawn, or drawn anew; `digest` and `engine` let anybody draw it again from the same standings."""

    round: int
    tables: tuple[Drawn, ...]
    byes: tuple[Bye, ...]
    engine: str
    digest: str
    broken: tuple[Why, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDropped:
    """The draw of the last round was taken back."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesSwapped:
    """Two entries of a round changed places, tables or bye."""

    round: int
    one: str
    two: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPublished:
    """The draw can be seen by everybody."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundUnpublished:
    """The draw is the director's alone again."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockStarted:
    """The clock of a round runs from `at`, for `seconds` when it starts the first time."""

    round: int
    at: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPaused:
    """The clock of a round stands still since `at`."""

    round: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExtended:
    """More time for one table, or for the whole round (`table` None)."""

    round: int
    seconds: int
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHandCalled:
    """Every table finishes the hand in progress and plays no other."""

    round: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLinked:
    """The game with this stream is played at a table of a round: its result counts there."""

    round: int
    table: int
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameUnlinked:
    """The game at this table doesn't count here any more."""

    round: int
    table: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered:
    """What each entry of a table reached, in the order of the seats, as totals; with `forfeit` nobody played for it."""

    round: int
    table: int
    results: tuple[Result, ...]
    hands: int | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForfeited:
    """The entries `absent` did not come; the others of the table have won without a game."""

    round: int
    table: int
    absent: tuple[str, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExcused:
    """The tournament goes on without this table's result."""

    round: int
    table: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCleared:
    """The table's result, forfeit or excuse was taken back."""

    round: int
    table: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClosed:
    """The round's results stand."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReopened:
    """Results of the round can be changed again."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyGiven:
    """Points (hundredths; a penalty below 0) that count for an entry from round `after_round` on."""

    number: int
    entry: str
    points: int
    after_round: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyCancelled:
    """A penalty or adjustment counts no longer."""

    number: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SilenceBegun:
    """Results from this round on stay hidden until the tournament is finished (None: nothing is hidden)."""

    from_round: int | None


type Event = (
    TournamentOpened
    | StageChanged
    | RatedSet
    | PracticeBegun
    | PhaseEntered
    | EntryMade
    | EntryCheckedIn
    | CheckInCancelled
    | EntryWithdrawn
    | EntryReturned
    | ByeAsked
    | ByeDropped
    | PlayerReplaced
    | RoundDrawn
    | RoundDropped
    | EntriesSwapped
    | RoundPublished
    | RoundUnpublished
    | ClockStarted
    | ClockPaused
    | TimeExtended
    | LastHandCalled
    | GameLinked
    | GameUnlinked
    | ResultEntered
    | TableForfeited
    | TableExcused
    | TableCleared
    | RoundClosed
    | RoundReopened
    | PenaltyGiven
    | PenaltyCancelled
    | SilenceBegun
)

# The stored names, written out: a class may be renamed, a stored name never.
SHAPES: dict[tuple[str, int], type[Event]] = {
    ("tournament.opened", 1): TournamentOpened,
    ("tournament.stage_changed", 1): StageChanged,
    ("tournament.rated_set", 1): RatedSet,
    ("tournament.practice_begun", 1): PracticeBegun,
    ("tournament.phase_entered", 1): PhaseEntered,
    ("tournament.entry_made", 1): EntryMade,
    ("tournament.entry_checked_in", 1): EntryCheckedIn,
    ("tournament.check_in_cancelled", 1): CheckInCancelled,
    ("tournament.entry_withdrawn", 1): EntryWithdrawn,
    ("tournament.entry_returned", 1): EntryReturned,
    ("tournament.bye_asked", 1): ByeAsked,
    ("tournament.bye_dropped", 1): ByeDropped,
    ("tournament.player_replaced", 1): PlayerReplaced,
    ("tournament.round_drawn", 1): RoundDrawn,
    ("tournament.round_dropped", 1): RoundDropped,
    ("tournament.entries_swapped", 1): EntriesSwapped,
    ("tournament.round_published", 1): RoundPublished,
    ("tournament.round_unpublished", 1): RoundUnpublished,
    ("tournament.clock_started", 1): ClockStarted,
    ("tournament.clock_paused", 1): ClockPaused,
    ("tournament.time_extended", 1): TimeExtended,
    ("tournament.last_hand_called", 1): LastHandCalled,
    ("tournament.game_linked", 1): GameLinked,
    ("tournament.game_unlinked", 1): GameUnlinked,
    ("tournament.result_entered", 1): ResultEntered,
    ("tournament.table_forfeited", 1): TableForfeited,
    ("tournament.table_excused", 1): TableExcused,
    ("tournament.table_cleared", 1): TableCleared,
    ("tournament.round_closed", 1): RoundClosed,
    ("tournament.round_reopened", 1): RoundReopened,
    ("tournament.penalty_given", 1): PenaltyGiven,
    ("tournament.penalty_cancelled", 1): PenaltyCancelled,
    ("tournament.silence_begun", 1): SilenceBegun,
}
