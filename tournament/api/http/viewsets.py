"""What every address of the API shares: who asks, whether they may, and what they sent."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypedDict

from django.db.models import Model
from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.decorators import method_decorator
from django.views.decorators.http import conditional_page
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from tournament.accounts.permissions import Act, Visitor
from tournament.api.http.authentication import visitor_at
from tournament.api.http.parsers import body_of, expected_version, key_of, query_of
from tournament.api.http.permissions import MayAct
from tournament.api.http.renderers import JSONAnswer
from tournament.models import Salon


class By(TypedDict):
    """What every write names."""

    actor: str
    command: str


@method_decorator(conditional_page, name="dispatch")
class ApiViewSet(ViewSet):
    """The actions of one subject; each is for whom its `act` is granted to, None: for all.

    Every POST has a key of its own, but those of the actions `without_key`, which change nothing.
    """

    act: Act | None
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
        return expected_version(self.request)

    def row[M: Model](self, model: type[M], key: object) -> M:
        """What the salon has under this key. Raises Http404."""
        found = get_object_or_404(model, salon=self.salon, pk=key)
        found.salon = self.salon  # type: ignore[attr-defined]  # nobody asks for it again
        return found

    def body[S](self, shape: type[S]) -> S:
        """What was sent, as this dataclass. Raises NotationError."""
        return body_of(self.request, shape)

    def query[S](self, shape: type[S]) -> S:
        """What stands after `?`, as this dataclass. Raises NotationError."""
        return query_of(self.request, shape)


def of_collection[A](acts: Mapping[str, A], collection: str) -> A:
    """What an act is that is added to this collection. Raises Http404 where none is."""
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
