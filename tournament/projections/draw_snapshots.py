"""What each round was drawn from: the tournament as it stood at that entry of the log, kept for
whoever wants to draw it again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from ledger.chain import Stored
from ledger.reading import read_stream
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.digest import digest
from tournament.domain.standings import values
from tournament.domain.tournament.draws import RoundDrawn, RoundDropped
from tournament.domain.tournament.events import SHAPES
from tournament.domain.tournament.evolve import evolve
from tournament.domain.tournament.standings_view import drawn_from
from tournament.domain.tournament.state import State
from tournament.models import Salon, Tournament
from tournament.models.written_json import written
from tournament.projections.computed import Reckoned, States, reckonings
from tournament.projections.standings_as_of import recorded_then
from tournament.streams.codec import decode

DRAWS = frozenset(
    name for (name, _schema), shape in SHAPES.items() if shape in (RoundDrawn, RoundDropped)
)
_DECODER = msgspec.json.Decoder(values.Tournament)


def _touched(_salon: Salon, events: Sequence[Stored]) -> set[str]:
    return {event.stream for event in events if event.type in DRAWS}


def _reckon(salon: Salon, stream: str) -> States:
    return {
        str(drawn.round): written(_drawn_from(salon, state, drawn, position))
        for drawn, state, position in _draws(salon, stream)
    }


def _subjects(salon: Salon) -> Iterable[str]:
    return Tournament.objects.filter(salon=salon).order_by("pk").values_list("pk", flat=True)


SNAPSHOTS = Reckoned(name="snapshots", touched=_touched, reckon=_reckon, subjects=_subjects)


def snapshot_of(salon: Salon, stream: str, number: int) -> values.Tournament | None:
    """What round `number` was drawn from, with ids for names; None for a round seated by hand, and
    before it has been kept.
    """
    found = [
        state
        for _subject, _about, state in reckonings(
            salon.log_id, SNAPSHOTS.name, subject=stream, about=str(number)
        )
    ]
    return _DECODER.decode(found[0]) if found else None


def digest_of(snapshot: values.Tournament) -> str:
    """The digest of the draw that this snapshot gives."""
    number = len(snapshot.rounds) + 1
    return digest(snapshot, number, contenders(snapshot, number))


def _drawn_from(salon: Salon, state: State, drawn: RoundDrawn, position: int) -> values.Tournament:
    """The tournament as this draw saw it, with the engine and the seed that drew it."""
    outcomes = recorded_then(salon, state, position - 1).outcomes
    seen, _number = drawn_from(state, outcomes, drawn.round)
    return replace(seen, engine=drawn.engine, draw_seed=drawn.seed)


def _draws(salon: Salon, stream: str) -> Iterator[tuple[RoundDrawn, State, int]]:
    """Each round that stands as it was drawn by an engine: its draw, the tournament before that,
    and its entry.
    """
    state: State | None = None
    drawn: dict[int, tuple[RoundDrawn, State, int]] = {}
    for event in read_stream(salon.log_id, stream):
        fact = decode(event.type, event.schema, event.body)
        if isinstance(fact, RoundDropped | RoundDrawn):
            drawn = {number: draw for number, draw in drawn.items() if number < fact.round}
        if isinstance(fact, RoundDrawn) and fact.digest and state is not None:
            drawn[fact.round] = (fact, state, event.position)
        state = evolve(state, fact)
    yield from drawn.values()
