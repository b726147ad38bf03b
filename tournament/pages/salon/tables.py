"""The tables of the salon, to whoever keeps them: which there are, more of them, other names, and
those put away.
"""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.house.table_labels import MOST_TABLES, several_labels
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    claim_of,
    new_command,
    status_of,
    why_not,
)
from tournament.recording.tables.keep import add_tables, rename_table, retire_table, take_table_back
from tournament.recording.tables.listed import playing_at, tables_of


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTable:
    """A table in use as its keeper sees it."""

    label: str
    playing: bool


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.MANAGE_TABLES)
def salon_tables(request: SalonRequest) -> HttpResponse:
    """The tables with what can be done to each; POST adds some (`what=add`), or renames, retires or
    takes back one.
    """
    if request.method != "POST":
        return _shown(request)
    try:
        said = _changed(request)
    except NOT_RECORDED as failure:
        words = _(
            "Somebody else changed the tables first, and yours was not recorded. This is "
            "how they are now."
        )
        return _shown(request, why_not(failure, words))
    messages.success(request, said)
    return redirect("salon_tables")


def _changed(request: SalonRequest) -> str:
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


def _shown(request: SalonRequest, problem: Problem | None = None) -> HttpResponse:
    salon, typed = request.visitor.salon, request.POST
    playing, what, label = playing_at(salon), typed.get("what", ""), typed.get("label", "")
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
