"""A tournament as pages show it: its state from its rows, its entries by name, and how far its standings have been computed."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.models import Log
from scoring.confirmation import DISPUTED, ENTERED
from scoring.games import GAMES
from tournament.access import Visitor
from tournament.directing.field import Outcomes, field_of, results_of
from tournament.directing.state import EntryState, RoundState, State, TableState
from tournament.models import Game, Progress, Tournament
from tournament.outcomes import outcomes_of
from tournament.people import names_of
from tournament.projections.standings import STANDINGS, computed_standings
from tournament.queries.clocks import ShownClock, clock_of
from tournament.queries.confirmation_rows import confirmed_row
from tournament.queries.sides import side_words
from tournament.queries.words import number
from tournament.silence import sees_silent
from tournament.standings.ranking import Standings
from tournament.standings.scales import points_of_round
from tournament.standings.values import Result
from tournament.tournament_rows import state_of

PHASE_WORDS = {
    "draft": gettext_lazy("Draft"),
    "registration": gettext_lazy("Registration"),
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
    "archived": gettext_lazy("Archived"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Directed:
    """A tournament with its state and everybody's names: of players by id, of entries by their number.

    `changed` are the entries for which not everybody has played from the beginning.
    """

    row: Tournament
    state: State
    outcomes: Outcomes
    players: Mapping[str, str]
    entries: Mapping[str, str]
    changed: Mapping[str, EntryState]

    def name_in(self, number: int, entry: str) -> str:
        """Who plays for an entry in round `number`."""
        found = self.changed.get(entry)
        return _together(found.players_in(number), self.players) if found is not None else self.entries.get(entry, entry)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedEntry:
    """An entry at a table: the `side` it sits at, its result as far as there is one, and the standing points it came to (hundredths)."""

    entry: str
    name: str
    result: Result | None
    points: int | None
    absent: bool
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """A table of a round with names; `game` is the game that counts there, `confirmation` its state, "" where nothing is to confirm.

    `clock` is the table's own, where it got more time than the others.
    """

    table: TableState
    seated: Sequence[SeatedEntry]
    game: Game | None
    status: str
    confirmation: str = ""
    clock: ShownClock | None = None

    @property
    def live(self) -> str:
        """The scores of the game as it stands, `120 : 85`, in the order of the entries; "" where none is played."""
        if self.game is None:
            return ""
        scores = json.loads(self.game.state)["score"]
        return " : ".join(number(scores[team]) for team in GAMES[self.game.kind].teams)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unconfirmed:
    """A result that counts and is not confirmed yet, or is disputed: the game that gave it."""

    round: int
    table: int
    game: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """The standings as computed last: they count every entry up to `position`, `behind` more are in the log; `error` parked them."""

    standings: Standings | None
    position: int
    behind: int
    error: str


def directed(row: Tournament) -> Directed:
    """The tournament of this row."""
    state = state_of(row)
    entered = {player for entry in state.entries for player in entry.everybody}
    players = names_of(row.salon, entered | {single.player for single in state.singles})
    entries = {entry.id: _together(entry.players, players) for entry in state.entries}
    return Directed(
        row=row,
        state=state,
        outcomes=outcomes_of(row.salon, state),
        players=players,
        entries=entries,
        changed={entry.id: entry for entry in state.entries if entry.earlier},
    )


def _together(seated: Sequence[tuple[str, str]], names: Mapping[str, str]) -> str:
    """People by name, as an entry: `Asha & Cato`."""
    return " & ".join(names[player] for _place, player in seated)


def shown_tables(at: Directed, each: RoundState) -> list[ShownTable]:
    """The tables of a round, in order."""
    games = Game.objects.in_bulk([table.game for table in each.tables if table.game is not None])
    points = points_of(at, each)
    return [_shown(at, each, table, games.get(table.game or ""), points.get(table.table, ())) for table in each.tables]


def unconfirmed(at: Directed, *, until: int) -> list[Unconfirmed]:
    """The results up to round `until` that come from a finished game whose hands are not all confirmed, in order of the tables."""
    counting = [
        (each.number, table)
        for each in at.state.rounds[:until]
        for table in each.tables
        if not table.is_settled and table.game in at.outcomes
    ]
    games = Game.objects.in_bulk([str(table.game) for _, table in counting])
    states = [(number, table, _confirmation(games.get(str(table.game)))) for number, table in counting]
    return [
        Unconfirmed(round=number, table=table.table, game=str(table.game), state=state)
        for number, table, state in states
        if state in (ENTERED, DISPUTED)
    ]


def points_of(at: Directed, each: RoundState) -> Mapping[int, Sequence[int]]:
    """The standing points of every table of a round that has its result, in the order of its entries."""
    counted = field_of(at.state, at.outcomes).rounds[each.number - 1]
    return points_of_round(at.state.stage.scale, counted)


def computed(at: Directed) -> Computed:
    """How far the standings have come."""
    found, reached = computed_standings(at.row)
    log = at.row.salon.log_id
    head = Log.objects.values_list("position", flat=True).get(pk=log)
    error = Progress.objects.filter(log=log, projection=STANDINGS.name).values_list("error", flat=True).first() or ""
    return Computed(standings=found, position=reached, behind=head - reached, error=error)


def is_silent(at: Directed, visitor: Visitor, number: int) -> bool:
    """Whether the results of a round are hidden from this visitor: silent rounds end with the tournament."""
    begun = at.state.silent_from
    hidden = begun is not None and number >= begun and at.state.phase == "running"
    return hidden and not sees_silent(visitor)


def format_words(state: State) -> str:
    """The format in words."""
    if state.stage.kind == "round_robin":
        return _("Round robin, everybody twice") if state.stage.double else _("Round robin")
    return _("Swiss, %(rounds)d rounds") % {"rounds": state.stage.rounds or 0}


def _shown(at: Directed, each: RoundState, table: TableState, game: Game | None, points: Sequence[int]) -> ShownTable:
    results, sides = results_of(table, at.outcomes, at.state.stage), side_words(at.state.game)
    seated = [
        SeatedEntry(
            entry=entry,
            name=at.name_in(each.number, entry),
            result=results[place] if results else None,
            points=points[place] if points else None,
            absent=entry in table.absent,
            side=sides[place] if place < len(sides) else "",
        )
        for place, entry in enumerate(table.entries)
    ]
    status = _status(table, game, has_result=bool(results))
    return ShownTable(
        table=table,
        seated=seated,
        game=game,
        status=status,
        confirmation=_confirmation(game) if not table.is_settled else "",
        clock=clock_of(each, table.table) if table.extension else None,
    )


def _confirmation(game: Game | None) -> str:
    """The state of a game of which a hand is closed."""
    closed = json.loads(game.state)["hands"] if game is not None else 0
    return confirmed_row(game, list(json.loads(game.seats)), closed=closed).state if game is not None and closed else ""


def _status(table: TableState, game: Game | None, *, has_result: bool) -> str:
    if table.absent or table.forfeit:
        return "forfeit"
    if table.excused:
        return "excused"
    if has_result:
        return "done"
    return "playing" if game is not None else "waiting"
