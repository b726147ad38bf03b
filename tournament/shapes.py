"""Events as they are stored: from a fact to its name, schema and canonical body, and back."""

from typing import Any

import msgspec

from scoring.games import GAMES

SHAPES: dict[tuple[str, int], type] = {stored: shape for game in GAMES.values() for stored, shape in game.shapes.items()}
STORED_AS: dict[type, tuple[str, int]] = {shape: stored for stored, shape in SHAPES.items()}
_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODERS: dict[tuple[str, int], msgspec.json.Decoder[Any]] = {stored: msgspec.json.Decoder(shape) for stored, shape in SHAPES.items()}


class UnknownShape(Exception):
    """An event of a type and schema that no game here has."""


def encode(value: object) -> bytes:
    """Canonical JSON of an event or an act: sorted ASCII keys, whole numbers, no white space (RFC 8785)."""
    return _ENCODER.encode(value)


def decode(name: str, schema: int, body: str | bytes) -> Any:
    """The fact that was stored. Raises UnknownShape, and msgspec.DecodeError for a body of another shape."""
    decoder = _DECODERS.get((name, schema))
    if decoder is None:
        raise UnknownShape(f"there is no event {name!r} with schema {schema}")
    return decoder.decode(body)
