"""A round at the desk: its draw and why, its clock, its tables and their results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from scoring.errors import NotationError
from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.digest import digest
from tournament.domain.standings.formats import sizes_for
from tournament.domain.standings.values import HUNDREDTHS, BoardResult
from tournament.domain.tournament.counting import (
    GAME,
    UNPLAYED,
    WAITING,
    boards_of,
    held_tables,
    missing,
)
from tournament.domain.tournament.sides import sides_at
from tournament.domain.tournament.standings_view import drawn_from
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.todo import needs_clock
from tournament.models import Game
from tournament.pages.common.form_values import whole
from tournament.pages.desk.deal_fields import (
    ResultField,
    deals_as_typed,
    deals_sent,
    form_fields,
)
from tournament.pages.desk.frame import NOTHING, Failed, desk_context, free_tables
from tournament.pages.desk.line_up_fields import LineUpForm, line_up_form
from tournament.pages.desk.portions import portion_of
from tournament.pages.desk.result_fields import ResultLine, as_typed, asked_fields, result_lines
from tournament.queries.brackets import match_lines
from tournament.queries.drawn_before import old_standings
from tournament.queries.hand_pairing import hand_pairing
from tournament.queries.line_ups import TableToSeat, TeamToSeat, tables_to_seat
from tournament.queries.plan_words import counted_lines
from tournament.queries.round_clocks import clock_of
from tournament.queries.round_reasons import Why, why_of
from tournament.queries.tournament import Directed, ShownTable, shown_tables
from tournament.queries.visible import public_or_404
from tournament.recording.game_links import linkable_games
from tournament.streams.texts import words_of

VERY_HIGH = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table of a round as the desk shows it: for each entry, or each two partners, the fields of
    the result, what looks wrong in it, what was typed.

    `why` says why they meet. `fields` stand on the form of all tables, `own` on a form of this
    table's own, filled with what counts there, and `forms` say in which form its deals were dealt.
    `asks`: what becomes of its game has to be said before the typed result counts. `games` are
    those of its people that could count here.
    """

    round: RoundState
    shown: ShownTable
    why: Why
    fields: Sequence[ResultLine]
    own: Sequence[ResultLine]
    hands: str
    own_hands: str
    doubt: str
    games: Sequence[Game]
    forms: Sequence[ResultField] = ()
    asks: bool = False
    becomes: str = ""
    reason: str = ""
    seating: TableToSeat | None = None
    teams: Sequence[tuple[TeamToSeat, LineUpForm]] = ()

    @property
    def is_open(self) -> bool:
        """Whether results come in here: the round is published and not closed."""
        return self.round.published and not self.round.closed

    @property
    def shows_result(self) -> bool:
        """Whether the people and what they came to stand here as text, for nothing of it is typed
        on the form of all tables.
        """
        return self.shown.table.is_settled or self.shown.status == "done" or not self.is_open

    @property
    def may_type(self) -> bool:
        """Whether a result is typed on the form of all tables: none was recorded, and no game gives
        one.
        """
        settled = self.shown.table.is_settled or self.shown.counts == GAME
        return self.is_open and not settled and not self.waits

    @property
    def waits(self) -> bool:
        """Whether nobody knows yet who of its teams plays: nothing is typed or begun before."""
        return _waits(self.shown, self.seating)

    @property
    def may_set_aside_unplayed(self) -> bool:
        """Whether it can go without a game though nobody knows who plays."""
        return self.is_open and self.waits

    @property
    def may_change(self) -> bool:
        """Whether there is a result to change, or the round is closed and takes one with a
        reason.
        """
        has_result = self.shown.table.is_settled or self.shown.counts == GAME
        return self.round.closed or (self.round.published and has_result)

    @property
    def may_set_aside(self) -> bool:
        """Whether a game stands at the table, so that it may be said what becomes of it."""
        return self.is_open and self.shown.game is not None and not self.shown.table.detached

    @property
    def may_detach(self) -> bool:
        """Whether its game could count and may be told not to."""
        return self.may_set_aside and self.shown.counts != UNPLAYED

    @property
    def lacks_game(self) -> bool:
        """Whether a game can be started for it."""
        return self.shown.counts in (WAITING, UNPLAYED) and not self.waits

    @property
    def leaves_a_game(self) -> bool:
        """Whether a game goes on of which has to be said what becomes of it when a result
        is typed.
        """
        return self.shown.goes_on and not self.shown.table.detached


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk_round(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """One round at the desk."""
    return round_page(request, public_or_404(request.visitor, tournament), number, NOTHING)


def round_page(request: SalonRequest, at: Directed, number: int, failed: Failed) -> HttpResponse:
    """A round, with why the last form was not recorded; 404 where it is not drawn."""
    each = next((each for each in at.state.rounds if each.number == number), None)
    if each is None:
        raise Http404
    is_open = each.published and not each.closed
    games = linkable_games(at.row.salon, at.state, each) if is_open else {}
    reasons = why_of(at, each, reasons=True)
    seatings = {seating.table: seating for seating in tables_to_seat(at, each)}
    every = shown_tables(at, each)
    portion = portion_of(at.state.stage_in(number), every, request.GET, _typed_for(failed))
    tables = [
        _desk_table(
            at.state,
            each,
            shown,
            reasons.tables[shown.table.table],
            failed,
            games.get(shown.table.table, ()),
            boards_of(shown.table, at.outcomes),
            seatings.get(shown.table.table),
        )
        for shown in portion.tables
    ]
    waiting = _waiting(every, seatings)
    lacking = missing(each, at.outcomes, at.state.stage_in(each.number))
    here = {shown.table.table for shown in portion.tables}
    context = desk_context(request, at, failed) | {
        "tab": f"round-{number}{portion.query}",
        "portion": portion,
        "lacking_elsewhere": [one.table for one in lacking if one.table not in here],
        "names": at.names_in(number),
        "round": each,
        "is_open": is_open,
        "tables": tables,
        "matches": match_lines(at, request.visitor, each),
        "byes": list(zip(each.byes, reasons.byes, strict=True)),
        "told": reasons,
        "old": old_standings(at, each),
        "drawn_later": [later.number for later in at.state.rounds if later.number > number],
        "lots_reason": words_of(at.row.salon, {each.reason}).get(each.reason, "")
        if each.reason
        else "",
        "same_draw": _draws_the_same(at, each),
        "hand_pairing": hand_pairing(at, each),
        "manual_reason": words_of(at.row.salon, {each.manual_reason}).get(each.manual_reason, "")
        if each.manual_reason
        else "",
        "may_draw_other_lots": at.state.stage_in(each.number).kind == "swiss",
        "sealed_tables": waiting,
        "to_type": [one.shown.table.table for one in tables if one.may_type],
        "at_line_up": any(form.is_wrong for one in tables for _team, form in one.teams),
        "lacking": lacking,
        "clock_offered": needs_clock(each, at.state, at.outcomes),
        "without_game": [
            one.table.table
            for one in every
            if one.counts in (WAITING, UNPLAYED) and one.table.table not in waiting
        ],
        "not_begun": [one.table.table for one in every if not one.table.has_started],
        "is_last": number == len(at.state.rounds),
        "held": [table.table for _round, table in held_tables(at.state.rounds, at.outcomes)]
        if number == len(at.state.rounds)
        else [],
        "clock": clock_of(each),
        "free": free_tables(request),
        "seated": sorted(
            ((key, at.name_in(number, key)) for key in each.seated), key=lambda pair: pair[1]
        ),
        "seated_here": {seat.entry for shown in portion.tables for seat in shown.seated},
        "failed_table": _failed_table(failed),
        "may_make": request.visitor.may(Act.MANAGE_TABLES),
        "may_link": all(sides_at(at.state.game, len(table.entries)) for table in each.tables),
        "may_leave_places": at.state.stage_in(each.number).kind == "pods"
        and len(sizes_for(at.state.game)) > 1
        and not each.closed,
        "asks_hands": "tricks" in asked_fields(at.state.stage_in(each.number))
        and not at.state.stage_in(each.number).plays_same_deals,
        "adds_to_0": "chips" in asked_fields(at.state.stage_in(each.number)),
        "counted_lines": counted_lines(each.counted) if each.counted is not None else [],
    }
    return render(request, "tournaments/desk_round.html", context, status=failed.status)


def _waiting(tables: Sequence[ShownTable], seatings: Mapping[int, TableToSeat]) -> list[int]:
    """The numbers of the tables of which nobody knows yet who plays."""
    return [shown.table.table for shown in tables if _waits(shown, seatings.get(shown.table.table))]


def _waits(shown: ShownTable, seating: TableToSeat | None) -> bool:
    return seating is not None and not seating.is_open and not shown.table.is_settled


def _draws_the_same(at: Directed, each: RoundState) -> bool:
    """Whether everything that the draw of a round depended on is today as it was then."""
    seen, number = drawn_from(at.state, at.outcomes, each.number)
    now = replace(seen, engine=each.engine, draw_seed=each.seed)
    return bool(each.digest) and digest(now, number, contenders(now, number)) == each.digest


def _desk_table(
    state: State,
    each: RoundState,
    shown: ShownTable,
    why: Why,
    failed: Failed,
    games: Sequence[Game],
    boards: Sequence[BoardResult],
    seating: TableToSeat | None,
) -> DeskTable:
    number, typed = shown.table.table, _typed(failed, shown.table.table)
    results = typed.get("results")
    results = results if isinstance(results, list) else []
    sent: Sequence[object] = [
        results[place] if place < len(results) else {} for place in range(len(shown.table.entries))
    ]
    stage = state.stage_in(each.number)
    counted: Sequence[object] = [as_typed(seat.result) for seat in shown.seated]
    deals = shown.table.deals
    if deals:
        sent = deals_sent(typed, len(shown.seated))
        counted = deals_as_typed(boards, len(shown.seated))
    has_sent = bool(typed.get("deals") if deals else results)
    hands = str(typed.get("hands", ""))
    table = DeskTable(
        round=each,
        shown=shown,
        why=why,
        fields=result_lines(stage, shown, f"tables.t{number}.", sent),
        own=result_lines(stage, shown, "", sent if has_sent else counted),
        hands=hands,
        own_hands=hands or str(shown.table.hands or ""),
        doubt=_doubt(state, shown),
        games=games,
        forms=form_fields(deals, boards, typed) if stage.plays_same_deals else (),
        becomes=str(typed.get("its_game", "")),
        reason=str(typed.get("reason", "")),
        seating=seating,
        teams=[(team, _line_up_form(team, failed)) for team in seating.teams] if seating else (),
    )
    return replace(table, asks=bool(typed) and table.leaves_a_game)


def _line_up_form(team: TeamToSeat, failed: Failed) -> LineUpForm:
    """The form of a team's line-up, with why it was refused where it was."""
    typed = failed.typed or {}
    if failed.tried != "line-ups" or typed.get("entry") != team.entry or not team.may_hand_in:
        return line_up_form(team)
    return line_up_form(team, typed.get("players"), failed.problem)


def _typed(failed: Failed, number: int) -> dict[str, object]:
    """What was typed for a table, on the form of all or on its own."""
    typed = failed.typed or {}
    if _failed_table(failed) == number:
        return typed
    tables = typed.get("tables")
    found = tables.get(f"t{number}") if isinstance(tables, dict) else None
    return found if isinstance(found, dict) else {}


def _typed_for(failed: Failed) -> list[int]:
    """The tables that something was typed for in vain."""
    own = _failed_table(failed)
    tables = (failed.typed or {}).get("tables")
    keys = [_table_number(key[1:]) for key in tables] if isinstance(tables, dict) else []
    return [own] if own else [key for key in keys if key]


def _failed_table(failed: Failed) -> int:
    return _table_number(str((failed.typed or {}).get("table")))


def _table_number(typed: str) -> int:
    """The table that was typed; 0 for what is none."""
    try:
        return whole(typed, "table")
    except NotationError:
        return 0


def _doubt(state: State, shown: ShownTable) -> str:
    """What looks wrong in a typed result, "" for nothing; it counts all the same."""
    scores = [result.score for result in shown.table.results if result.score is not None]
    if not scores or shown.table.forfeit:
        return ""
    game = GAMES[state.game]
    target = dict(state.conditions.options).get(game.target, game.won_at)
    if max(abs(score) for score in scores) > VERY_HIGH * HUNDREDTHS:
        return _("That is a very high score.")
    if shown.table.deals:
        return ""  # so many deals end with whatever they come to
    if len(scores) == 2 and scores[0] == scores[1]:
        return _("Both have the same score.")
    if isinstance(target, int) and max(scores) < target * HUNDREDTHS:
        return _("Nobody has reached %(target)d: was the game called?") % {"target": target}
    return ""
