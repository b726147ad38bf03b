"""What a round was drawn from: the standings at that moment, and a file from which anybody can draw
it again.
"""

from dataclasses import dataclass

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.values import Tournament
from tournament.domain.standings.writing import write_tournament
from tournament.exchange.tournament_records import named
from tournament.pages.common.tournament_frame import context_of
from tournament.projections.background import as_of
from tournament.projections.draw_snapshots import SNAPSHOTS, digest_of, snapshot_of
from tournament.queries.tournament import Directed
from tournament.queries.visible import draw_or_404, public_or_404


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An entry as the draw saw it: how often it met whom, by name, is in `met`."""

    contender: Contender
    name: str
    met: tuple[tuple[str, int], ...]


@require_GET
@needs(Act.READ_HISTORY)
def snapshot(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """Everybody as the draw of a round saw them, and whether that gives the digest in its event."""
    at = public_or_404(request.visitor, tournament)
    each = draw_or_404(request.visitor, at, number)
    drawn_from = snapshot_of(at.row.salon, at.row.pk, number)
    context = context_of(request, at) | {
        "round": each,
        "kept": drawn_from is not None,
        "lines": [] if drawn_from is None else _lines(at, drawn_from, number),
        "right": drawn_from is not None and digest_of(drawn_from) == each.digest,
        "counted_up_to": as_of(at.row.salon.log_id, SNAPSHOTS.name, at.row.pk),
    }
    return render(request, "tournaments/snapshot.html", context)


@require_GET
@needs(Act.READ_HISTORY)
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


def _lines(at: Directed, drawn_from: Tournament, number: int) -> list[Line]:
    """From the highest points down."""
    ordered = sorted(
        contenders(drawn_from, number),
        key=lambda each: (-each.points, at.name_in(number, each.entry), each.entry),
    )
    return [_line(at, each, number) for each in ordered]


def _line(at: Directed, contender: Contender, number: int) -> Line:
    met = sorted((at.name_in(number, entry), times) for entry, times in contender.met.items())
    return Line(contender=contender, name=at.name_in(number, contender.entry), met=tuple(met))
