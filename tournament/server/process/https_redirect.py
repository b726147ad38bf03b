"""The plain door beside HTTPS: it leads to the other one, and gives away nothing but the pages that
tell a phone whom to trust.

Slips and addresses from before lead on. Nothing is recorded here, and no cookie is asked for.
"""

import multiprocessing
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlencode
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings
from django.http.request import split_domain_port

from tournament.server.environment.addresses import is_covered, own_names
from tournament.server.environment.listeners import Doors, doors
from tournament.server.http.asgi_gateway import ASGIApplication, Measures, front
from tournament.server.http.hosts import is_local_name
from tournament.server.http.static import application
from tournament.server.process.embedded_worker import end_with_the_parent
from tournament.server.process.granian import Door, serve

THREADS = 2
TRUST = "/trust/"
ANSWERED_HERE = (TRUST, "/static/")
FOR_PROGRAMS = "/api/"
LONGEST_ADDRESS = 2_000  # characters that are led on


@contextmanager
def standing(door: Door) -> Iterator[None]:
    """A process that stands in the plain door until the end of the block."""
    process = multiprocessing.Process(target=_stand, args=(door,), name="plain-door")
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def build_application() -> ASGIApplication:
    """Build the application of this listener."""
    pages, known = application(), doors()
    assert known is not None
    end_with_the_parent()
    of_one, in_all = settings.REQUESTS_OF_ONE_ADDRESS, settings.REQUESTS_AT_ONCE
    measures = Measures(threads=THREADS, of_one=of_one, in_all=in_all)
    return front(redirect_to_https(pages, known), measures)


def redirect_to_https(pages: WSGIApplication, known: Doors) -> WSGIApplication:
    """Wrap `pages`: those that may be seen without HTTPS are served; every other address
    redirects to the same one over HTTPS, or if phones have to trust the salon first, to
    the page about that.
    """

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        path = str(environ["PATH_INFO"]).encode("latin-1").decode("utf-8", "replace")
        if path.startswith(ANSWERED_HERE) and (known.own_authority or not path.startswith(TRUST)):
            return pages(environ, start)
        asked = quote(path) + (f"?{query}" if (query := environ["QUERY_STRING"]) else "")
        to = _leads_to(str(environ.get("HTTP_HOST", "")), path, asked[:LONGEST_ADDRESS], known)
        status = "307 Temporary Redirect" if to else "400 Bad Request"
        headers = [("Content-Length", "0"), ("Cache-Control", "no-store")]
        start(status, [*headers, ("Location", to)] if to else headers)
        return [b""]

    return answer


def _leads_to(host: str, path: str, asked: str, known: Doors) -> str:
    """Return the address to redirect to; "" for a host that is not this one."""
    if known.own_authority and not path.startswith(FOR_PROGRAMS):
        return f"{TRUST}?{urlencode({'next': asked})}"
    name, _port = split_domain_port(host)
    if known.own_authority:
        return known.secure_address(name, asked) if is_local_name(name) else ""
    names = [each for each in own_names() if not each.startswith("*.")]
    to = name if is_covered(name, own_names()) else next(iter(names), "")
    return known.secure_address(to, asked) if to else ""


def _stand(door: Door) -> None:
    serve(door, when_ready=lambda: None)
