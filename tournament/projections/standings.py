"""The standings of tournaments, computed in the background from their own facts and from the games
that count in them.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from ledger.chain import Stored
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.stages import whole_standings
from tournament.domain.tournament.standings_view import field_of
from tournament.models import Salon, Standing, Tournament, TournamentGame
from tournament.models.written_json import Written, written
from tournament.projections.background import as_of
from tournament.projections.computed import Reckoned, States, Table, reckonings
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_of
from tournament.streams.types import TOURNAMENT, Columns

_DECODER = msgspec.json.Decoder(Standings)


def touched_tournaments(_salon: Salon, events: Sequence[Stored]) -> set[str]:
    """The tournaments that these events touch, themselves or by a game that counts in them."""
    directed = {event.stream for event in events if event.type.startswith(f"{TOURNAMENT.name}.")}
    games = {event.stream for event in events} - directed
    return directed | set(
        TournamentGame.objects.filter(game__in=games).values_list("stream", flat=True)
    )


def _reckon(salon: Salon, stream: str) -> States:
    return {"": standings_of(salon, stream)}


def _subjects(salon: Salon) -> Iterable[str]:
    return Tournament.objects.filter(salon=salon).order_by("pk").values_list("pk", flat=True)


def _rows(stream: str, states: States) -> Mapping[str, Columns]:
    """The row of each entry."""
    return {
        f"{stream}-{row.entry}": {
            "stream_id": stream,
            "entry": row.entry,
            "rank": row.rank,
            "points": row.points,
            "tie_breaks": written(row.tie_breaks),
            "played": row.played,
        }
        for state in states.values()
        for row in _DECODER.decode(str(state)).rows  # msgspec reads nothing but plain text
    }


STANDINGS = Reckoned(
    name="standings",
    touched=touched_tournaments,
    reckon=_reckon,
    subjects=_subjects,
    table=Table(model=Standing, rows=_rows),
)


def standings_of(salon: Salon, stream: str) -> Written:
    """The standings of a tournament from its fold and its games', as JSON. Raises LookupError when
    there is no such stream.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no tournament {stream}")
    found = whole_standings(field_of(folded.state, outcomes_of(salon, folded.state)))
    return written(found)


def computed_standings(row: Tournament) -> tuple[Standings | None, int]:
    """The standings as they were computed last, None before the first time, and the entry of the
    log up to which they count.
    """
    log = row.salon.log_id
    found = [state for _subject, _about, state in reckonings(log, STANDINGS.name, subject=row.pk)]
    return _DECODER.decode(found[0]) if found else None, as_of(log, STANDINGS.name, row.pk)
