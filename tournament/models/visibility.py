"""Request-scoped visibility: games of silent rounds load without their content.

While a visitor is answered, rows of such games come without their content, and
`Hand.objects` and `HandSide.objects` have none of their hands; a page that asks for
it all the same raises `SilentGame`. While no one is answered, in commands and in
the background, all is there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

from django.core.exceptions import PermissionDenied


class Visibility(Protocol):
    """The games that a visitor can see: all but the content of these `unseen` games
    (streams).
    """

    @property
    def unseen(self) -> frozenset[str]:
        """The games of which this visitor sees the seats alone."""

    def hides(self, row: Any) -> bool:  # noqa: ANN401 - a row of Game, whose module leans on this one
        """Whether the game of this row is one of them; cheaper than to ask for all."""


class SilentGame(PermissionDenied):
    """The game of this row counts in a silent round: its visitor sees who sits there and nothing
    else. 403 unless a page says it.
    """

    def __init__(self, row: Any) -> None:  # noqa: ANN401 - as above
        super().__init__(row)
        self.row = row


_sight: ContextVar[Visibility | None] = ContextVar("sight", default=None)


def get_visibility() -> Visibility | None:
    """Return what the present visitor can see; None: all."""
    return _sight.get()


def unseen_games() -> frozenset[str]:
    """The games (streams) of which whoever is answered now sees the seats alone."""
    seen = _sight.get()
    return seen.unseen if seen is not None else frozenset()


def set_visibility(seen: Visibility | None) -> None:
    """Set what the visitor can see, from now on in this thread."""
    _sight.set(seen)


@contextmanager
def use_visibility(seen: Visibility | None) -> Iterator[None]:
    """Set what the visitor can see within this block; `set_visibility` in it ends with
    it.
    """
    before = _sight.set(seen)
    try:
        yield
    finally:
        _sight.reset(before)
