"""The link of an entry to its own page, and what stands there for programs."""

from django.http import Http404
from msgspec import Struct
from rest_framework.request import Request

from tournament.accounts.permissions import Permission
from tournament.accounts.personal_links import end, links_of, renew
from tournament.api.http.responses import Answer, answer_idempotently
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import PersonalLink, Tournament
from tournament.salons.prefix import address_in
from tournament.streams.tournament_rows import state_of


class OwnLink(Struct, frozen=True, kw_only=True):
    """The link to the page of an entry's people, and the code that is typed instead of it at
    `door`.
    """

    address: str
    code: str
    door: str


class OwnLinkViewSet(ApiViewSet):
    """The link of an entry to its own page."""

    act = Permission.MANAGE_TABLES

    def read_own_link(self, request: Request, tournament: str, entry: str) -> OwnLink:
        """The link and code of an entry's own page; 404 while that is closed."""
        link = _own(self, tournament, entry)
        if link.ended:
            raise Http404
        return _as_link(self, link)

    def renew_own_link(self, request: Request, tournament: str, entry: str) -> Answer[OwnLink]:
        """Give an entry a new link and code to its page, open again where it was closed; the old
        ones open nothing any more.
        """
        link = _own(self, tournament, entry)

        def renew_link() -> OwnLink:
            renew(link)
            return _as_link(self, link)

        return answer_idempotently(self, ["own-link", tournament, entry], renew_link)

    def end_own_link(self, request: Request, tournament: str, entry: str) -> None:
        """Close the page of an entry: its link and code open nothing until they are renewed."""
        end(_own(self, tournament, entry))


def _own(view: ApiViewSet, tournament: str, entry: str) -> PersonalLink:
    row = view.row(Tournament, tournament)
    if state_of(row).entry(entry) is None:
        raise Http404
    return links_of(row, [entry])[entry]


def _as_link(view: ApiViewSet, link: PersonalLink) -> OwnLink:
    absolute = view.request.build_absolute_uri
    return OwnLink(
        address=absolute(address_in(link.salon, "own_page", link.token)),
        code=link.code,
        door=absolute(address_in(link.salon, "own_door")),
    )
