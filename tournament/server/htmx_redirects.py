"""An answer to htmx that leads elsewhere: the page that asked is not changed, nor its address,
behind somebody's back.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase, HttpResponseRedirectBase

NO_CONTENT = 204


def leads_in_sight(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: a tap that leads to another page opens it as a whole; what a page asked by itself
    leaves it as it is.

    A browser would follow unseen, and the other page would take the place of what stands there, its
    address included.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if "HX-Request" not in request.headers or not isinstance(
            response, HttpResponseRedirectBase
        ):
            return response
        place = response["Location"]
        del response["Location"]
        response.status_code, response.content = NO_CONTENT, b""
        if "HX-Boosted" in request.headers:
            response["HX-Redirect"] = place
        return response

    return answer
