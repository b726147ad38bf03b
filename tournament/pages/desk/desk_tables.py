"""The tables of a round as the desk shows them: what was typed for each, what looks wrong in it,
and what may be done there.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.games import GAMES
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.counting import (
    ABANDONED,
    DETACHED,
    GAME,
    UNPLAYED,
    WAITING,
    boards_of,
)
from tournament.domain.tournament.state import RoundState, State
from tournament.models import Game
from tournament.pages.common.form_values import whole_number
from tournament.pages.desk.context import Failed
from tournament.pages.desk.deal_fields import ResultField, deals_as_typed, deals_sent, form_fields
from tournament.pages.desk.line_up_fields import LineUpForm, line_up_form
from tournament.pages.desk.result_fields import ResultLine, as_typed, result_lines
from tournament.queries.line_ups import TableToSeat, TeamToSeat
from tournament.queries.round_reasons import TableReasons
from tournament.queries.tournament import ShownTable, TournamentView
from tournament.recording.game_links import linkable_games

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
    why: TableReasons
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
    runs: bool = True

    @property
    def shows_result(self) -> bool:
        """Whether the people and what they came to stand here as text, for nothing of it is typed
        on the form of all tables.
        """
        return self.shown.table.is_settled or self.shown.status == "done" or not self.round.is_open

    @property
    def may_type(self) -> bool:
        """Whether a result is typed on the form of all tables: none was recorded, and no game gives
        one.
        """
        settled = self.shown.table.is_settled or self.shown.counts == GAME
        return self.round.is_open and not settled and not self.waits

    @property
    def waits(self) -> bool:
        """Whether nobody knows yet who of its teams plays: nothing is typed or begun before."""
        return waits(self.shown, self.seating)

    @property
    def may_set_aside_unplayed(self) -> bool:
        """Whether it can go without a game though nobody knows who plays."""
        return self.round.is_open and self.waits

    @property
    def may_change(self) -> bool:
        """Whether there is a result to change, or the round is closed and takes one with a reason,
        while the tournament `runs`.
        """
        if not self.runs:
            return False
        has_result = self.shown.table.is_settled or self.shown.counts == GAME
        return self.round.closed or (self.round.published and has_result)

    @property
    def may_set_aside(self) -> bool:
        """Whether a game stands at the table, so that it may be said what becomes of it."""
        return self.round.is_open and self.shown.game is not None and not self.shown.table.detached

    @property
    def may_detach(self) -> bool:
        """Whether its game could count and may be told not to."""
        return self.may_set_aside and self.shown.counts != UNPLAYED

    @property
    def lacks_game(self) -> bool:
        """Whether a game can be started for it."""
        return self.shown.counts in (WAITING, UNPLAYED) and not self.waits

    @property
    def may_play_again(self) -> bool:
        """Whether another game can take the place of its own, of which nothing counts."""
        return self.round.is_open and self.shown.counts in (ABANDONED, DETACHED)

    @property
    def leaves_a_game(self) -> bool:
        """Whether a game goes on of which has to be said what becomes of it when a result
        is typed.
        """
        shown = self.shown
        return shown.goes_on and shown.has_hand and not shown.table.detached


def desk_tables(
    at: TournamentView,
    each: RoundState,
    tables: Iterable[ShownTable],
    *,
    why: Mapping[int, TableReasons],
    seatings: Mapping[int, TableToSeat],
    failed: Failed,
) -> list[DeskTable]:
    """These tables of a round, with what was typed for them in vain; `why` they meet and the
    line-ups that they wait for by number.
    """
    games = linkable_games(at.row.salon, at.state, each) if each.is_open else {}
    found = []
    for shown in tables:
        number = shown.table.table
        found.append(
            _desk_table(
                at,
                each,
                shown,
                why=why[number],
                games=games.get(number, ()),
                seating=seatings.get(number),
                failed=failed,
            )
        )
    return found


def waits(shown: ShownTable, seating: TableToSeat | None) -> bool:
    """Whether nobody knows yet who of a table's teams plays."""
    return seating is not None and not seating.is_open and not shown.table.is_settled


