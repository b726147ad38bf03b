"""Shared parts of the API's view sets: the visitor, the permission, the body, and
lists a page at a time: items, and the cursor at which the next page begins.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, TypedDict

from django.db.models import Model, QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from msgspec import Meta, Struct
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from tournament.accounts.access import ABOUT_ONE
from tournament.accounts.permissions import Permission, Role, Visitor, refusal
from tournament.api.http.authentication import visitor_at
from tournament.api.http.parsers import body_of, key_of, query_of, read_expected_version
from tournament.api.http.renderers import JSONAnswer
from tournament.models import Salon

MOST = 200
USUAL = 50
CURSOR = Meta(ge=0, le=10**15, description="Where the page before ended: its `next_cursor`.")
LIMIT = Meta(ge=1, le=MOST, description="How many at most.")


class MayAct(BasePermission):
    """Lets on whom the act of the action is granted to, or whoever asks where it is None."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True. Raises NotAuthenticated, PermissionDenied with what is missing."""
        act = act_of(view, view.action)
        if act is None:
            return True
        visitor: Visitor = view.visitor
        place = view.kwargs
        if visitor.may(
            act, **{name: place[key] for key, name in ABOUT_ONE.items() if key in place}
        ):
            return True
        if visitor.role is Role.ANYONE:
            raise NotAuthenticated(_("This is for members of the salon: send a token."))
        raise PermissionDenied(refusal(visitor, act))


def requires[A: Callable[..., object]](act: Permission | None) -> Callable[[A], A]:
    """Mark an action as one for whoever may do this, other than the rest of its view set."""

    def mark(action: A) -> A:
        action.act = act  # type: ignore[attr-defined]
        return action

    return mark


def act_of(view: Any, action: str) -> Permission | None:
    """The act that an action of a view set is: its own, or the one that all have there."""
    act: Permission | None = getattr(getattr(view, action), "act", view.act)
    return act


class By(TypedDict):
    """The actor and command id that every write has."""

    actor: str
    command: str


@method_decorator(conditional_page, name="dispatch")
class ApiViewSet(ViewSet):
    """The actions of one subject; each is for whom its `act` is granted to, None: for all.

    Every POST has a key of its own, but those of the actions `without_key`, which change nothing.
    """

    act: Permission | None
    without_key: tuple[str, ...] = ()
    permission_classes = [MayAct]
    format_kwarg = None  # no address ends in the name of a format
    visitor: Visitor
    command: str  # the key of a write, 32 hexadecimal digits: the id of the command that it is

    def dispatch(self, request: Any, *args: Any, salon: str = "", **place: Any) -> HttpResponseBase:
        """As DRF does; which salon is asked is known to `initial`, and no action has to take it."""
        self.slug = salon
        return super().dispatch(request, *args, **place)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raise whatever turns a request away. The throttles come first, other than in DRF: who is
        refused has asked, too.
        """
        negotiated = self.perform_content_negotiation(request)
        request.accepted_renderer, request.accepted_media_type = negotiated
        self.check_throttles(request)
        if str(request.method).lower() not in self.action_map:
            self.http_method_not_allowed(request)
        if self.slug:
            self.visitor = visitor_at(request, self.slug)
        self.check_permissions(request)
        if request.method == "POST" and self.action not in self.without_key:
            self.command = key_of(request)

    def finalize_response(
        self, request: Request, response: Any, *args: object, **kwargs: object
    ) -> Response:
        """As DRF does; an action may answer a plain value, or None for no content."""
        if response is None:
            response = Response(status=204)
        elif not isinstance(response, HttpResponseBase):
            response = Response(response)
        return super().finalize_response(request, response, *args, **kwargs)

    @property
    def default_response_headers(self) -> dict[str, str]:
        """As DRF has them; and nobody else is told what was answered here."""
        return super().default_response_headers | {
            "Cache-Control": "private, no-cache",
            "Vary": "Accept, Authorization, Cookie",
        }

    @property
    def salon(self) -> Salon:
        """The salon that is asked."""
        return self.visitor.salon

    @property
    def by(self) -> By:
        """Who writes, and the command that the write is."""
        return By(actor=self.visitor.actor, command=self.command)

    @cached_property
    def version(self) -> int:
        """The version that an act builds on. Raises KeyProblem."""
        return read_expected_version(self.request)

    def row[M: Model](self, model: type[M], key: object) -> M:
        """What the salon has under this key. Raises Http404."""
        found = get_object_or_404(model, salon=self.salon, pk=key)
        found.salon = self.salon  # type: ignore[attr-defined]  # nobody asks for it again
        return found

    def body[S: Struct](self, shape: type[S]) -> S:
        """What was sent, in this shape. Raises NotationError."""
        return body_of(self.request, shape)

    def query[S: Struct](self, shape: type[S]) -> S:
        """What stands after `?`, in this shape. Raises NotationError."""
        return query_of(self.request, shape)


def read_collection[A](acts: Mapping[str, A], collection: str) -> A:
    """Return the entry of `acts` for this collection. Raises Http404 if there is none."""
    if collection not in acts:
        raise Http404
    return acts[collection]


class NoSuchAddress(APIView):
    """Below /api/ and nothing of the API; it stands in no document."""

    schema = None
    name = ""
    renderer_classes = [JSONAnswer]

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Raise Http404 whatever is asked."""
        raise Http404


class PageQuery(Struct, frozen=True, kw_only=True):
    """Where a page of a list begins: after the one with this position, and how many it has
    at most.
    """

    cursor: Annotated[int, CURSOR] | None = None
    limit: Annotated[int, LIMIT] = USUAL


class Page[T](Struct, frozen=True, kw_only=True):
    """A page of a list, in its order; `next_cursor` is null at the end."""

    items: list[T]
    next_cursor: int | None

    def with_shape[S](self, shape_of: Callable[[T], S]) -> "Page[S]":
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
    return make_page([(getattr(row, column), row) for row in found], asked.limit)


def make_page[T](found: Sequence[tuple[int, T]], limit: int) -> Page[T]:
    """Return a page of these (position, item) pairs, of which one more than `limit` was
    read if there are more.
    """
    page = found[:limit]
    return Page(
        items=[item for _position, item in page],
        next_cursor=page[-1][0] if len(found) > limit else None,
    )
