"""Games that the director ends from the desk."""

from dataclasses import dataclass

from scoring.ending import KINDS
from scoring.errors import sentence
from scoring.events import NOT_PLAYED
from scoring.shape import one_of
from tournament.domain.same_fields import build_from
from tournament.domain.tournament.games import GameDetached, game_of, with_game
from tournament.domain.tournament.lookups import (
    a_published_round,
    a_round,
    a_table_to_settle,
    need_reason,
    refused,
    round_refused,
    table_refused,
)
from tournament.domain.tournament.outcomes import NOTHING_SEEN, GamesSeen
from tournament.domain.tournament.reading import Given, a_count, a_needed_reason, reads
from tournament.domain.tournament.state import State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, OfRound, Subject, on_table

DETACH, END = "detach", "end"
SETTLED_BY = (END, DETACH)
CALLED = "called"
ROUND_KINDS = (CALLED, "abandoned")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling(AtTable, Command):
    """Gives a table another result. Where a game still goes on there `game` says what becomes of
    it: `end` or `detach`; one without any hand ends unasked. A closed round asks for a `reason`.
    """

    game: str = ""
    reason: str | None = None
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTableGame(AtTable, Command):
    """End the game at a table from the desk; without a `kind` it was not played, or is abandoned
    when a hand of it is closed.
    """

    reason: str
    kind: str = ""
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeTables(OfRound, Command):
    """End the games of the rounds before this one that still go on."""

    reason: str
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRoundGames(OfRound, Command):
    """End every game of a round that still goes on, as `kind`; one without a closed hand was not
    played.
    """

    reason: str
    kind: str = CALLED
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(AtTable, Event):
    """The director ended the game at this table from the desk: `called`, `abandoned`, or
    `not_played`; then the table has none.
    """

    game: str
    kind: str
    reason: str


def what_becomes_of_its_game(command: Settling, table: TableState) -> list[Event]:
    """The facts about the game at a table that gets another result. Raises RuleViolation
    `game_unsettled` where nobody said, `reason_missing` where nobody said why.
    """
    reason, ended = command.reason or "", record_ended_game(command, table)
    if ended:
        return ended
    if (
        (command.round, command.table) not in command.seen.live
        or table.detached
        or table.game is None
    ):
        return []
    if command.game == END:
        need_reason(reason, "say why the game at table %(table)s ends", table=table.table)
    if command.game != DETACH:
        message = sentence(
            "the game at table %(table)s still goes on; say what becomes of it: it ends, or "
            "it goes on without counting",
            table=table.table,
        )
        raise refused("game_unsettled", message, "its_game")
    need_reason(reason, "say why the game at table %(table)s does not count", table=table.table)
    return [GameDetached(round=command.round, table=table.table, game=table.game, reason=reason)]


def record_ended_game(command: EndTableGame | Settling, table: TableState) -> list[Event]:
    """The fact that the director ended the game at a table with this command; none where it
    didn't.
    """
    kinds = {(number, label): kind for number, label, kind in command.seen.ended}
    kind = kinds.get((command.round, table.table))
    if kind is None or table.game is None:
        return []
    reason = command.reason or ""
    return [
        build_from(GameEnded, command, table=table.table, game=table.game, kind=kind, reason=reason)
    ]


def _end(command: EndTableGame, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    game_of(table)
    need_reason(command.reason, "say why the game at table %(table)s ends", table=table.table)
    ended = record_ended_game(command, table)
    if not ended:
        raise table_refused("game_over", "the game at table %(table)s is over already", table)
    return ended


def _free(command: FreeTables, state: State) -> list[Event]:
    a_round(state, command.round)
    need_reason(command.reason, "say why the games of earlier rounds end")
    if not command.seen.ended:
        raise round_refused(
            "game_missing", "no game of a round before round %(number)s goes on", command.round
        )
    return record_ended_games(command.seen, command.reason, state)


def _end_round(command: EndRoundGames, state: State) -> list[Event]:
    a_published_round(state, command.round)
    need_reason(command.reason, "say why the games of this round end")
    if not command.seen.ended:
        raise round_refused("game_missing", "no game of round %(number)s goes on", command.round)
    return record_ended_games(command.seen, command.reason, state)


def record_ended_games(seen: GamesSeen, reason: str, state: State) -> list[Event]:
    """The facts that the director ended games, all for one reason."""
    tables = (
        (number, a_round(state, number).table(label), kind) for number, label, kind in seen.ended
    )
    return [
        GameEnded(round=number, table=table.table, game=table.game, kind=kind, reason=reason)
        for number, table, kind in tables
        if table is not None and table.game is not None
    ]


def read_what_becomes(given: Given, name: str) -> str:
    """Read what is to happen to the running game of a table, "" if nothing was said."""
    return one_of(given[name], SETTLED_BY, name) if given.get(name) else ""


def _read_kind(given: Given, name: str) -> str:
    return one_of(given[name], KINDS, name) if given.get(name) else ""


def _read_round_kind(given: Given, name: str) -> str:
    return one_of(given.get(name) or CALLED, ROUND_KINDS, name)


SUBJECT = Subject(
    decisions={EndTableGame: _end, EndRoundGames: _end_round, FreeTables: _free},
    changes={
        GameEnded: on_table(
            lambda table, event: with_game(table, None) if event.kind == NOT_PLAYED else table
        )
    },
    shapes={("tournament.game_ended", 1): GameEnded},
    readers={
        "ended-games": reads(
            EndTableGame, round=a_count, table=a_count, kind=_read_kind, reason=a_needed_reason
        ),
        "ended-round-games": reads(
            EndRoundGames, round=a_count, kind=_read_round_kind, reason=a_needed_reason
        ),
        "freed-tables": reads(FreeTables, round=a_count, reason=a_needed_reason),
    },
)
