"""Duplicate stocks: drawing one, dealing from it at a table, making its seed known, and checking
it.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from scoring.games import STOCKS
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.stock import LONGEST_NAME
from tournament.models import Stock
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    claim_of,
    new_command,
    problem_of,
    read_game_id,
    table_form,
    why_not,
)
from tournament.pages.table.pad import SeeOther, address, pad_page
from tournament.pages.table.refused_act import NotRecorded, meanwhile
from tournament.queries.history_lines import lines_of_stream
from tournament.queries.round_over import check_round_goes_on
from tournament.queries.table import game_at
from tournament.recording import stocks as duplicate
from tournament.recording.duplicate_deals import check_stock, hand_of


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.SEE_SALON)
def stocks(request: SalonRequest) -> HttpResponse:
    """Every stock of the salon, and the form that draws another one."""
    if request.method == "GET":
        return _stocks_page(request, name="", problem=None)
    request.visitor.demand(Permission.DIRECT)
    name = " ".join(request.POST.get("name", "").split())
    try:
        drawn = duplicate.draw(request.visitor.salon, name=name, **claim_of(request))
    except NOT_RECORDED as failure:
        words = _("This form was sent before. Send it again.")
        return _stocks_page(request, name=name, problem=why_not(failure, words))
    words = _("%(name)s is drawn, and its commitment is in the log.")
    messages.success(request, words % {"name": drawn.name})
    return redirect("stock", stock=drawn.pk)


@never_cache
@require_GET
@requires(Permission.SEE_SALON)
def stock(request: SalonRequest, stock: str) -> HttpResponse:
    """One stock: its commitment, the deals opened from it, and after play its seed, which anybody
    can check.
    """
    return _stock_page(request, get_object_or_404(Stock, salon=request.visitor.salon, pk=stock))


@require_POST
@requires(Permission.DIRECT)
def stock_seed(request: SalonRequest, stock: str) -> HttpResponse:
    """Make the seed known; while somebody still plays the stock only after a warning."""
    row = get_object_or_404(Stock, salon=request.visitor.salon, pk=stock)
    still_open = any(deal.is_open for deal in duplicate.deals_from(request.visitor.salon, row))
    if still_open and not request.POST.get("anyway"):
        return _stock_page(request, row, warned=True)
    try:
        duplicate.reveal(request.visitor.salon, row, **claim_of(request))
    except NOT_RECORDED:
        row.refresh_from_db()
        words = _("Something else was recorded first. This is the stock as it is now.")
        return _stock_page(request, row, problem=Problem(message=words, status=409))
    messages.success(request, _("The seed is in the log. Everybody can check it now."))
    return redirect("stock", stock=row.pk)


@never_cache
@require_POST
@requires(Permission.RECORD)
def deal_from_stock(request: SalonRequest, label: str) -> HttpResponse:
    """Open the next deal of a table's game from the chosen stock, and show the pad as it is
    then.
    """
    at = game_at(request.visitor, label, game=read_game_id(request))
    if at is None:
        return redirect("pad", label=label)
    salon, actor = request.visitor.salon, request.visitor.actor
    try:
        form = table_form(request.POST)
        chosen = duplicate.get_chosen_stock(salon, str(form.value.get("stock", "")))
        if form.game != at.row.pk:
            raise StreamMoved(form.game, expected=form.version, actual=0)
        check_round_goes_on(request.visitor, at.row)
        check_stock(at.row, hand_of(at.row), chosen)
        duplicate.open_deal(
            salon, at.row, chosen, actor=actor, command=form.command, version=form.version
        )
    except Refusal as refusal:
        failed = NotRecorded(problem=problem_of(refusal))
    except (StreamMoved, CommandReused):
        failed = NotRecorded(meanwhile=meanwhile(at.row, request.visitor, version=form.version))
    else:
        return SeeOther(address(label, request.GET, at))
    return pad_page(request, label, at, cards=[], failed=failed)


def _stocks_page(request: SalonRequest, *, name: str, problem: Problem | None) -> HttpResponse:
    found = Stock.objects.filter(salon=request.visitor.salon).order_by("-started_position")
    context = {
        "here": "tables",
        "stocks": list(found),
        "may_draw": request.visitor.may(Permission.DIRECT),
        "name": name,
        "longest": LONGEST_NAME,
        "problem": problem,
        "command": new_command(),
    }
    return render(request, "stocks/list.html", context, status=422 if problem else 200)


def _stock_page(
    request: SalonRequest, row: Stock, *, warned: bool = False, problem: Problem | None = None
) -> HttpResponse:
    visitor, salon = request.visitor, request.visitor.salon
    deals = duplicate.deals_from(salon, row)
    may_read = visitor.may(Permission.READ_HISTORY)
    order = STOCKS.stock_of(row.seed) if row.seed else ()
    context = {
        "here": "tables",
        "stock": row,
        "deals": deals,
        "open": sum(deal.is_open for deal in deals),
        "acts": lines_of_stream(salon, row, visitor.audience) if may_read else [],
        "given": STOCKS.commitment(row.seed) if row.seed else "",
        "rows": [order[start : start + 13] for start in range(0, len(order), 13)],
        "warned": warned,
        "problem": problem,
        "may_reveal": visitor.may(Permission.DIRECT) and not row.seed,
        "command": new_command(),
    }
    return render(request, "stocks/stock.html", context, status=409 if warned or problem else 200)
