"""Everything a director does, sent to one collection or another: recorded, confirmed by name, and
back to the page it came from.
"""

import re
from collections.abc import Callable, Sequence

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from ledger import times
from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.subjects import ACTS
from tournament.exchange.entry_lists import with_known_people
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    claim_of,
    plain_value,
    version_of,
    whole_number,
    why_not,
)
from tournament.pages.common.name_questions import ask_who_is_meant
from tournament.pages.desk.act_messages import describe_acts, say_begun
from tournament.pages.desk.context import NOTHING, Failed, free_tables
from tournament.pages.desk.deal_fields import forms_of, with_boards
from tournament.pages.desk.entries import entries_page, entry_page, slips_page
from tournament.pages.desk.entry_navigation import way_back
from tournament.pages.desk.overview import desk_page
from tournament.pages.desk.pagination import goes_on, query_after
from tournament.pages.desk.rounds import round_page
from tournament.projections.registry import resume_all
from tournament.queries.tournament import TournamentView, load_tournament
from tournament.queries.tournament_visibility import public_or_404
from tournament.recording.game_links import list_link_commands
from tournament.recording.tables.start_games import StartRequest, start_round
from tournament.recording.tournaments import (
    direct,
    direct_on_top,
    restart_linked_game,
    start_linked_game,
)

EVERY_TABLE = "all"
NAMES_PEOPLE = frozenset({"entries", "singles", "substitutes"})  # who may be new to the salon
NAME_FIELD = re.compile(r"players\.[0-9]+|player")
# What is done at the door names its entry or single and depends on nothing else: two who stand
# there don't wait for each other.
AT_THE_DOOR = frozenset(
    {
        "entries",
        "singles",
        "single-cancellations",
        "pairs",
        "remaining-pairs",
        "check-ins",
        "check-in-cancellations",
    }
    | {"all-check-ins", "all-check-in-cancellations", "line-ups"}
)


@never_cache
@require_POST
@requires(Permission.DIRECT)
def desk_acts(request: SalonRequest, tournament: str, collection: str) -> HttpResponse:
    """Record one act and go back to the page it came from; what was refused is said there."""
    at = public_or_404(request.visitor, tournament)
    if collection not in ACTS:
        raise Http404

    def acts_of(typed: dict[str, object]) -> list[Command]:
        now = times.now()
        return _acts(request, at, ACTS[collection](with_boards(typed, _forms(at, typed)), now))

    return _record_acts(request, at, collection, acts_of)


