"""Events as they are stored: from a fact to its name, schema and canonical body, and back; and
those that nothing here can read, since a newer version wrote them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from ledger.chain import Stored
from ledger.reading import fetch_all
from scoring.game import AnyGame
from scoring.games import GAMES
from tournament.streams.types import STREAM_TYPES, AnyStreamType

_ENCODER = msgspec.json.Encoder(order="sorted")
_STORED_AS: dict[type, tuple[str, int]] = {}
SHAPES = "SELECT DISTINCT type, schema FROM ledger_event"


class UnknownShape(Exception):
    """An event of a type and schema that nothing here has: a newer version wrote it, or somebody
    else.
    """

    def __init__(self, name: str, schema: int) -> None:
        super().__init__(f"there is no event {name!r} with schema {schema}")
        self.name, self.schema = name, schema


def list_stored_names() -> list[str]:
    """The names under which events of all games and other streams are stored, in order."""
    return sorted({name for shapes in _all_shapes() for name, _schema in shapes})


def find_stored_name(event: object) -> tuple[str, int]:
    """The name and schema under which a fact is stored: the latest of its shapes."""
    kind = type(event)
    if kind not in _STORED_AS:
        _STORED_AS.update(
            {shape: stored for shapes in _all_shapes() for stored, shape in shapes.items()}
        )
    return _STORED_AS[kind]


def is_readable(name: str, schema: int) -> bool:
    """Whether events of this type and schema can be read here."""
    try:
        _decoder(name, schema)
    except UnknownShape:
        return False
    return True


def encode(value: object) -> bytes:
    """Canonical JSON of an event or an act: sorted ASCII keys, whole numbers, no white space (RFC
    8785).
    """
    return _ENCODER.encode(value)


def decode(name: str, schema: int, body: str | bytes) -> Any:  # noqa: ANN401 - of the shape of that name
    """The fact that was stored, one of an older shape as it is read today, step by step.

    Raises UnknownShape, and msgspec.DecodeError for a body of another shape.
    """
    fact = _decoder(name, schema).decode(body)
    for upcast in _upcasters(name, schema):
        fact = upcast(fact)
    return fact


@cache
def _decoder(name: str, schema: int) -> msgspec.json.Decoder[Any]:
    for shapes in _all_shapes():
        if (name, schema) in shapes:
            return msgspec.json.Decoder(shapes[name, schema])
    raise UnknownShape(name, schema)


@cache
def _upcasters(name: str, schema: int) -> Sequence[Callable[[Any], Any]]:
    """By which steps a fact of this shape is read as one of the latest."""
    kinds: Iterable[AnyGame | AnyStreamType] = (*GAMES.values(), *STREAM_TYPES.values())
    known = {stored: upcast for each in kinds for stored, upcast in each.upcasters.items()}
    steps = []
    while (name, schema) in known:
        steps.append(known[name, schema])
        schema += 1
    return steps


def _all_shapes() -> Iterator[Mapping[tuple[str, int], type]]:
    """The stored facts of every game and of every other kind of stream, by name and schema."""
    yield from (game.shapes for game in GAMES.values())
    yield from (kind.shapes for kind in STREAM_TYPES.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """In the place of a fact: an event of this type and schema can't be read, and so nor can the
    `later` ones of its stream.
    """

    type: str
    schema: int
    later: int


def unread_shapes() -> list[tuple[str, int]]:
    """The types and schemas in the database that nothing here reads, in order."""
    return sorted(
        (name, schema) for name, schema in fetch_all(SHAPES, []) if not is_readable(name, schema)
    )


def in_words(unknown: UnknownShape) -> str:
    """The message for a page or request that needs such an event."""
    return (
        _(
            "What is asked for needs a line of the type %(type)s, schema %(schema)s, that "
            "this version of Accord can't read:"
        )
        % {"type": unknown.name, "schema": unknown.schema}
        + " "
        + _("a newer version wrote it. Nothing is lost; update Accord, and it stands here again.")
    )


def readable(events: Sequence[Stored]) -> tuple[Sequence[Stored], Stored | None]:
    """The events of a stream up to the first command of which not all can be read, and the event
    that stops there.
    """
    for event in events:
        try:
            decode(event.type, event.schema, event.body)
        except (UnknownShape, msgspec.DecodeError):
            return [each for each in events if each.version < _first(events, event).version], event
    return events, None


def _first(events: Sequence[Stored], event: Stored) -> Stored:
    return next(each for each in events if each.command == event.command)
