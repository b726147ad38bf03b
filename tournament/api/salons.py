"""The salons that whoever asks belongs to."""

from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from tournament.accounts.access import as_member, memberships_of
from tournament.accounts.permissions import Visitor
from tournament.api.http.authentication import visitor_at
from tournament.api.http.responses import build_struct
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import ApiToken


class OwnSalon(Struct, frozen=True, kw_only=True):
    """A salon, by the slug that its addresses have, and what whoever asks is there."""

    slug: str
    name: str
    role: str


class OwnSalonViewSet(ApiViewSet):
    """The salons that whoever asks belongs to."""

    act = None

    def list_salons(self, request: Request) -> list[OwnSalon]:
        """The salons one belongs to: that of a token, or all of an account that has signed in in
        this browser.
        """
        given = request.auth
        if isinstance(given, ApiToken):
            return [_line(visitor_at(request, given.salon.slug))]
        if not request.user.is_authenticated:
            raise NotAuthenticated(_("This is for members of a salon: send a token."))
        return [_line(as_member(membership)) for membership in memberships_of(request._request)]


def _line(visitor: Visitor) -> OwnSalon:
    return build_struct(OwnSalon, visitor.salon, role=visitor.role)
