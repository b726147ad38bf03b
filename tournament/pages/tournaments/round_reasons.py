"""Why they meet: a published round explained to everybody, and a change of places by hand explained
before it is made.
"""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from scoring.errors import RuleViolation
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.tournament.swaps import SwapEntries
from tournament.pages.common.form_values import problem_of
from tournament.pages.common.tournament_frame import context_of
from tournament.pages.desk.frame import NOTHING, Failed, desk_context
from tournament.pages.desk.rounds import round_page
from tournament.queries.plan_words import counted_lines
from tournament.queries.round_reasons import why_of
from tournament.queries.swap_preview import preview_swap
from tournament.queries.tournament import is_silent
from tournament.queries.visible import public_or_404, round_or_404

LONGEST_KEY = 64
LONGEST_REASON = 2000


@require_safe
@needs(Act.SEE_SALON)
def round_why(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """Why those meet who meet in a published round; scores stay out of it while the rounds it was
    drawn from are silent.
    """
    at = public_or_404(request.visitor, tournament)
    each = round_or_404(at, number, published=True)
    silent = is_silent(at, request.visitor, number - 1)
    context = context_of(request, at) | {
        "tab": "results",
        "round": each,
        "silent": silent,
        "told": why_of(at, each, silent=silent),
        "counted": counted_lines(each.counted) if each.counted is not None else [],
    }
    return render(request, "tournaments/round_why.html", context)


@never_cache
@require_GET
@needs(Act.DIRECT)
def swap_preview(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """What it would come to if two entries changed places: nothing is recorded; what can't be is
    said on the round's page.
    """
    at = public_or_404(request.visitor, tournament)
    typed = {name: request.GET.get(name, "") for name in ("one", "two", "reason")}
    swap = SwapEntries(round=number, one=typed["one"][:LONGEST_KEY], two=typed["two"][:LONGEST_KEY])
    try:
        seen = preview_swap(at, swap)
    except RuleViolation as refusal:
        failed = Failed(problem=problem_of(refusal), typed=dict(typed), tried="swaps")
        return round_page(request, at, number, failed)
    context = desk_context(request, at, NOTHING) | {
        "tab": f"round-{number}",
        "round": seen.each,
        "seen": seen,
        "swap": swap,
        "reason": typed["reason"][:LONGEST_REASON],
    }
    return render(request, "tournaments/swap_preview.html", context)
