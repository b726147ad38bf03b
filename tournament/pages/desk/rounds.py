"""A round at the desk: its draw and why, its clock, its tables and their results, and its slips."""

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.values import digest
from tournament.domain.standings.formats import sizes_for
from tournament.domain.tournament.added_tables import seats_of_added, waiting
from tournament.domain.tournament.counting import GAME, UNPLAYED, WAITING, list_held_tables, missing
from tournament.domain.tournament.sides import sides_at
from tournament.domain.tournament.standings_view import view_for_draw
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.todo import needs_clock
from tournament.pages.common.paper import as_file, read_print_request
from tournament.pages.desk.context import NOTHING, Failed, desk_context, free_tables
from tournament.pages.desk.desk_tables import (
    desk_tables,
    list_failed_tables,
    read_failed_table,
    waits,
)
from tournament.pages.desk.pagination import portion_of
from tournament.pages.desk.result_fields import list_result_fields
from tournament.queries.brackets import match_lines
from tournament.queries.line_ups import tables_to_seat
from tournament.queries.outdated_draws import old_standings
from tournament.queries.plan_words import counted_lines
from tournament.queries.plans import count_plan_now
from tournament.queries.result_slips import result_slips
from tournament.queries.round_clocks import clock_of
from tournament.queries.round_reasons import RoundReasons, hand_pairing, why_of
from tournament.queries.tournament import ShownTable, TournamentView, list_tables
from tournament.queries.tournament_seats import other_seats
from tournament.queries.tournament_visibility import public_or_404, round_or_404
from tournament.streams.texts import words_of


