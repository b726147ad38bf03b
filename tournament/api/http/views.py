"""An address of the API: its operations by method as one view, which asks first who may and answers
in JSON.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.request import Request
from rest_framework.views import APIView

from scoring.shape import JsonObject
from tournament.accounts.access import ABOUT_ONE
from tournament.accounts.permissions import Act, Role, Visitor, refusal
from tournament.api.http.authentication import visitor_at
from tournament.api.http.operations import Call, Operation
from tournament.api.http.requests import body_of, expected_version, key_of, query_of
from tournament.api.http.responses import response_of
from tournament.api.http.schema import described


def resource(**operations: Operation) -> Callable[..., HttpResponseBase]:
    """The view of an address with an operation for each method (`get=…`, `post=…`), which it has as
    its `operations`, too.
    """
    handlers = {method: described(each, _handler(each)) for method, each in operations.items()}
    view: type[APIView] = type("Resource", (APIView,), handlers)
    address: Any = conditional_page(view.as_view())
    address.operations = operations
    return address  # type: ignore[no-any-return]


def _handler(asked: Operation) -> Callable[..., HttpResponse]:
    def handler(view: APIView, request: Request, **place: Any) -> HttpResponse:
        call = _call(asked, request, place.pop("salon", None), place)
        answer = response_of(asked.does(call, **place), status=asked.status)
        answer["Cache-Control"] = "private, no-cache"
        patch_vary_headers(answer, ["Authorization", "Cookie"])
        return answer

    return handler


def _call(asked: Operation, request: Request, slug: str | None, place: dict[str, object]) -> Call:
    """Raises whatever turns a request away: who may not, what can't be read."""
    visitor: Any = None
    if slug is not None:
        visitor = visitor_at(request, slug)
        request.visitor = visitor  # type: ignore[attr-defined]
    if asked.act is not None:
        _demand(visitor, asked.act, place)
    return Call(
        request=request,
        visitor=visitor,
        command=key_of(request) if asked.keyed else "",
        version=expected_version(request) if asked.on_version else 0,
        query=query_of(request, asked.query) if asked.query else None,
        body=body_of(request, asked.body) if asked.body is not None else None,
    )


def _demand(visitor: Visitor, act: Act, place: JsonObject) -> None:
    if visitor.may(act, **{name: place[key] for key, name in ABOUT_ONE.items() if key in place}):
        return
    if visitor.role is Role.ANYONE:
        raise NotAuthenticated(_("This is for members of the salon: send a token."))
    raise PermissionDenied(refusal(visitor, act))
