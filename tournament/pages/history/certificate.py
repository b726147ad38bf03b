"""A game as a certificate on paper."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, game_or_404, needs
from tournament.accounts.permissions import Act
from tournament.pages.common.paper import as_file, asked_by
from tournament.queries.certificates import certificate


@never_cache
@require_safe
@needs(Act.READ_HISTORY)
def game_certificate(request: SalonRequest, game: str) -> HttpResponse:
    """The certificate of a game as PDF."""
    row = game_or_404(request.visitor, game)
    return as_file(certificate(row, request.visitor.audience, asked_by(request)))