@never_cache
@require_GET
@requires(Permission.DIRECT)
def desk_round(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """One round at the desk."""
    return round_page(request, public_or_404(request.visitor, tournament), number, NOTHING)


def round_page(
    request: SalonRequest, at: TournamentView, number: int, failed: Failed
) -> HttpResponse:
    """A round, with why the last form was not recorded; 404 where it is not drawn."""
    each = round_or_404(at, number)
    reasons = why_of(at, each, reasons=True)
    tables = list_tables(at, each)
    context = (
        desk_context(request, at, failed)
        | {
            "round": each,
            "is_open": each.is_open,
            "is_running": at.state.phase == "running",
            "names": at.names_in(number),
            "matches": match_lines(at, request.visitor, each),
            "clock": clock_of(each),
            "clock_offered": needs_clock(each, at.state, at.outcomes),
            "free": free_tables(request),
            "may_make": request.visitor.may(Permission.MANAGE_TABLES),
        }
        | _draw(at, each, reasons)
        | _tables(request, at, each, tables, reasons, failed)
        | _build_typing_context(at, each)
        | _next_round(at, each)
    )
    return render(request, "tournaments/desk_round.html", context, status=failed.status)


def _draw(at: TournamentView, each: RoundState, reasons: RoundReasons) -> dict[str, object]:
    """Return the draw of the round, its reasons, and the changes made by hand."""
    counted = count_plan_now(at, each)
    words = words_of(
        at.row.salon, {digest for digest in (each.reason, each.manual_reason) if digest}
    )
    return {
        "reasons": reasons,
        "byes": list(zip(each.byes, reasons.byes, strict=True)),
        "scale": at.state.stage_in(each.number).scale,
        "counted_lines": counted_lines(counted) if counted is not None else [],
        "old": old_standings(at, each),
        "same_draw": _draws_the_same(at, each),
        "may_draw_other_lots": at.state.stage_in(each.number).kind == "swiss",
        "lots_reason": words.get(each.reason or "", ""),
        "hand_pairing": hand_pairing(at, each),
        "manual_reason": words.get(each.manual_reason or "", ""),
    } | _describe_added_tables(at, each)


def _describe_added_tables(at: TournamentView, each: RoundState) -> dict[str, object]:
    """Return the entries that wait for a table that can be added to the round, and the
    added tables that can be removed.
    """
    seats = seats_of_added(at.state, each)
    there = waiting(at.state, each) if seats else {}
    can_go = [table.table for table in each.tables if table.waited and not table.has_started]
    return {
        "added_seats": seats if len(there) >= seats else 0,
        "waiting": [(key, at.entries[key]) for key in there],
        "added_tables": can_go if not each.closed else [],
    }


def _tables(
    request: SalonRequest,
    at: TournamentView,
    each: RoundState,
    every: Sequence[ShownTable],
    reasons: RoundReasons,
    failed: Failed,
) -> dict[str, object]:
    """The tables of the portion that is asked for, and those of the whole round that lack
    something.
    """
    stage = at.state.stage_in(each.number)
    seatings = {seating.table: seating for seating in tables_to_seat(at, each)}
    portion = portion_of(stage, every, request.GET, list_failed_tables(failed))
    tables = desk_tables(
        at, each, portion.tables, why=reasons.tables, seatings=seatings, failed=failed
    )
    here = {shown.table.table for shown in portion.tables}
    sealed = {shown.table.table for shown in every if waits(shown, seatings.get(shown.table.table))}
    lacking = missing(each, at.outcomes, stage)
    return {
        "tab": f"round-{each.number}{portion.query}",
        "portion": portion,
        "tables": tables,
        "other_seats": {
            shown.table.table: other
            for shown in portion.tables
            if (other := other_seats(at, each, shown)) is not None
        },
        "to_type": [one.shown.table.table for one in tables if one.may_type],
        "seated_here": {seat.entry for shown in portion.tables for seat in shown.seated},
        "failed_table": read_failed_table(failed),
        "at_line_up": any(form.is_wrong for one in tables for _team, form in one.teams),
        "lacking": lacking,
        "lacking_elsewhere": [one.table for one in lacking if one.table not in here],
        "sealed_tables": sealed,
        "without_game": [
            one.table.table
            for one in every
            if one.counts in (WAITING, UNPLAYED) and one.table.table not in sealed
        ],
        "going_on": [one for one in every if one.goes_on],
        "with_hands": [one.table.table for one in every if one.goes_on and one.hands_closed],
        "without_hands": [one.table.table for one in every if one.goes_on and not one.hands_closed],
        "may_drop": not any(one.table.is_settled or one.counts == GAME for one in every),
        "not_begun": [one.table.table for one in every if not one.table.has_started],
    }


def _build_typing_context(at: TournamentView, each: RoundState) -> dict[str, object]:
    """Return the fields of a result in this round, and the acts allowed at its tables."""
    stage, game = at.state.stage_in(each.number), at.state.game
    asked = list_result_fields(stage)
    names = ((key, at.name_in(each.number, key)) for key in each.seated)
    return {
        "asks_hands": "tricks" in asked and not stage.plays_same_deals,
        "adds_to_0": "chips" in asked,
        "may_link": all(sides_at(game, len(table.entries)) for table in each.tables),
        "may_leave_places": stage.kind == "pods" and len(sizes_for(game)) > 1 and not each.closed,
        "seated": sorted(names, key=lambda pair: in_alphabet(pair[1])),
    }


def _next_round(at: TournamentView, each: RoundState) -> dict[str, object]:
    """Return the rounds after this one, and the tables of earlier ones whose games are
    unfinished.
    """
    is_last = each.number == len(at.state.rounds)
    held = list_held_tables(at.state.rounds, at.outcomes) if is_last else []
    return {
        "is_last": is_last,
        "drawn_later": [later.number for later in at.state.rounds if later.number > each.number],
        "held": [table.table for _round, table in held],
    }


def _draws_the_same(at: TournamentView, each: RoundState) -> bool:
    """Whether everything that the draw of a round depended on is today as it was then."""
    seen, number = view_for_draw(at.state, at.outcomes, each.number)
    now = replace(seen, engine=each.engine, draw_seed=each.seed)
    return bool(each.digest) and digest(now, number, contenders(now, number)) == each.digest


@never_cache
@require_safe
@requires(Permission.DIRECT)
def desk_result_slips(request: SalonRequest, tournament: str, number: int) -> HttpResponseBase:
    """The slips on which a round's tables write their results, as PDF; 404 before its draw."""
    at = public_or_404(request.visitor, tournament)
    return as_file(result_slips(at, round_or_404(at, number), read_print_request(request)))
