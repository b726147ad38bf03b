"""The bracket of a knock-out for everybody: who meets whom, who has won, and what was played on a
wrong premise.
"""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.pages.common.tournament_frame import context_of
from tournament.pages.tournaments.live import live_page
from tournament.queries.bracket_drawing import DrawnPage, drawn
from tournament.queries.brackets import played_in, shown_bracket
from tournament.queries.stage_views import is_knockout, seen_at, stage_links
from tournament.queries.tournament import Directed
from tournament.queries.visible import row_or_404


@require_safe
@needs(Act.SEE_SALON)
def tournament_bracket(request: SalonRequest, tournament: str) -> HttpResponse:
    """The whole drawing, and on paper its pages; silent rounds stay out of it. 404 for what is no
    knock-out.
    """
    row = row_or_404(request.visitor, tournament)
    return live_page(
        request, row, "tournaments/bracket_page.html", lambda at: _bracket(request, at)
    )


def _bracket(request: SalonRequest, at: Directed) -> dict[str, object]:
    seen = seen_at(at, request.GET.get("stage", ""), is_knockout)
    if seen is None:
        raise Http404
    shown = shown_bracket(seen, request.visitor)
    whole: tuple[DrawnPage, ...] = ()
    paper: tuple[DrawnPage, ...] = ()
    if shown.progress is not None:
        rounds = played_in(seen, request.visitor)
        whole = drawn(shown.progress, at.entries, paged=False, played_in=rounds)
        paper = drawn(shown.progress, at.entries, paged=True, played_in=rounds)
    return context_of(request, at) | {
        "tab": "bracket",
        "bracket": shown,
        "pages": whole,
        "paper": paper if len(paper) > 1 else (),
        "stage_links": stage_links(at, is_knockout, seen),
    }
