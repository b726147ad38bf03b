"""Results of a round typed from the keyboard: a row a table, each recorded by itself as soon as it
is whole, or all of them with the form where no script runs.
"""

import re
import uuid
from collections.abc import Mapping, Sequence

from django.conf import settings
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.tournament.counting import missing
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.subjects import ACTS
from tournament.pages.common.form_values import (
    Problem,
    command_of,
    plain_value,
    problem_of,
    status_of,
)
from tournament.pages.desk.context import Failed, desk_context
from tournament.pages.desk.deal_fields import forms_of, with_boards
from tournament.pages.desk.pagination import OF_THE_FORM
from tournament.pages.desk.rare_results import FEW_SO_FAR, NOBODY_YET, rare_words, usual
from tournament.pages.desk.result_fields import list_result_fields
from tournament.pages.desk.result_rows import (
    BETWEEN,
    ResultRow,
    UnrecordedResult,
    act_text,
    cells_of,
    find_missing_field,
    format_cells,
    format_recorded_result,
    path_of,
    rows_of,
    with_typed,
)
from tournament.queries.tournament import ShownTable, TournamentView, list_tables, load_tournament
from tournament.queries.tournament_visibility import public_or_404
from tournament.recording.tournaments import direct

OF_TABLE = re.compile(r"tables\.t([0-9]{1,6})\.(.+)")
ABOUT_THE_ROW = ("was", "sure")
ONE_ROW = "Accord-Row"  # a page that sends a row by itself names its table here
TRIES = 5


class _TableMoved(Exception):
    """Somebody else was first at this table, as this sentence says."""


class _RareResult(Exception):
    """The result is rare, as this sentence says, and nobody has said it once more."""


class _Round:
    """A round as it stands, its tables by number; `go_on` reads it again."""

    def __init__(self, at: TournamentView, number: int) -> None:
        self.number = number
        self.stage = at.state.stage_in(number)
        self.go_on(at)

    def go_on(self, at: TournamentView) -> None:
        """It stands as this state of the tournament has it."""
        self.at = at
        tables = list_tables(at, at.state.rounds[self.number - 1])
        self.tables = {each.table.table: each for each in tables}

    def look_again(self) -> None:
        """Read what others have recorded meanwhile."""
        self.at.row.refresh_from_db()
        self.go_on(load_tournament(self.at.row, self.at.audience))

    def table(self, number: int) -> ShownTable:
        """The table of this number. Raises NotationError where there is none."""
        if number not in self.tables:
            words = _("The round has no table %(table)d.") % {"table": number}
            raise NotationError(words, path="tables")
        return self.tables[number]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.DIRECT)
