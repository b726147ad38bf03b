"""Refusals of the gateway itself, before any page is called: too many, too long, too
slow; to programs as problem details.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

import msgspec
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from tournament.server.http.problem_details import MEDIA_TYPE, details
from tournament.server.http.wsgi_bridge import WholeAnswer, of_words

API = "/api/"
PAGE = "text/html; charset=utf-8"
SECONDS_TO_WAIT = 5
GUARDED = {
    "content_security_policy": "default-src 'self'; frame-ancestors 'none'",
    "x_content_type_options": "nosniff",
    "x_frame_options": "DENY",
    "cross_origin_resource_policy": "same-origin",
}

# By status its code, what it is called, and what to do.
WORDS: Mapping[HTTPStatus, Callable[[], tuple[str, str, str]]] = {
    HTTPStatus.BAD_REQUEST: lambda: (
        "bad_request",
        _("This can't be read"),
        _("The length of what was sent is no number."),
    ),
    HTTPStatus.REQUEST_TIMEOUT: lambda: (
        "too_slow",
        _("Too slow"),
        _("What was sent didn't arrive in time. Nothing was recorded; send it again."),
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: lambda: (
        "too_long",
        _("Too long"),
        _("So much at once is not read here. Nothing was recorded."),
    ),
    HTTPStatus.TOO_MANY_REQUESTS: lambda: (
        "too_many",
        _("Too much at once"),
        _(
            "Too many requests come from this address at the same time. Nothing was "
            "recorded; try again in a few seconds."
        ),
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: lambda: (
        "busy",
        _("Very busy"),
        _(
            "The server has as much to do as it can. Nothing was recorded; try again in a "
            "few seconds."
        ),
    ),
}
LATER = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


def refusal(status: HTTPStatus, path: str) -> WholeAnswer:
    """The answer to a request that is read no further; its connection ends with it."""
    code, title, words = WORDS[status]()
    later = {"retry_after": str(SECONDS_TO_WAIT)} if status in LATER else {}
    more = {"connection": "close"} | later
    if path.startswith(API):
        problem = msgspec.json.encode(details(status, words, code=code))
        return of_words(status, problem, MEDIA_TYPE, **more)
    page = render_to_string("unavailable.html", {"title": title, "words": words})
    return of_words(status, page.encode(), PAGE, **GUARDED, **more)
