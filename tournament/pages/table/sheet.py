"""The hand sheet: a whole hand on one screen, with what it would come to by the rules that will
score it.
"""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal, RuleViolation
from scoring.shape import JsonObject
from scoring.sheets import HandSheet
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.permissions import Permission
from tournament.models import Salon
from tournament.pages.common.form_values import (
    Problem,
    TableForm,
    new_command,
    plain_value,
    problem_of,
    read_game_id,
    read_typed_value,
    table_form,
)
from tournament.pages.common.name_questions import check_names_meant, find_form_questions
from tournament.pages.table.acts import find_earlier_record
from tournament.pages.table.command_answers import says_its_command
from tournament.pages.table.pad import SeeOther, address, keep_query
from tournament.pages.table.refused_act import NOTHING, NotRecorded, meanwhile
from tournament.pages.table.rulings import SHEET, admission, choices, sign_rulings
from tournament.queries.players import offer_known_names, with_known_names
from tournament.queries.round_clocks import clock_at
from tournament.queries.table import TableGame, game_at
from tournament.recording import door
from tournament.recording.calls import open_call
from tournament.recording.door import Recorded
from tournament.streams.folds import require_fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The outcome of the sheet: the hand's result and the table after it, or the error, or
    the first missing field.
    """

    hand: JsonObject | None = None
    table: JsonObject | None = None
    problem: Problem | None = None
    missing: Problem | None = None


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.RECORD)
@says_its_command
def sheet(request: SalonRequest, label: str) -> HttpResponse:
    """The form, and the hand recorded by it; what was refused stands beside its field and nothing
    typed is lost.
    """
    at = game_at(request.visitor, label, game=read_game_id(request))
    if at is None or (at.row.finished and request.method == "GET"):
        table_or_404(request.visitor, label)
        return redirect("pad", label=label)
    if request.method == "GET":
        return _page(request, label, at)
    try:
        record_form(request, at, table_form(request.POST))
        return SeeOther(address(label, keep_query(request.GET), at))
    except (StreamMoved, CommandReused):
        now = game_at(request.visitor, label, game=at.row.pk) or at
        first = meanwhile(now.row, request.visitor, version=table_form(request.POST).version)
        failed = NotRecorded(meanwhile=first, typed=read_typed_value(request.POST))
        return _page(request, label, now, failed=failed)
    except Refusal as refusal:
        problem = problem_of(refusal, at.called, unread=400)
        questions = find_form_questions(request.visitor.salon, request.POST)
        failed = NotRecorded(
            problem=problem, typed=read_typed_value(request.POST), questions=questions
        )
        return _page(request, label, at, failed=failed)


@never_cache
@require_POST
@requires(Permission.RECORD)
def sheet_preview(request: SalonRequest, label: str) -> HttpResponse:
    """The sheet again with its result as if it were recorded now; nothing is recorded."""
    at = game_at(request.visitor, label, game=read_game_id(request))
    if at is None:
        table_or_404(request.visitor, label)
        return redirect("pad", label=label)
    written = NotRecorded(typed=read_typed_value(request.POST))
    return _page(request, label, at, failed=written, preview=_preview(request, at))


def record_form(request: SalonRequest, at: TableGame, form: TableForm) -> Recorded:
    """Record the hand that a sheet's form says. Raises Refusal, StreamMoved, CommandReused."""
    salon = request.visitor.salon
    if form.game != at.row.pk:
        raise StreamMoved(form.game, expected=form.version, actual=0)
    check_names_meant(salon, form.names)
    written = _read_sheet(at, salon, sign_rulings(request, form.value))
    visitor, before = request.visitor, find_earlier_record(request, at, form, written, opens=True)
    return before or door.record_sheet(
        salon,
        at.row.pk,
        written,
        actor=visitor.actor,
        command=form.command,
        version=form.version,
        hand=form.place.get("hand"),
        occurred_at=form.occurred_at,
        handed_over=form.handed_over,
        seat=visitor.seat_in(at.row),
    )


def _preview(request: SalonRequest, at: TableGame) -> Preview:
    salon = request.visitor.salon
    try:
        written = _read_sheet(at, salon, sign_rulings(request, plain_value(request.POST)))
        folded = door.preview_sheet(salon, at.row.pk, written)
    except NotationError as refusal:  # not all is written yet
        return Preview(missing=problem_of(refusal, at.called))
    except RuleViolation as violation:
        return Preview(problem=problem_of(violation, at.called))
    hands = folded.game.hand_results(folded.state, at.table["hands"])
    return Preview(hand=hands[0] if hands else None, table=folded.game.table(folded.state))


def _read_sheet(at: TableGame, salon: Salon, value: dict[str, object]) -> HandSheet:
    folded = require_fold(salon.log_id, at.row.pk, version=at.row.version)
    sheet: HandSheet = at.game.read_sheet(with_known_names(value, salon), folded.state.rules)
    return sheet


def _page(
    request: SalonRequest,
    label: str,
    at: TableGame,
    *,
    failed: NotRecorded = NOTHING,
    preview: Preview | None = None,
) -> HttpResponse:
    may_rule = request.visitor.may(Permission.RULE) and at.game.rulings is not None
    refused = failed.problem or (preview.problem if preview else None)
    problem = refused if may_rule else None
    admits = admission(at, problem, tried=SHEET, form=request.POST, offer=None, cards=())
    context = {
        "here": "tables",
        "label": label,
        "at_table": clock_at(at.row) if not at.row.finished else None,
        "row": at.row,
        "table": at.table,
        "players": at.players,
        "listed": offer_known_names(request.visitor.salon),
        "command": new_command(),
        "action": reverse("sheet", args=[label]),
        "previewed": True,
        "preview": preview,
        "may_rule": may_rule,
        "call": open_call(request.visitor.salon, label),
        "admits": admits,
        **(choices(at.game, list(at.players)) if may_rule else {}),
    }
    return render(request, "sheet.html", context | failed.context, status=failed.status)
