"""What was given over HTTPS is never sent without it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def stay_on_https(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: every cookie of an answer over HTTPS is `Secure`, whoever speaks HTTPS here: the
    server itself, or a proxy in front.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.cookies and request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response

    return answer
