"""The director's desk: what to do next, the clock, points and standings at a glance; and the deals
that everybody plays, drawn before play, made known after it.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.standings.formats import plays_alone
from tournament.domain.tournament.lifecycle import BACK
from tournament.domain.tournament.practice_lessons import LATECOMERS, lessons
from tournament.domain.tournament.todo import needs_clock, todo
from tournament.models import Game
from tournament.pages.common.form_values import NOT_RECORDED, claim_of, version_of, why_not
from tournament.pages.common.paper import as_file, read_print_request
from tournament.pages.common.tournament_context import context_of
from tournament.pages.desk.advice import query_of
from tournament.pages.desk.context import NOTHING, Failed, desk_context
from tournament.queries.brackets import match_lines, open_matches
from tournament.queries.confirmation_rows import list_disputed_hands
from tournament.queries.cuts import cut_to_come, cuts_made, play_offs_played, play_offs_to_record
from tournament.queries.outdated_draws import old_standings
from tournament.queries.plans import plan_refused
from tournament.queries.refusal_text import refusal_words
from tournament.queries.result_slips import deal_holdings, deals_on_paper
from tournament.queries.round_clocks import clock_of
from tournament.queries.tournament import TournamentView, computed, list_tables, load_tournament
from tournament.queries.tournament_visibility import public_or_404
from tournament.recording.duplicate_deals import draw_deals, reveal_deals, stocks_of
from tournament.streams.texts import words_of


@never_cache
@require_GET
@requires(Permission.DIRECT)
def desk(request: SalonRequest, tournament: str) -> HttpResponse:
    """The desk: what to do first."""
    return desk_page(request, public_or_404(request.visitor, tournament), NOTHING)


def desk_page(request: SalonRequest, at: TournamentView, failed: Failed) -> HttpResponse:
    """The desk, with why the last form was not recorded."""
    last, state = at.state.last, at.state
    steps = todo(state, at.outcomes)
    tables = list_tables(at, last) if last is not None else []
    penalties = [each for each in state.penalties if not each.cancelled]
    reasons = words_of(at.row.salon, {each.reason for each in penalties})
    context = desk_context(request, at, failed) | {
        "tab": "desk",
        "todo": steps,
        "finish_early": state.phase == "running"
        and last is not None
        and last.closed
        and all(step.step != "finish" for step in steps),
        "no_plan": _no_plan(at),
        "advice_query": urlencode(query_of(at.row, state)),
        "away": [
            entry.id
            for entry in state.entries
            if state.next_round in dict(entry.asked) and not entry.is_withdrawn
        ],
        "lessons": lessons(state),
        "latecomers": LATECOMERS,
        "disputed": _list_disputed_tables(at),
        "unconfirmed": [
            shown.table.table
            for shown in tables
            if shown.status == "done" and shown.confirmation == "entered"
        ],
        "old": [
            old
            for each in state.rounds
            if not each.closed and (old := old_standings(at, each)) is not None
        ],
        "round": last,
        "tables": tables,
        "open_matches": open_matches(at),
        "matches": match_lines(at, request.visitor, last) if last is not None else {},
        "clock": clock_of(last),
        "clock_offered": last is not None and needs_clock(last, state, at.outcomes),
        "penalties": [(each, reasons.get(each.reason, "")) for each in penalties],
        "back": BACK[state.phase],
        "computed": computed(at),
        "cuts": cuts_made(at, request.visitor),
        "to_play_off": play_offs_to_record(at),
        "play_offs": play_offs_played(at),
        "next_cut": cut_to_come(at) if state.rounds_of_stage else None,
        **_deals(at),
    }
    return render(request, "tournaments/desk.html", context, status=failed.status)


def _deals(at: TournamentView) -> dict[str, object]:
    """Return the context for the duplicate deals."""
    drawn = stocks_of(at.row.salon, at.state)
    over = at.state.phase in ("finished", "archived")
    committed = at.state.deals_commitment
    return {
        "fixes_deals": at.state.stage.plays_same_deals,
        "plays_alone": plays_alone(at.state.stage, at.state.game),
        "stocks": drawn,
        "may_draw": not over and not any(each.has_started for each in at.state.rounds),
        "may_reveal": over
        and (any(not stock.seed for stock in drawn) or bool(committed and not at.state.deals_seed)),
    }


def _no_plan(at: TournamentView) -> str:
    """Return the reason that no schedule fits the entries as they are, and the remedy; ""
    if one does, or none is needed yet.
    """
    state = at.state
    is_asked = (
        state.stage.is_planned
        and state.phase in ("registration", "running")
        and not state.rounds
        and any(not each.is_withdrawn for each in state.entries)
    )
    refusal = plan_refused(at) if is_asked else None
    return "" if refusal is None else refusal_words(refusal)


def _list_disputed_tables(at: TournamentView) -> list[tuple[int, int, str, int]]:
    """Return the tables whose games have a disputed hand, as (round, table, game, hand)."""
    linked = {
        table.game: (each.number, table.table)
        for each in at.state.rounds
        for table in each.tables
        if table.game is not None
    }
    games = Game.objects.filter(pk__in=linked, disputed=True).order_by("started_position")
    return [
        (*linked[game.pk], game.pk, hand)
        for game in games
        for hand in list_disputed_hands(game)[:1]
    ]


@never_cache
@require_POST
@requires(Permission.DIRECT)
def desk_deals(request: SalonRequest, tournament: str) -> HttpResponse:
    """Draw a stock for every deal, before anybody plays."""

    def draw(at: TournamentView) -> None:
        draw_deals(
            request.visitor.salon, at.row.pk, **claim_of(request), version=version_of(request.POST)
        )

    return _record_and_go_back(
        request, tournament, draw, _("The deals are drawn; everybody plays the same.")
    )


@never_cache
@require_POST
@requires(Permission.DIRECT)
def desk_seeds(request: SalonRequest, tournament: str) -> HttpResponse:
    """Make the seeds of all deals known, after play."""

    def reveal(at: TournamentView) -> None:
        reveal_deals(request.visitor.salon, at.row.pk, **claim_of(request))

    message = _("The seeds are in the log. Everybody can check the deals now.")
    return _record_and_go_back(request, tournament, reveal, message)


@never_cache
@require_safe
@requires(Permission.DIRECT)
def desk_deal_sheets(request: SalonRequest, tournament: str) -> HttpResponse:
    """Every deal for who lays the cards out, to be printed."""
    at = public_or_404(request.visitor, tournament)
    context = context_of(request, at) | {"deals": deal_holdings(at)}
    return render(request, "tournaments/deal_sheets.html", context)


@never_cache
@require_safe
@requires(Permission.DIRECT)
def desk_deals_on_paper(request: SalonRequest, tournament: str) -> HttpResponseBase:
    """The same as PDF; 404 where no deals are drawn."""
    at = public_or_404(request.visitor, tournament)
    return as_file(deals_on_paper(at, read_print_request(request)))


def _record_and_go_back(
    request: SalonRequest, tournament: str, record: Callable[[TournamentView], None], message: str
) -> HttpResponse:
    """Record it and go back to the desk, or show there what is wrong."""
    at = public_or_404(request.visitor, tournament)
    try:
        record(at)
    except NOT_RECORDED as failure:
        at.row.refresh_from_db()
        failed = Failed(problem=why_not(failure))
        return desk_page(request, load_tournament(at.row, at.audience), failed)
    messages.success(request, message)
    return redirect("desk", tournament=at.row.pk)
