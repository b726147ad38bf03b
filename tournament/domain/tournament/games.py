"""The game at a table of a round: linked, detached, counted, or contradicted with good reason."""

from dataclasses import dataclass, replace

from scoring.errors import sentence
from scoring.events import NOT_PLAYED
from tournament.domain.same_fields import build_from
from tournament.domain.standings.values import Result
from tournament.domain.tournament.counting import GAME, differs, is_free, what_counts
from tournament.domain.tournament.lookups import (
    a_round,
    a_table_to_settle,
    an_open_table,
    need_line_ups,
    need_reason,
    refused,
    table_refused,
)
from tournament.domain.tournament.outcomes import NOTHING_SEEN, GamesSeen, Outcome, by_stream
from tournament.domain.tournament.reading import a_count, a_key, a_needed_reason, a_reason, reads
from tournament.domain.tournament.state import State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, Subject, on_table

AS_STREAM = {"stream": "game"}  # a form calls `game` where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGame(AtTable, Command):
    """Count the game with this stream at a table of a round."""

    game: str
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLinked(AtTable, Event):
    """The game with this stream is played at a table of a round: its result counts there."""

    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlinkGame(AtTable, Command):
    """Count it there no longer."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameUnlinked(AtTable, Event):
    """The game at this table doesn't count here any more."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DetachGame(AtTable, Command):
    """Let the game at a table go on, or stand, without counting."""

    reason: str
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDetached(AtTable, Event):
    """The game at this table stays there and doesn't count."""

    game: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountGame(AtTable, Command):
    """Let the game at a table count: though it was abandoned or detached, or in the place of what
    was typed.
    """

    reason: str | None = None
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCounted(AtTable, Event):
    """The game at this table counts, in the place of whatever counted before: though it was
    `abandoned`, or detached.
    """

    game: str
    abandoned: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptDifference(AtTable, Command):
    """Say why something else counts at a table than its game came to."""

    reason: str
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceAccepted(AtTable, Event):
    """Something else counts at this table than its game came to, which is `results`, and that is
    right.
    """

    game: str
    results: tuple[Result, ...]
    reason: str


def _link(command: LinkGame, state: State) -> list[Event]:
    table = an_open_table(state, command.round, command.table)
    need_line_ups(state, command.round, table)
    if not is_free(table, by_stream(command.seen.outcomes)):
        raise table_refused(
            "table_settled",
            "table %(table)s has a game or a result already; take that back first",
            table,
        )
    if any(command.game == other.game for each in state.rounds for other in each.tables):
        raise refused("game_linked", "this game counts at another table already", "game")
    gone = [GameUnlinked(round=command.round, table=table.table)] if table.game is not None else []
    return [*gone, GameLinked(round=command.round, table=table.table, game=command.game)]


def _unlink(command: UnlinkGame, state: State) -> list[Event]:
    table = an_open_table(state, command.round, command.table)
    game_of(table)
    return [build_from(GameUnlinked, command)]


def _detach(command: DetachGame, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    game = game_of(table)
    if table.detached:
        raise table_refused(
            "game_detached", "the game at table %(table)s does not count already", table
        )
    need_reason(
        command.reason, "say why the game at table %(table)s does not count", table=table.table
    )
    each = a_round(state, command.round)
    if each.closed and not table.is_settled:
        message = sentence(
            "round %(number)s is closed; type what counts at table %(table)s instead",
            number=command.round,
            table=table.table,
        )
        raise refused("result_missing", message, "table")
    return [build_from(GameDetached, command, game=game)]


def _count(command: CountGame, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    game, outcomes = game_of(table), by_stream(command.seen.outcomes)
    outcome = outcomes.get(game)
    if what_counts(table, outcomes) == GAME:
        raise table_refused("game_counts", "the game at table %(table)s counts already", table)
    if outcome is not None and outcome.kind == NOT_PLAYED:
        raise table_refused("game_missing", "the game at table %(table)s was not played", table)
    if outcome is None and a_round(state, command.round).closed:
        message = sentence(
            "the game at table %(table)s still goes on, and round %(number)s is closed",
            number=command.round,
            table=table.table,
        )
        raise refused("result_missing", message, "table")
    if outcome is None and not table.detached and not table.is_settled:
        raise table_refused(
            "game_counts", "the game at table %(table)s counts when it is over", table
        )
    abandoned = outcome is not None and outcome.kind == "abandoned"
    return [build_from(GameCounted, command, game=game, abandoned=abandoned)]


def _accept(command: AcceptDifference, state: State) -> list[Event]:
    each = a_round(state, command.round)
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    outcomes = by_stream(command.seen.outcomes)
    if not differs(table, outcomes, state.stage_in(each.number)):
        message = sentence(
            "table %(table)s of round %(number)s and its game say the same",
            number=each.number,
            table=table.table,
        )
        raise refused("no_difference", message, "table")
    need_reason(command.reason, "say why something else counts than the game came to")
    return [accepted(command, table, outcomes[table.game or ""])]


def accepted(command: AtTable, table: TableState, outcome: Outcome) -> DifferenceAccepted:
    """The fact that something else counts at a table than its game came to, for the reason that the
    command gives.
    """
    results = outcome.results_at(table)
    return build_from(DifferenceAccepted, command, game=outcome.game, results=results)


def game_of(table: TableState) -> str:
    """The game at this table. Raises RuleViolation `game_missing`."""
    if table.game is None:
        raise table_refused("game_missing", "no game counts at table %(table)s", table)
    return table.game


def with_game(table: TableState, game: str | None) -> TableState:
    """The table with this game, or none, and nothing said about it."""
    return replace(table, game=game, detached=False, counted=False, accepted=())


def unsaid(table: TableState) -> TableState:
    """The table with nothing said about its result; its game is where it was."""
    return replace(
        table,
        results=(),
        boards=(),
        hands=None,
        forfeit=False,
        absent=(),
        excused=False,
        counted=False,
        accepted=(),
    )


SUBJECT = Subject(
    decisions={
        LinkGame: _link,
        UnlinkGame: _unlink,
        DetachGame: _detach,
        CountGame: _count,
        AcceptDifference: _accept,
    },
    changes={
        GameLinked: on_table(lambda table, event: with_game(table, event.game)),
        GameUnlinked: on_table(lambda table, _event: with_game(table, None)),
        GameDetached: on_table(
            lambda table, _event: replace(table, detached=True, counted=False, accepted=())
        ),
        GameCounted: on_table(
            lambda table, event: replace(unsaid(table), detached=False, counted=event.abandoned)
        ),
        DifferenceAccepted: on_table(lambda table, event: replace(table, accepted=event.results)),
    },
    shapes={
        ("tournament.game_linked", 1): GameLinked,
        ("tournament.game_unlinked", 1): GameUnlinked,
        ("tournament.game_detached", 1): GameDetached,
        ("tournament.game_counted", 1): GameCounted,
        ("tournament.difference_accepted", 1): DifferenceAccepted,
    },
    readers={
        "linked-games": reads(
            LinkGame, called=AS_STREAM, round=a_count, table=a_count, stream=a_key
        ),
        "unlinked-games": reads(UnlinkGame, round=a_count, table=a_count, reason=a_reason),
        "detached-games": reads(DetachGame, round=a_count, reason=a_needed_reason, table=a_count),
        "counted-games": reads(CountGame, round=a_count, table=a_count, reason=a_reason),
        "accepted-differences": reads(
            AcceptDifference, round=a_count, reason=a_needed_reason, table=a_count
        ),
    },
)
