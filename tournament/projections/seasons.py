"""The tables of seasons, added up in the background from the tournaments that are over."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from ledger.chain import Stored
from tournament.domain.season.table import Placed, SeasonTable, regulars, season_table, shares
from tournament.domain.standings.stages import courses_of_stages, whole_standings
from tournament.domain.standings.values import Tournament
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State as Directed
from tournament.models import Salon, Season, SeasonEvent
from tournament.models.written_json import written
from tournament.projections.background import as_of
from tournament.projections.computed import Reckoned, States, reckonings
from tournament.projections.standings import touched_tournaments
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_of
from tournament.streams.types import SEASON

OVER = ("finished", "archived")
_DECODER = msgspec.json.Decoder(SeasonTable)


def _touched(salon: Salon, events: Sequence[Stored]) -> set[str]:
    """The seasons that these events touch, themselves or by a tournament that counts in them."""
    kept = {event.stream for event in events if event.type.startswith(f"{SEASON.name}.")}
    moved = touched_tournaments(salon, events)
    return kept | set(
        SeasonEvent.objects.filter(tournament__in=moved).values_list("stream", flat=True)
    )


def _reckon(salon: Salon, stream: str) -> States:
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        return {}
    directed = {event: fold_of(salon.log_id, event) for event in folded.state.events}
    over = [
        (event, _placed(salon, each.state))
        for event, each in directed.items()
        if each is not None and each.state.phase in OVER
    ]
    waiting = [
        event for event, each in directed.items() if each is None or each.state.phase not in OVER
    ]
    return {"": written(season_table(folded.state.rule, over, waiting=waiting))}


def _subjects(salon: Salon) -> Iterable[str]:
    return Season.objects.filter(salon=salon).order_by("pk").values_list("pk", flat=True)


SEASONS = Reckoned(name="seasons", touched=_touched, reckon=_reckon, subjects=_subjects)


def computed_season(row: Season) -> tuple[SeasonTable | None, int]:
    """The table of a season as it was computed last, None before the first time, and the entry of
    the log up to which it counts.
    """
    log = row.salon.log_id
    found = [state for _subject, _about, state in reckonings(log, SEASONS.name, subject=row.pk)]
    return _DECODER.decode(found[0]) if found else None, as_of(log, SEASONS.name, row.pk)


def _placed(salon: Salon, state: Directed) -> list[Placed]:
    field = field_of(state, outcomes_of(salon, state))
    rounds, won, entries = (
        len(field.rounds),
        _won(field),
        {entry.id: entry for entry in field.entries},
    )
    return [
        Placed(
            players=regulars(entries[row.entry], rounds),
            rank=row.rank,
            points=row.points,
            shares=shares(entries[row.entry], won[row.entry], rounds),
        )
        for row in whole_standings(field).rows
    ]


def _won(field: Tournament) -> dict[str, Counter[int]]:
    """The points (hundredths) of every entry by rounds, with those that the director gave or took
    after each.
    """
    won = {
        entry: Counter({line.round: line.points for line in course})
        for entry, course in courses_of_stages(field).items()
    }
    for adjustment in field.adjustments:
        won[adjustment.entry][adjustment.after_round] += adjustment.points
    return won
