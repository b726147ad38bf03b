"""Lists a page at a time: items, and the cursor at which the next page begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from django.db.models import Model, QuerySet
from msgspec import Meta
from rest_framework.request import Request

from tournament.api.http.parsers import query_of

MOST = 200
USUAL = 50
CURSOR = Meta(ge=0, le=10**15, description="Where the page before ended: its `next_cursor`.")
LIMIT = Meta(ge=1, le=MOST, description="How many at most.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """Where a page of a list begins: after the one with this position, and how many it has
    at most.
    """

    cursor: Annotated[int, CURSOR] | None = None
    limit: Annotated[int, LIMIT] = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Page[T]:
    """A page of a list, in its order; `next_cursor` is null at the end."""

    items: list[T]
    next_cursor: int | None

    def shown[S](self, shape_of: Callable[[T], S]) -> "Page[S]":
        """The same page with each of its items in this shape."""
        return Page(items=[shape_of(each) for each in self.items], next_cursor=self.next_cursor)


def page_of[M: Model](
    request: Request, rows: QuerySet[M], ordering: str = "-started_position"
) -> Page[M]:
    """The page of these rows that is asked for, by a column that no two of them share: the cursor
    is its value in the last row. Raises NotationError.
    """
    asked, column = query_of(request, PageQuery), ordering.removeprefix("-")
    if asked.cursor is not None:
        later = "lt" if ordering.startswith("-") else "gt"
        rows = rows.filter(**{f"{column}__{later}": asked.cursor})
    found = rows.order_by(ordering)[: asked.limit + 1]
    return paged([(getattr(row, column), row) for row in found], asked.limit)


def paged[T](found: Sequence[tuple[int, T]], limit: int) -> Page[T]:
    """A page of these (position, item) pairs, of which one more than `limit` was read where there
    are more.
    """
    page = found[:limit]
    return Page(
        items=[item for _position, item in page],
        next_cursor=page[-1][0] if len(found) > limit else None,
    )
