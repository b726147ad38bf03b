"""Temporary failures, in words and with their status: a database that is away, a full
disk, a printout that has to wait.
"""

import errno
import sqlite3
import sys
from typing import NamedTuple

import msgspec
import structlog
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from tournament.accounts.rate_limit import TooOften
from tournament.salons.paper_sizes import UnknownPaper
from tournament.server.http.problem_details import MEDIA_TYPE, details
from tournament.server.pdf.pdf_cache import Busy, NotTypeset

API = "/api/"
DISK_IS_FULL = "53100"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
FULL_SQLITE = "database or disk is full"

log_line = structlog.stdlib.get_logger(__name__)


class Failure(NamedTuple):
    """Its status and code, what it is called, what to do, and after how many seconds to try again
    (0: nobody knows).
    """

    status: int
    code: str
    title: str
    words: str
    seconds: int = 0


def failure_of(error: BaseException | None) -> Failure | None:
    """Return the failure to report for an error; None for a fault of our own."""
    match error:
        case UnknownPaper():
            return Failure(400, "bad_record", _("No such paper"), error.message)
        case Busy():
            words = _("Another sheet is being made for print. Try again in %(seconds)d seconds.")
            words %= {"seconds": error.seconds}
            return Failure(503, "busy", _("One sheet after the other"), words, error.seconds)
        case NotTypeset():
            words = _("The sheet can't be made for print just now. The other formats are there.")
            return Failure(503, "not_typeset", _("No sheet for print"), words, seconds=60)
        case TooOften():
            words = _("This address asked for too much. Try again in %(seconds)d seconds.")
            words %= {"seconds": error.seconds}
            return Failure(429, "too_many", _("Too much at once"), words, error.seconds)
    if error is not None and is_full(error):
        words = _(
            "Nothing was recorded: the server has no room left. Whoever runs the server "
            "has to make room."
        )
        return Failure(507, "disk_full", _("The disk is full"), words)
    if _is_away(error):
        words = _(
            "The database doesn't answer just now. Try again in a few seconds: what is sent "
            "again as it is is recorded once."
        )
        return Failure(503, "database_away", _("The database doesn't answer"), words, seconds=5)
    return None


def _is_away(error: BaseException | None) -> bool:
    """Whether a database can't be worked with. SQLite calls a wrong statement of ours an
    operational error, too.
    """
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def is_full(error: BaseException) -> bool:
    """Whether a disk has no room left."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    full = FULL_SQLITE in str(error) or getattr(error.__cause__, "sqlstate", None) == DISK_IS_FULL
    return isinstance(error, DatabaseError) and full


def failure_response(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """The answer to a failure; None for a fault of our own."""
    failure = failure_of(error)
    if failure is None:
        return None
    if failure.status >= 500:
        said = f"{type(error).__name__}: {error}"[:500]
        log_line.warning("can't be done now", code=failure.code, path=request.path, error=said)
    return answer_of(request, failure)


def answer_of(request: HttpRequest, failure: Failure) -> HttpResponse:
    """The failure as a page, or as problem details for a program. It asks the database for
    nothing.
    """
    if request.path.startswith(API):
        content = msgspec.json.encode(details(failure.status, failure.words, code=failure.code))
        response = HttpResponse(content, status=failure.status, content_type=MEDIA_TYPE)
    else:
        shown = {"title": failure.title, "words": failure.words}
        page = render_to_string("unavailable.html", shown)
        response = HttpResponse(page, status=failure.status)
    response["Cache-Control"] = "no-store"
    if failure.seconds:
        response["Retry-After"] = str(failure.seconds)
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: what Django itself can't or won't read."""
    words = _("What was sent can't be read here. Nothing was recorded.")
    return answer_of(request, Failure(400, "bad_request", _("This can't be read"), words))


def our_error(request: HttpRequest) -> HttpResponse:
    """The answer to whatever nothing else answered, which is being handled just now: 500 unless it
    has a better name.
    """
    answer = failure_response(request, sys.exc_info()[1])
    if answer is not None:
        return answer
    if request.path.startswith(API):
        words = _(
            "Something broke on the server. What was recorded before is safe; the server's "
            "log says why."
        )
        return answer_of(request, Failure(500, "our_error", "", words))
    return HttpResponse(render_to_string("500.html", request=None), status=500)
