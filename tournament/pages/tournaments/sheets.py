"""Files of a tournament for other programs and for the door, to be taken along."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.errors import RuleViolation
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Act
from tournament.pages.common.paper import as_file
from tournament.pages.common.qr import link_to
from tournament.queries.sheet_exports import TYPES, SheetRequest, sheet_file
from tournament.queries.visible import public_or_404
from tournament.streams.short_addresses import short_address


@never_cache
@require_safe
@needs(Act.SEE_SALON)
def tournament_sheet(
    request: SalonRequest, tournament: str, what: str, ending: str
) -> HttpResponse:
    """What everybody may see of a tournament, as a file; silent rounds stay silent. 422 where a
    format can't say it.
    """
    at = public_or_404(request.visitor, tournament)
    address = link_to(request, at.row.salon, "short_event", short_address(at.row)).typed_address
    try:
        asked = SheetRequest(
            visitor=request.visitor,
            round=request.GET.get("round", ""),
            address=address,
            caller=caller_of(request),
            paper=request.GET.get("paper"),
        )
        file = sheet_file(at, asked, what, ending)
    except RuleViolation as refused:
        return HttpResponse(refused.message, status=422, content_type=TYPES[ending])
    return as_file(file)
