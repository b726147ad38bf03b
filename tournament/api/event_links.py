"""The link of a tournament for its scorers: with it and its PIN a phone records at the tables of
its games.
"""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request

from scoring.errors import RuleViolation
from tournament.accounts.event_links import UNDER_WAY, end_link, holds, open_link
from tournament.accounts.permissions import Act
from tournament.api.http.idempotency import once
from tournament.api.http.responses import Answer
from tournament.api.http.viewsets import ApiViewSet
from tournament.api.salon import Link
from tournament.models import EventLink, Tournament
from tournament.salons.prefix import address_in


class EventLinkViewSet(ApiViewSet):
    """The link of a tournament for its scorers."""

    act = Act.MANAGE_TABLES

    def read_event_link(self, request: Request, tournament: str) -> Link:
        """The link and PIN of a tournament; 404 where it has none that holds."""
        row = _tournament(self, tournament)
        link = get_object_or_404(
            EventLink.objects.select_related("salon"), tournament=row.pk, salon=row.salon
        )
        if not holds(link):
            raise Http404
        return _link(self, link)

    def renew_event_link(self, request: Request, tournament: str) -> Answer[Link]:
        """Give a tournament that is under way a new link and PIN: every phone that used the old
        ones stops recording by them.
        """
        row = _tournament(self, tournament)

        def renewed() -> Link:
            if row.phase not in UNDER_WAY:
                raise RuleViolation(
                    "not_under_way", _("A tournament has a link from its registration to its end.")
                )
            return _link(self, open_link(row))

        return once(self, ["event-link", row.pk], renewed)

    def end_event_link(self, request: Request, tournament: str) -> None:
        """End the link of a tournament: no phone records by it any more."""
        end_link(_tournament(self, tournament))


def _tournament(view: ApiViewSet, tournament: str) -> Tournament:
    return get_object_or_404(
        Tournament.objects.select_related("salon"), salon=view.salon, pk=tournament
    )


def _link(view: ApiViewSet, link: EventLink) -> Link:
    return Link(
        address=view.request.build_absolute_uri(address_in(link.salon, "event_join", link.token)),
        pin=link.pin,
    )
