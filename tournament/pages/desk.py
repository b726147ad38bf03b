"""The director's desk: what to do next, entries, rounds; everything a director does is sent to one collection or another."""

import time
import uuid
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal, RuleViolation
from tournament.access import Act, SalonRequest, needs
from tournament.desk import direct, start_linked_game
from tournament.directing.acts import ACTS
from tournament.directing.commands import GivePenalty, MakeEntry, ReplacePlayer
from tournament.directing.decide import BACK
from tournament.directing.entries import sizes
from tournament.directing.field import missing
from tournament.directing.lists import ListLine, read_list
from tournament.directing.state import EntryState, RoundState
from tournament.directing.todo import last_round, todo
from tournament.models import Game, Player, Table
from tournament.pages.directed import Directed, computed, directed, shown_tables
from tournament.pages.form_values import COMMAND, Problem, new_command, plain_value, problem_of
from tournament.pages.players import fitting, meant
from tournament.pages.tournament import context_of, public_or_404
from tournament.projections.background import resume
from tournament.projections.standings import STANDINGS
from tournament.who import actors_in_words

LISTED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """Why nothing was recorded, with what was typed, by field; `report` of a list says it line by line."""

    status: int = 200
    problem: Problem | None = None
    typed: dict[str, Any] | None = None
    tried: str = ""
    report: tuple[tuple[ListLine, str], ...] = ()


