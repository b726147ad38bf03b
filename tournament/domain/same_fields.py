"""Values made of others that say the same under the same names: a fact of the command it follows
from, what a state keeps of a fact.
"""

from dataclasses import fields
from functools import cache

from scoring.shape import Fields


def build_from[Made: Fields](shape: type[Made], source: Fields, **more: object) -> Made:
    """A value of this shape with what `source` has under the names of its fields, but for what
    `more` says otherwise or besides.
    """
    same = {name: getattr(source, name) for name in _list_shared_fields(shape, type(source))}
    return shape(**(same | more))


@cache
def _list_shared_fields(shape: type[Fields], source: type[Fields]) -> tuple[str, ...]:
    there = {field.name for field in fields(source)}
    return tuple(field.name for field in fields(shape) if field.name in there)
