"""Addresses that somebody can read aloud and type: `/e/lantern-cup` for an event, `/t/` for a table
with its PIN.
"""

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament.accounts.access import visitor_of
from tournament.accounts.login_limits import forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.table_links import link
from tournament.accounts.trusted_devices import a_link, make_attempt, remember
from tournament.domain.house.table_labels import same_label
from tournament.domain.names import plain_name
from tournament.models import Salon, Table
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.pin import PinForm
from tournament.pages.table.table_link import pad_of
from tournament.queries.tournament_visibility import row_or_404
from tournament.recording.tables.table_labels import tables_of
from tournament.salons.prefix import address_in, salon_of_prefix
from tournament.streams.short_addresses import at_address


class TableDoorForm(PinForm):
    """A table and the PIN that stands on its slip, typed by somebody whose camera doesn't read the
    code.
    """

    table = forms.CharField(
        label=gettext_lazy("Table"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("table", "pin")


@never_cache
@require_safe
def short_event(request: HttpRequest, event: str) -> HttpResponse:
    """To the event with this short address, in the salon that the address names."""
    salon, stream = _event_or_404(request, event)
    return redirect(address_in(salon, "tournament", stream))


@never_cache
@require_safe
def short_entry(request: HttpRequest, event: str, entry: str) -> HttpResponse:
    """To an entry of the event with this short address."""
    salon, stream = _event_or_404(request, event)
    return redirect(address_in(salon, "tournament_entry", stream, entry))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_door(request: HttpRequest) -> HttpResponse:
    """Ask for a table and its PIN, then let this browser record there."""
    salon = _salon_of(request)
    form = TableDoorForm(request.POST or None, initial={"table": request.GET.get("table", "")[:20]})
    table = _table_of_pin(request, form, salon) if form.is_valid() else None
    if table is not None:
        link(request.session, table)
        return redirect(pad_of(table))
    return form_page(request, "table_door.html", form, salon_name=salon.name)


def _event_or_404(request: HttpRequest, written: str) -> tuple[Salon, str]:
    """The salon and the event that this address leads to, as far as the visitor may see it."""
    visitor = visitor_of(request)
    stream = at_address(visitor.salon, written)
    if stream is None:
        raise Http404
    return visitor.salon, row_or_404(visitor, stream).pk


def _salon_of(request: HttpRequest) -> Salon:
    return salon_of_prefix(request) or visitor_of(request).salon


def _table_of_pin(request: HttpRequest, form: TableDoorForm, salon: Salon) -> Table | None:
    """The table whose PIN was typed; else the form says why not. Four digits are all that guards it
    here.
    """
    label = plain_name(form.cleaned_data["table"])
    table = next((each for each in tables_of(salon) if same_label(each.label, label)), None)
    tried = make_attempt(
        request,
        f"table-door:{table.pk if table else label}",
        opened=a_link(table) if table else "",
        without_link=True,
    )
    seconds = seconds_to_wait(tried)
    if seconds:
        form.add_error("pin", f"{too_many_tries(seconds)} {_('Or scan the code on its slip.')}")
        return None
    if table is not None and constant_time_compare(form.cleaned_data["pin"].strip(), table.pin):
        forget(tried)
        remember(request, a_link(table))
        return table
    note_wrong_try(tried)
    if table is None:
        form.add_error("table", _("There is no table %(table)s here.") % {"table": label})
    else:
        form.add_error("pin", _("This is not the PIN of table %(table)s.") % {"table": table.label})
    return None
