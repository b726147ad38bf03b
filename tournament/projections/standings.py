"""The standings of tournaments, computed in the background from their own facts and from the games
that count in them; and the tables of seasons, added up from the tournaments that are over.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from ledger.chain import Stored
from tournament.domain.house import persons
from tournament.domain.season.table import Placed, SeasonTable, regulars, season_table, shares
from tournament.domain.standings.exact import Exact
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.stages import terms_of_rounds, whole_points, whole_standings
from tournament.domain.standings.values import Tournament as Field
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State as Directed
from tournament.models import Salon, Season, SeasonEvent, Standing, Tournament, TournamentGame
from tournament.models.written_json import JSONText, json_text
from tournament.projections.computed import (
    NOT_THE_EVENTS,
    ComputedProjection,
    PartlyComputed,
    States,
    Table,
    every,
    read_last_computed,
)
from tournament.salons.persons import merged_players
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_of
from tournament.streams.types import SEASON, TOURNAMENT, Columns

_DECODER = msgspec.json.Decoder(Standings)
OVER = ("finished", "archived")
# Facts of the house after which games belong to someone else.
MERGES = frozenset(name for name, _schema in persons.SHAPES)
_TABLE = msgspec.json.Decoder(SeasonTable)


def find_touched_tournaments(_salon: Salon, events: Sequence[Stored]) -> set[str]:
    """The tournaments that these events touch, themselves or by a game that counts in them."""
    directed = {event.stream for event in events if event.type.startswith(f"{TOURNAMENT.name}.")}
    games = {event.stream for event in events} - directed
    return directed | set(
        TournamentGame.objects.filter(game__in=games).values_list("stream", flat=True)
    )


def _standing_states(salon: Salon, stream: str) -> States:
    return {"": standings_of(salon, stream)}


def _rows(stream: str, states: States) -> Mapping[str, Columns]:
    """The row of each entry."""
    return {
        f"{stream}-{row.entry}": {
            "stream_id": stream,
            "entry": row.entry,
            "rank": row.rank,
            "points": row.points,
            "tie_breaks": json_text(row.tie_breaks),
            "played": row.played,
        }
        for state in states.values()
        for row in _DECODER.decode(str(state)).rows  # msgspec reads nothing but plain text
    }


STANDINGS = ComputedProjection(
    name="standings",
    touched=find_touched_tournaments,
    compute=_standing_states,
    subjects=every(Tournament),
    table=Table(model=Standing, rows=_rows),
)


def standings_of(salon: Salon, stream: str) -> JSONText:
    """The standings of a tournament from its fold and its games', as JSON. Raises LookupError when
    there is no such stream.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no tournament {stream}")
    found = whole_standings(field_of(folded.state, outcomes_of(salon, folded.state)))
    return json_text(found)


def tournament_name(stream: str) -> str:
    """The name of a tournament, for those who look after the salon."""
    rows = Tournament.objects.filter(pk=stream)
    return rows.values_list("name", flat=True).first() or stream


def read_computed_standings(row: Tournament) -> tuple[Standings | None, int]:
    """The standings as they were computed last, None before the first time, and the entry of the
    log up to which they count.
    """
    return read_last_computed(STANDINGS, row, _DECODER)


def _find_touched_seasons(salon: Salon, events: Sequence[Stored]) -> set[str]:
    """The seasons that these events touch, themselves or by a tournament that counts in them."""
    kept = {event.stream for event in events if event.type.startswith(f"{SEASON.name}.")}
    if any(event.type in MERGES for event in events):
        return set(Season.objects.filter(salon=salon).values_list("pk", flat=True))
    moved = find_touched_tournaments(salon, events)
    return kept | set(
        SeasonEvent.objects.filter(tournament__in=moved).values_list("stream", flat=True)
    )


def _season_states(salon: Salon, stream: str) -> States:
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        return {}
    stood_for = merged_players(salon)
    over: list[tuple[str, list[Placed]]] = []
    waiting: list[str] = []
    left_out: dict[str, Exception] = {}
    for event in folded.state.events:
        try:
            each = fold_of(salon.log_id, event)
            if each is None or each.state.phase not in OVER:
                waiting.append(event)
            else:
                over.append((event, _list_placed_entries(salon, each.state, stood_for)))
        except NOT_THE_EVENTS:
            raise
        except Exception as error:
            left_out[tournament_name(event)] = error
    states = {"": json_text(season_table(folded.state.rule, over, waiting=waiting))}
    if left_out:
        raise PartlyComputed(states, left_out)
    return states


SEASONS = ComputedProjection(
    name="seasons", touched=_find_touched_seasons, compute=_season_states, subjects=every(Season)
)


def read_season_table(row: Season) -> tuple[SeasonTable | None, int]:
    """The table of a season as it was computed last, None before the first time, and the entry of
    the log up to which it counts.
    """
    return read_last_computed(SEASONS, row, _TABLE)


def _list_placed_entries(
    salon: Salon, state: Directed, stood_for: Mapping[str, str]
) -> list[Placed]:
    """The entries of a tournament that is over, each merged player as who stands for them."""
    field = field_of(state, outcomes_of(salon, state))
    placed = _rank_entries(field)
    return [_with_persons(each, stood_for) for each in placed] if stood_for else placed


def _with_persons(placed: Placed, stood_for: Mapping[str, str]) -> Placed:
    players = tuple(stood_for.get(player, player) for player in placed.players)
    shares = tuple(
        replace(share, player=stood_for.get(share.player, share.player)) for share in placed.shares
    )
    return replace(placed, players=players, shares=shares)


def _rank_entries(field: Field) -> list[Placed]:
    entries = {entry.id: entry for entry in field.entries}
    rounds, won, points = len(field.rounds), _share_points(field), whole_points(field)
    return [
        Placed(
            players=regulars(entries[row.entry], rounds),
            rank=row.rank,
            points=points[row.entry] or 0,
            shares=shares(entries[row.entry], won[row.entry], rounds),
        )
        for row in whole_standings(field).rows
    ]


def _share_points(field: Field) -> dict[str, dict[int, Exact]]:
    """The share of rounds in the points (hundredths) of every entry, with those that the director
    gave or took after each.
    """
    won = terms_of_rounds(field)
    for adjustment in field.adjustments:
        of_entry, after = won[adjustment.entry], adjustment.after_round
        of_entry[after] = of_entry.get(after, 0) + adjustment.points
    return won
