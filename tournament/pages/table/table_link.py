"""The link of a table: the phone that opens it gives the PIN and records there; the owner prints
and renews it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import add_never_cache_headers, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires, table_or_404, visitor_of
from tournament.accounts.permissions import Permission
from tournament.accounts.table_links import link, renew
from tournament.models import Table
from tournament.pages.common.browser_cache import keep_in_browser
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.pin import PinForm, link_or_404, opens
from tournament.pages.common.qr import PhoneLink, link_to
from tournament.pages.table.offline_pack import KEEPS, SECONDS_KEPT
from tournament.recording.tables.table_labels import tables_of
from tournament.salons.prefix import address_in
from tournament.server.process.https_setup import find_trust_address

FOUND = 302


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """The slip that lies on a table: its link for phones, the address to type instead with
    the label, and its PIN.
    """

    label: str
    link: PhoneLink
    typed: PhoneLink
    pin: str


@require_http_methods(["GET", "HEAD", "POST"])
def table_join(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the PIN, then let this browser record at the table; one that records there already
    may keep the way to its pad.
    """
    response = _join(request, token)
    if KEEPS in request.headers and response.status_code == FOUND:
        patch_cache_control(response, private=True, max_age=SECONDS_KEPT)
        return keep_in_browser(response)
    add_never_cache_headers(response)
    return response


def _join(request: HttpRequest, token: str) -> HttpResponse:
    table = link_or_404(request, Table.objects.filter(retired=False), token)
    visitor = visitor_of(request)
    if visitor.salon == table.salon and visitor.may(Permission.RECORD, table=table.label):
        return redirect(pad_of(table))
    form = PinForm(request.POST or None)
    wrong = _("This is not the PIN of table %(table)s.") % {"table": table.label}
    if opens(request, form, table, of="table", wrong=wrong):
        link(request.session, table)
        return redirect(pad_of(table))
    return form_page(request, "table_join.html", form, table=table, salon_name=table.salon.name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.MANAGE_TABLES)
def table_link(request: SalonRequest, label: str) -> HttpResponse:
    """Show the owner a table's slip; POST renews link and PIN, which ends every browser's use of
    the old ones.
    """
    table = table_or_404(request.visitor, label)
    if request.method == "POST":
        renew(table)
        words = _("Table %(table)s has a new link and a new PIN.")
        messages.success(request, words % {"table": table.label})
        return redirect("table_link", label=table.label)
    return _slips(request, [table], table=table)


@never_cache
@require_safe
@requires(Permission.MANAGE_TABLES)
def table_slips(request: SalonRequest) -> HttpResponse:
    """All slips of the salon, to print before the doors open."""
    return _slips(request, tables_of(request.visitor.salon))


def pad_of(table: Table) -> str:
    """The address of the table's pad."""
    return address_in(table.salon, "pad", table.label)


def _slips(
    request: HttpRequest, tables: Iterable[Table], *, table: Table | None = None
) -> HttpResponse:
    context = {
        "slips": [_slip(request, each) for each in tables],
        "table": table,
        "games": [(game.name, game.title) for game in GAMES.values()],  # of which there are sheets
        "trusted_at": find_trust_address(),
    }
    return render(request, "table_link.html", context)


def _slip(request: HttpRequest, table: Table) -> Slip:
    link = link_to(request, table.salon, "table_join", table.token)
    typed = link_to(request, table.salon, "table_door")
    return Slip(label=table.label, link=link, typed=typed, pin=table.pin)