NOTHING = Failed()


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk(request: SalonRequest, tournament: str) -> HttpResponse:
    """The desk: what to do first."""
    return _desk(request, public_or_404(request.visitor, tournament), NOTHING)


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk_entries(request: SalonRequest, tournament: str) -> HttpResponse:
    """Who takes part: entering, checking in, withdrawing."""
    return _entries(request, public_or_404(request.visitor, tournament), NOTHING)


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk_round(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """One round: its draw and why, its clock, its tables and results."""
    return _round(request, public_or_404(request.visitor, tournament), number, NOTHING)


@never_cache
@require_POST
@needs(Act.DIRECT)
def desk_acts(request: SalonRequest, tournament: str, collection: str) -> HttpResponse:
    """Record one act and go back to the page it came from; what was refused is said there."""
    at = public_or_404(request.visitor, tournament)
    if collection not in ACTS:
        raise Http404
    typed: dict[str, Any] = {}
    try:
        typed = plain_value(request.POST)
        act = _known(request, ACTS[collection](typed, time.time_ns() // 1000))
        _direct(request, at, [act], _command(request))
    except Refusal as refusal:
        status = 422 if isinstance(refusal, RuleViolation) else 400
        failed = Failed(status=status, problem=problem_of(refusal), typed=typed, tried=collection)
        return _page(request, directed(at.row), failed)
    except (StreamMoved, CommandReused):
        at.row.refresh_from_db()
        words = _("Somebody else was first, and yours was not recorded. This is how it stands now.")
        return _page(request, directed(at.row), Failed(status=409, problem=Problem(message=words), typed=typed, tried=collection))
    return redirect(_address(request, at))


@never_cache
@require_POST
@needs(Act.DIRECT)
def desk_lists(request: SalonRequest, tournament: str) -> HttpResponse:
    """Enter everybody on a pasted list; each line is told what became of it, and the refused ones stay to be mended."""
    at = public_or_404(request.visitor, tournament)
    command, text = request.POST.get("command", ""), request.POST.get("list", "")
    if not COMMAND.fullmatch(command):
        problem = Problem(message=_("This form is incomplete; load the page again."), field="list")
        return _entries(request, at, Failed(status=400, problem=problem, typed={"list": text}))
    report: list[tuple[ListLine, str]] = []
    for line in read_list(text, players=_players_of(at)):
        report.append((line, line.problem or _entered(request, at, line, command)))
    at.row.refresh_from_db()
    left = "\n".join(line.text for line, problem in report if problem)
    status = 422 if left or not report else 200
    empty = Problem(message=_("Paste one entry a line."), field="list") if not report else None
    return _entries(request, directed(at.row), Failed(status=status, problem=empty, typed={"list": left}, report=tuple(report)))


@never_cache
@require_POST
@needs(Act.DIRECT)
def desk_games(request: SalonRequest, tournament: str) -> HttpResponse:
    """Start the game of a round's table at one of the salon's tables; its result counts here."""
    at = public_or_404(request.visitor, tournament)
    typed = request.POST.dict()
    try:
        number, table = (_number(typed.get(name, ""), name) for name in ("round", "table"))
        label = _free_label(request, typed.get("label", ""))
        start_linked_game(
            request.visitor.salon,
            at.row.pk,
            round=number,
            table=table,
            label=label,
            actor=request.visitor.actor,
            command=_command(request),
            version=_number(typed.get("version", ""), "version"),
        )
    except Refusal as refusal:
        return _page(request, directed(at.row), Failed(status=422, problem=problem_of(refusal), typed=dict(typed), tried="games"))
    except (StreamMoved, CommandReused):
        at.row.refresh_from_db()
        words = _("Somebody else was first, and no game was started. This is how it stands now.")
        return _page(request, directed(at.row), Failed(status=409, problem=Problem(message=words), tried="games"))
    return redirect(_address(request, at))


@require_POST
@needs(Act.DIRECT)
def desk_standings(request: SalonRequest, tournament: str) -> HttpResponse:
    """Let parked standings be computed again."""
    at = public_or_404(request.visitor, tournament)
    resume(request.visitor.salon.log, STANDINGS.name)
    return redirect("desk", tournament=at.row.pk)


def _page(request: SalonRequest, at: Directed, failed: Failed) -> HttpResponse:
    """The page that a form came from."""
    page = request.GET.get("page", "")
    if page.startswith("round-") and page[6:].isdecimal() and 1 <= int(page[6:]) <= len(at.state.rounds):
        return _round(request, at, int(page[6:]), failed)
    return _entries(request, at, failed) if page == "entries" else _desk(request, at, failed)


def _address(request: SalonRequest, at: Directed) -> str:
    page = request.GET.get("page", "")
    rounds = _rounds_now(at)
    if page.startswith("round-") and page[6:].isdecimal() and 1 <= int(page[6:]) <= rounds:
        return reverse("desk_round", args=[at.row.pk, int(page[6:])])
    if page == "entries":
        query = f"?{urlencode({'q': request.GET['q']})}" if request.GET.get("q") else ""
        return reverse("desk_entries", args=[at.row.pk]) + query
    return reverse("desk", args=[at.row.pk])


def _rounds_now(at: Directed) -> int:
    at.row.refresh_from_db(fields=["rounds"])
    return at.row.rounds


def _direct(request: SalonRequest, at: Directed, acts: list[Any], command: str) -> None:
    """Raises Refusal, StreamMoved, CommandReused."""
    version = _number(request.POST.get("version", ""), "version")
    direct(request.visitor.salon, at.row.pk, acts, actor=request.visitor.actor, command=command, version=version)


def _known(request: SalonRequest, act: Any) -> Any:
    """The act with names as the salon knows them, and with who gives a penalty."""
    if isinstance(act, GivePenalty):
        return replace(act, by=actors_in_words(request.visitor.salon, [request.visitor.actor])[request.visitor.actor][:80])
    if not isinstance(act, MakeEntry | ReplacePlayer):
        return act
    known = list(Player.objects.filter(salon=request.visitor.salon).values_list("name", flat=True))
    return replace(act, players=tuple((place, meant(name, known)) for place, name in act.players))


def _entered(request: SalonRequest, at: Directed, line: ListLine, command: str) -> str:
    """Enter one line of a list; what was wrong with it, "" for nothing."""
    at.row.refresh_from_db(fields=["version"])
    each = uuid.uuid5(uuid.UUID(command), f"{line.number} {line.text}").hex
    acts = [_known(request, line.entry)]
    try:
        direct(request.visitor.salon, at.row.pk, acts, actor=request.visitor.actor, command=each, version=at.row.version)
    except Refusal as refusal:
        return refusal.message
    except (StreamMoved, CommandReused):
        return _("somebody else was first; send it again")
    return ""


def _players_of(at: Directed) -> int:
    """How many people an entry of this tournament has."""
    return max(sizes(at.state))


def _command(request: SalonRequest) -> str:
    command = request.POST.get("command", "")
    if not COMMAND.fullmatch(command):
        raise NotationError(_("This form is incomplete; load the page again."), path="command")
    return command


def _number(text: str, path: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise NotationError(_("a whole number is expected here"), path=path)
    return int(text)


def _free_label(request: SalonRequest, label: str) -> str:
    if label not in _free_tables(request):
        raise NotationError(_("Choose a table of the salon at which nobody plays."), path="label")
    return label


def _free_tables(request: SalonRequest) -> list[str]:
    salon = request.visitor.salon
    busy = set(Game.objects.filter(salon=salon, finished=False).values_list("table", flat=True))
    return [label for label in Table.objects.filter(salon=salon).order_by("pk").values_list("label", flat=True) if label not in busy]


def _context(request: SalonRequest, at: Directed, failed: Failed) -> dict[str, Any]:
    return context_of(request, at) | {
        "command": new_command(),
        "problem": failed.problem,
        "typed": failed.typed or {},
        "tried": failed.tried,
        "report": failed.report,
        "last_round": last_round(at.state),
        "drawn": [each.number for each in at.state.rounds],
    }


def _desk(request: SalonRequest, at: Directed, failed: Failed) -> HttpResponse:
    last = at.state.last
    context = _context(request, at, failed) | {
        "tab": "desk",
        "todo": todo(at.state, at.outcomes),
        "round": last,
        "tables": shown_tables(at, last) if last is not None else [],
        "clock_left": _clock_left(last),
        "penalties": [each for each in at.state.penalties if not each.cancelled],
        "back": BACK[at.state.phase],
        "computed": computed(at),
        "playing": sum(not entry.is_withdrawn for entry in at.state.entries),
    }
    return render(request, "tournaments/desk.html", context, status=failed.status)


def _entries(request: SalonRequest, at: Directed, failed: Failed) -> HttpResponse:
    typed = " ".join(request.GET.get("q", "").split())
    wanted = {found.name for found in fitting(typed, list(at.entries.values()))} if typed else set(at.entries.values())
    context = _context(request, at, failed) | {
        "tab": "entries",
        "q": typed,
        "entries": [_line(at, entry) for entry in at.state.entries if at.entries[entry.id] in wanted],
        "count": len(at.state.entries),
        "here_count": sum(entry.checked_in and not entry.is_withdrawn for entry in at.state.entries),
        "places": range(_players_of(at)),
        "may_enter": at.state.phase in ("registration", "running"),
        "next_round": at.state.next_round,
        "listed": Player.objects.filter(salon=request.visitor.salon).order_by("name").values_list("name", flat=True)[:LISTED],
    }
    return render(request, "tournaments/entries.html", context, status=failed.status)


def _line(at: Directed, entry: EntryState) -> tuple[EntryState, str, list[tuple[str, str]]]:
    """An entry, its name, and its people by place."""
    return entry, at.entries[entry.id], [(place, at.players[player]) for place, player in entry.players]


def _round(request: SalonRequest, at: Directed, number: int, failed: Failed) -> HttpResponse:
    each = next((each for each in at.state.rounds if each.number == number), None)
    if each is None:
        raise Http404
    lacking = {table.table for table in missing(each, at.outcomes, at.state.stage)}
    context = _context(request, at, failed) | {
        "tab": f"round-{number}",
        "round": each,
        "tables": shown_tables(at, each),
        "byes": [(bye.entry, at.entries.get(bye.entry, ""), bye.kind) for bye in each.byes],
        "lacking": lacking,
        "is_last": number == len(at.state.rounds),
        "clock_left": _clock_left(each),
        "free": _free_tables(request),
        "seated": sorted(((key, at.entries[key]) for key in each.seated), key=lambda pair: pair[1]),
        "failed_table": _failed_table(failed),
        "doubts": _doubts(at, each),
    }
    return render(request, "tournaments/desk_round.html", context, status=failed.status)


def _failed_table(failed: Failed) -> int:
    table = (failed.typed or {}).get("table")
    return int(table) if isinstance(table, int) or (isinstance(table, str) and table.isdecimal()) else 0


def _clock_left(each: RoundState | None) -> int | None:
    if each is None or each.clock is None or not each.clock.seconds:
        return None
    return each.clock.left(int(timezone.now().timestamp() * 1_000_000))


def _doubts(at: Directed, each: RoundState) -> dict[int, str]:
    """What looks wrong in typed results, by table; it counts all the same."""
    doubts = {}
    for table in each.tables:
        scores = [result.score for result in table.results if result.score is not None]
        if at.state.game == "precedence" and len(scores) == 2 and max(scores) < 25_000:
            doubts[table.table] = _("Nobody has reached 250: was the game called?")
        elif len(scores) == 2 and scores[0] == scores[1]:
            doubts[table.table] = _("Both have the same score.")
        elif scores and max(abs(score) for score in scores) > 100_000:
            doubts[table.table] = _("That is a very high score.")
    return doubts
