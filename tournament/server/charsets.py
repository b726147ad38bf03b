"""Forms come in UTF-8: one in another charset is refused before anything reads it."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from tournament.server.failures import Failure, answer_of

UNSUPPORTED_MEDIA_TYPE = 415
UTF_8 = frozenset({"", "utf-8", "utf8"})


def only_utf_8(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: 415 for a body that says it is written in another charset, to programs as problem
    details.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        if (request.content_params or {}).get("charset", "").strip("\"' ").lower() not in UTF_8:
            words = _("Nothing was recorded: write it in UTF-8.")
            return answer_of(
                request,
                Failure(
                    status=UNSUPPORTED_MEDIA_TYPE,
                    code="not_utf_8",
                    title=_("This can't be read"),
                    words=words,
                ),
            )
        return get_response(request)

    return answer
