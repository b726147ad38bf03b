"""CPU budget of each address: beyond its share of CPU a minute, visitors without any
key wait for the next minute.

Cost is measured, not guessed by the page: a board costs next to nothing, the
standings of a large field a second. Each process counts by itself, and tells the
others of each hundredth of a share.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import thread_time

from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from tournament.accounts.access import visitor_of
from tournament.accounts.api_tokens import is_token_known
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Role
from tournament.accounts.rate_limit import TooOften
from tournament.models.lru_cache import RecentValues
from tournament.server.http.failures import answer_of, failure_of

MINUTE = 60
FREE = frozenset({"/healthz"})
LEAST = 5  # milliseconds: what is cheaper isn't counted
PARTS_TOLD = 100  # of a share: whoever asks several processes may cost so much more in each
ADDRESSES = 8192  # that a process counts; those that asked first are read again from all processes


@dataclass(slots=True)
class _Cost:
    """Milliseconds that an address has cost this minute: in all processes, as far as this one
    heard, and what the others have not heard of yet.
    """

    told: int
    untold: int = 0


_costs = RecentValues[str, _Cost](ADDRESSES)
_one_counts = Lock()


def answer_within_share(
    request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    """Answer the request and count what it cost; 429 for a visitor without account, link or token
    whose address has had its share.
    """
    share = int(settings.CPU_SECONDS_OF_ONE_ADDRESS * 1000)
    if not share or request.path in FREE:
        return get_response(request)
    minute, into = divmod(int(time.time()), MINUTE)
    key = f"cost:{minute}:{hashlib.sha256(caller_of(request).encode()).hexdigest()}"
    cost = _cost_of(key)
    if cost.told + cost.untold >= share and not _has_a_key(request):
        failure = failure_of(TooOften(MINUTE - into))
        assert failure is not None
        return answer_of(request, failure)
    began = thread_time()
    response = get_response(request)
    milliseconds = int((thread_time() - began) * 1000)
    if milliseconds >= LEAST:
        _count(key, cost, milliseconds, told_at=share // PARTS_TOLD)
    return response


def forget() -> None:
    """Have this process hear anew what was counted."""
    _costs.clear()


def _cost_of(key: str) -> _Cost:
    cost = _costs.get(key)
    if cost is None:
        cost = _Cost(told=cache.get(key, 0))
        _costs.put(key, cost)
    return cost


def _count(key: str, cost: _Cost, milliseconds: int, *, told_at: int) -> None:
    with _one_counts:
        cost.untold += milliseconds
        if cost.untold < told_at:
            return
        untold, cost.untold = cost.untold, 0
    try:
        cost.told = cache.incr(key, untold)
    except ValueError:  # the first of this minute
        cost.told = untold if cache.add(key, untold, 2 * MINUTE) else cache.incr(key, untold)


def _has_a_key(request: HttpRequest) -> bool:
    """Whether the visitor has an account, a link or, in the API, a token that was found."""
    if request.path.startswith("/api/") and is_token_known(
        request.headers.get("Authorization", "")
    ):
        return True
    try:
        return visitor_of(request).role is not Role.ANYONE
    except Http404:
        return False
