"""What holds at every door alike: who signs in is noted and the browser known from then on, and
every refusal is noted.
"""

from allauth.account.signals import password_reset
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from tournament.accounts.access_log import note
from tournament.accounts.known_devices import an_account, remember
from tournament.accounts.login_limits import address_of
from tournament.accounts.own_address import verify
from tournament.middleware import Answer, middleware

REFUSED = (401, 403, 429)


def listen() -> None:
    """Hear of every sign-in and sign-out, by whatever page."""
    user_logged_in.connect(_signed_in, dispatch_uid="tournament.doors")
    user_logged_out.connect(_signed_out, dispatch_uid="tournament.doors")
    password_reset.connect(_reset_by_mail, dispatch_uid="tournament.doors")


@middleware
def notes_refusals(answer: Answer, request: HttpRequest) -> HttpResponseBase:
    """Every answer that refuses somebody is a line, with the pattern of its address, since
    addresses hold secrets.
    """
    response = answer(request)
    if response.status_code in REFUSED:
        said = {
            "status": response.status_code,
            "method": request.method,
            "page": request.resolver_match.route if request.resolver_match is not None else "none",
            "account": getattr(getattr(request, "user", None), "pk", None) or "none",
        }
        note("refused", **said, address=address_of(request))
    return response


def _signed_in(*, request: HttpRequest, user: User, **_more: object) -> None:
    note("signed_in", account=user.pk, address=address_of(request))
    remember(request, an_account(user.username))


def _reset_by_mail(*, user: User, **_more: object) -> None:
    """The link of a forgotten password goes to the address and is shown nowhere."""
    verify(user)


def _signed_out(*, request: HttpRequest, user: User | None, **_more: object) -> None:
    if user is not None:
        note("signed_out", account=user.pk, address=address_of(request))
