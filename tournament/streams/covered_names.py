"""What the log says of names and of texts that are gone: digests that cover names, and erasures."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ledger.models import Event, Log
from ledger.reading import fetched
from tournament.domain.house.covered_names import SHAPES, NamesCovered, PersonErased
from tournament.models import Player, Salon, Text
from tournament.streams.codec import decode
from tournament.streams.correction_period import house_stream
from tournament.streams.texts import digests_in

WRITTEN = (
    "SELECT body FROM ledger_event WHERE log_id = %s AND (body LIKE %s OR body LIKE "
    "%s OR body LIKE %s)"
)
DIGEST = 64  # characters


def salon_is_closed(salon: Salon) -> bool:
    """Whether the log takes no further events, since the salon has moved."""
    return Log.objects.values_list("closed", flat=True).get(pk=salon.log_id)


def facts_of_names(salon: Salon) -> Iterator[NamesCovered | PersonErased]:
    """What the log says of names, in order."""
    named = {name for name, _schema in SHAPES}
    rows = Event.objects.filter(stream=house_stream(salon.log), type__in=named).order_by("version")
    yield from (decode(*row) for row in rows.values_list("type", "schema", "body").iterator())


def digests_of_names(salon: Salon) -> dict[str, str]:
    """The digest that covers each player's name now; "" for one who was erased."""
    return digests_by(facts_of_names(salon))


def digests_by(facts: Iterable[NamesCovered | PersonErased]) -> dict[str, str]:
    """The same after these facts."""
    found: dict[str, str] = {}
    for fact in facts:
        found |= named_by(fact)
    return found


def named_by(fact: NamesCovered | PersonErased) -> Mapping[str, str]:
    """The digests of names as a fact leaves them; "" for a name that is erased."""
    return dict(fact.names) if isinstance(fact, NamesCovered) else {fact.player: ""}


def gone_by(fact: NamesCovered | PersonErased) -> Sequence[str]:
    """The texts that a fact says are gone."""
    return fact.gone if isinstance(fact, NamesCovered) else fact.texts


def untold_texts(salon: Salon) -> list[str]:
    """The digests in the log whose words are not here, and of which no fact tells that they
    went.
    """
    bodies = fetched(
        WRITTEN, [salon.log_id, *(f'%"{name}":"%' for name in ("note", "by", "reason"))]
    )
    said = {digest for (body,) in bodies for digest in written_in(body)}
    told = {digest for fact in facts_of_names(salon) for digest in gone_by(fact)}
    return sorted(
        said - told - set(Text.objects.filter(salon=salon).values_list("digest", flat=True))
    )


def uncovered_names(salon: Salon) -> int:
    """How many names the next checkpoint will cover; none where the log takes no further events."""
    if salon_is_closed(salon) or not Player.objects.filter(salon=salon, salt="").exists():
        return 0
    known = digests_of_names(salon)
    return sum(
        player not in known
        for player in Player.objects.filter(salon=salon, salt="").values_list("pk", flat=True)
    )


def written_in(body: str) -> Iterator[str]:
    """The digests that stand in an event in the place of words."""
    if '"note"' in body or '"by"' in body or '"reason"' in body:
        yield from (digest for digest in digests_in(json.loads(body)) if len(digest) == DIGEST)
