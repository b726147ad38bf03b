"""Printouts for the tables: table cards, and sheets to write a game on."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.permissions import Permission
from tournament.models import Table
from tournament.pages.common.paper import as_file, read_print_request
from tournament.pages.common.qr import link_to
from tournament.queries.table_printouts import PaperTable, paper_tables, score_sheets, table_cards
from tournament.recording.tables.table_labels import tables_of


@never_cache
@require_safe
@requires(Permission.MANAGE_TABLES)
def cards(request: SalonRequest) -> HttpResponseBase:
    """A card for every table, or for the one asked for, as PDF."""
    salon = request.visitor.salon
    return as_file(table_cards(salon, _tables(request), read_print_request(request)))


@never_cache
@require_safe
@requires(Permission.MANAGE_TABLES)
def blank_sheets(request: SalonRequest, kind: str) -> HttpResponseBase:
    """A score sheet of a game for every table, or for the one asked for, as PDF; 404 for no such
    game.
    """
    if kind not in GAMES:
        raise Http404
    salon = request.visitor.salon
    return as_file(score_sheets(salon, kind, _tables(request), read_print_request(request)))


def _tables(request: SalonRequest) -> list[PaperTable]:
    """The table that `?table=` names, else all; 404 for no such table."""
    label = request.GET.get("table", "")
    found = [table_or_404(request.visitor, label)] if label else tables_of(request.visitor.salon)
    return paper_tables(found, lambda table: _code_of(request, table))


def _code_of(request: HttpRequest, table: Table) -> str:
    return link_to(request, table.salon, "table_join", table.token).code
