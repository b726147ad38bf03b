"""Facts as they are stored, read with the standard library alone: where rules run without the
service that keeps them (`tournament/streams/codec.py` reads the same there, and faster).
"""

from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from scoring.attestations import is_attestation
from scoring.common_state import GameState
from scoring.effective_history import course_of, fold_course
from scoring.events import GameCorrected
from scoring.game import AnyGame


class StoredFact(NamedTuple):
    """An event as it lies in a log: its stored name, its schema, and the JSON value of its body."""

    name: str
    schema: int
    value: object


def read_fact(game: AnyGame, stored: StoredFact) -> object:
    """The fact, one of an older shape as it is read today, step by step.

    Raises KeyError for a name that isn't of this game, TypeError and ValueError for another shape.
    """
    name, schema = stored.name, stored.schema
    fact: object = _of_shape(game.shapes[name, schema], stored.value)
    while (name, schema) in game.upcasters:
        fact, schema = game.upcasters[name, schema](fact), schema + 1
    return fact


def fold_stored(game: AnyGame, stored: list[StoredFact]) -> GameState:
    """The state after all events of a game, corrections in effect."""
    facts = [read_fact(game, each) for each in stored]
    if any(isinstance(fact, GameCorrected) for fact in facts):
        return fold_course(game, course_of(game, enumerate(facts, 1)), len(facts))
    state: Any = None
    for fact in facts:
        if is_attestation(fact):
            state = state._replace(version=state.version + 1)
        else:
            state = game.evolve(state, fact)
    folded: GameState = state
    return folded


def _of_shape(shape: Any, value: object) -> object:  # noqa: ANN401 - a type as an annotation has it
    if isinstance(shape, UnionType):
        if value is None and NoneType in get_args(shape):
            return None
        (shape,) = (each for each in get_args(shape) if each is not NoneType)
        return _of_shape(shape, value)
    if get_origin(shape) is tuple:
        return _read_tuple(get_args(shape), value)
    if hasattr(shape, "__dataclass_fields__"):
        return _read_fields(shape, value)
    if type(value) is not shape:
        raise TypeError(f"{shape.__name__} is expected here, not {value!r}")
    return value


def _read_tuple(shapes: tuple[Any, ...], value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise TypeError(f"a list is expected here, not {value!r}")
    if shapes[1:] == (...,):
        return tuple(_of_shape(shapes[0], each) for each in value)
    return tuple(_of_shape(shape, each) for shape, each in zip(shapes, value, strict=True))


def _read_fields(shape: type, value: object) -> object:
    """A key that the shape doesn't have is passed over, as a newer version may write one."""
    if not isinstance(value, dict):
        raise TypeError(f"an object is expected here, not {value!r}")
    shapes = _shapes_of_fields(shape)
    return shape(
        **{key: _of_shape(shapes[key], each) for key, each in value.items() if key in shapes}
    )


@cache
def _shapes_of_fields(shape: type) -> Mapping[str, Any]:
    """Return the type of each field; the parameter of a generic base is what the class
    names for it.
    """
    named = {
        parameter: argument
        for base in getattr(shape, "__orig_bases__", ())
        for parameter, argument in zip(
            getattr(get_origin(base), "__type_params__", ()), get_args(base), strict=False
        )
    }
    return {
        name: named.get(hint, hint) if isinstance(hint, TypeVar) else hint
        for name, hint in get_type_hints(shape).items()
    }
