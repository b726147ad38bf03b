"""Answers made of what rows and queries hold."""

from typing import Any


def shaped[S](shape: type[S], value: object, /, **given: Any) -> S:
    """A value of this shape, a dataclass: what is given, and every other field as the row or the
    value has the attribute of that name.
    """
    names: Any = shape.__dataclass_fields__  # type: ignore[attr-defined]  # a dataclass has them
    return shape(**{name: getattr(value, name) for name in names if name not in given}, **given)
