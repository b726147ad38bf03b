"""The pages for what can't be: not allowed, not found, a form that is too old, an error of ours."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournament.shapes import UnknownShape
from tournament.unread import in_words


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403, with the reason that the refusal gave."""
    return _page(
        request, status=403, title=_("Not for you"), words=str(exception) or _("What you are in this salon does not let you do that.")
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return _page(request, status=404, title=_("Nothing here"), words=_("There is no such page in this salon."))


def form_too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form does not belong to this browser any more. Nothing was recorded."""
    return _page(
        request, status=403, title=_("This form is too old"), words=_("Nothing was recorded. Go back, load the page again and repeat it.")
    )


def not_readable(request: HttpRequest, unknown: UnknownShape) -> HttpResponse:
    """501: the page needs an event that a newer version wrote."""
    return _page(request, status=501, title=_("This can't be read here"), words=in_words(unknown))


def our_error(request: HttpRequest) -> HttpResponse:
    """500, without asking the database for anything."""
    return render(request, "500.html", status=500)


def _page(request: HttpRequest, *, status: int, title: str, words: str) -> HttpResponse:
    return render(request, "refused.html", {"refusal": title, "words": words}, status=status)
