"""The facts of a tournament's rounds: draw, clock, games, results. Times are microseconds UTC,
lengths of time seconds.
"""

from dataclasses import dataclass

from tournament.domain.pairing.values import DrawnTable, Reason
from tournament.domain.standings.values import Bye, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDrawn:
    """A round was drawn, or drawn anew; `digest` and `engine` let anybody draw it again from the
    same standings.

    `broken` are the aims that no draw of these entries can keep, `totals` what the whole draw comes
    to in every aim, `byes_why` the reasons of those of the first `byes` that the draw chose. `seed`
    is what its lots were drawn from where that is not the tournament's, with the director's
    `reason` for other lots.
    """

    round: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[Bye, ...]
    engine: str
    digest: str
    broken: tuple[Reason, ...] = ()
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    totals: tuple[Reason, ...] = ()
    seed: int | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReasons:
    """Why those meet who sit at a table now."""

    table: int
    why: tuple[Reason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDropped:
    """The draw of the last round was taken back."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesSwapped:
    """Two entries of a round changed places, tables or bye.

    `why` explains the tables that they left or came to, `byes_why` all byes in their order, by the
    standings of that moment; `broken` and `totals` are those of the whole round as it is seated
    then. Swaps once stored without reasons have none.
    """

    round: int
    one: str
    two: str
    reason: str | None = None
    why: tuple[TableReasons, ...] = ()
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    broken: tuple[Reason, ...] = ()
    totals: tuple[Reason, ...] = ()


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
class LastHandRecalled:
    """The tables may play another hand after all."""

    round: int


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
class GameDetached:
    """The game at this table stays there and doesn't count."""

    round: int
    table: int
    game: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCounted:
    """The game at this table counts, in the place of whatever counted before: though it was
    `abandoned`, or detached.
    """

    round: int
    table: int
    game: str
    abandoned: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """The director ended the game at this table from the desk: `called`, `abandoned`, or
    `not_played`; then the table has none.
    """

    round: int
    table: int
    game: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceAccepted:
    """Something else counts at this table than its game came to, which is `results`, and that is
    right.
    """

    round: int
    table: int
    game: str
    results: tuple[Result, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultEntered:
    """What each entry of a table reached, in the order of the seats, as totals; with `forfeit`
    nobody played for it.

    `reason` says why a result of a closed round was changed, or one of a game was not taken.
    """

    round: int
    table: int
    results: tuple[Result, ...]
    hands: int | None = None
    forfeit: bool = False
    reason: str | None = None


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
    """The round's results stand; `asked`: whether an abandoned game counts was asked before, else
    each of them does.
    """

    round: int
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReopened:
    """Results of the round can be changed again."""

    round: int
    reason: str
