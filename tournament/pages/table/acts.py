"""Receives the acts that a table's pad sends: one act for the open game, added to its
collection (`bids`, `tricks`, `retractions` …).
"""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.commands import Opening
from scoring.common_state import read_undo
from scoring.errors import Refusal, RuleViolation
from scoring.openings import read_acts
from scoring.rulings import FOLLOWING
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.permissions import Permission
from tournament.models import Game
from tournament.pages.common.form_values import (
    Problem,
    TableForm,
    problem_of,
    read_game_id,
    read_typed_value,
    table_form,
)
from tournament.pages.common.name_questions import check_names_meant, find_form_questions
from tournament.pages.table.command_answers import says_its_command
from tournament.pages.table.pad import (
    SeeOther,
    address,
    keep_query,
    pad_page,
    query_text,
    read_drafted_cards,
)
from tournament.pages.table.refused_act import NotRecorded, meanwhile
from tournament.pages.table.rulings import ruling_page, sign_ruling, sign_rulings
from tournament.queries.players import with_known_names
from tournament.queries.round_over import check_round_goes_on
from tournament.queries.table import TableGame, game_after, game_at, may_end, read_allowed_end
from tournament.recording import door
from tournament.recording.door import Recorded
from tournament.recording.duplicate_deals import check_no_stock_due
from tournament.recording.rulings import RULINGS, read_ruling
from tournament.streams.folds import require_fold

RETRACTIONS, ENDINGS, TRICKS = "retractions", "endings", "tricks"


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.RECORD)
@says_its_command
def acts(request: SalonRequest, label: str, collection: str) -> HttpResponse:
    """Record one act and show the pad as it is then; what was refused is said there, with all that
    was typed.
    """
    at = game_at(request.visitor, label, game=read_game_id(request))
    if request.method == "GET" or at is None:
        table_or_404(request.visitor, label)
        return redirect("pad", label=label)
    read = reader(request, collection, at)
    try:
        form = table_form(request.POST)
        recorded = record_act(request, at, form, read)
    except (StreamMoved, CommandReused) as moved:
        return _conflict_page(request, label, collection, moved)
    except Refusal as refusal:
        return _refusal_page(request, label, collection, at, refusal)
    if not request.headers.get("HX-Request"):
        query = request.GET if collection == RULINGS else keep_query(request.GET)
        return SeeOther(address(label, query, at))
    now = game_after(request.visitor, label, at, recorded.columns)
    if collection == RULINGS:  # the question under the ruling stays as it was
        return pad_page(request, label, now, cards=read_drafted_cards(request.GET, now))
    # What was asked is answered: the next question, as without scripts.
    request.GET = QueryDict(query_text(keep_query(request.GET)))
    return pad_page(request, label, now, cards=[])


def reader(
    request: SalonRequest, collection: str, at: TableGame
) -> Callable[[object, object], object]:
    """Return the function that reads additions to this collection of a table. Raises
    Http404 if there is no such collection, PermissionDenied if this visitor can't add
    to it.
    """
    if collection == RETRACTIONS:
        return lambda value, rules: read_undo(value)
    if collection == ENDINGS:
        if not may_end(request.visitor, at):
            raise PermissionDenied(_("Only the owner of the salon can do that."))
        return lambda value, rules: read_allowed_end(request.visitor, value)
    if collection == RULINGS:
        return lambda value, rules: read_ruling(at.game, sign_ruling(request, value))
    try:
        return at.game.acts[collection]
    except KeyError:
        raise Http404 from None


def record_act(
    request: SalonRequest, at: TableGame, form: TableForm, read: Callable[[object, object], object]
) -> Recorded:
    """Record what a form of the pad says. Raises Refusal, StreamMoved, CommandReused."""
    salon = request.visitor.salon
    if form.game != at.row.pk:
        raise StreamMoved(form.game, expected=form.version, actual=0)
    check_names_meant(salon, form.names)
    folded = require_fold(salon.log_id, at.row.pk, version=form.version)
    value = with_known_names(sign_rulings(request, form.value), salon)
    acts = read_acts(value, folded.state, read=read, read_opening=at.game.acts["hands"])
    before = find_earlier_record(request, at, form, *acts, opens=isinstance(acts[0], Opening))
    return before or door.record_acts(
        request.visitor.salon,
        at.row.pk,
        acts,
        actor=request.visitor.actor,
        command=form.command,
        version=form.version,
        place=form.place,
        occurred_at=form.occurred_at,
        handed_over=form.handed_over,
        seat=request.visitor.seat_in(at.row),
    )


def find_earlier_record(
    request: SalonRequest, at: TableGame, form: TableForm, *said: object, opens: bool
) -> Recorded | None:
    """Return the earlier record of this very form if it can no longer be sent; None if it
    can. `opens`: a hand begins by it. Raises RuleViolation.
    """
    visitor = request.visitor
    try:
        check_round_goes_on(visitor, at.row)
        if opens:
            check_no_stock_due(at.row)
    except RuleViolation:
        before = door.find_earlier_answer(
            visitor.salon, at.row.pk, *said, actor=visitor.actor, command=form.command
        )
        if before is None:
            raise
        return before
    return None


def _refusal_page(
    request: SalonRequest, label: str, collection: str, at: TableGame, refusal: Refusal
) -> HttpResponse:
    typed = read_typed_value(request.POST)
    problem = problem_of(refusal, at.called, unread=400)
    questions = find_form_questions(request.visitor.salon, request.POST)
    failed = NotRecorded(problem=problem, typed=typed, tried=collection, questions=questions)
    if collection == RULINGS and "kind" in typed and typed["kind"] != "accept_play":
        return ruling_page(request, label, at, failed=failed)
    cards = read_drafted_cards(request.GET, at)
    if collection == TRICKS and refusal.code in FOLLOWING:
        cards = [str(card) for card in typed.get("cards", cards)]
    return pad_page(request, label, at, cards=cards, failed=failed)


def _conflict_page(
    request: SalonRequest, label: str, collection: str, moved: StreamMoved | CommandReused
) -> HttpResponse:
    """409: what stands on the table now, who recorded meanwhile, and what was not recorded. Nothing
    is tried again.
    """
    now = game_at(request.visitor, label, game=read_game_id(request))
    assert now is not None
    form = table_form(request.POST)
    first, words = None, ""
    if form.game != now.row.pk and (table := _table_now(request, form.game)) not in ("", label):
        words = _("This game goes on at table %(table)s now. What you sent was not recorded.")
        words %= {"table": table}
    elif form.game != now.row.pk:
        words = _(
            "Another game has begun at this table. What you sent belongs to the one before "
            "and was not recorded."
        )
    else:
        first = meanwhile(now.row, request.visitor, version=form.version)
        if isinstance(moved, CommandReused):
            words = _("You tapped twice, and the first tap counts. This is the table after it.")
    problem = Problem(message=words, status=409) if words else None
    typed = read_typed_value(request.POST)
    failed = NotRecorded(problem=problem, meanwhile=first, typed=typed, tried=collection)
    return pad_page(request, label, now, cards=read_drafted_cards(request.GET, now), failed=failed)


def _table_now(request: SalonRequest, game: str) -> str:
    """The table at which a game of the salon is played now, "" for none."""
    rows = Game.objects.filter(salon=request.visitor.salon, pk=game)
    return rows.values_list("table", flat=True).first() or ""
