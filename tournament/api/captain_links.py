"""The link of a team's captain: with it and its PIN a phone hands in line-ups."""

from django.http import Http404
from rest_framework.request import Request

from tournament.accounts.captain_links import links_of, renew
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently
from tournament.api.http.viewsets import ApiViewSet
from tournament.api.salon import Link, link_here
from tournament.models import CaptainLink, Tournament
from tournament.streams.tournament_rows import state_of


class CaptainLinkViewSet(ApiViewSet):
    """The link of a team's captain."""

    act = Permission.MANAGE_TABLES

    def read_captain_link(self, request: Request, tournament: str, entry: str) -> Link:
        """The link and PIN of a team's captain; 404 where line-ups are not asked for."""
        return link_here(self, "captain", _captain(self, tournament, entry))

    def renew_captain_link(self, request: Request, tournament: str, entry: str) -> Answer[Link]:
        """Give a captain a new link and PIN; phones that used the old ones stop handing in."""
        link = _captain(self, tournament, entry)

        def renew_link() -> Link:
            renew(link)
            return link_here(self, "captain", link)

        return answer_idempotently(self, ["captain-link", tournament, entry], renew_link)


def _captain(view: ApiViewSet, tournament: str, entry: str) -> CaptainLink:
    row = view.row(Tournament, tournament)
    state = state_of(row)
    if not state.stage.line_up or state.entry(entry) is None:
        raise Http404
    return links_of(row, [entry])[entry]
