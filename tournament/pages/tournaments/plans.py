"""The plan of a tournament whose rounds are known ahead: the whole of it, one entry's own, and who
meets whom in which round.
"""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.errors import RuleViolation
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet
from tournament.pages.common.form_values import problem_of
from tournament.pages.common.tournament_context import context_of
from tournament.queries.crosstables import fits_a_page, list_crosstable_rows
from tournament.queries.plans import (
    PlanRound,
    ShownPlan,
    get_plan_or_404,
    own_plan,
    own_table_sizes,
    read_plan,
)
from tournament.queries.stage_views import is_planned, stage_links
from tournament.queries.tournament import TournamentView
from tournament.queries.tournament_visibility import public_or_404

MOST_SEATS = 2_000  # of all rounds together on one page; beyond, a round at a time


@require_safe
@requires(Permission.SEE_SALON)
def tournament_plan(request: SalonRequest, tournament: str) -> HttpResponse:
    """Every round with its tables and who sits out, what was counted in it, and with `?entry=` the
    rounds of one entry; 404 where no plan may be seen.
    """
    whole, at = _get_plan_or_404(request, tournament)
    context = context_of(request, whole) | {
        "tab": "plan",
        "stage_links": stage_links(whole, is_planned, at),
        "stage_query": _stage_query(request),
    }
    try:
        plan = read_plan(at, request.visitor)
    except RuleViolation as refusal:
        return render(request, "tournaments/plan.html", context | {"problem": problem_of(refusal)})
    entry = at.state.entry(request.GET.get("entry", ""))
    rounds = _rounds(plan, request.GET.get("round", ""))
    own = own_plan(plan, entry.id) if entry is not None else []
    context |= {
        "plan": plan,
        "entry": entry,
        "entry_name": at.entries[entry.id] if entry is not None else "",
        "own": own,
        "own_table_sizes": own_table_sizes(plan, own) if entry is not None else "",
        "listed": sorted(at.entries.items(), key=lambda each: in_alphabet(each[1])),
        "rounds": rounds,
        "by_round": len(rounds) < len(plan.rounds),
        "has_crosstable": fits_a_page(plan),
        "has_deals": plan.has_deals,
    }
    return render(request, "tournaments/plan.html", context)


@require_safe
@requires(Permission.SEE_SALON)
def tournament_crosstable(request: SalonRequest, tournament: str) -> HttpResponse:
    """In which round each two meet, and what came of it; 404 where no plan may be seen, or too many
    play for a page.
    """
    whole, at = _get_plan_or_404(request, tournament)
    try:
        plan = read_plan(at, request.visitor)
    except RuleViolation as refusal:
        raise Http404 from refusal
    if not fits_a_page(plan):
        raise Http404
    context = context_of(request, whole) | {
        "tab": "plan",
        "plan": plan,
        "rows": list_crosstable_rows(at, request.visitor, plan),
    }
    return render(request, "tournaments/crosstable.html", context)


def _get_plan_or_404(
    request: SalonRequest, tournament: str
) -> tuple[TournamentView, TournamentView]:
    """Return the tournament as it is, and at the stage in the address."""
    whole = public_or_404(request.visitor, tournament)
    return whole, get_plan_or_404(whole, request.visitor, request.GET.get("stage", ""))


def _stage_query(request: SalonRequest) -> str:
    """Return the part of the query that links within the page keep: the stage."""
    asked = request.GET.get("stage", "")
    return f"&stage={asked}" if asked.isdecimal() and asked.isascii() else ""


def _rounds(plan: ShownPlan, asked: str) -> list[PlanRound]:
    """The rounds on the page: all of them, or one where all would be too many: the one asked for,
    else the first that is not drawn yet.
    """
    if plan.seats <= MOST_SEATS:
        return list(plan.rounds)
    usual = min(plan.rounds.drawn, len(plan.rounds) - 1)
    chosen = [place for place, number in enumerate(plan.rounds.numbers) if str(number) == asked]
    return [plan.rounds[chosen[0] if chosen else usual]]
