"""The page that explains one number of a game."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.pages.history.history import number as number_of
from tournament.queries.number_explanations import explained
from tournament.streams.acts import moments_of


@require_GET
@requires(Permission.SEE_SALON)
def number(request: SalonRequest, game: str, code: str) -> HttpResponse:
    """The account of one number (`score.NS`, `excess.EW`, `chips.N`, `pots.hand`), now or as of
    `?at=`, a version of the game.
    """
    row = game_or_404(request.visitor, game)
    reads_history = request.visitor.may(Permission.READ_HISTORY, game=row.pk)
    at = number_of(request, "at") if reads_history else None
    moments = [
        moment
        for moment in moments_of(row.salon.log_id, row.pk)
        if at is None or moment.first.version <= at
    ]
    if not moments or (at or 0) > row.version:
        raise Http404
    found = explained(row, moments, code, request.visitor.audience, linked=reads_history)
    context = {
        "here": "tables",
        "row": row,
        "kind": moments[0].entry.game,
        "number": found,
        "at": at,
        "reads_history": reads_history,
    }
    return render(request, "numbers/number.html", context)
