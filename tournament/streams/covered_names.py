"""The log's facts about names and about texts that are gone: digests that cover names,
and erasures.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from ledger.models import Event, Log
from ledger.reading import fetch_all
from tournament.domain.house.covered_names import SHAPES, NamesCovered, PersonRenamed
from tournament.domain.house.covered_names import Event as NameFact
from tournament.models import Player, Salon, Text
from tournament.streams.codec import UnknownShape, decode
from tournament.streams.correction_period import house_stream
from tournament.streams.texts import WRITTEN, digests_in, words_of

BODIES_WITH_WORDS = (
    "SELECT body FROM ledger_event WHERE log_id = %s AND (body LIKE %s OR body LIKE %s "
    "OR body LIKE %s OR body LIKE %s OR body LIKE %s)"  # one for each of WRITTEN
)
DIGEST = 64  # characters


def salon_is_closed(salon: Salon) -> bool:
    """Whether the log takes no further events, since the salon has moved."""
    return Log.objects.values_list("closed", flat=True).get(pk=salon.log_id)


def facts_of_names(salon: Salon) -> Iterator[NameFact]:
    """The log's facts about names, in order."""
    yield from (decode(*row) for row in _rows(salon))


def readable_facts_of_names(salon: Salon) -> Iterator[NameFact]:
    """The same but for those that can't be read, which the audit names by themselves."""
    for row in _rows(salon):
        with suppress(UnknownShape, msgspec.DecodeError):
            yield decode(*row)


def _rows(salon: Salon) -> Iterator[tuple[str, int, str]]:
    named = {name for name, _schema in SHAPES}
    rows = Event.objects.filter(stream=house_stream(salon.log), type__in=named).order_by("version")
    return rows.values_list("type", "schema", "body").iterator()


def digests_of_names(salon: Salon) -> dict[str, str]:
    """The digest that covers each player's name now; "" for one who was erased."""
    return digests_by(facts_of_names(salon))


def digests_by(facts: Iterable[NameFact]) -> dict[str, str]:
    """The same after these facts."""
    found: dict[str, str] = {}
    for fact in facts:
        found |= read_name_digests(fact)
    return found


def read_name_digests(fact: NameFact) -> Mapping[str, str]:
    """The digests of names as a fact leaves them; "" for a name that is erased."""
    if isinstance(fact, NamesCovered):
        return dict(fact.names)
    return {fact.player: fact.digest if isinstance(fact, PersonRenamed) else ""}


def list_gone_texts(fact: NameFact) -> Sequence[str]:
    """The texts that a fact says are gone."""
    if isinstance(fact, PersonRenamed):
        return ()
    return fact.gone if isinstance(fact, NamesCovered) else fact.texts


def earlier_names(salon: Salon, player: str) -> list[str]:
    """The earlier names of a player, as far as they are kept, the latest first."""
    digests = [
        fact.earlier_name
        for fact in readable_facts_of_names(salon)
        if isinstance(fact, PersonRenamed) and fact.player == player
    ]
    words = words_of(salon, digests)
    return [words[digest] for digest in reversed(digests) if digest in words]


def untold_texts(salon: Salon) -> list[str]:
    """The digests in the log whose words are not here, and of which no fact tells that they
    went.
    """
    bodies = fetch_all(
        BODIES_WITH_WORDS, [salon.log_id, *(f'%"{name}":"%' for name in sorted(WRITTEN))]
    )
    said = {digest for (body,) in bodies for digest in find_text_digests(body)}
    told = {digest for fact in readable_facts_of_names(salon) for digest in list_gone_texts(fact)}
    return sorted(
        said - told - set(Text.objects.filter(salon=salon).values_list("digest", flat=True))
    )


def count_uncovered_names(salon: Salon) -> int:
    """The number of names that the next checkpoint will cover; 0 if the log takes no
    further events.
    """
    if salon_is_closed(salon) or not Player.objects.filter(salon=salon, salt="").exists():
        return 0
    known = digests_by(readable_facts_of_names(salon))
    return sum(
        player not in known
        for player in Player.objects.filter(salon=salon, salt="").values_list("pk", flat=True)
    )


def find_text_digests(body: str) -> Iterator[str]:
    """The digests that stand in an event in the place of words."""
    if any(f'"{name}"' in body for name in WRITTEN):
        yield from (digest for digest in digests_in(_read_body(body)) if len(digest) == DIGEST)


def _read_body(body: str) -> object:
    """The value of a body; nothing where it is none, which its verification tells of."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
