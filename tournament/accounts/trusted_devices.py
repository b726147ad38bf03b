"""Sign-ins at every door: each is logged, and the browser is known from then on. Wrong
attempts of others never keep a browser waiting that has opened an account or a
table before. A signed cookie says which; it opens nothing. It holds digests, so
that its account can't be read from it.
"""

import hashlib
import secrets

from allauth.account.signals import password_reset
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from tournament.accounts.access_log import note
from tournament.accounts.login_limits import LoginAttempt, address_of, caller_of
from tournament.accounts.verified_email import verify
from tournament.models import CaptainLink, EventLink, SeatLink, Table

COOKIE = "accord-known"
SALT = "tournament.devices"
KEPT_FOR = 365 * 24 * 60 * 60
MOST = 12
REFUSED = (401, 403, 429)


def an_account(name: str) -> str:
    """Return the key for having opened the account with this name."""
    return f"account:{name}"


def a_link(row: Table | SeatLink | EventLink | CaptainLink) -> str:
    """Return the key for having opened a table, seat, event or team: another link or
    another PIN makes another key.
    """
    return f"link:{row.token}:{row.pin}"


def make_attempt(
    request: HttpRequest, target: str, *, opened: str = "", without_link: bool = False
) -> LoginAttempt:
    """Return an attempt at `target` from this request's address, counted by itself if this
    browser is known to have `opened` it before.
    """
    device = find_known_device(request, opened) if opened else ""
    return LoginAttempt(
        target=target, address=caller_of(request), device=device, without_link=without_link
    )


def find_known_device(request: HttpRequest, opened: str) -> str:
    """Return the name of this browser if it opened that before, else ""."""
    name, digests = _read_cookie(request)
    return name if _digest(opened) in digests else ""


def remember(request: HttpRequest, opened: str) -> None:
    """From the answer on this browser is known to have opened that; of many it keeps the
    last ones.
    """
    name, digests = _read_cookie(request)
    kept = [each for each in digests if each != _digest(opened)][-MOST + 1 :]
    request.known_device = (name or secrets.token_urlsafe(16), [*kept, _digest(opened)])  # type: ignore[attr-defined]


def set_device_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    """Send what was to be remembered as a cookie."""
    known = getattr(request, "known_device", None)
    if known is not None:
        kept, secure = signing.dumps(known, salt=SALT), settings.SESSION_COOKIE_SECURE
        response.set_cookie(
            COOKIE, kept, max_age=KEPT_FOR, httponly=True, secure=secure, samesite="Lax"
        )


def _read_cookie(request: HttpRequest) -> tuple[str, list[str]]:
    try:
        name, digests = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        return "", []
    return name, digests


def _digest(opened: str) -> str:
    return hashlib.sha256(f"accord device {opened}".encode()).hexdigest()[:24]


def listen() -> None:
    """Hear of every sign-in and sign-out, by whatever page."""
    user_logged_in.connect(_note_sign_in, dispatch_uid="tournament.doors")
    user_logged_out.connect(_note_sign_out, dispatch_uid="tournament.doors")
    password_reset.connect(_reset_by_mail, dispatch_uid="tournament.doors")


def note_refusal(request: HttpRequest, response: HttpResponseBase) -> None:
    """Log an answer that refuses someone, with the pattern of its address, since addresses hold
    secrets.
    """
    if response.status_code in REFUSED:
        said = {
            "status": response.status_code,
            "method": request.method,
            "page": request.resolver_match.route if request.resolver_match is not None else "none",
            "account": getattr(getattr(request, "user", None), "pk", None) or "none",
        }
        note("refused", **said, address=address_of(request))


def _note_sign_in(*, request: HttpRequest, user: User, **_more: object) -> None:
    note("signed_in", account=user.pk, address=address_of(request))
    remember(request, an_account(user.username))


def _reset_by_mail(*, user: User, **_more: object) -> None:
    """The link of a forgotten password goes to the address and is shown nowhere."""
    verify(user)


def _note_sign_out(*, request: HttpRequest, user: User | None, **_more: object) -> None:
    if user is not None:
        note("signed_out", account=user.pk, address=address_of(request))
