"""Small things that are done to every request, and to every answer, on its way."""

import re

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase, HttpResponseRedirectBase
from django.urls import is_valid_path
from django.utils.translation import gettext as _

from tournament.salons.middleware import Answer, middleware
from tournament.server.failures import Failure, answer_of

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
OF_A_TAB = re.compile(r"(?:^|&)tab=\w{1,16}(?=&|$)")
KEPT = "kept_by_the_browser"


@middleware
def of_any_tab(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """Takes the name of a tab away again, before anybody reads the address.

    What a page asks again and again has an address of its own in each tab: a browser asks for one
    address once at a time, and another tab would wait for the answer of the first.
    """
    query = request.META.get("QUERY_STRING", "")
    if TAB in query and "HTTP_HX_REQUEST" in request.META:
        request.META["QUERY_STRING"] = OF_A_TAB.sub("", query).removeprefix("&")
    return answer(request)


@middleware
def only_utf_8(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """Forms come in UTF-8: 415 for a body that says it is written in another charset, before
    anything reads it, to programs as problem details.
    """
    if (request.content_params or {}).get("charset", "").strip("\"' ").lower() in UTF_8:
        return answer(request)
    title, words = _("This can't be read"), _("Nothing was recorded: write it in UTF-8.")
    return answer_of(request, Failure(UNSUPPORTED_MEDIA_TYPE, "not_utf_8", title, words))


@middleware
def say_what_may_be_used(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """Pages may use the camera, which reads codes, and nothing else of a device; what is answered
    here is for our own pages alone, but for those that may be framed anywhere.
    """
    response = answer(request)
    framed = getattr(response, "xframe_options_exempt", False)
    response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    response.headers.setdefault(
        "Cross-Origin-Resource-Policy", "cross-origin" if framed else "same-origin"
    )
    return response


@middleware
def stay_on_https(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """What was given over HTTPS is never sent without it: every cookie of such an answer is
    `Secure`, whoever speaks HTTPS here, the server itself or a proxy in front.
    """
    response = answer(request)
    if response.cookies and request.is_secure():
        for cookie in response.cookies.values():
            cookie["secure"] = True
    return response


@middleware
def leads_in_sight(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """A tap that leads to another page opens it as a whole; what a page asked by itself leaves it
    as it is.

    A browser would follow unseen, and the other page would take the place of what stands there, its
    address included.
    """
    response = answer(request)
    if "HX-Request" not in request.headers or not isinstance(response, HttpResponseRedirectBase):
        return response
    place = response["Location"]
    del response["Location"]
    response.status_code, response.content = NO_CONTENT, b""
    if "HX-Boosted" in request.headers:
        response["HX-Redirect"] = place
    return response


@middleware
def redirect_to_its_page(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """Redirect a GET of an address that takes forms alone to the page that the form is on.

    Such an address is in the bar after a refusal: a new tab, a restored one or Enter asks for it.
    """
    response = answer(request)
    opened = request.method in ("GET", "HEAD") and not request.path_info.startswith("/api/")
    if response.status_code != METHOD_NOT_ALLOWED or not opened:
        return response
    if "POST" not in response.headers.get("Allow", ""):
        return response
    prefix = request.path.removesuffix(request.path_info)
    return HttpResponseRedirect(f"{prefix}{_page_of_form(request)}")


def _page_of_form(request: HttpRequest) -> str:
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


def keeps(response: HttpResponse) -> HttpResponse:
    """The page, to be kept by the browser for a while and opened without asking, however its
    cookies change: a pad writes one with each tap.
    """
    setattr(response, KEPT, True)
    return response


@middleware
def whatever_the_cookies(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """What `keeps` marked doesn't vary with cookies. No cache but the browser's own may hold it: it
    is `private`.
    """
    response = answer(request)
    if getattr(response, KEPT, False) and "Vary" in response:
        named = [name.strip() for name in response["Vary"].split(",")]
        others = [name for name in named if name.lower() != "cookie"]
        response["Vary"] = ", ".join(others)
        if not others:
            del response["Vary"]
    return response
