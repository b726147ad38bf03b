"""What a page asks again and again has an address of its own in each tab: a browser asks for one
address once at a time, and another tab would wait for the answer of the first.
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

TAB = "tab="
OF_A_TAB = re.compile(r"(?:^|&)tab=\w{1,16}(?=&|$)")


def of_any_tab(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: takes the tab away again, before anybody reads the address."""

    def answer(request: HttpRequest) -> HttpResponse:
        query = request.META.get("QUERY_STRING", "")
        if TAB in query and "HTTP_HX_REQUEST" in request.META:
            request.META["QUERY_STRING"] = OF_A_TAB.sub("", query).removeprefix("&")
        return get_response(request)

    return answer
