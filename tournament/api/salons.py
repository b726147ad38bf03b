"""The salons that whoever asks belongs to."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAuthenticated

from tournament.accounts.access import as_member, memberships_of
from tournament.accounts.permissions import Visitor
from tournament.api.http.authentication import visitor_at
from tournament.api.http.operations import Call, operation
from tournament.models import ApiToken


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSalon:
    """A salon, by the slug that its addresses have, and what whoever asks is there."""

    slug: str
    name: str
    role: str


@operation(None, answers=list[OwnSalon])
def list_salons(call: Call) -> list[OwnSalon]:
    """The salons one belongs to: that of a token, or all of an account that has signed in in this
    browser.
    """
    given = call.request.auth
    if isinstance(given, ApiToken):
        return [_line(visitor_at(call.request, given.salon.slug))]
    if not call.request.user.is_authenticated:
        raise NotAuthenticated(_("This is for members of a salon: send a token."))
    return [_line(as_member(membership)) for membership in memberships_of(call.request._request)]


def _line(visitor: Visitor) -> OwnSalon:
    return OwnSalon(slug=visitor.salon.slug, name=visitor.salon.name, role=visitor.role)
