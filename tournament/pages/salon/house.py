"""The house: what it lays down for all its games, whether the salon has moved, when that was
changed, by whom and why; and its tables: which there are, more of them, other names, those put
away.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.shape import JsonMapping, a_text
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.house.confirmation import TAP
from tournament.domain.house.rules import MOST_HOURS
from tournament.domain.house.table_labels import MOST_TABLES, several_labels
from tournament.models import Salon
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    claim_of,
    new_command,
    status_of,
    version_of,
    whole_number,
    why_not,
)
from tournament.queries.history_lines import lines_of_stream
from tournament.recording import house_rules
from tournament.recording.tables.salon_tables import (
    add_tables,
    rename_table,
    retire_table,
    take_table_back,
)
from tournament.recording.tables.table_labels import list_busy_tables, tables_of
from tournament.streams.correction_period import house_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.SEE_SALON)
def house(request: SalonRequest) -> HttpResponse:
    """The correction period for everybody to know, and where the salon went; its owner changes it,
    with a reason.
    """
    if request.method != "POST":
        return _house_page(request)
    request.visitor.demand(Permission.KEEP_HOUSE)
    try:
        said = _apply_change(request)
    except NOT_RECORDED as failure:
        words = _(
            "Somebody else changed it first, and yours was not recorded. This is what holds now."
        )
        return _house_page(request, why_not(failure, words))
    messages.success(request, said)
    return redirect("house")


def _apply_change(request: SalonRequest) -> str:
    """Apply the change in the form and return a message. Raises Refusal, StreamMoved,
    CommandReused.
    """
    form, visitor = request.POST, request.visitor
    claim = {**claim_of(request), "version": version_of(form)}
    match form.get("what", ""):
        case "move":
            return _move(visitor.salon, form, claim)
        case "reopen":
            return _reopen(visitor.salon, form, claim)
        case "confirming":
            return _set_confirming(visitor.salon, form, claim)
        case _:
            return _period(visitor.salon, form, claim)


def _period(salon: Salon, form: QueryDict, claim: JsonMapping) -> str:
    hours = whole_number(form.get("hours", "").strip(), "hours")
    house_rules.set_correction_hours(salon, hours, reason=_why(form, "reason"), **claim)
    said = ngettext(
        "Games become final %(hours)d hour after something was last recorded in them.",
        "Games become final %(hours)d hours after something was last recorded in them.",
        hours,
    )
    return said % {"hours": hours}


def _set_confirming(salon: Salon, form: QueryDict, claim: JsonMapping) -> str:
    house_rules.set_confirming(salon, form.get("way", ""), reason=_why(form, "because"), **claim)
    if form["way"] == TAP:
        return _("On a table's phone a tap says “right” now.")
    return _("On a table's phone the PIN of a seat says “right” now.")


def _move(salon: Salon, form: QueryDict, claim: JsonMapping) -> str:
    house_rules.move_salon(salon, form.get("place", ""), reason=_why(form, "why"), **claim)
    return _(
        "Nothing more is recorded here. Download the salon for the other server from the settings."
    )


def _reopen(salon: Salon, form: QueryDict, claim: JsonMapping) -> str:
    house_rules.reopen_salon(salon, reason=_why(form, "why"), **claim)
    return _("The salon records here again.")


def _why(form: QueryDict, name: str) -> str:
    return a_text(" ".join(form.get(name, "").split()), name, shortest=1)


def _house_page(request: SalonRequest, problem: Problem | None = None) -> HttpResponse:
    salon, visitor = request.visitor.salon, request.visitor
    row = house_of(salon)
    may_read = visitor.may(Permission.READ_HISTORY)
    context = {
        "here": "tables",
        "house": row,
        "most": MOST_HOURS,
        "may_keep": visitor.may(Permission.KEEP_HOUSE),
        "acts": lines_of_stream(salon, row, visitor.audience) if may_read else [],
        "typed": request.POST,
        "problem": problem,
        "command": new_command(),
    }
    return render(request, "house/house.html", context, status=status_of(problem))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTable:
    """A table in use as its keeper sees it."""

    label: str
    playing: bool


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.MANAGE_TABLES)
def salon_tables(request: SalonRequest) -> HttpResponse:
    """The tables with what can be done to each; POST adds some (`what=add`), or renames, retires or
    takes back one.
    """
    if request.method != "POST":
        return _tables_shown(request)
    try:
        said = _tables_changed(request)
    except NOT_RECORDED as failure:
        words = _(
            "Somebody else changed the tables first, and yours was not recorded. This is "
            "how they are now."
        )
        return _tables_shown(request, why_not(failure, words))
    messages.success(request, said)
    return redirect("salon_tables")


def _tables_changed(request: SalonRequest) -> str:
    """Do what the form asks for, and say it. Raises Refusal, StreamMoved, CommandReused,
    Http404.
    """
    form, salon = request.POST, request.visitor.salon
    claim = claim_of(request)
    label = form.get("label", "")
    match form.get("what", ""):
        case "add":
            labels = several_labels(form.get("labels", ""))
            add_tables(salon, labels, **claim)
            return ngettext("One table was added.", "%(count)d tables were added.", len(labels)) % {
                "count": len(labels)
            }
        case "rename":
            rename_table(salon, label, form.get("new_label", ""), **claim)
            return _("Table %(table)s has another name.") % {"table": label}
        case "retire":
            retire_table(salon, label, **claim)
            return _("Table %(table)s is retired.") % {"table": label}
        case "back":
            take_table_back(salon, label, **claim)
            return _("Table %(table)s is in use again.") % {"table": label}
        case _:
            raise Http404


def _tables_shown(request: SalonRequest, problem: Problem | None = None) -> HttpResponse:
    salon, typed = request.visitor.salon, request.POST
    playing, what, label = list_busy_tables(salon), typed.get("what", ""), typed.get("label", "")
    tables = [
        KeptTable(label=table.label, playing=table.label in playing) for table in tables_of(salon)
    ]
    has_field = what == "add" or (
        what == "rename" and KeptTable(label=label, playing=False) in tables
    )
    context = {
        "here": "tables",
        "tables": tables,
        "retired": [table.label for table in tables_of(salon, retired=True)],
        "most": MOST_TABLES,
        "typed": typed,
        "problem": problem,
        "at": (what, label) if problem and has_field else ("", ""),
        "command": new_command(),
    }
    return render(request, "salon_tables.html", context, status=status_of(problem))
