"""The link of a tournament for its scorers: with it and its PIN a phone records at the tables of
its games.
"""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from scoring.errors import RuleViolation
from tournament.accounts.event_links import UNDER_WAY, end_link, holds, open_link
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently
from tournament.api.http.viewsets import ApiViewSet
from tournament.api.salon import Link, link_here
from tournament.models import EventLink, Tournament


class EventLinkViewSet(ApiViewSet):
    """The link of a tournament for its scorers."""

    act = Permission.MANAGE_TABLES

    def read_event_link(self, request: Request, tournament: str) -> Link:
        """The link and PIN of a tournament; 404 where it has none that holds."""
        row = self.row(Tournament, tournament)
        link = get_object_or_404(
            EventLink.objects.select_related("salon"), tournament=row.pk, salon=row.salon
        )
        if not holds(link):
            raise Http404
        return link_here(self, "event_join", link)

    def renew_event_link(self, request: Request, tournament: str) -> Answer[Link]:
        """Give a tournament that is under way a new link and PIN: every phone that used the old
        ones stops recording by them.
        """
        row = self.row(Tournament, tournament)

        def renew_link() -> Link:
            if row.phase not in UNDER_WAY:
                raise RuleViolation(
                    "not_under_way", _("A tournament has a link from its registration to its end.")
                )
            return link_here(self, "event_join", open_link(row))

        return answer_idempotently(self, ["event-link", row.pk], renew_link)

    def end_event_link(self, request: Request, tournament: str) -> None:
        """End the link of a tournament: no phone records by it any more."""
        end_link(self.row(Tournament, tournament))
