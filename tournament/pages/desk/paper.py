"""What a director prints for a round."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.pages.common.paper import as_file, asked_by
from tournament.queries.result_slips import result_slips
from tournament.queries.visible import public_or_404, round_or_404


@never_cache
@require_safe
@needs(Act.DIRECT)
def desk_result_slips(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """The slips on which a round's tables write their results, as PDF; 404 before its draw."""
    at = public_or_404(request.visitor, tournament)
    return as_file(result_slips(at, round_or_404(at, number), asked_by(request)))
