"""Entries by the list: pasted or as a file, looked at line by line first, then entered; each line
is told what became of it.
"""

from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.list_columns import (
    CLUB,
    FIRST,
    LAST,
    PLAYERS,
    RATING,
    ROLES,
    UNUSED,
)
from tournament.domain.tournament.entry_order import Columns, ListReading, columns_of, read_list
from tournament.exchange.entry_lists import Reported, enter_list, reading_for, try_list
from tournament.formats.list_files import ListFile
from tournament.pages.common.form_values import COMMAND, Problem
from tournament.pages.common.sent_lists import ACCEPTED, read_sent_list
from tournament.pages.desk.context import NOTHING, Failed, desk_context
from tournament.pages.desk.entries import entries_page
from tournament.queries.refusal_text import refusal_words
from tournament.queries.tournament import TournamentView, load_tournament
from tournament.queries.tournament_visibility import public_or_404

ROLE_WORDS = {
    PLAYERS: gettext_lazy("players"),
    FIRST: gettext_lazy("first name"),
    LAST: gettext_lazy("surname"),
    CLUB: gettext_lazy("club"),
    RATING: gettext_lazy("rating"),
    UNUSED: gettext_lazy("not used"),
}
MAX_COLUMNS = 100


@never_cache
@require_POST
@requires(Permission.DIRECT)
def desk_lists(request: SalonRequest, tournament: str) -> HttpResponse:
    """Look at a list; with `keep` enter everybody on it. The lines that were refused stay to be
    mended.
    """
    at = public_or_404(request.visitor, tournament)
    if not COMMAND.fullmatch(request.POST.get("command", "")):
        return _again(request, at, _("This form is incomplete; load the page again."))
    try:
        listed = read_sent_list(request)
    except NotationError as refusal:
        return _again(request, at, capfirst(refusal_words(refusal)))
    reading = _choose_reading(request, at, listed)
    if not listed.text.strip():
        return _again(request, at, _("Paste one entry a line, or choose a file."))
    if "keep" in request.POST:
        return _enter(request, at, listed, reading)
    return _preview(request, at, listed, reading)


def _enter(
    request: SalonRequest, at: TournamentView, listed: ListFile, reading: ListReading
) -> HttpResponse:
    lines = read_list(listed.text, reading)
    entered = enter_list(
        at.row, lines, actor=request.visitor.actor, command=request.POST["command"]
    )
    at.row.refresh_from_db()
    headings = [each.line.text for each in entered if each.line.heading]
    refused = [each.line.text for each in entered if each.problem]
    left = "\n".join([*headings, *refused]) if refused else ""
    failed = Failed(
        typed=_read_typed(request) | {"list": left},
        report=tuple((each.line, each.problem) for each in entered),
    )
    return entries_page(request, load_tournament(at.row, at.audience), failed)


def _preview(
    request: SalonRequest, at: TournamentView, listed: ListFile, reading: ListReading
) -> HttpResponse:
    """The list line by line, with the columns it is read by; nothing is kept."""
    lines = read_list(listed.text, reading)
    tried = list(try_list(request.visitor.salon, at.state, lines, actor=request.visitor.actor))
    columns, first = columns_of(listed.text, reading)
    context = desk_context(request, at, NOTHING) | {
        "tab": "entries",
        "listed": listed,
        "lines": tried,
        "columns": list(zip(columns.roles, first, strict=True)),
        "heading": columns.heading,
        "roles": ROLE_WORDS.items(),
        "has_commas": any("," in name for each in tried for name in _names_on_line(each)),
        "turned": reading.turned,
        "singles": reading.singles,
        "fitting": sum(bool(each.act) and not each.problem for each in tried),
        "refused": sum(bool(each.problem) for each in tried),
        "accepted": ACCEPTED,
    }
    return render(request, "tournaments/entry_list.html", context)


def _names_on_line(each: Reported) -> tuple[str, ...]:
    entry = each.line.entry
    return tuple(name for _place, name in entry.players) if entry else ()


def _choose_reading(request: SalonRequest, at: TournamentView, listed: ListFile) -> ListReading:
    """Return how to read the list: by columns only if they were chosen otherwise than
    recognised, because otherwise every line is read by itself.
    """
    form = request.POST
    reading = reading_for(
        at.state, singles=form.get("singles") == "yes", turned=form.get("turned") == "yes"
    )
    if "looked" not in form:
        return reading
    guess, _first = columns_of(listed.text, reading)
    chosen = [form.get(f"column.{place}", "") for place in range(MAX_COLUMNS)]
    roles = tuple(
        role if role in ROLES else usual for role, usual in zip(chosen, guess.roles, strict=False)
    )
    columns = Columns(roles=roles, heading=form.get("heading") == "yes")
    return reading if columns == guess else replace(reading, columns=columns)


def _read_typed(request: SalonRequest) -> dict[str, object]:
    return {key: request.POST.get(key, "") for key in ("list", "singles")}


def _again(request: SalonRequest, at: TournamentView, words: str) -> HttpResponse:
    problem = Problem(message=words, field="list", status=400)
    return entries_page(request, at, Failed(problem=problem, typed=_read_typed(request)))
