"""Forms come in UTF-8: one in another charset is refused before anything reads it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

UNSUPPORTED_MEDIA_TYPE = 415
UTF_8 = frozenset({"", "utf-8", "utf8"})


def only_utf_8(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: 415 for a body that says it is written in another charset."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if (request.content_params or {}).get("charset", "").strip("\"' ").lower() not in UTF_8:
            return HttpResponse("Write it in UTF-8.", status=UNSUPPORTED_MEDIA_TYPE, content_type="text/plain; charset=utf-8")
        return get_response(request)

    return answer
