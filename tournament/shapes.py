"""Events as they are stored: from a fact to its name, schema and canonical body, and back."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from scoring.games import GAMES
from tournament.kinds import KINDS

_ENCODER = msgspec.json.Encoder(order="sorted")
_STORED_AS: dict[type, tuple[str, int]] = {}


class UnknownShape(Exception):
    """An event of a type and schema that nothing here has."""


def stored_names() -> list[str]:
    """The names under which events of all games and other streams are stored, in order."""
    return sorted({name for shapes in _all_shapes() for name, _schema in shapes})


def stored_as(event: object) -> tuple[str, int]:
    """The name and schema under which a fact is stored: the latest of its shapes."""
    kind = type(event)
    if kind not in _STORED_AS:
        _STORED_AS.update({shape: stored for shapes in _all_shapes() for stored, shape in shapes.items()})
    return _STORED_AS[kind]


def is_readable(name: str, schema: int) -> bool:
    """Whether events of this type and schema can be read here."""
    try:
        _decoder(name, schema)
    except UnknownShape:
        return False
    return True


def encode(value: object) -> bytes:
    """Canonical JSON of an event or an act: sorted ASCII keys, whole numbers, no white space (RFC 8785)."""
    return _ENCODER.encode(value)


def decode(name: str, schema: int, body: str | bytes) -> Any:
    """The fact that was stored, one of an older shape as it is read today, step by step.

    Raises UnknownShape, and msgspec.DecodeError for a body of another shape.
    """
    fact, upcasters = _decoder(name, schema).decode(body), _upcasters()
    while (name, schema) in upcasters:
        fact, schema = upcasters[name, schema](fact), schema + 1
    return fact


@cache
def _decoder(name: str, schema: int) -> msgspec.json.Decoder[Any]:
    for shapes in _all_shapes():
        if (name, schema) in shapes:
            return msgspec.json.Decoder(shapes[name, schema])
    raise UnknownShape(f"there is no event {name!r} with schema {schema}")


@cache
def _upcasters() -> Mapping[tuple[str, int], Callable[[Any], Any]]:
    """How the facts of older shapes are read as those of the next, by name and schema."""
    return {stored: upcast for kind in KINDS.values() for stored, upcast in kind.upcasters.items()}


def _all_shapes() -> Iterator[Mapping[tuple[str, int], type]]:
    """The stored facts of every game and of every other kind of stream, by name and schema."""
    yield from (game.shapes for game in GAMES.values())
    yield from (kind.shapes for kind in KINDS.values())
