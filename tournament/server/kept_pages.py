"""Pages that a browser keeps for a while and opens without asking: they are this browser's,
whatever its cookies say by then.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

KEPT = "kept_by_the_browser"


def keeps(response: HttpResponse) -> HttpResponse:
    """The page, to be kept however the cookies of this browser change: a pad writes one with each
    tap.
    """
    setattr(response, KEPT, True)
    return response


def whatever_the_cookies(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: what `keeps` marked doesn't vary with cookies. No cache but the browser's own may
    hold it: it is `private`.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if getattr(response, KEPT, False) and "Vary" in response:
            named = [name.strip() for name in response["Vary"].split(",")]
            others = [name for name in named if name.lower() != "cookie"]
            response["Vary"] = ", ".join(others)
            if not others:
                del response["Vary"]
        return response

    return answer