def desk_result_rows(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """The results of a round, a row a table; POST records those that were typed or changed, each
    for itself.
    """
    at = public_or_404(request.visitor, tournament)
    if not 1 <= number <= len(at.state.rounds):
        raise Http404
    each = _Round(at, number)
    if request.method != "POST":
        return _page(request, each, {})
    try:
        rows, command = _read_rows(request.POST), command_of(request.POST)
    except NotationError as refusal:
        return _page(request, each, {}, problem_of(refusal, unread=400))
    found = {table: _row(request, each, table, fields, command) for table, fields in rows.items()}
    tried = {table: refused for table, refused in found.items() if refused is not None}
    each.look_again()
    if ONE_ROW in request.headers:
        return _one_row(request, each, tried)
    if tried:
        return _page(request, each, tried)
    return redirect("desk_result_rows", tournament=at.row.pk, number=number)


def _read_rows(form: QueryDict) -> dict[int, dict[str, str]]:
    """Return the values sent for each table, by the names of their fields. Raises
    NotationError.
    """
    rows: dict[int, dict[str, str]] = {}
    for name, value in form.items():
        found = OF_TABLE.fullmatch(name)
        if found is not None:
            rows.setdefault(int(found[1]), {})[found[2]] = str(value).strip()
    if not rows:
        raise NotationError(_("Type the result of a table first."), path="tables")
    return rows


def _row(
    request: SalonRequest, each: _Round, table: int, fields: Mapping[str, str], command: str
) -> UnrecordedResult | None:
    """Record the result of a table where something new is typed; else why it was not recorded."""
    try:
        _record(request, each, table, fields, command)
    except _RareResult as rare:
        return UnrecordedResult(fields=fields, asks=str(rare))
    except Refusal as refusal:
        return UnrecordedResult(fields=fields, problem=problem_of(refusal, unread=400))
    except _TableMoved as moved:
        return UnrecordedResult(fields=fields, problem=Problem(message=str(moved), status=409))
    except (StreamMoved, CommandReused):
        words = _("Somebody else was first, and yours was not recorded. Enter once more.")
        return UnrecordedResult(fields=fields, problem=Problem(message=words, status=409))
    return None


def _record(
    request: SalonRequest, each: _Round, table: int, fields: Mapping[str, str], command: str
) -> None:
    """Record the result of a table, unless that is recorded already or nothing is typed. Raises
    Refusal, StreamMoved, CommandReused, _TableMoved, _RareResult.
    """
    for left in reversed(range(TRIES)):
        act = _act_of_row(each, table, fields)
        if act is None:
            return
        try:
            recorded = direct(
                request.visitor.salon,
                each.at.row.pk,
                [act],
                actor=request.visitor.actor,
                command=uuid.uuid5(uuid.UUID(command), f"{table} {sorted(fields.items())}").hex,
                version=each.at.row.version,
            )
        except StreamMoved:
            if not left:
                raise
            each.look_again()
        else:
            each.at.row.version = recorded.version
            return


def _act_of_row(each: _Round, table: int, fields: Mapping[str, str]) -> EnterResult | None:
    """Return the act that records a table's result, None if it is already recorded or
    nothing is typed. Raises Refusal, _TableMoved, _RareResult.
    """
    shown = each.table(table)
    cells = with_typed(cells_of(each.stage, shown, [{} for _seat in shown.seated]), fields)
    typed, now = format_cells(cells), format_recorded_result(each.at, each.stage, shown)
    if not typed.strip(BETWEEN):
        if fields.get("was") and now:
            words = _("Empty. On the page of the round a result is taken back.")
            raise NotationError(words, path=path_of(cells[0].fields[0]))
        return None
    form = QueryDict(mutable=True)
    form.update({name: value for name, value in fields.items() if name not in ABOUT_THE_ROW})
    value = plain_value(form)
    lacking = find_missing_field(cells)
    if lacking is not None:
        raise NotationError(_("A number is missing here."), path=path_of(lacking))
    typed_for = {"round": each.number, "table": table, **value}
    act = ACTS["results"](with_boards(typed_for, forms_of(shown.table.boards)), 0)
    assert isinstance(act, EnterResult)
    if now and act_text(each.stage, shown, act) == now:
        return None
    if fields.get("was", "") != now:
        words = _("Somebody else was first, it is %(now)s now. Enter once more to record yours.")
        raise _TableMoved(words % {"now": now.replace(BETWEEN, " : ") or _("no result")})
    asks = rare_words(each.at, each.stage, shown, act)
    if asks and fields.get("sure") != typed:
        raise _RareResult(asks)
    return act


def _one_row(
    request: SalonRequest, each: _Round, tried: Mapping[int, UnrecordedResult]
) -> HttpResponse:
    """The row that was sent by itself, and how many results are missing now."""
    named = request.headers[ONE_ROW]
    number = int(named) if named.isascii() and named.isdecimal() and len(named) < 9 else 0
    if number not in each.tables:
        raise Http404
    context = _context(request, each, tried, [each.tables[number]])
    status = tried[number].status if number in tried else 200
    return render(request, "tournaments/result_rows.html#one", context, status=status)


def _page(
    request: SalonRequest,
    each: _Round,
    tried: Mapping[int, UnrecordedResult],
    problem: Problem | None = None,
) -> HttpResponse:
    """All rows, with what was not recorded; `problem` is one of the whole form."""
    tables = list(each.tables.values())
    stage = each.stage
    context = desk_context(request, each.at, Failed(problem=problem)) | {
        "tab": f"results-{each.number}",
        "usual": usual(each.at, stage, tables),
        "nobody_yet": NOBODY_YET,
        "few_so_far": FEW_SO_FAR,
        "adds_to_0": "chips" in list_result_fields(stage),
    }
    context |= _context(request, each, tried, tables)
    status = max((one.status for one in tried.values()), default=status_of(problem))
    return render(request, "tournaments/result_rows.html", context, status=status)


def _is_too_long(rows: Sequence[ResultRow]) -> bool:
    """Whether the rows have more fields than can be sent at once, where no script sends each row by
    itself.
    """
    fields = sum(len(cell.fields) for row in rows if row.is_open for cell in row.cells)
    about = len(ABOUT_THE_ROW) * sum(row.is_open for row in rows)
    room = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    return room is not None and OF_THE_FORM + fields + about > room


def _context(
    request: SalonRequest,
    each: _Round,
    tried: Mapping[int, UnrecordedResult],
    tables: Sequence[ShownTable],
) -> dict[str, object]:
    """Return the context of the rows of these tables."""
    found = each.at.state.rounds[each.number - 1]
    rows = rows_of(each.at, found, tables, tried)
    return {
        "row": each.at.row,
        "round": found,
        "rows": rows,
        "is_too_long": _is_too_long(rows),
        "begins_at": next((row.begins_at for row in rows if row.is_missing), ""),
        "lacking": len(missing(found, each.at.outcomes, each.stage)),
        "is_open": found.is_open,
    }
