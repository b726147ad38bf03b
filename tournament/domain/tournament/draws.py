"""Rounds drawn, seated as a file has them, and dropped."""

from dataclasses import dataclass, replace

from scoring.shape import one_of
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.stages import renumber_draw
from tournament.domain.pairing.team_matches import matches_at
from tournament.domain.pairing.values import DrawnTable, PlanCounts, Reason
from tournament.domain.same_fields import build_from
from tournament.domain.standings.lots import other_lots
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.counting import GAME, what_counts
from tournament.domain.tournament.ended_games import record_ended_games
from tournament.domain.tournament.lookups import (
    last_round,
    need_reason,
    need_running,
    refused,
    round_refused,
)
from tournament.domain.tournament.outcomes import NOTHING_SEEN, GamesSeen, Outcome, by_stream
from tournament.domain.tournament.presence import settle_presence
from tournament.domain.tournament.reading import Given, a_count, a_reason, keys_of, reads
from tournament.domain.tournament.standings_view import list_asked_byes, view_for_draw
from tournament.domain.tournament.state import RoundState, State, TableState
from tournament.domain.tournament.subject import Command, Event, OfRound, Subject, schemas
from tournament.domain.tournament.team_line_ups import without_line_ups

BY_HAND = "by hand"  # the engine of a round that a file or a director seated


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRound(OfRound, Command):
    """Draw the next round, or the last one anew, with `other_lots` for a reason; `outcomes` are the
    finished games of earlier tables.

    The entries `away` sit it out, those `here` play it although they had asked not to.
    """

    away: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    other_lots: bool = False
    reason: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRound(OfRound, Command):
    """Seat the next round as a file has it: its tables without reasons, and its byes."""

    tables: tuple[DrawnTable, ...]
    byes: tuple[Bye, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDrawn(OfRound, Event):
    """A round was drawn, or drawn anew; `digest` and `engine` let anybody draw it again from the
    same standings.

    `broken` are the aims that no draw of these entries can keep, `totals` what the whole draw comes
    to in every aim, `byes_why` the reasons of those of the first `byes` that the draw chose. `seed`
    is what its lots were drawn from where that is not the tournament's, with the director's
    `reason` for other lots.
    """

    tables: tuple[DrawnTable, ...]
    byes: tuple[Bye, ...]
    engine: str
    digest: str
    broken: tuple[Reason, ...] = ()
    byes_why: tuple[tuple[Reason, ...], ...] = ()
    totals: tuple[Reason, ...] = ()
    seed: int | None = None
    reason: str | None = None
    construction: str = ""
    counted: PlanCounts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DropRound(OfRound, Command):
    """Take the draw of the last round back; once its games or its clock have begun for a `reason`:
    then the games end.
    """

    reason: str | None = None
    seen: GamesSeen = NOTHING_SEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDropped(OfRound, Event):
    """The draw of the last round was taken back; for a `reason` where it had begun."""

    reason: str | None = None


def _draw(command: DrawRound, state: State) -> list[Event]:
    need_running(state, "rounds are drawn while the tournament runs; it is in %(phase)s")
    last = state.last if state.rounds_of_stage else None
    again = last is not None and command.round == last.number
    if last is not None and again and last.has_started:
        raise round_refused(
            "round_started",
            "round %(number)s has begun; swap two entries instead of drawing it anew",
            last.number,
        )
    if not again and command.round != state.next_round:
        raise refused(
            "round_missing",
            "round %(next_round)s is the next to be drawn",
            "round",
            next_round=state.next_round,
        )
    presence, state = settle_presence(command.round, command.away, command.here, state)
    seed = _lots(command, last if again else None, state)
    seen, number = view_for_draw(state, by_stream(command.outcomes), command.round)
    drawn = renumber_draw(draw(replace(seen, draw_seed=seed), number), command.round - number)
    byes = (*(Bye(entry=entry) for entry in drawn.byes), *list_asked_byes(state, command.round))
    reason = command.reason if command.other_lots else None
    return [*presence, build_from(RoundDrawn, drawn, byes=byes, seed=seed, reason=reason)]


def _lots(command: DrawRound, drawn: RoundState | None, state: State) -> int | None:
    """Return the seed of the lots: the tournament's, or that of the draw before it.

    Other lots follow from those there were. So no one can choose them: the next ones of
    a draw are always the same.
    """
    if not command.other_lots:
        return drawn.seed if drawn is not None else None
    if drawn is None:
        raise refused(
            "round_missing",
            "draw round %(number)s first; then it can have other lots",
            "other_lots",
            number=command.round,
        )
    if state.stage.is_planned:
        raise refused(
            "bad_draw",
            "a round robin or another plan follows its list: other lots would draw the same tables",
            "other_lots",
        )
    need_reason(command.reason, "say why it is drawn with other lots")
    return other_lots(state.seed if drawn.seed is None else drawn.seed, command.round)


def _seat(command: SeatRound, state: State) -> list[Event]:
    if state.phase != "running" or command.round != state.next_round:
        raise refused(
            "round_missing",
            "round %(next_round)s is the next to be seated, while the tournament runs",
            "round",
            next_round=state.next_round,
        )
    several = state.stage.tables_a_match > 1
    matches = matches_at(command.tables) if several else command.tables
    seated = [entry for table in matches for entry in table.entries] + [
        bye.entry for bye in command.byes
    ]
    numbers = [table.table for table in command.tables]
    if len(set(numbers)) < len(numbers):
        raise refused("bad_round", "two tables have the same number", "tables")
    for key in seated:
        entry = state.entry(key)
        if entry is None or seated.count(key) > 1:
            raise refused(
                "bad_round",
                "entry %(entry)s is not in this tournament, or in the round twice",
                "tables",
                entry=key[:20],
            )
        if not replace(entry, asked=()).plays_in(command.round):
            raise refused(
                "withdrawn",
                "entry %(entry)s does not play in round %(round)s",
                "tables",
                entry=key,
                round=command.round,
            )
    return [build_from(RoundDrawn, command, engine=BY_HAND, digest="")]


def _drop(command: DropRound, state: State) -> list[Event]:
    last = last_round(state, command.round)
    outcomes = by_stream(command.seen.outcomes)
    ended = {(number, label) for number, label, _kind in command.seen.ended}
    results = [
        str(table.table)
        for table in last.tables
        if table.is_settled
        or ((last.number, table.table) not in ended and what_counts(table, outcomes) == GAME)
    ]
    if results:
        raise round_refused(
            "round_started",
            "round %(number)s has results at tables %(tables)s; take them back first",
            last.number,
            tables=", ".join(results),
        )
    if not last.has_started:
        return [RoundDropped(round=last.number)]
    need_reason(
        command.reason,
        "round %(number)s has begun; say why its draw is taken back and its games end",
        number=last.number,
    )
    games = record_ended_games(command.seen, command.reason or "", state)
    return [*games, RoundDropped(round=last.number, reason=command.reason)]


def _round_drawn(state: State, event: RoundDrawn) -> State:
    tables = tuple(build_from(TableState, each, instead=each.next_best) for each in event.tables)
    new_round = build_from(
        RoundState, event, number=event.round, tables=tables, stage=state.stage_number
    )
    state = without_line_ups(state, event.round)
    seated = {entry for table in tables for entry in table.entries}
    # Whoever is drawn though they were not here counts as here until somebody says otherwise.
    entries = tuple(
        replace(entry, gone=False) if entry.gone and entry.id in seated else entry
        for entry in state.entries
    )
    return replace(state, entries=entries, rounds=(*state.rounds[: event.round - 1], new_round))


def _round_dropped(state: State, event: RoundDropped) -> State:
    return replace(without_line_ups(state, event.round), rounds=state.rounds[: event.round - 1])


def _read_other_lots(given: Given, name: str) -> bool:
    return given.get(name) is True or one_of(given.get(name) or "no", ("yes", "no"), name) == "yes"


# Schema 1 is among the older shapes; draws before schema 3 had the tournament's own lots, those
# before schema 4 followed no plan; before schema 5 sizes of tables were not counted.
SUBJECT = Subject(
    decisions={DrawRound: _draw, SeatRound: _seat, DropRound: _drop},
    changes={RoundDrawn: _round_drawn, RoundDropped: _round_dropped},
    shapes={
        **schemas("tournament.round_drawn", 5, RoundDrawn, first=2),
        **schemas("tournament.round_dropped", 2, RoundDropped),
    },
    readers={
        "draws": reads(
            DrawRound,
            round=a_count,
            away=keys_of,
            here=keys_of,
            other_lots=_read_other_lots,
            reason=a_reason,
        ),
        "draw-cancellations": reads(DropRound, round=a_count, reason=a_reason),
    },
)
