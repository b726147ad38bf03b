"""A round at the desk: its draw and why, its clock, its tables and their results."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.pairing.contenders import contenders
from tournament.domain.pairing.digest import digest
from tournament.domain.standings.scales import NEEDED
from tournament.domain.standings.values import HUNDREDTHS, Result
from tournament.domain.tournament.counting import GAME, UNPLAYED, WAITING, held_tables, missing
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.todo import needs_clock
from tournament.models import Game
from tournament.pages.desk.frame import NOTHING, Failed, desk_context, free_tables
from tournament.queries.drawn_before import old_standings
from tournament.queries.round_clocks import clock_of
from tournament.queries.round_reasons import Why, why_of
from tournament.queries.tournament import Directed, ShownTable, shown_tables
from tournament.queries.visible import public_or_404
from tournament.recording.game_links import linkable_games
from tournament.streams.texts import words_of

VERY_HIGH = 1_000
COUNTED = {
    "score": gettext_lazy("Score"),
    "chips": gettext_lazy("Chips"),
    "built": gettext_lazy("Cards built"),
    "tricks": gettext_lazy("Tricks"),
    "audits": gettext_lazy("Audits"),
    "excess": gettext_lazy("Excess"),
}
# What a tie-break counts that the scale may not.
ALSO = {
    "score_difference": "score",
    "score_total": "score",
    "tricks": "tricks",
    "fewest_audits": "audits",
    "fewest_excess": "excess",
    "chips": "chips",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultField:
    """A number asked of an entry at a table: `name` of its field, its `label`, and what was
    typed.
    """

    name: str
    label: str
    kind: str
    typed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskTable:
    """A table of a round as the desk shows it: for each entry the fields of its result, what looks
    wrong in it, what was typed.

    `why` says why they meet. `fields` stand on the form of all tables, `own` on a form of this
    table's own, filled with what counts there. `asks`: what becomes of its game has to be said
    before the typed result counts. `games` are those of its people that could count here.
    """

    round: RoundState
    shown: ShownTable
    why: Why
    fields: Sequence[Sequence[ResultField]]
    own: Sequence[Sequence[ResultField]]
    hands: str
    own_hands: str
    doubt: str
    games: Sequence[Game]
    asks: bool = False
    becomes: str = ""
    reason: str = ""

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
        return self.is_open and not self.shown.table.is_settled and self.shown.counts != GAME

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
        return self.shown.counts in (WAITING, UNPLAYED)

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
    told = why_of(at, each, reasons=True)
    tables = [
        _desk_table(
            at.state,
            each,
            shown,
            told.tables[shown.table.table],
            failed,
            games.get(shown.table.table, ()),
        )
        for shown in shown_tables(at, each)
    ]
    context = desk_context(request, at, failed) | {
        "tab": f"round-{number}",
        "names": at.names_in(number),
        "round": each,
        "is_open": is_open,
        "tables": tables,
        "byes": list(zip(each.byes, told.byes, strict=True)),
        "told": told,
        "old": old_standings(at, each),
        "drawn_later": [later.number for later in at.state.rounds if later.number > number],
        "lots_reason": words_of(at.row.salon, {each.reason}).get(each.reason, "")
        if each.reason
        else "",
        "same_draw": _draws_the_same(at, each),
        "may_draw_other_lots": at.state.stage.kind == "swiss",
        "lacking": missing(each, at.outcomes, at.state.stage),
        "clock_offered": needs_clock(each, at.state, at.outcomes),
        "without_game": [one.shown.table.table for one in tables if one.lacks_game],
        "is_last": number == len(at.state.rounds),
        "held": [table.table for _round, table in held_tables(at.state.rounds, at.outcomes)]
        if number == len(at.state.rounds)
        else [],
        "clock": clock_of(each),
        "free": free_tables(request),
        "seated": sorted(
            ((key, at.name_in(number, key)) for key in each.seated), key=lambda pair: pair[1]
        ),
        "failed_table": _failed_table(failed),
        "may_make": request.visitor.may(Act.MANAGE_TABLES),
        "may_link": bool(GAMES[at.state.game].teams),
        "asks_hands": "tricks" in asked_fields(at.state),
    }
    return render(request, "tournaments/desk_round.html", context, status=failed.status)


def asked_fields(state: State) -> list[str]:
    """What is typed for each entry of a table: what the scale turns into points first, then what
    the tie-breaks count.
    """
    also = [ALSO[name] for name in state.stage.tie_breaks if name in ALSO]
    return list(dict.fromkeys([NEEDED[state.stage.scale.kind], *also]))


def _draws_the_same(at: Directed, each: RoundState) -> bool:
    """Whether everything that the draw of a round depended on is today as it was then."""
    now = replace(
        field_of(at.state, at.outcomes, before=each.number), engine=each.engine, draw_seed=each.seed
    )
    return (
        bool(each.digest) and digest(now, each.number, contenders(now, each.number)) == each.digest
    )


def _desk_table(
    state: State,
    each: RoundState,
    shown: ShownTable,
    why: Why,
    failed: Failed,
    games: Sequence[Game],
) -> DeskTable:
    number, typed = shown.table.table, _typed(failed, shown.table.table)
    results = typed.get("results")
    results = results if isinstance(results, list) else []
    sent = [
        results[place] if place < len(results) else {} for place in range(len(shown.table.entries))
    ]
    counted = [_as_typed(seat.result) for seat in shown.seated]
    hands = str(typed.get("hands", ""))
    table = DeskTable(
        round=each,
        shown=shown,
        why=why,
        fields=_fields(state, f"tables.t{number}.", sent),
        own=_fields(state, "", sent if results else counted),
        hands=hands,
        own_hands=hands or str(shown.table.hands or ""),
        doubt=_doubt(state, shown),
        games=games,
        becomes=str(typed.get("its_game", "")),
        reason=str(typed.get("reason", "")),
    )
    return replace(table, asks=bool(typed) and table.leaves_a_game)


def _fields(state: State, prefix: str, values: Sequence[object]) -> list[list[ResultField]]:
    """The fields of the results at a table, an entry after the other."""
    return [
        [_field(f"{prefix}results.{place}", name, value) for name in asked_fields(state)]
        for place, value in enumerate(values)
    ]


def _as_typed(result: Result | None) -> dict[str, str]:
    """A result as it would be typed."""
    if result is None:
        return {}
    values = {name: getattr(result, name) for name in COUNTED}
    return {
        name: f"{value / HUNDREDTHS:g}" if name == "score" else str(value)
        for name, value in values.items()
        if value is not None
    }


def _typed(failed: Failed, number: int) -> dict[str, object]:
    """What was typed for a table, on the form of all or on its own."""
    typed = failed.typed or {}
    if _failed_table(failed) == number:
        return typed
    tables = typed.get("tables")
    found = tables.get(f"t{number}") if isinstance(tables, dict) else None
    return found if isinstance(found, dict) else {}


def _field(path: str, name: str, typed: object) -> ResultField:
    kind = "half" if name == "score" else "number"
    value = typed.get(name, "") if isinstance(typed, dict) else ""
    return ResultField(name=f"{path}.{name}", label=str(COUNTED[name]), kind=kind, typed=str(value))


def _failed_table(failed: Failed) -> int:
    table = (failed.typed or {}).get("table")
    return (
        int(table)
        if isinstance(table, int) or (isinstance(table, str) and table.isdecimal())
        else 0
    )


def _doubt(state: State, shown: ShownTable) -> str:
    """What looks wrong in a typed result, "" for nothing; it counts all the same."""
    scores = [result.score for result in shown.table.results if result.score is not None]
    if not scores or shown.table.forfeit:
        return ""
    game = GAMES[state.game]
    target = dict(state.conditions.options).get(game.target, game.won_at)
    if max(abs(score) for score in scores) > VERY_HIGH * HUNDREDTHS:
        return _("That is a very high score.")
    if len(scores) == 2 and scores[0] == scores[1]:
        return _("Both have the same score.")
    if isinstance(target, int) and max(scores) < target * HUNDREDTHS:
        return _("Nobody has reached %(target)d: was the game called?") % {"target": target}
    return ""
