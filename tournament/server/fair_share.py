"""What one address may cost: beyond its share of CPU a minute, visitors without any key wait for
the next minute.

Cost is measured, not guessed by the page: a board costs next to nothing, the standings of a large
field a second.
"""

import hashlib
import time
from time import thread_time

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from tournament.accounts.access import visitor_of
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Role
from tournament.salons.middleware import Answer, middleware
from tournament.server.failures import answer_of, failure_of
from tournament.server.rates import TooOften

MINUTE = 60
FREE = frozenset({"/healthz"})
LEAST = 5  # milliseconds: what is cheaper isn't counted


@middleware
def no_more_than_its_share(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """429 for a visitor without account, link or token whose address has had its share."""
    share = int(settings.CPU_SECONDS_OF_ONE_ADDRESS * 1000)
    if not share or request.path in FREE:
        return answer(request)
    minute, into = divmod(int(time.time()), MINUTE)
    key = f"cost:{minute}:{hashlib.sha256(caller_of(request).encode()).hexdigest()}"
    if cache.get(key, 0) >= share and not _has_a_key(request):
        failure = failure_of(TooOften(MINUTE - into))
        assert failure is not None
        return answer_of(request, failure)
    began = thread_time()
    response = answer(request)
    _count(key, int((thread_time() - began) * 1000))
    return response


def _count(key: str, milliseconds: int) -> None:
    if milliseconds < LEAST:
        return
    try:
        cache.incr(key, milliseconds)
    except ValueError:  # the first of this minute
        cache.add(key, milliseconds, 2 * MINUTE)


def _has_a_key(request: HttpRequest) -> bool:
    """Whether this is somebody: the API itself turns away whoever sends a token that
    doesn't hold.
    """
    if "Authorization" in request.headers and request.path.startswith("/api/"):
        return True
    try:
        return visitor_of(request).role is not Role.ANYONE
    except Http404:
        return False
