"""Authentication of the API: by a token, or by the session of a browser that has
signed in or opened a table's link.
"""

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from tournament.accounts.access import activate_visitor, as_member, visitor_of
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.accounts.table_links import actor_at
from tournament.accounts.two_factor import with_second_step
from tournament.models import ApiToken, Membership, Salon
from tournament.salons.time_zones import speak_as

SAFE = ("GET", "HEAD", "OPTIONS")


class ByToken(TokenAuthentication):
    """Lets in who sends `Authorization: Bearer …` with a token that holds."""

    def authenticate(self, request: Request) -> Any:
        """The user and the token; None without the header. Raises AuthenticationFailed, also for
        any other scheme.
        """
        scheme, _space, _token = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme and scheme.lower() != "bearer":
            raise AuthenticationFailed(_("Send a token as `Authorization: Bearer …`."))
        return super().authenticate(request)

    def authenticate_credentials(self, token: bytes) -> object:
        """The user and the token; nobody for a table's phone. Raises AuthenticationFailed."""
        try:
            token.decode()
        except UnicodeDecodeError:
            raise AuthenticationFailed(_("Invalid token.")) from None
        return super().authenticate_credentials(token)

    def validate_user(self, auth_token: ApiToken) -> object:
        """The user behind a token, nobody behind a table's. Raises AuthenticationFailed."""
        if auth_token.table is None:
            return super().validate_user(auth_token)
        if not constant_time_compare(auth_token.actor, actor_at(auth_token.table)):
            raise AuthenticationFailed(_("The table has another link by now."))
        if auth_token.table.retired:
            raise AuthenticationFailed(_("The table is retired."))
        return AnonymousUser(), auth_token

    def _cleanup_token(self, auth_token: ApiToken) -> bool:
        if auth_token.user is not None:
            return bool(super()._cleanup_token(auth_token))
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()


class ByBrowser(SessionAuthentication):
    """Lets in who has a session, as on the pages; its writes say that they come from one of our
    pages (CSRF).
    """

    def authenticate(self, request: Request) -> Any:
        """The user of the session, or nobody. Raises PermissionDenied for a write from
        elsewhere.
        """
        if request.method not in SAFE and settings.SESSION_COOKIE_NAME in request.COOKIES:
            self.enforce_csrf(request)
        return request._request.user, None


def visitor_at(request: Request, slug: str) -> Visitor:
    """Return the visitor in the salon with this slug. Raises Http404 if there is none, or
    the token is another's; AuthenticationFailed.
    """
    salon = get_object_or_404(Salon.objects.select_related("log"), slug=slug)
    speak_as(salon)
    if isinstance(request.auth, ApiToken):
        return activate_visitor(_by_token(request.auth, salon))
    request._request.salon_of_prefix = salon  # type: ignore[attr-defined]
    return visitor_of(request._request)


def _by_token(token: ApiToken, salon: Salon) -> Visitor:
    if token.salon_id != salon.pk:
        raise Http404
    scopes = frozenset(map(Permission, token.scopes)) if token.scopes else None
    if token.table is not None:
        label = token.table.label
        return Visitor(
            salon=salon,
            role=Role.TABLE_LINK,
            actor=token.actor,
            table=label,
            tables=frozenset({label}),
            scopes=scopes,
        )
    memberships = with_second_step(Membership.objects.filter(salon=salon, user=token.user))
    membership = memberships.select_related("salon").first()
    if membership is None:
        raise AuthenticationFailed(
            _("The person who gave this token is no longer a member of the salon.")
        )
    return replace(as_member(membership), scopes=scopes)
