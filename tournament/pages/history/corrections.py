"""Corrections of a game: its hands to choose from, what one should have been, what changes by it,
and done.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.corrections import Change, Correction
from scoring.errors import NotationError, Refusal
from scoring.shape import JsonMapping
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.models import Game as GameRow
from tournament.models import Hand
from tournament.pages.common.form_values import (
    Problem,
    apply_name_answers,
    new_command,
    problem_of,
    status_of,
    table_form,
)
from tournament.pages.common.name_questions import ask_who_is_meant
from tournament.pages.history import correction_form
from tournament.pages.table.refused_act import NOTHING, NotRecorded, meanwhile
from tournament.pages.table.rulings import choices
from tournament.queries.closed_hands import RecordedHand, list_hands_as_recorded
from tournament.queries.comparison import Group, compared, differing
from tournament.queries.game_as_of import Picture
from tournament.queries.outdated_draws import CountsIn, in_tournaments
from tournament.queries.players import offer_known_names
from tournament.queries.table import TableGame, unpack_game
from tournament.queries.withdrawn_hands import list_withdrawn_hands, surplus_hands
from tournament.recording.corrections import (
    Preview,
    can_go_on,
    preview_correction,
    record_correction,
)
from tournament.recording.rulings import name_of
from tournament.recording.tables.table_labels import free_labels, is_retired
from tournament.salons.public_names import Audience

NOT_SENT_AGAIN = frozenset(
    {"csrfmiddlewaretoken", "step", "command", "version", "reason", "excused", "after", "table"}
)
# What becomes of a game that a correction reopens: it ends as it is then, or goes on elsewhere.
ENDS, MOVES = "ends", "moves"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPreview:
    """The effects of a correction: both games side by side, the rulings it takes, and the hands
    after the end.

    `reopens`: the game was over and isn't any more; `taken`: it can't be continued at its table,
    which may be `retired`, but at those in `free`. `events` are the tournaments it counts in, with
    what changes there.
    """

    groups: Sequence[Group]
    excused: Sequence[tuple[int, Sequence[str]]]
    surplus: Sequence[int]
    over: bool
    reopens: bool
    taken: bool
    retired: bool
    free: Sequence[str]
    events: Sequence[CountsIn]

    @property
    def differing(self) -> int:
        """The number of lines that differ."""
        return differing(self.groups)

    @property
    def excused_as_json(self) -> str:
        """The rulings as the form sends them back."""
        return json.dumps(self.excused)


@never_cache
@require_GET
@requires(Permission.CORRECT)
def corrections(request: SalonRequest, game: str) -> HttpResponse:
    """The hands of a game as they count, each with what can be corrected in it, and what belongs to
    the whole game.
    """
    row = game_or_404(request.visitor, game)
    at = unpack_game(request.visitor, row)
    hands = _with_results(
        row, list_hands_as_recorded(row, request.visitor.audience), request.visitor.audience
    )
    context = {
        "here": "tables",
        "row": row,
        "at": at,
        "table": at.table,
        "players": at.players,
        "hands": list(reversed(hands)),
    }
    context["begins_with_pot"] = at.game.opening_pot is not None
    return render(
        request,
        "corrections/corrections.html",
        context | {"withdrawn": list_withdrawn_hands(row, request.visitor.audience)},
    )


def _with_results(
    row: GameRow, hands: Sequence[RecordedHand], audience: Audience
) -> list[tuple[RecordedHand, Mapping[str, object] | None]]:
    """Each closed hand with its result and why it was so; None for a misdeal."""
    counted = {hand.number: hand.result for hand in Hand.objects.filter(game=row)}
    surplus = iter(surplus_hands(row, audience))
    return [
        (
            each,
            None
            if not each.number
            else next(surplus).closed
            if each.surplus
            else counted[each.number],
        )
        for each in hands
    ]


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.CORRECT)
def correction(request: SalonRequest, game: str, what: str) -> HttpResponse:
    """The form of one correction, what it would change, and the correction itself; nothing typed is
    lost.
    """
    row = game_or_404(request.visitor, game)
    at, asked = (
        unpack_game(request.visitor, row),
        correction_form.subject_of(row, what, request.GET),
    )
    if request.method == "GET":
        return _form(request, at, asked, correction_form.initial_values(asked, request.GET))
    seats = [name for name in request.POST if name.startswith("players.")]
    if question := ask_who_is_meant(request, request.POST, seats):
        return question
    request.POST = QueryDict(apply_name_answers(request.POST).urlencode())
    try:
        value, change = correction_form.change_of(asked, request.visitor.salon, request.POST)
    except Refusal as refusal:
        problem = problem_of(refusal, at.called, unread=400)
        return _form(request, at, asked, asked.value_as_typed(request.POST), problem)
    if request.POST.get("step") == "change":
        return _form(request, at, asked, value)
    try:
        if request.POST.get("step") == "record":
            return _record_change(request, row, change)
        return _preview_page(request, at, asked, change)
    except StreamMoved:
        first = meanwhile(row, request.visitor, version=table_form(bare_form(request.POST)).version)
        return _preview_page(request, at, asked, change, NotRecorded(meanwhile=first))
    except CommandReused:
        return redirect("corrections", game=row.pk)
    except Refusal as refusal:
        problem = problem_of(refusal, at.called, unread=400)
        if request.POST.get("step") == "record":
            return _preview_page(request, at, asked, change, NotRecorded(problem=problem))
        return _form(request, at, asked, value, problem)


def _record_change(request: SalonRequest, row: GameRow, change: Change) -> HttpResponse:
    """Raises Refusal, StreamMoved, CommandReused."""
    form, visitor = table_form(bare_form(request.POST)), request.visitor
    then = request.POST.get("after", "")
    correction = Correction(
        change=change,
        by=name_of(visitor),
        reason=reason_of(request.POST),
        excused=parse_excused_rulings(request.POST.get("excused", "[]")),
        table=request.POST.get("table", "") if then == MOVES else None,
    )
    record_correction(
        visitor.salon,
        row.pk,
        correction,
        actor=visitor.actor,
        command=form.command,
        version=form.version,
        ends=then == ENDS,
    )
    return redirect("board", game=row.pk)


def _preview_page(
    request: SalonRequest,
    at: TableGame,
    asked: correction_form.CorrectionSubject,
    change: Change,
    failed: NotRecorded = NOTHING,
) -> HttpResponse:
    """The page that shows what would change. Raises Refusal for what can't be corrected so."""
    row = GameRow.objects.get(pk=at.row.pk)
    try:
        preview = preview_correction(
            request.visitor.salon, row.pk, Correction(change=change, by="", reason="")
        )
        seen = describe_preview(row, preview, request.visitor.audience)
    except Refusal as refusal:
        problem = problem_of(refusal, at.called, unread=400)
        return _form(request, at, asked, asked.value_as_typed(request.POST), problem)
    context = {
        "here": "tables",
        "row": row,
        "at": at,
        "subject": asked,
        "seen": seen,
        "again": [
            (name, text)
            for name, texts in request.POST.lists()
            if name not in NOT_SENT_AGAIN
            for text in texts
        ],
        "reason": request.POST.get("reason", ""),
        "after": request.POST.get("after", ""),
        "table": request.POST.get("table", ""),
        "command": new_command(),
    }
    return render(
        request, "corrections/preview.html", context | failed.context, status=failed.status
    )


