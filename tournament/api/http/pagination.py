"""Lists a page at a time: items, and the cursor at which the next page begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from django.db.models import Model, QuerySet
from msgspec import Meta
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.http.parsers import query_of

MOST = 200
USUAL = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """Where a page of a list begins: after the one with this position, and how many it has
    at most.
    """

    cursor: (
        Annotated[
            int,
            Meta(ge=0, le=10**15, description="Where the page before ended: its `next_cursor`."),
        ]
        | None
    ) = None
    limit: Annotated[int, Meta(ge=1, le=MOST, description="How many at most.")] = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Page[T]:
    """A page of a list, in its order; `next_cursor` is null at the end."""

    items: list[T]
    next_cursor: int | None


class ColumnPagination(BasePagination):
    """Pages by a column that no two rows share: the cursor is its value in the last row."""

    def __init__(self, ordering: str = "-started_position") -> None:
        self.ordering = ordering

    def paginate_queryset[M: Model](  # type: ignore[override]  # only query sets have columns
        self, queryset: QuerySet[M], request: Request, view: object = None
    ) -> list[M]:
        """The rows of the page that is asked for. Raises NotationError."""
        asked, column = query_of(request, PageQuery), self.ordering.removeprefix("-")
        if asked.cursor is not None:
            later = "lt" if self.ordering.startswith("-") else "gt"
            queryset = queryset.filter(**{f"{column}__{later}": asked.cursor})
        rows = list(queryset.order_by(self.ordering)[: asked.limit + 1])
        page = rows[: asked.limit]
        self.next_cursor = getattr(page[-1], column) if len(rows) > asked.limit else None
        return page

    def get_paginated_response(self, data: Any) -> Response:
        """The answer with these items."""
        return Response(Page(items=data, next_cursor=self.next_cursor))


def paged[T](found: Sequence[tuple[int, T]], limit: int) -> Page[T]:
    """A page of these (position, item) pairs, of which one more than `limit` was read where there
    are more.
    """
    page = found[:limit]
    return Page(
        items=[item for _position, item in page],
        next_cursor=page[-1][0] if len(found) > limit else None,
    )
