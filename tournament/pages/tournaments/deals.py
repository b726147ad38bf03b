"""The deals that tables have in common: which are played by everybody, and the traveller of
each.
"""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.pages.common.tournament_context import context_of
from tournament.queries.stage_views import plays_same_deals, seen_at
from tournament.queries.tournament import TournamentView
from tournament.queries.tournament_visibility import public_or_404
from tournament.queries.travellers import evenness_words, report_of, scale_of_imps, travellers_of
from tournament.recording.duplicate_deals import deals_of


@require_safe
@requires(Permission.SEE_SALON)
def tournament_deals(request: SalonRequest, tournament: str) -> HttpResponse:
    """All deals, how they are compared, and what the verifier counted in the movement."""
    whole = public_or_404(request.visitor, tournament)
    at = seen_at(whole, request.GET.get("stage", ""), plays_same_deals)
    if at is None:
        raise Http404
    report = report_of(at)
    context = context_of(request, whole) | {
        "tab": "deals",
        "travellers": travellers_of(at, request.visitor),
        "scale": scale_of_imps(at, request.visitor),
        "report": report,
        "evenness": evenness_words(report)
        if report is not None and not at.state.stage.has_two_winners
        else "",
        "compared": at.state.stage.scale.kind,
    }
    return render(request, "tournaments/deals.html", context)


@require_safe
@requires(Permission.SEE_SALON)
def tournament_deal(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """The traveller of a deal, once it may be seen."""
    whole = public_or_404(request.visitor, tournament)
    at = seen_at(whole, request.GET.get("stage", ""), plays_same_deals)
    every = travellers_of(at, request.visitor) if at is not None else []
    found = next((each for each in every if each.deal == number), None)
    if at is None or found is None:
        raise Http404
    context = context_of(request, whole) | {
        "tab": "deals",
        "traveller": found,
        "compared": at.state.stage.scale.kind,
        "holdings": _holdings(at, number),
        "alone": all(len(line.entries) == 1 for line in found.lines),
    }
    return render(request, "tournaments/deal.html", context)


def _holdings(at: TournamentView, number: int) -> list[tuple[str, tuple[str, ...]]]:
    """The cards of each seat once everybody may know them."""
    if not at.state.deals_seed:
        return []
    deal = deals_of(at.row.salon, at.row.pk, at.state).get(number, ())
    seats = max(GAMES[at.state.game].seatings, key=len)
    return list(zip(seats, deal, strict=False))
