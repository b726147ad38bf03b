"""Errors of a request as problem details (RFC 9457): the same refusals as everywhere,
each with its status.
"""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import to_builtins
from rest_framework import exceptions
from rest_framework.response import Response

from ledger.drafts import CommandReused, Overdrawn, StreamMoved
from scoring.errors import Refusal, RuleViolation
from scoring.shape import JsonMapping
from tournament.accounts.permissions import Visitor
from tournament.api.http.renderers import BrowsablePages
from tournament.models import Game, Salon
from tournament.models.visibility import SilentGame
from tournament.queries.table import unpack_game
from tournament.server.http.failures import failure_of
from tournament.server.http.problem_details import MEDIA_TYPE, Current, ProblemDetails, details
from tournament.streams.codec import UnknownShape, in_words
from tournament.streams.types import STREAM_TYPES


class KeyProblem(Exception):
    """A write without a usable Idempotency-Key, or an act without a usable If-Match."""

    def __init__(self, message: str, *, status: int, code: str, path: str) -> None:
        super().__init__(message)
        self.message, self.status, self.code, self.path = message, status, code, path


def answer_to(error: Exception, context: JsonMapping) -> Response | None:
    """The answer to what a view raised; None for a fault of our own."""
    visitor: Visitor | None = getattr(context.get("view"), "visitor", None)
    named = _by_name(error, visitor, context.get("kwargs") or {})
    found = _details(named, visitor.salon if visitor is not None else None)
    if found is None:
        return None
    in_json = not isinstance(getattr(context["request"], "accepted_renderer", None), BrowsablePages)
    answer = Response(found, status=found.status, content_type=MEDIA_TYPE if in_json else None)
    for name, value in _headers(error).items():
        answer[name] = value
    return answer


def _by_name(error: Exception, visitor: Visitor | None, named: JsonMapping) -> Exception:
    """A refusal about a game with its players in the place of seats that stand at no table."""
    if visitor is None or not isinstance(error, Refusal):
        return error
    row = Game.objects.filter(salon=visitor.salon, pk=named.get("game", "")).first()
    return (
        error.name_players(unpack_game(visitor, row).called)
        if row is not None and not row.is_silent
        else error
    )


def _details(error: Exception, salon: Salon | None) -> ProblemDetails | None:
    match error:
        case Refusal():
            status = 422 if isinstance(error, RuleViolation) else 400
            return details(status, error.message, code=error.code, rule=error.rule, path=error.path)
        case StreamMoved():
            words = _("Somebody else was first; this is what is there now. Nothing was recorded.")
            return details(409, words, code="moved", current=_current(error.stream, salon))
        case CommandReused():
            words = _(
                "This key was used before for something else; every new act has a key of its own."
            )
            return details(422, words, code="key_reused", path="Idempotency-Key")
        case Overdrawn():
            return details(422, _("An account would be left below zero."), code="no_chips")
        case KeyProblem():
            return details(error.status, error.message, code=error.code, path=error.path)
        case UnknownShape():
            return details(501, in_words(error), code="unreadable")
        case Http404():
            return details(404, _("There is no such thing in this salon."))
        case SilentGame():
            words = _(
                "This game counts in a silent round: how it stands is shown when the tournament "
                "is over."
            )
            return details(403, words, code="silent")
        case PermissionDenied():
            return details(403, str(error) or _("You may not do this here."))
        case exceptions.ValidationError(detail=dict(errors)):
            found: Any = next(iter(errors.items()))  # the first field and what is wrong there
            return details(400, str(found[1][0]), code="bad_record", path=found[0])
        case exceptions.APIException():
            return details(error.status_code, _words(error))
    failure = failure_of(error)
    return (
        details(failure.status, failure.words, code=failure.code) if failure is not None else None
    )


def _current(stream: str, salon: Salon | None) -> Current | None:
    """The version and state of a stream of this salon; None where it has none such."""
    if salon is None:
        return None
    heads: list[type[Model]] = [Game, *(kind.head for kind in STREAM_TYPES.values())]
    for model in heads:
        row: Any = model._default_manager.filter(salon=salon, pk=stream).first()
        if row is not None and not getattr(row, "is_silent", False):
            state = to_builtins(getattr(row, "state", {}), order="sorted")
            return Current(version=row.version, state=state)
    return None


def _words(error: exceptions.APIException) -> str:
    return str(error.detail) if isinstance(error.detail, str) else _("This can't be done so.")


def _headers(error: Exception) -> dict[str, str]:
    found = {}
    if header := getattr(error, "auth_header", None):
        found["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        found["Retry-After"] = str(int(wait) + 1)
    failure = failure_of(error)
    if failure is not None and failure.seconds:
        found["Retry-After"] = str(failure.seconds)
    return found
