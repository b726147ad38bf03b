"""A draw explained: why they meet who meet, what a change of places by hand would come to, and what
a round was drawn from, as a file from which anybody can draw it again.
"""

from dataclasses import dataclass

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from scoring.errors import RuleViolation
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.values import Tournament
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.swaps import SwapEntries
from tournament.exchange.tournament_records import named
from tournament.pages.common.form_values import problem_of
from tournament.pages.common.tournament_context import context_of
from tournament.pages.desk.context import NOTHING, Failed, desk_context
from tournament.pages.desk.rounds import round_page
from tournament.projections.background import as_of
from tournament.projections.standings_as_of import SNAPSHOTS, digest_of, snapshot_of
from tournament.queries.plan_words import counted_lines
from tournament.queries.plans import count_plan_now, met_again
from tournament.queries.round_reasons import preview_swap, why_of
from tournament.queries.tournament import TournamentView, is_silent
from tournament.queries.tournament_visibility import draw_or_404, public_or_404, round_or_404

LONGEST_KEY = 64
LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry as the draw saw it: how often it met whom, by name, is in `met`."""

    contender: Contender
    name: str
    met: tuple[tuple[str, int], ...]


@require_GET
@requires(Permission.READ_HISTORY)
def snapshot(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """Everybody as the draw of a round saw them, and whether that gives the digest in its event."""
    at = public_or_404(request.visitor, tournament)
    each = draw_or_404(request.visitor, at, number)
    drawn_from = snapshot_of(at.row.salon, at.row.pk, number)
    context = context_of(request, at) | {
        "round": each,
        "scale": at.state.stage_in(number).scale,
        "is_kept": drawn_from is not None,
        "lines": [] if drawn_from is None else _lines(at, drawn_from, number),
        "right": drawn_from is not None and digest_of(drawn_from) == each.digest,
        "counted_up_to": as_of(at.row.salon.log_id, SNAPSHOTS.name, at.row.pk),
    }
    return render(request, "tournaments/snapshot.html", context)


@require_GET
@requires(Permission.READ_HISTORY)
def snapshot_file(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """The same as salon-tournament/1, which `manage.py pair` draws again."""
    at = public_or_404(request.visitor, tournament)
    each = draw_or_404(request.visitor, at, number)
    drawn_from = snapshot_of(at.row.salon, at.row.pk, number)
    if drawn_from is None:
        raise Http404
    name = f"{at.state.record}-before-round-{each.number}.json"
    written = write_tournament(named(at.row.salon, drawn_from, at.audience))
    return JsonResponse(
        written,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
        json_dumps_params={"indent": 1},
    )


def _lines(at: TournamentView, drawn_from: Tournament, number: int) -> list[Line]:
    """From the highest points down."""
    ordered = sorted(
        contenders(drawn_from, number),
        key=lambda each: (
            -each.points,
            in_alphabet(at.name_in(number, each.entry)),
            each.entry,
        ),
    )
    return [_line(at, each, number) for each in ordered]


def _line(at: TournamentView, contender: Contender, number: int) -> Line:
    times = ((at.name_in(number, entry), count) for entry, count in contender.met.items())
    met = sorted(times, key=lambda each: in_alphabet(each[0]))
    return Line(contender=contender, name=at.name_in(number, contender.entry), met=tuple(met))


@require_safe
@requires(Permission.SEE_SALON)
def round_why(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """Explain the pairings of a published round; scores are left out while the rounds it
    was drawn from are silent.
    """
    at = public_or_404(request.visitor, tournament)
    each = round_or_404(at, number, published=True)
    silent = is_silent(at, request.visitor, number - 1)
    counted = count_plan_now(at, each, request.visitor)
    context = context_of(request, at) | {
        "tab": "results",
        "round": each,
        "silent": silent,
        "reasons": why_of(at, each, silent=silent),
        "counted": counted_lines(counted) if counted is not None else [],
    }
    return render(request, "tournaments/round_why.html", context)


@never_cache
@require_GET
@requires(Permission.DIRECT)
def swap_preview(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """Preview the round with two entries swapped; nothing is recorded. A swap that is
    impossible is explained on the round's page.
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
        "again": [
            (at.name_in(number, one), at.name_in(number, two), times)
            for one, two, times in met_again(at, seen.after)
        ],
        "swap": swap,
        "reason": typed["reason"][:LONGEST_REASON],
    }
    return render(request, "tournaments/swap_preview.html", context)
