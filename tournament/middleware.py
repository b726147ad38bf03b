"""All middleware of our own, in the order in which the settings list it.

Each class does one thing around a request; the work itself lies in the module that it names.
"""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase, HttpResponseRedirectBase
from django.urls import is_valid_path
from django.utils.translation import gettext as _

from tournament.accounts.access import answer_opened
from tournament.accounts.trusted_devices import note_refusal, set_device_cookie
from tournament.pages.common.browser_cache import unvary_kept_page
from tournament.pages.common.unknown_events import unread_event_response
from tournament.pages.players.entry_page_cache import unchanged_page
from tournament.pages.table.board_cache import answer_board
from tournament.salons.prefix import answer_in_salon
from tournament.server.http.compression import compress_page
from tournament.server.http.cpu_budget import answer_within_share
from tournament.server.http.failures import Failure, answer_of, failure_response
from tournament.server.http.hosts import unknown_host_response

type GetResponse = Callable[[HttpRequest], HttpResponseBase]

NO_CONTENT, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE = 204, 405, 415
# Pages that are not above the address of their form: the address ends so, and the page's so.
PAGES_OF_FORMS = {
    "desk_acts": ("/acts/", "/desk/"),
    "desk_lists": ("/lists/", "/entries/"),
}
PERMISSIONS = (
    "camera=(self), accelerometer=(), bluetooth=(), display-capture=(), geolocation=(), "
    "gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()"
)
UTF_8 = frozenset({"", "utf-8", "utf8"})
TAB = "tab="
TAB_PARAMETER = re.compile(r"(?:^|&)tab=\w{1,16}(?=&|$)")


class Middleware:
    """Passes the request on; subclasses say what they add."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        return self.get_response(request)


class KnownHostsMiddleware(Middleware):
    """Answers 400 for a host name that can't be this server's."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, unless its host is unknown."""
        return unknown_host_response(request) or self.get_response(request)


class PlainRequestMiddleware(Middleware):
    """Removes the name of a tab from the address, and refuses forms that are not in UTF-8 (415).

    A browser sends one request at a time to one address, so that another tab would wait for the
    answer of the first: what a page asks again and again has an address of its own in each tab.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request as if it named no tab."""
        query = request.META.get("QUERY_STRING", "")
        if TAB in query and "HTTP_HX_REQUEST" in request.META:
            request.META["QUERY_STRING"] = TAB_PARAMETER.sub("", query).removeprefix("&")
        charset = (request.content_params or {}).get("charset", "").strip("\"' ").lower()
        if charset in UTF_8:
            return self.get_response(request)
        title, words = _("This can't be read"), _("Nothing was recorded: write it in UTF-8.")
        return answer_of(request, Failure(UNSUPPORTED_MEDIA_TYPE, "not_utf_8", title, words))


class CompressionMiddleware(Middleware):
    """Compresses pages for browsers that read gzip."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request with a compressed page."""
        return compress_page(request, self.get_response(request))


class PolledPagesMiddleware(Middleware):
    """Answers boards and entries' pages that look again by themselves, before any view."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer from memory if the page is the same."""
        return unchanged_page(request) or answer_board(request, self.get_response)


class ResponseHeadersMiddleware(Middleware):
    """Sets the headers that every answer needs, and what redirects and cookies become for pages."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request with all headers."""
        response = open_whole_page(request, self.get_response(request))
        unvary_kept_page(response)
        if response.cookies and request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        framed = getattr(response, "xframe_options_exempt", False)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault(
            "Cross-Origin-Resource-Policy", "cross-origin" if framed else "same-origin"
        )
        return response


def open_whole_page(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Turn a redirect that htmx would follow unseen into one that opens the page as a whole.

    A tap that leads to another page opens it; what a page asks by itself leaves it as it is. Else
    the other page would take the place of a part of this one, its address included.
    """
    if "HX-Request" not in request.headers or not isinstance(response, HttpResponseRedirectBase):
        return response
    place = response["Location"]
    del response["Location"]
    response.status_code, response.content = NO_CONTENT, b""
    if "HX-Boosted" in request.headers:
        response["HX-Redirect"] = place
    return response


class SalonPrefixMiddleware(Middleware):
    """Takes `/salons/<slug>/` off the path and gives it back to every link."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request in the salon that its address names."""
        return answer_in_salon(request, self.get_response)


class KnownDevicesMiddleware(Middleware):
    """Logs refused requests, and remembers browsers that opened something, by a cookie."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, and note what became of it."""
        response = self.get_response(request)
        set_device_cookie(request, response)
        note_refusal(request, response)
        return response


class ErrorPagesMiddleware(Middleware):
    """Explains in words what can't be done now, and leads a GET of a form's address to its page.

    The API explains its errors by itself. Such an address is in the bar after a refusal: a new tab,
    a restored one or Enter asks for it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or redirect it to the page that the form is on."""
        response = self.get_response(request)
        opened = request.method in ("GET", "HEAD") and not request.path_info.startswith("/api/")
        if response.status_code != METHOD_NOT_ALLOWED or not opened:
            return response
        if "POST" not in response.headers.get("Allow", ""):
            return response
        prefix = request.path.removesuffix(request.path_info)
        return HttpResponseRedirect(f"{prefix}{find_page_of_form(request)}")

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page for an event that nothing here reads or for a failure outside; else None."""
        return unread_event_response(request, exception) or failure_response(request, exception)


def find_page_of_form(request: HttpRequest) -> str:
    """The path of the page with this form: the nearest one above it, unless it lies elsewhere."""
    match = request.resolver_match
    path = request.path_info
    if match is not None and match.url_name in PAGES_OF_FORMS:
        below, above = PAGES_OF_FORMS[match.url_name]
        return f"{path.partition(below)[0]}{above}"
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            return path
    return path


class CpuShareMiddleware(Middleware):
    """Answers 429 for a visitor without a key whose address has used its share of CPU."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request and count its cost."""
        return answer_within_share(request, self.get_response)


class FirstVisitMiddleware(Middleware):
    """Leads every page to the first visit until someone owns a salon."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, or redirect it to the welcome page."""
        return answer_opened(request, self.get_response)