@never_cache
@require_POST
@requires(Permission.DIRECT)
def desk_results(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """Record the results of all tables that something was typed for, or none of them; then the same
    portion of the round, or the one that was chosen.
    """
    form = request.POST
    if goes_on(form) and not any(key.startswith("tables.") and form[key] for key in form):
        return redirect(_address(request, public_or_404(request.visitor, tournament)))
    at = public_or_404(request.visitor, tournament)
    return _record_acts(request, at, "results", lambda typed: _results(typed, number))


@never_cache
@require_POST
@requires(Permission.DIRECT)
def desk_games(request: SalonRequest, tournament: str) -> HttpResponse:
    """Start the game of a round's table at one of the salon's tables, or those of all that have
    none; their results count here.
    """
    at = public_or_404(request.visitor, tournament)
    try:
        if request.POST.get("table") == EVERY_TABLE:
            say_begun(request, start_round(request.visitor.salon, at.row.pk, _wish(request)))
        else:
            _start_one(request, at)
    except NOT_RECORDED as failure:
        words = _("Somebody else was first, and no game was started. This is how it stands now.")
        problem = why_not(failure, words)
        typed = request.POST.dict() if problem.status == 422 else {}
        return _not_recorded(request, at, Failed(problem=problem, typed=typed, tried="games"))
    return redirect(_address(request, at))


@require_POST
@requires(Permission.DIRECT)
def desk_standings(request: SalonRequest, tournament: str) -> HttpResponse:
    """Let parked standings be computed again."""
    at = public_or_404(request.visitor, tournament)
    resume_all(request.visitor.salon.log)
    return redirect("desk", tournament=at.row.pk)


def _record_acts(
    request: SalonRequest,
    at: TournamentView,
    collection: str,
    acts_of: Callable[[dict[str, object]], Sequence[Command]],
) -> HttpResponse:
    """Record what `acts_of` makes of the form; all of it, or the page again with what is wrong."""
    named = [name for name in request.POST if NAME_FIELD.fullmatch(name)]
    if collection in NAMES_PEOPLE and (question := ask_who_is_meant(request, request.POST, named)):
        return question
    typed: dict[str, object] = {}
    try:
        typed = plain_value(request.POST)
        acts = [
            with_known_people(request.visitor.salon, act, actor=request.visitor.actor)
            for act in acts_of(typed)
        ]
        _direct(request, at, acts, at_the_door=collection in AT_THE_DOOR)
    except NOT_RECORDED as failure:
        failed = Failed(problem=why_not(failure, unread=400), typed=typed, tried=collection)
        return _not_recorded(request, at, failed)
    at.row.refresh_from_db()
    after = load_tournament(at.row, at.audience)
    if "HX-Request" in request.headers:
        return _page(
            request, after, NOTHING
        )  # a line of the page takes its own new self out of it, and nothing else moves
    words = describe_acts(after, acts)
    if words:
        messages.success(request, words)
    return redirect(_address(request, after, acts[0], before=at))


def _direct(
    request: SalonRequest, at: TournamentView, acts: Sequence[Command], *, at_the_door: bool
) -> None:
    """Record acts on top of the version that the form saw; at the door on top of whatever there is
    by now.
    """
    version, record = version_of(request.POST), direct_on_top if at_the_door else direct
    record(request.visitor.salon, at.row.pk, acts, **claim_of(request), version=version)


def _acts(request: SalonRequest, at: TournamentView, act: Command) -> list[Command]:
    """Return the commands that an act records. Raises RuleViolation for a game of other
    entries than those that meet there.
    """
    return (
        list_link_commands(request.visitor.salon, at.state, act)
        if isinstance(act, LinkGame)
        else [act]
    )


def _results(typed: dict[str, object], number: int) -> list[Command]:
    """The results of the tables that something was typed for. Raises NotationError."""
    tables = typed.get("tables")
    if not isinstance(tables, dict) or not tables:
        raise NotationError(_("Type the result of a table first."), path="tables")
    acts: list[Command] = []
    for key, given in tables.items():
        if not isinstance(given, dict):
            raise NotationError(_("Type the result of a table first."), path="tables")
        acts.append(
            ACTS["results"](
                with_boards(
                    {"round": number, "table": whole_number(key[1:], "table"), **given}, {}
                ),
                0,
            )
        )
    return acts


def _forms(at: TournamentView, typed: dict[str, object]) -> dict[int, int]:
    """In which form each deal is recorded at the table that an act is about."""
    number, table = typed.get("round"), typed.get("table")
    each = at.state.round(number) if isinstance(number, int) else None
    seated = each.table(table) if each is not None and isinstance(table, int) else None
    return forms_of(seated.boards) if seated is not None else {}


def _wish(request: SalonRequest) -> StartRequest:
    """Read how the games of a round are to begin. Raises NotationError."""
    form, may_make = request.POST, request.visitor.may(Permission.MANAGE_TABLES)
    return StartRequest(
        round=whole_number(form.get("round", ""), "round"),
        **claim_of(request),
        version=version_of(form),
        tables="none" if not may_make else "all" if form.get("new_tables") == "yes" else "lacking",
    )


def _start_one(request: SalonRequest, at: TournamentView) -> None:
    """Start the game of one table, or another in the place of the one that it has (`again`).

    Raises Refusal, StreamMoved, CommandReused.
    """
    form, label = request.POST, request.POST.get("label", "")
    if label not in free_tables(request):
        raise NotationError(_("Choose a table of the salon at which nobody plays."), path="label")
    start = restart_linked_game if form.get("again") == "yes" else start_linked_game
    start(
        request.visitor.salon,
        at.row.pk,
        round=whole_number(form.get("round", ""), "round"),
        table=whole_number(form.get("table", ""), "table"),
        label=label,
        **claim_of(request),
        version=version_of(form),
    )


def _not_recorded(request: SalonRequest, at: TournamentView, failed: Failed) -> HttpResponse:
    """The page that a form came from, with why it was not recorded: as it stands by now."""
    if failed.status == 409:
        at.row.refresh_from_db()
    return _page(request, load_tournament(at.row, at.audience), failed)


def _page(request: SalonRequest, at: TournamentView, failed: Failed) -> HttpResponse:
    """The page that a form came from."""
    page, _dash, of = request.GET.get("page", "").partition("-")
    if page == "round" and _is_drawn(at, of):
        return round_page(request, at, int(of), failed)
    if page == "entry" and at.state.entry(of) is not None:
        return entry_page(request, at, of, failed)
    if page == "slips":
        return slips_page(request, at, failed)
    return (
        entries_page(request, at, failed) if page == "entries" else desk_page(request, at, failed)
    )


def _address(
    request: SalonRequest,
    at: TournamentView,
    act: Command | None = None,
    *,
    before: TournamentView | None = None,
) -> str:
    page, _dash, of = request.GET.get("page", "").partition("-")
    if page == "entries":
        entries = reverse("desk_entries", args=[at.row.pk])
        return f"{entries}{way_back(request.GET, before or at, at, act)}"
    if page == "round" and of in map(str, range(1, at.row.rounds + 1)):
        of_round = reverse("desk_round", args=[at.row.pk, int(of)])
        return f"{of_round}{query_after(request.POST, request.GET)}"
    if page == "entry" and of in at.removed:
        return reverse("desk_entries", args=[at.row.pk])
    if page == "entry" and at.state.entry(of) is not None:
        return reverse("desk_entry", args=[at.row.pk, of])
    return reverse("desk_slips" if page == "slips" else "desk", args=[at.row.pk])


def _is_drawn(at: TournamentView, number: str) -> bool:
    return number.isdecimal() and len(number) < 9 and 1 <= int(number) <= len(at.state.rounds)
