"""The pages for what can't be: not allowed, not found, a form that is too old, an error of ours."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.accounts.access import audience_of
from tournament.models import Game
from tournament.models.visibility import SilentGame
from tournament.pages.common.form_values import problem_of
from tournament.queries.table import list_seats
from tournament.salons.public_names import Audience
from tournament.streams.codec import UnknownShape, in_words


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403, with the reason that the refusal gave; of a silent game who sits there."""
    if isinstance(exception, SilentGame):
        return silent_game(request, exception.row, audience_of(request), status=403)
    return _page(
        request,
        status=403,
        title=_("Not for you"),
        words=str(exception) or _("Your role in this salon does not let you do that."),
    )


def silent_game(
    request: HttpRequest, row: Game, audience: Audience, *, status: int
) -> HttpResponse:
    """A game in a silent round for one who may see its seats alone. Asked by htmx, the whole page
    comes anew.
    """
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(
        request,
        "silent_game.html",
        {"here": "tables", "row": row, "seated": list_seats(row, audience)},
        status=status,
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return _page(
        request,
        status=404,
        title=_("Nothing here"),
        words=_("There is no such page in this salon."),
    )


def form_too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form does not belong to this browser any more. Nothing was recorded."""
    return _page(
        request,
        status=403,
        title=_("This form is too old"),
        words=_("Nothing was recorded. Go back, load the page again and repeat it."),
    )


def not_readable(request: HttpRequest, unknown: UnknownShape) -> HttpResponse:
    """501: the page needs an event that a newer version wrote."""
    return _page(request, status=501, title=_("This can't be read here"), words=in_words(unknown))


def not_written(request: HttpRequest, refused: RuleViolation) -> HttpResponse:
    """422 for a file that can't say what was asked for: why, and what would do."""
    words = problem_of(refused).message
    return _page(request, status=422, title=_("There is no such file"), words=words)


def _page(request: HttpRequest, *, status: int, title: str, words: str) -> HttpResponse:
    return render(request, "refused.html", {"refusal": title, "words": words}, status=status)