def describe_preview(row: GameRow, preview: Preview, audience: Audience) -> CorrectionPreview:
    """Return the preview of a correction for the page; nothing is recorded."""
    now = timezone.now()
    pictures = [
        Picture(game=preview.game, state=folded.state, at=now, moment=None)
        for folded in (preview.before, preview.after)
    ]
    surplus = [number for number, part in enumerate(preview.hands_after, 1) if part.surplus]
    taken = preview.reopens and not can_go_on(row.salon, row.pk, row.table)
    return CorrectionPreview(
        groups=list(compared(row, *pictures, audience=audience)),
        excused=preview.excused,
        surplus=surplus,
        over=preview.after.state.closed is not None,
        reopens=preview.reopens,
        taken=taken,
        retired=is_retired(row.salon, row.table),
        free=free_labels(row.salon) if taken else (),
        events=in_tournaments(row.pk, preview.game, preview.before.state, preview.after.state),
    )


def _form(
    request: SalonRequest,
    at: TableGame,
    asked: correction_form.CorrectionSubject,
    typed: JsonMapping,
    problem: Problem | None = None,
) -> HttpResponse:
    """The form around what was recorded or typed."""
    after = {"number": asked.number, "dealer": None, "trump": None, "ante": False, "redealt": False}
    context = {
        "here": "tables",
        "correcting": True,
        "action": request.get_full_path(),
        "subject": asked,
        "row": at.row,
        "at": at,
        "label": at.row.table or "-",
        "table": at.table | {"hand": None, "next": after, "stage": "opening"},
        "players": correction_form.seat_names_of(asked, at),
        "listed": offer_known_names(request.visitor.salon),
        "typed": typed,
        "problem": problem,
        "command": new_command(),
        "meld_lines": max(3, len(typed.get("melds", ()))),
        "options": correction_form.option_fields_of(asked, typed, problem),
        "pots": correction_form.pots_of(asked),
        "withdrawn": [
            each
            for each in list_withdrawn_hands(asked.row, request.visitor.audience)
            if asked.what == "hand" and each.number == asked.number
        ],
        **choices(at.game, list(at.players)),
    }
    return render(request, "corrections/form.html", context, status=status_of(problem))


def bare_form(form: QueryDict) -> QueryDict:
    """Return a form's own fields, without those about a hand."""
    bare = QueryDict(mutable=True)
    for name in ("game", "version", "command"):
        bare[name] = form.get(name, "")
    return bare


def reason_of(form: QueryDict) -> str:
    reason = form.get("reason", "").strip()
    if not reason or len(reason) > 2000:
        raise NotationError("say in a few words why it is corrected", path="reason")
    return reason


def parse_excused_rulings(typed: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Parse the rulings that the preview showed. Raises Http404 for a text that no preview
    wrote.
    """
    try:
        return tuple((int(hand), tuple(map(str, codes))) for hand, codes in json.loads(typed))
    except (ValueError, TypeError):
        raise Http404 from None
