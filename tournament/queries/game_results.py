"""Results of the games that count in a tournament, shown among its own acts: from
their streams, the only place where they are recorded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max

from ledger.reading import events_in
from tournament.accounts.actor_names import actors_in_words
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.games import GameLinked, GameUnlinked
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.state import State
from tournament.models import Salon
from tournament.queries.history_lines import at_time
from tournament.queries.number_format import number
from tournament.queries.tournament import TournamentView
from tournament.streams.acts import CORRECTED, GAME_CLOSED, RETRACTED, Moment
from tournament.streams.game_results import outcome_at

TURNS = (GAME_CLOSED, CORRECTED, RETRACTED)  # what a result may come from, change by or go with


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A result that a game brought to a table, at entry `position`, or changed from `before`; both
    "" where there was or is none.

    `typed`: another result counts at the table, so that this one does not; `silent`: it is hidden
    from the visitor. `drawn` are the rounds that were drawn before it.
    """

    position: int
    at: datetime
    who: str
    game: str
    round: int
    table: int
    before: str
    after: str
    typed: bool
    silent: bool
    drawn: Sequence[int]


class _Turn(NamedTuple):
    """The end of a command by which a result may have changed, when it was and by whom."""

    version: int
    position: int
    time: int
    actor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Link:
    """A game at a table of a round, from one entry of the log to another (None: to the end)."""

    game: str
    round: int
    table: int
    first: int
    last: int | None


def game_results(
    at: TournamentView, moments: Sequence[Moment], silent_from: int | None
) -> list[GameResult]:
    """Every result that linked games brought, changed or took away while they counted, in the order
    of the log.
    """
    links = {link.game: link for link in _links(moments)}
    salon, found = at.row.salon, []
    turns = _turns(salon, links)
    actors = actors_in_words(
        salon, {turn.actor for each in turns.values() for turn in each}, at.audience
    )
    for game, each in turns.items():
        link, before = links[game], None
        for turn in each:
            after = outcome_at(salon, game, turn.version)
            if _scores(after) != _scores(before) and _counts(link, turn.position):
                state, who = _state_at(moments, turn.position), actors[turn.actor]
                found.append(_game_result(link, (before, after), state, turn, who, silent_from))
            before = after
    return sorted(found, key=lambda each: each.position)


def _links(moments: Sequence[Moment]) -> list[_Link]:
    """Each game by its latest place."""
    links: dict[tuple[int, int], _Link] = {}
    ended: list[_Link] = []
    for moment in moments:
        fact, position = moment.entry.fact, moment.entry.stored.position
        if isinstance(fact, GameLinked):
            links[fact.round, fact.table] = _Link(
                game=fact.game, round=fact.round, table=fact.table, first=position, last=None
            )
        if isinstance(fact, GameUnlinked) and (fact.round, fact.table) in links:
            ended.append(replace(links.pop((fact.round, fact.table)), last=position))
    return [*ended, *links.values()]


def _turns(salon: Salon, games: Mapping[str, object]) -> dict[str, list[_Turn]]:
    """The points at which results of these games may have changed, in order."""
    turning = (
        events_in(salon.log_id, games).filter(type__in=TURNS).values("stream", "command").distinct()
    )
    commands = {each["command"] for each in turning}
    ends = (
        events_in(salon.log_id, games)
        .filter(command__in=commands)
        .order_by()
        .values_list("stream", "command", "actor")
        .annotate(Max("version"), Max("position"), Max("recorded_at"))
    )
    found: dict[str, list[_Turn]] = {}
    for stream, _command, actor, version, position, time in ends:
        found.setdefault(stream, []).append(_Turn(version, position, time, actor))
    return {stream: sorted(turns) for stream, turns in found.items()}


def _counts(link: _Link, position: int) -> bool:
    return link.first < position and (link.last is None or position < link.last)


def _state_at(moments: Sequence[Moment], position: int) -> State:
    return next(  # type: ignore[no-any-return]
        moment.state for moment in reversed(moments) if moment.entry.stored.position < position
    )


def _game_result(
    link: _Link,
    came_to: tuple[Outcome | None, Outcome | None],
    state: State,
    turn: _Turn,
    who: str,
    silent_from: int | None,
) -> GameResult:
    before, after = map(_scores, came_to)
    silent = silent_from is not None and link.round >= silent_from
    table = (
        state.rounds[link.round - 1].table(link.table) if link.round <= len(state.rounds) else None
    )
    return GameResult(
        position=turn.position,
        at=at_time(turn.time),
        who=who,
        game=link.game,
        round=link.round,
        table=link.table,
        before="" if silent else before,
        after="" if silent else after,
        typed=table is not None and table.is_settled,
        silent=silent,
        drawn=[each.number for each in state.rounds if each.number > link.round],
    )


def _scores(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    return " : ".join(number((result.score or 0) // HUNDREDTHS) for result in outcome.results)
