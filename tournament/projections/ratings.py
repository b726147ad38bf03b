"""The ratings of players over all finished rated tournaments, in the order in which these were
finished first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from ledger.chain import Stored
from ledger.reading import events_in
from tournament.domain.rating import RatedTable, Rating, list_rated_tables, rated
from tournament.domain.tournament.lifecycle import PhaseEntered
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State
from tournament.models import Salon, Tournament
from tournament.models.written_json import json_text
from tournament.projections.computed import (
    NOT_THE_EVENTS,
    ComputedProjection,
    PartlyComputed,
    States,
    first_state,
)
from tournament.projections.standings import MERGES, find_touched_tournaments, tournament_name
from tournament.salons.persons import merged_players
from tournament.streams.codec import decode, find_stored_name
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_of

THOUSANDTHS = 1_000
OVER = ("finished", "archived")
EVERYBODY = ""  # the one subject: nobody's rating is known without everybody else's


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedAfter:
    """A player's rating after a tournament: mean and deviation in thousandths, and after how many
    tables in all.
    """

    tournament: str
    mean: int
    deviation: int
    tables: int


_DECODER = msgspec.json.Decoder(tuple[RatedAfter, ...])


def _find_touched_subjects(salon: Salon, events: Sequence[Stored]) -> set[str]:
    name, _schema = find_stored_name(PhaseEntered(phase="finished"))
    if any(event.type == name or event.type in MERGES for event in events):
        return {EVERYBODY}
    over = Tournament.objects.filter(pk__in=find_touched_tournaments(salon, events), phase__in=OVER)
    return {EVERYBODY} if over.exists() else set()


def _rating_states(salon: Salon, _everybody: str) -> States:
    ratings: dict[str, Rating] = {}
    histories: dict[str, list[RatedAfter]] = {}
    stood_for = merged_players(salon)
    left_out: dict[str, Exception] = {}
    for stream in _first_finished(salon):
        try:
            tables = [_with_persons(table, stood_for) for table in _tables_of(salon, stream)]
            ratings = rated(tables, ratings)
        except NOT_THE_EVENTS:
            raise
        except Exception as error:
            left_out[tournament_name(stream)] = error
            continue
        for player in sorted(
            {player for table in tables for side in table.sides for player in side}
        ):
            histories.setdefault(player, []).append(_after(stream, ratings[player]))
    states = {player: json_text(history) for player, history in histories.items()}
    if left_out:
        raise PartlyComputed(states, left_out)
    return states


def _tables_of(salon: Salon, stream: str) -> list[RatedTable]:
    folded = fold_of(salon.log_id, stream)
    if folded is None or not counts_for_ratings(folded.state):
        return []
    return list(list_rated_tables(field_of(folded.state, outcomes_of(salon, folded.state))))


def _with_persons(table: RatedTable, stood_for: Mapping[str, str]) -> RatedTable:
    """The same with each merged player as who stands for them."""
    sides = tuple(tuple(stood_for.get(player, player) for player in side) for side in table.sides)
    return replace(table, sides=sides)


def _subjects(_salon: Salon) -> Iterable[str]:
    return [EVERYBODY]


RATINGS = ComputedProjection(
    name="ratings", touched=_find_touched_subjects, compute=_rating_states, subjects=_subjects
)


def rating_history(salon: Salon, player: str) -> tuple[RatedAfter, ...]:
    """A player's rating after each rated tournament that has been counted by now; empty before the
    first.
    """
    found = first_state(salon.log_id, RATINGS.name, subject=EVERYBODY, about=player)
    return _DECODER.decode(found) if found else ()


def counts_for_ratings(state: State) -> bool:
    """Whether a tournament is over and rated."""
    return state.phase in OVER and state.rated


def _first_finished(salon: Salon) -> list[str]:
    """The tournaments that have ever been finished, in the order in which they were for the first
    time: a correction changes no order.
    """
    name, schema = find_stored_name(PhaseEntered(phase="finished"))
    streams = list(
        Tournament.objects.filter(salon=salon, phase__in=OVER)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    events = (
        events_in(salon.log_id, streams)
        .filter(type=name)
        .order_by("position")
        .values_list("stream", "body")
    )
    return list(
        dict.fromkeys(
            stream for stream, body in events if decode(name, schema, body).phase == "finished"
        )
    )


def _after(stream: str, rating: Rating) -> RatedAfter:
    return RatedAfter(
        tournament=stream,
        mean=round(rating.mean * THOUSANDTHS),
        deviation=round(rating.deviation * THOUSANDTHS),
        tables=rating.tables,
    )
