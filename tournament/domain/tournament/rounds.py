"""Rounds published and hidden, closed and opened again."""

from dataclasses import dataclass, replace

from scoring.errors import sentence
from tournament.domain.standings.knockout import find_misplaced
from tournament.domain.tournament.counting import missing
from tournament.domain.tournament.lookups import (
    a_round,
    an_open_round,
    last_round,
    need_reason,
    refused,
    round_refused,
)
from tournament.domain.tournament.outcomes import NOTHING_SEEN, GamesSeen, Outcome, by_stream
from tournament.domain.tournament.reading import a_count, a_needed_reason, reads
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.subject import Command, Event, OfRound, Subject, on_round


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishRound(OfRound, Command):
    """Show the draw to everybody; no game of an earlier round may still hold a table."""

    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPublished(OfRound, Event):
    """The draw can be seen by everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpublishRound(OfRound, Command):
    """Hide the draw again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundUnpublished(OfRound, Event):
    """The draw is the director's alone again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseRound(OfRound, Command):
    """Let the results stand; `outcomes` are the finished games linked to its tables."""

    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClosed(OfRound, Event):
    """The round's results stand; `asked`: whether an abandoned game counts was asked before, else
    each of them does.
    """

    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenRound(OfRound, Command):
    """Let results be changed again."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReopened(OfRound, Event):
    """Results of the round can be changed again."""

    reason: str


def _publish(command: PublishRound, state: State) -> list[Event]:
    each = a_round(state, command.round)
    if each.published:
        raise round_refused("round_published", "round %(number)s is published already", each.number)
    if each.manual:
        raise round_refused(
            "manual_pairing",
            "round %(number)s is being paired by hand; end that before it is published",
            each.number,
        )
    gone = next(
        (
            entry
            for entry in state.entries
            if entry.id in each.seated and entry.has_left(each.number)
        ),
        None,
    )
    if gone is not None:
        raise refused(
            "withdrawn",
            "entry %(entry)s has withdrawn and is seated in round %(number)s; draw it anew",
            "round",
            entry=gone.id,
            number=each.number,
        )
    _check_premises(each, command, state)
    tables_held = [table for number, table in command.seen.live if number < each.number]
    if tables_held:
        tables = ", ".join(map(str, tables_held))
        message = sentence(
            "games of an earlier round still hold table %(tables)s; end them first", tables=tables
        )
        raise refused("tables_held", message, "round")
    return [RoundPublished(round=each.number)]


def _check_premises(each: RoundState, command: PublishRound, state: State) -> None:
    """Nobody is sent to a match of a knock-out that others play by the results of now (F7); rounds
    that came with a file were played.
    """
    if not each.digest:
        return
    seen, before = view_current_stage(state, by_stream(command.seen.outcomes))
    numbers = (table for table in find_misplaced(seen) if table.round + before == each.number)
    wrong = next(numbers, None)
    if wrong is not None:
        raise refused(
            "wrong_premise",
            "at table %(table)s sit others than match %(match)s is between by the results of now; "
            "draw round %(number)s anew",
            "round",
            table=wrong.table,
            match=wrong.match,
            number=each.number,
        )


def _unpublish(command: UnpublishRound, state: State) -> list[Event]:
    each = last_round(state, command.round)
    if not each.published or each.has_started:
        raise round_refused(
            "round_started", "round %(number)s has begun, or isn't published", each.number
        )
    return [RoundUnpublished(round=each.number)]


def _close(command: CloseRound, state: State) -> list[Event]:
    each = an_open_round(state, command.round)
    lacking = missing(each, by_stream(command.outcomes), state.stage_in(each.number))
    if lacking:
        tables = ", ".join(str(table.table) for table in lacking)
        message = sentence(
            "the result of table %(tables)s is missing; type it, excuse it, or wait for its game",
            tables=tables,
        )
        raise refused("result_missing", message, f"rounds[{each.number - 1}].tables")
    return [RoundClosed(round=each.number, asked=True)]


def _reopen(command: ReopenRound, state: State) -> list[Event]:
    each = a_round(state, command.round)
    if not each.closed:
        raise round_refused("round_open", "round %(number)s is not closed", each.number)
    need_reason(command.reason, "say why the round is opened again")
    return [RoundReopened(round=each.number, reason=command.reason)]


def _apply_round_closed(each: RoundState, event: RoundClosed) -> RoundState:
    """The round closed; before anybody was asked whether an abandoned game counts, each did."""
    if event.asked:
        return replace(each, closed=True)
    tables = (
        replace(table, counted=table.game is not None and not table.is_settled)
        for table in each.tables
    )
    return replace(each, closed=True, tables=tuple(tables))


# A round closed under schema 1 was closed before anybody was asked whether an abandoned game
# counts: there each did, and still does.
SUBJECT = Subject(
    decisions={
        PublishRound: _publish,
        UnpublishRound: _unpublish,
        CloseRound: _close,
        ReopenRound: _reopen,
    },
    changes={
        RoundPublished: on_round(lambda each, _event: replace(each, published=True)),
        RoundUnpublished: on_round(lambda each, _event: replace(each, published=False)),
        RoundClosed: on_round(_apply_round_closed),
        RoundReopened: on_round(lambda each, _event: replace(each, closed=False)),
    },
    shapes={
        ("tournament.round_published", 1): RoundPublished,
        ("tournament.round_unpublished", 1): RoundUnpublished,
        ("tournament.round_closed", 1): RoundClosed,
        ("tournament.round_closed", 2): RoundClosed,
        ("tournament.round_reopened", 1): RoundReopened,
    },
    readers={
        "publications": reads(PublishRound, round=a_count),
        "publication-cancellations": reads(UnpublishRound, round=a_count),
        "closings": reads(CloseRound, round=a_count),
        "reopenings": reads(ReopenRound, round=a_count, reason=a_needed_reason),
    },
)
