"""Several salons on one server: /salons/<slug>/… is every page of that salon, and its links stay in
it.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import get_script_prefix, reverse, set_script_prefix

from ledger.reading import fetch_all
from tournament.models import Salon

OF_A_SALON = re.compile(r"/salons/(?P<slug>[-\w]+)(?P<page>/.*)", re.DOTALL)
_FIRST = "SELECT * FROM tournament_salon ORDER BY id LIMIT 1"
NO_SLUGS = frozenset({"new"})  # pages of the server stand at these addresses


def answer_in_salon(
    request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    """Take the prefix of a salon off the path, remember the salon, and give the prefix back to
    every link.

    An unknown salon's prefix stays where it is: no page has such an address.
    """
    named = OF_A_SALON.fullmatch(request.path_info)
    if named is None or named["slug"] in NO_SLUGS:
        return get_response(request)
    salon = Salon.objects.filter(slug=named["slug"]).first()
    if salon is None:
        return get_response(request)
    request.salon_of_prefix = salon  # type: ignore[attr-defined]
    request.path_info = named["page"]
    with _links_begin_with(f"{get_script_prefix()}salons/{salon.slug}/"):
        return get_response(request)


def salon_of_prefix(request: HttpRequest) -> Salon | None:
    """The salon that the request's address names; None for an address without a prefix."""
    return getattr(request, "salon_of_prefix", None)


def address_in(salon: Salon, name: str, *arguments: object) -> str:
    """The address of a page in this salon, good for everybody: without a prefix only in the first
    salon of the server.
    """
    prefix = "/" if salon.pk == first_salon_id() else f"/salons/{salon.slug}/"
    with _links_begin_with(prefix):
        return reverse(name, args=arguments)


def first_salon() -> Salon | None:
    """The salon that visitors without account and prefix see."""
    return next(iter(Salon.objects.raw(_FIRST)), None)


def first_salon_id() -> int | None:
    """Its id."""
    (first,) = fetch_all("SELECT min(id) FROM tournament_salon", [])[0]
    return cast("int | None", first)


@contextmanager
def _links_begin_with(prefix: str) -> Iterator[None]:
    before = get_script_prefix()
    set_script_prefix(prefix)
    try:
        yield
    finally:
        set_script_prefix(before)