def _desk_table(
    at: TournamentView,
    each: RoundState,
    shown: ShownTable,
    *,
    why: TableReasons,
    games: Sequence[Game],
    seating: TableToSeat | None,
    failed: Failed,
) -> DeskTable:
    stage, deals, seats = at.state.stage_in(each.number), shown.table.deals, len(shown.seated)
    boards = boards_of(shown.table, at.outcomes)
    typed = _read_typed_table(failed, shown.table.table)
    sent: Sequence[object] = deals_sent(typed, seats) if deals else _results_sent(typed, seats)
    counted: Sequence[object] = (
        deals_as_typed(boards, seats) if deals else [as_typed(seat.result) for seat in shown.seated]
    )
    has_sent = bool(typed.get("deals")) if deals else isinstance(typed.get("results"), list)
    hands = str(typed.get("hands", ""))
    table = DeskTable(
        runs=at.state.phase == "running",
        round=each,
        shown=shown,
        why=why,
        fields=result_lines(stage, shown, f"tables.t{shown.table.table}.", sent),
        own=result_lines(stage, shown, "", sent if has_sent else counted),
        hands=hands,
        own_hands=hands or str(shown.table.hands or ""),
        doubt=_doubt(at.state, shown),
        games=games,
        forms=form_fields(deals, boards, typed) if stage.plays_same_deals else (),
        becomes=str(typed.get("its_game", "")),
        reason=str(typed.get("reason", "")),
        seating=seating,
        teams=[(team, _line_up_form(team, failed)) for team in seating.teams] if seating else (),
    )
    return replace(table, asks=bool(typed) and table.leaves_a_game)


def _results_sent(typed: Mapping[str, object], seats: int) -> list[object]:
    """Return the values typed for each seat, {} for none."""
    results = typed.get("results")
    sent = results[:seats] if isinstance(results, list) else []
    return sent + [{}] * (seats - len(sent))


def _line_up_form(team: TeamToSeat, failed: Failed) -> LineUpForm:
    """The form of a team's line-up, with why it was refused where it was."""
    typed = failed.typed or {}
    if failed.tried != "line-ups" or typed.get("entry") != team.entry or not team.may_hand_in:
        return line_up_form(team)
    return line_up_form(team, typed.get("players"), failed.problem)


def _read_typed_table(failed: Failed, number: int) -> dict[str, object]:
    """Return the values typed for a table, on the form of all tables or on its own."""
    typed = failed.typed or {}
    if read_failed_table(failed) == number:
        return typed
    tables = typed.get("tables")
    found = tables.get(f"t{number}") if isinstance(tables, dict) else None
    return found if isinstance(found, dict) else {}


def list_failed_tables(failed: Failed) -> list[int]:
    """Return the tables whose typed values were not recorded."""
    own = read_failed_table(failed)
    tables = (failed.typed or {}).get("tables")
    keys = [_table_number(key[1:]) for key in tables] if isinstance(tables, dict) else []
    return [own] if own else [key for key in keys if key]


def read_failed_table(failed: Failed) -> int:
    return _table_number(str((failed.typed or {}).get("table")))


def _table_number(typed: str) -> int:
    """The table that was typed; 0 for what is none."""
    try:
        return whole_number(typed, "table")
    except NotationError:
        return 0


def _doubt(state: State, shown: ShownTable) -> str:
    """Return a doubt about a typed result, "" for none; the result counts all the same."""
    scores = [result.score for result in shown.table.results if result.score is not None]
    if not scores or shown.table.forfeit:
        return ""
    game = GAMES[state.game]
    target = dict(state.conditions.options).get(game.target, game.winning_score)
    if max(abs(score) for score in scores) > VERY_HIGH * HUNDREDTHS:
        return _("That is a very high score.")
    if shown.table.deals:
        return ""  # so many deals end with whatever they come to
    if len(scores) == 2 and scores[0] == scores[1]:
        return _("Both have the same score.")
    if isinstance(target, int) and max(scores) < target * HUNDREDTHS:
        return _("Nobody has reached %(target)d: was the game called?") % {"target": target}
    return ""
