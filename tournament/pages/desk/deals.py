"""The deals that everybody plays, at the desk: drawn before play, made known after it."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Act
from tournament.pages.common.form_values import NOT_RECORDED, claim_of, version_of, why_not
from tournament.pages.common.paper import as_file
from tournament.pages.common.tournament_frame import context_of
from tournament.pages.desk.frame import Failed
from tournament.pages.desk.overview import desk_page
from tournament.queries.result_slips import deal_holdings, deals_on_paper
from tournament.queries.tournament import Directed, directed
from tournament.queries.visible import public_or_404
from tournament.recording.duplicate_deals import draw_deals, reveal_deals


@never_cache
@require_POST
@needs(Act.DIRECT)
def desk_deals(request: SalonRequest, tournament: str) -> HttpResponse:
    """Draw a stock for every deal, before anybody plays."""

    def draw(at: Directed) -> None:
        draw_deals(
            request.visitor.salon, at.row.pk, **claim_of(request), version=version_of(request.POST)
        )

    return _done(request, tournament, draw, _("The deals are drawn; everybody plays the same."))


@never_cache
@require_POST
@needs(Act.DIRECT)
def desk_seeds(request: SalonRequest, tournament: str) -> HttpResponse:
    """Make the seeds of all deals known, after play."""

    def reveal(at: Directed) -> None:
        reveal_deals(request.visitor.salon, at.row.pk, **claim_of(request))

    said = _("The seeds are in the log. Everybody can check the deals now.")
    return _done(request, tournament, reveal, said)


@never_cache
@require_safe
@needs(Act.DIRECT)
def desk_deal_sheets(request: SalonRequest, tournament: str) -> HttpResponse:
    """Every deal for who lays the cards out, to be printed."""
    at = public_or_404(request.visitor, tournament)
    context = context_of(request, at) | {"deals": deal_holdings(at)}
    return render(request, "tournaments/deal_sheets.html", context)


@never_cache
@require_safe
@needs(Act.DIRECT)
def desk_deals_on_paper(request: SalonRequest, tournament: str) -> HttpResponse:
    """The same as PDF; 404 where no deals are drawn."""
    at = public_or_404(request.visitor, tournament)
    return as_file(deals_on_paper(at, caller_of(request), request.GET.get("paper")))


def _done(
    request: SalonRequest, tournament: str, record: Callable[[Directed], None], said: str
) -> HttpResponse:
    """Record it and go back to the desk, or show there what is wrong."""
    at = public_or_404(request.visitor, tournament)
    try:
        record(at)
    except NOT_RECORDED as failure:
        at.row.refresh_from_db()
        failed = Failed(problem=why_not(failure))
        return desk_page(request, directed(at.row, at.audience), failed)
    messages.success(request, said)
    return redirect("desk", tournament=at.row.pk)
