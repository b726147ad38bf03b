"""The results of a tournament for feed readers."""

from django.http import HttpResponse, HttpResponseNotModified
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.formats.atom import TYPE, Feed, as_atom
from tournament.pages.tournaments.live import etag_of
from tournament.queries.result_feeds import recorded_at, result_entries
from tournament.queries.tournament import directed
from tournament.queries.visible import row_or_404


@require_safe
@needs(Act.SEE_SALON)
def tournament_feed(request: SalonRequest, tournament: str) -> HttpResponse:
    """The results that the visitor may see as Atom, the latest first; 304 while nothing changed."""
    row, visitor = row_or_404(request.visitor, tournament), request.visitor
    etag = f'{etag_of(request, row)[:-1]}-{visitor.audience.value}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    at = directed(row, visitor.audience)

    def address(name: str, *of: object) -> str:
        return request.build_absolute_uri(reverse(name, args=[row.pk, *of]))

    pages = {each.number: address("tournament_round", each.number) for each in at.state.rounds}
    feed = Feed(
        key=f"{row.pk}/results",
        title=_("%s, results") % row.name,
        author=row.salon.name,
        own=address("tournament_feed"),
        page=address("tournament"),
        began=recorded_at(row, 1),
        entries=result_entries(at, visitor, pages),
    )
    response = HttpResponse(as_atom(feed), content_type=TYPE, headers={"ETag": etag})
    patch_cache_control(response, no_cache=True, private=True)
    return response
