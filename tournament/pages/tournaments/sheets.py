"""Files of a tournament for other programs and for the door, to be taken along; its results as a
feed.
"""

from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.errors import RuleViolation
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Permission
from tournament.formats.atom import TYPE, Feed, as_atom
from tournament.pages.common.paper import as_file
from tournament.pages.common.qr import link_to
from tournament.pages.common.refused import not_written
from tournament.pages.tournaments.live import etag_of
from tournament.queries.result_feeds import recorded_at, result_entries
from tournament.queries.sheet_exports import SheetRequest, sheet_file
from tournament.queries.tournament import load_tournament
from tournament.queries.tournament_visibility import public_or_404, row_or_404
from tournament.streams.short_addresses import short_address


@never_cache
@require_safe
@requires(Permission.SEE_SALON)
def tournament_sheet(
    request: SalonRequest, tournament: str, what: str, ending: str
) -> HttpResponseBase:
    """The public part of a tournament as a file; silent rounds stay silent. 422 if a
    format can't express it.
    """
    at = public_or_404(request.visitor, tournament)
    address = link_to(request, at.row.salon, "short_event", short_address(at.row)).typed_address
    try:
        asked = SheetRequest(
            visitor=request.visitor,
            round=request.GET.get("round", ""),
            deal=request.GET.get("deal", ""),
            semicolons=request.GET.get("separator") == "semicolon",
            address=address,
            caller=caller_of(request),
            paper=request.GET.get("paper"),
        )
        file = sheet_file(at, asked, what, ending)
    except RuleViolation as refused:
        return not_written(request, refused)
    return as_file(file)


@require_safe
@requires(Permission.SEE_SALON)
def tournament_feed(request: SalonRequest, tournament: str) -> HttpResponse:
    """The results that the visitor may see as Atom, the latest first; 304 while nothing changed."""
    row, visitor = row_or_404(request.visitor, tournament), request.visitor
    etag = f'{etag_of(request, row)[:-1]}-{visitor.audience.value}"'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    at = load_tournament(row, visitor.audience)

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
