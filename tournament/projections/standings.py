"""The standings of tournaments, computed in the background: an entry of the log only marks which of them to compute again."""

from collections.abc import Iterator, Sequence

import msgspec

from ledger.chain import Stored
from ledger.models import Log
from ledger.reading import head_of
from tournament.directing.field import field_of
from tournament.folds import fold_of
from tournament.kinds import TOURNAMENT
from tournament.models import Progress, Salon, Tournament, TournamentGame, TournamentStandings
from tournament.outcomes import outcomes_of
from tournament.projections.background import Place, Projection, Write
from tournament.projections.difference import Difference, short
from tournament.standings.ranking import Standings, standings

_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(Standings)


def compute(log: Log, _place: Place, events: Sequence[Stored]) -> Write:
    """The standings of every tournament that these events touch, itself or by a game that counts in it."""
    streams = {event.stream for event in events}
    linked = TournamentGame.objects.filter(game__in=streams).values_list("stream", flat=True)
    moved = {event.stream for event in events if event.type.startswith(f"{TOURNAMENT.name}.")} | set(linked)
    salon = Salon.objects.filter(log=log).first()
    if salon is None or not moved:
        return lambda: None
    computed = {stream: standings_of(salon, stream) for stream in sorted(moved)}
    position = events[-1].position

    def write() -> None:
        there = set(Tournament.objects.filter(pk__in=computed).values_list("pk", flat=True))
        for stream in there:
            TournamentStandings.objects.update_or_create(stream_id=stream, defaults={"position": position, "state": computed[stream]})

    return write


STANDINGS = Projection(name="standings", fold=compute)


def standings_of(salon: Salon, stream: str) -> str:
    """The standings of a tournament from its fold and its games', as JSON. Raises LookupError when there is no such stream."""
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no tournament {stream}")
    found = standings(field_of(folded.state, outcomes_of(salon, folded.state)))
    return _ENCODER.encode(found).decode()


def compared_standings(salon: Salon, *, mend: bool) -> Iterator[Difference]:
    """Where kept standings are not what the log gives; those that the background has not reached yet are left to it."""
    place = Progress.objects.filter(log=salon.log_id, projection=STANDINGS.name).first()
    if place is None or place.position < head_of(salon.log_id).position:
        return
    kept = dict(TournamentStandings.objects.filter(stream__salon=salon).values_list("stream_id", "state"))
    for stream in Tournament.objects.filter(salon=salon).values_list("pk", flat=True):
        fresh = standings_of(salon, stream)
        if kept.get(stream) != fresh and head_of(salon.log_id).position == place.position:
            if mend:
                defaults = {"position": place.position, "state": fresh}
                TournamentStandings.objects.update_or_create(stream_id=stream, defaults=defaults)
            message = f"the standings are {short(kept.get(stream))}, the log gives {short(fresh)}"
            yield Difference(table=TournamentStandings._meta.db_table, key=stream, column="state", message=message, mended=mend)


def computed_standings(row: Tournament) -> tuple[Standings | None, int]:
    """The standings as they were computed last, None before the first time, and the position up to which they count."""
    kept = TournamentStandings.objects.filter(stream=row.pk).first()
    return (_DECODER.decode(kept.state), kept.position) if kept is not None else (None, 0)
