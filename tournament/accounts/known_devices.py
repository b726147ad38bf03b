"""Browsers that opened something before, an account or a table: wrong tries of others never keep
them waiting.

A signed cookie says which; it opens nothing. It holds digests, so that nobody reads off it whose
account it was.
"""

import hashlib
import secrets

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from tournament.accounts.login_limits import Try, caller_of
from tournament.middleware import Answer, middleware
from tournament.models import CaptainLink, EventLink, SeatLink, Table

COOKIE = "accord-known"
SALT = "tournament.devices"
KEPT_FOR = 365 * 24 * 60 * 60
MOST = 12


def an_account(name: str) -> str:
    """What opened the account with this name for signing in."""
    return f"account:{name}"


def a_link(row: Table | SeatLink | EventLink | CaptainLink) -> str:
    """What opened a table, seat, event or team: another link or another PIN makes it another."""
    return f"link:{row.token}:{row.pin}"


def trying(
    request: HttpRequest, target: str, *, opened: str = "", without_link: bool = False
) -> Try:
    """A try of `target` from where this request comes, by itself where this browser is known to
    have `opened` it before.
    """
    device = known_device(request, opened) if opened else ""
    return Try(target=target, address=caller_of(request), device=device, without_link=without_link)


def known_device(request: HttpRequest, opened: str) -> str:
    """What this browser is called if it opened that before, else ""."""
    name, digests = _read(request)
    return name if _digest(opened) in digests else ""


def remember(request: HttpRequest, opened: str) -> None:
    """From the answer on this browser is known to have opened that; of many it keeps the
    last ones.
    """
    name, digests = _read(request)
    kept = [each for each in digests if each != _digest(opened)][-MOST + 1 :]
    request.known_device = (name or secrets.token_urlsafe(16), [*kept, _digest(opened)])  # type: ignore[attr-defined]


@middleware
def keeps_devices(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """What was to be remembered goes out as a cookie."""
    response = answer(request)
    known = getattr(request, "known_device", None)
    if known is not None:
        kept, secure = signing.dumps(known, salt=SALT), settings.SESSION_COOKIE_SECURE
        response.set_cookie(
            COOKIE, kept, max_age=KEPT_FOR, httponly=True, secure=secure, samesite="Lax"
        )
    return response


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        name, digests = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        return "", []
    return name, digests


def _digest(opened: str) -> str:
    return hashlib.sha256(f"accord device {opened}".encode()).hexdigest()[:24]
