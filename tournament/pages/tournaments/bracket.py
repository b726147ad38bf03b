"""The bracket of a knock-out for everybody: who meets whom, who has won, and what was played on a
wrong premise; before it begins, which places it is for.
"""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.pages.tournaments.live import live_page
from tournament.queries.stage_views import bracket_links, find_bracket
from tournament.queries.tournament import TournamentView


@require_safe
@requires(Permission.SEE_SALON)
def tournament_bracket(request: SalonRequest, tournament: str) -> HttpResponse:
    """The whole drawing, and on paper its pages; silent rounds stay out of it. 404 for what is no
    knock-out.
    """
    return live_page(request, tournament, "tournaments/bracket_page.html", _bracket)


def _bracket(request: SalonRequest, at: TournamentView) -> dict[str, object]:
    seen = find_bracket(at, request.visitor, request.GET.get("stage", ""))
    if seen is None:
        raise Http404
    paper = seen.pages(at.entries, paged=True)
    return {
        "tab": "bracket",
        "seen": seen,
        "bracket": seen.shown,
        "pages": seen.pages(at.entries, paged=False),
        "paper": paper if len(paper) > 1 else (),
        "stage_links": bracket_links(at, seen),
    }
