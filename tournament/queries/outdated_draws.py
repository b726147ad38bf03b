"""Rounds that were drawn before a result changed: which results, and which rounds rest on what they
were.

What a round was drawn from is kept with it; nothing more is recorded: the difference to what stands
now says it all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.common_state import GameState
from scoring.game import AnyGame
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.deal_points import shown_points_of_rounds
from tournament.domain.standings.values import SeatedTable, Tournament
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.standings_view import field_of, view_for_draw
from tournament.domain.tournament.state import RoundState
from tournament.models import TournamentGame
from tournament.projections.standings_as_of import snapshot_of
from tournament.queries.tournament import TournamentView
from tournament.streams.game_results import outcome_of, outcomes_of
from tournament.streams.tournament_rows import state_of

WINNER, POINTS, SCORE, SEATS, MISSING, TYPED, NOTHING = (
    "winner",
    "points",
    "score",
    "seats",
    "missing",
    "typed",
    "nothing",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSince:
    """A table of an earlier round that is not what the draw saw: `change` is winner, points, score,
    seats or missing.
    """

    round: int
    table: int
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OldStandings:
    """A round whose standings have changed since it was drawn: by these tables, and by points given
    to or taken from these entries.

    `may_redraw`: no table of it has begun, and no later round is drawn.
    """

    round: int
    tables: Sequence[ChangedSince]
    adjusted: Sequence[str]
    may_redraw: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsIn:
    """Where the game counts, and what the correction does to the result there: `change` is winner,
    points, score, missing or nothing.

    It is typed where a result that was typed counts instead. `drawn` are the later rounds that were
    drawn already.
    """

    tournament: str
    name: str
    round: int
    table: int
    change: str
    drawn: Sequence[int]


def old_standings(at: TournamentView, each: RoundState) -> OldStandings | None:
    """The changes since a round was drawn in the standings that it was drawn from; None if
    there are none, or nothing was kept yet.
    """
    kept = snapshot_of(at.row.salon, at.row.pk, each.number) if each.digest else None
    if kept is None:
        return None
    seen, in_stage = view_for_draw(at.state, at.outcomes, each.number)
    now, before = replace(seen, engine=kept.engine), each.number - in_stage
    earlier = range(1, min(len(kept.rounds), len(now.rounds)) + 1)
    tables = [
        replace(table, round=number + before)
        for number in earlier
        for table in _list_changed_tables(number, kept, now)
    ]
    adjusted = _list_adjusted_entries(kept, now, in_stage)
    if not (tables or adjusted) or _contenders_in(kept, in_stage, each) == _contenders_in(
        now, in_stage, each
    ):
        return None
    is_last = each.number == len(at.state.rounds)
    return OldStandings(
        round=each.number,
        tables=tables,
        adjusted=adjusted,
        may_redraw=is_last and not each.has_started,
    )


def in_tournaments(
    stream: str, game: AnyGame, before: GameState, after: GameState
) -> list[CountsIn]:
    """The places where the game with this stream counts, and the effect on its result
    there when its state `before` becomes the one `after`.
    """
    outcomes = (
        [outcome_of(stream, game, state) for state in (before, after)]
        if game.teams
        else [None, None]
    )
    links = TournamentGame.objects.filter(game=stream).select_related("stream__salon")
    return [_in_tournament(link, *outcomes) for link in links.order_by("stream")]


def _in_tournament(link: TournamentGame, before: Outcome | None, after: Outcome | None) -> CountsIn:
    row = link.stream
    state = state_of(row)
    known = {
        game: outcome
        for game, outcome in outcomes_of(row.salon, state).items()
        if game != link.game
    }
    then, now = (
        field_of(state, known | ({link.game: each} if each else {})) for each in (before, after)
    )
    table = state.rounds[link.round - 1].table(link.table)
    changes = {each.table: each.change for each in _list_changed_tables(link.round, then, now)}
    first = link.table if table is None else state.match_of(link.round, table)[0].table
    change = TYPED if table is not None and table.is_settled else changes.get(first, NOTHING)
    drawn = [each.number for each in state.rounds if each.number > link.round]
    return CountsIn(
        tournament=row.pk,
        name=row.name,
        round=link.round,
        table=link.table,
        change=change,
        drawn=drawn,
    )


def _list_changed_tables(number: int, then: Tournament, now: Tournament) -> list[ChangedSince]:
    """The tables of a round that are not the same in both."""
    points_then, points_now = (shown_points_of_rounds(each)[number - 1] for each in (then, now))
    before = {table.table: table for table in then.rounds[number - 1].tables}
    tables = now.rounds[number - 1].tables
    pairs = [(before[table.table], table) for table in tables if table.table in before]
    found = [
        (one, _change(one, other, points_then.get(one.table, ()), points_now.get(other.table, ())))
        for one, other in pairs
    ]
    return [
        ChangedSince(round=number, table=one.table, change=change)
        for one, change in found
        if change != NOTHING
    ]


def _change(one: SeatedTable, other: SeatedTable, then: Sequence[int], now: Sequence[int]) -> str:
    if one.entries != other.entries:
        return SEATS
    if one.results and not other.results:
        return MISSING
    if _order(then) != _order(now):
        return WINNER
    if tuple(then) != tuple(now) or one.forfeit != other.forfeit:
        return POINTS
    return SCORE if one.results != other.results else NOTHING


def _order(points: Sequence[int]) -> tuple[int, ...]:
    """The order of the entries at a table by their points."""
    return tuple((one > other) - (one < other) for one in points for other in points)


def _list_adjusted_entries(kept: Tournament, now: Tournament, number: int) -> list[str]:
    """The entries to which points were given, or from which they were taken, for the rounds before
    this one.
    """
    then, today = _sum_adjustments(kept, number), _sum_adjustments(now, number)
    return [entry.id for entry in now.entries if then[entry.id] != today[entry.id]]


def _sum_adjustments(tournament: Tournament, number: int) -> Counter[str]:
    points: Counter[str] = Counter()
    for each in tournament.adjustments:
        points[each.entry] += each.points if each.after_round < number else 0
    return points


def _contenders_in(
    tournament: Tournament, number: int, each: RoundState
) -> Mapping[str, Contender]:
    """Those in a round as a draw from this tournament sees them."""
    return {
        player.entry: player for player in contenders(tournament, number, seated=set(each.seated))
    }
