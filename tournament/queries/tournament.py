"""A tournament as pages show it: its state from its rows, its entries by name, and how far its
standings have been computed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ledger.models import Log
from scoring.confirmation import DISPUTED, ENTERED
from scoring.games import GAMES
from tournament.accounts.permissions import Visitor
from tournament.accounts.silent_rounds import sees_silent
from tournament.domain.standings.deal_points import shown_points_of_rounds
from tournament.domain.standings.ranking import Standings
from tournament.domain.standings.values import Result, Stage
from tournament.domain.tournament.counting import (
    GAME,
    Outcomes,
    differs,
    goes_on,
    results_of,
    what_counts,
)
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState
from tournament.models import Game, Salon, Tournament
from tournament.projections.background import why_parked
from tournament.projections.standings import STANDINGS, read_computed_standings
from tournament.queries.confirmation_rows import list_disputed_hands, state_of_confirmation
from tournament.queries.cut_words import sources_words
from tournament.queries.entrants import called, name_entry_in_round, next_to_play, together
from tournament.queries.number_format import hundredths, number
from tournament.queries.round_clocks import ShownClock, clock_of
from tournament.queries.sides import side_words
from tournament.queries.team_matches import ShownMatch, build_match
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.game_results import every_outcome_of
from tournament.streams.texts import words_of
from tournament.streams.tournament_rows import state_of

# What a table is called in lists, by what counts there or why nothing does.
STATUS = {
    "forfeit": "forfeit",
    "excused": "excused",
    "typed": "done",
    "game": "done",
    "playing": "playing",
    "abandoned": "abandoned",
    "detached": "waiting",
    "not_played": "waiting",
    "waiting": "waiting",
}
PHASE_WORDS = {
    "draft": gettext_lazy("Draft"),
    "registration": gettext_lazy("Registration"),
    "running": gettext_lazy("Running"),
    "finished": gettext_lazy("Finished"),
    "archived": gettext_lazy("Archived"),
}
FORMAT_WORDS = {
    "swiss": gettext_lazy("Swiss"),
    "pods": gettext_lazy("Tables of three to five"),
    "rotating": gettext_lazy("Changing partners"),
    "movement": gettext_lazy("The same deals"),
    "knockout": gettext_lazy("Knock-out"),
    "duplicate": gettext_lazy("Duplicate"),
}


type PointsByRound = Sequence[Mapping[int, Sequence[int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentView:
    """A tournament with its state and everybody's names: of players by id, of entries by their
    number, as they play now.

    The names are for the `audience`; `changed` are the entries for which not everybody has played
    from the beginning, `removed` those that were taken out, by name. `titles` are the names that
    entries have of their own.
    """

    row: Tournament
    audience: Audience
    state: State
    outcomes: Outcomes
    players: Mapping[str, str]
    entries: Mapping[str, str]
    changed: Mapping[str, EntryState]
    removed: Mapping[str, str]
    titles: Mapping[str, str]

    def name_in(self, number: int, entry: str) -> str:
        """The name of an entry by its players in round `number`."""
        found = self.changed.get(entry)
        if found is None:
            return self.entries.get(entry, entry)
        return name_entry_in_round(found, number, self.players, self.titles.get(entry, ""))

    def name_at(self, number: int, table: TableState, entry: str) -> str:
        """The name of an entry by its players at a table of round `number`: of a team that
        plays at several tables those of this one, once its line-up is open.
        """
        found = self.changed.get(entry)
        several = self.state.stage_in(number).tables_a_match > 1
        if found is None or not several or number not in dict(found.line_ups):
            return self.name_in(number, entry)
        players = together(self.state.players_at(number, table, entry), self.players)
        title = self.titles.get(entry, "")
        return f"{title}: {players}" if title else players

    def names_at_tables(self, number: int) -> dict[int, dict[str, str]]:
        """The names of the entries at each table of round `number`, by table, if teams play at
        several; empty if a match has one.
        """
        if self.state.stage_in(number).tables_a_match == 1:
            return {}
        return {
            table.table: {entry: self.name_at(number, table, entry) for entry in table.entries}
            for table in self.state.rounds[number - 1].tables
        }

    def name_next(self, entry: str) -> str:
        """The name of an entry by its players in the round that it has not begun to play."""
        return self.name_in(self.state.next_to_play(entry), entry)

    def list_names_in(self, number: int, entries: Iterable[str]) -> tuple[str, ...]:
        """The names of these entries in round `number`, in their order."""
        return tuple(self.name_in(number, entry) for entry in entries)

    def names_in(self, number: int) -> dict[str, str]:
        """The name of every entry by its players in round `number`."""
        return {entry: self.name_in(number, entry) for entry in self.entries}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedEntry:
    """An entry at a table: the `side` it sits at, its result as far as there is one, and the
    standing points it came to (hundredths). `deals`: it has a seat of its own and deals the first
    hand.

    Of a team `line_up` are those who play, by name, once that is open; `handed_in` says that there
    is a line-up, sealed or open.
    """

    entry: str
    name: str
    result: Result | None
    points: int | None
    absent: bool
    side: str = ""
    deals: bool = False
    line_up: tuple[str, ...] = ()
    handed_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """A table of a round with names; `game` is the game there, `confirmation` its state, "" where
    nothing is to confirm.

    `counts` says what counts there, or why nothing does (`counting.what_counts`); `differs`: its
    game says something else, which is `came_to`. `goes_on`: the game is still played. `clock` is
    the table's own, where it got more time than the others. `match` is what it is one of several
    tables of; its points are those of the match.
    """

    table: TableState
    seated: Sequence[SeatedEntry]
    game: Game | None
    status: str
    confirmation: str = ""
    clock: ShownClock | None = None
    counts: str = ""
    differs: bool = False
    goes_on: bool = False
    came_to: str = ""
    match: ShownMatch | None = None

    @property
    def begins_match(self) -> bool:
        """Whether it is the first of several tables of a match."""
        return self.match is not None and self.match.tables[0] == self.table.table

    @property
    def place_in_match(self) -> int:
        """The so many-th table of its match it is, 0 where a match has one."""
        return self.match.tables.index(self.table.table) + 1 if self.match is not None else 0

    @property
    def hands_closed(self) -> int:
        """The number of closed hands of its game."""
        return int(self.game.state["hands"]) if self.game is not None else 0

    @property
    def has_hand(self) -> bool:
        """Whether a hand of its game is closed or open."""
        return self.game is not None and bool(self.hands_closed or self.game.state["hand"])

    @property
    def deals_apart(self) -> list[str]:
        """Notes on single deals: awards for one, and deals that were dealt otherwise than at
        other tables.
        """
        awarded = [
            _("Deal %(number)d: %(shares)s %% awarded")
            % {"number": deal, "shares": " : ".join(map(str, shares))}
            for deal, shares in self.table.awards
        ]
        fouled = [
            _("Deal %(number)d: dealt otherwise, form %(form)d")
            % {"number": board.deal, "form": board.version}
            for board in self.table.boards
            if board.version != 1
        ]
        return awarded + fouled

    @property
    def salon_table(self) -> str:
        """The table of the salon at which its game is played, where that isn't the one of the
        round's number; else "".
        """
        if not self.goes_on or self.game is None or self.game.table == str(self.table.table):
            return ""
        return self.game.table

    @property
    def live(self) -> str:
        """The scores of the game as it stands, `120 : 85`, in the order of the entries; "" where
        none is played or shown.
        """
        if self.game is None or self.game.is_silent:
            return ""
        scores = self.game.state["score"]
        sides = list(GAMES[self.game.kind].teams) or sorted(scores)
        return " : ".join(number(scores[side]) for side in sides)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnconfirmedResult:
    """A result that counts and comes from a game that is `entered` or `disputed`, not confirmed;
    `hand` is the first one that is disputed, 0 where none is.
    """

    round: int
    table: int
    game: str
    state: str
    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedStandings:
    """The standings as computed last: they count every entry up to `position`, `behind` more are in
    the log; `error` parked them.
    """

    standings: Standings | None
    position: int
    behind: int
    error: str


def load_tournament(row: Tournament, audience: Audience) -> TournamentView:
    """The tournament of this row, with names for this audience."""
    state = state_of(row)
    removed = [entry for _place, entry in state.removed]
    entered = {player for entry in (*state.entries, *removed) for player in entry.everybody}
    players = names_of(row.salon, entered | {single.player for single in state.singles}, audience)
    titles = own_names(row.salon, (*state.entries, *removed))
    entries = _name_entries(state, state.entries, players, titles)
    return TournamentView(
        row=row,
        audience=audience,
        state=state,
        outcomes=every_outcome_of(row.salon, state),
        players=players,
        entries=entries,
        changed={
            entry.id: entry
            for entry in state.entries
            if entry.earlier or entry.line_ups or entry.id in titles
        },
        removed=_name_entries(state, removed, players, titles),
        titles=titles,
    )


def names_then(at: TournamentView, state: State) -> dict[str, str]:
    """The entries of an earlier state of a tournament by name, as they were called then."""
    players = dict(at.players)
    unknown = {player for entry in state.entries for player in entry.everybody} - players.keys()
    if unknown:
        players |= names_of(at.row.salon, unknown, at.audience)
    return _name_entries(state, state.entries, players, own_names(at.row.salon, state.entries))


def own_names(salon: Salon, entries: Iterable[EntryState]) -> dict[str, str]:
    """The names that entries have of their own, by entry; those that were erased are missing."""
    digests = {entry.id: entry.entry_name for entry in entries if entry.entry_name}
    words = words_of(salon, digests.values()) if digests else {}
    return {key: words[digest] for key, digest in digests.items() if digest in words}


def _name_entries(
    state: State,
    entries: Iterable[EntryState],
    players: Mapping[str, str],
    titles: Mapping[str, str],
) -> dict[str, str]:
    return {
        entry.id: called(entry, next_to_play(state, entry), players, titles.get(entry.id, ""))
        for entry in entries
    }


def list_tables(
    at: TournamentView, each: RoundState, *, entry: str = "", known: PointsByRound | None = None
) -> list[ShownTable]:
    """The tables of a round, in order; with `entry` that of one entry alone. `known` are the
    points of every round, for who shows several.
    """
    tables = [table for table in each.tables if not entry or entry in table.entries]
    games = Game.objects.in_bulk([table.game for table in tables if table.game is not None])
    points = (known or points_by_round(at))[each.number - 1] if tables else {}
    return [_build_table(at, each, table, games.get(table.game or ""), points) for table in tables]


def salon_tables_of(at: TournamentView, each: RoundState) -> dict[int, str]:
    """The tables of the salon at which a round's games are played, by the number in the round of
    those that have another there.
    """
    return {
        shown.table.table: shown.salon_table for shown in list_tables(at, each) if shown.salon_table
    }


def unconfirmed(at: TournamentView, *, until: int) -> list[UnconfirmedResult]:
    """The results up to round `until` that come from a finished game whose hands are not all
    confirmed, in order of the tables.
    """
    counting = [
        (each.number, table)
        for each in at.state.rounds[:until]
        for table in each.tables
        if what_counts(table, at.outcomes) == GAME
    ]
    games = Game.objects.in_bulk([str(table.game) for _, table in counting])
    states = [
        (number, table, row, _confirmation(row))
        for number, table in counting
        for row in [games.get(str(table.game))]
    ]
    return [
        UnconfirmedResult(
            round=number,
            table=table.table,
            game=str(table.game),
            state=state,
            hand=next(iter(list_disputed_hands(row)), 0) if row is not None else 0,
        )
        for number, table, row, state in states
        if state in (ENTERED, DISPUTED)
    ]


def points_by_round(at: TournamentView) -> PointsByRound:
    """For each round, by table, the standing points of every table that has its result, in the
    order of its entries. All rounds take as long as one: who shows several asks once.
    """
    return shown_points_of_rounds(field_of(at.state, at.outcomes))


def computed(at: TournamentView) -> ComputedStandings:
    """The standings as computed last, and how far they have come."""
    found, reached = read_computed_standings(at.row)
    if found is not None and at.state.removed:
        # An entry may have been removed since they were computed.
        rows = tuple(row for row in found.rows if row.entry in at.entries)
        found = replace(found, rows=rows)
    log = at.row.salon.log_id
    head = Log.objects.values_list("position", flat=True).get(pk=log)
    error = why_parked(log, STANDINGS.name, at.row.pk)
    return ComputedStandings(standings=found, position=reached, behind=head - reached, error=error)


def is_silent(at: TournamentView, visitor: Visitor, number: int) -> bool:
    """Whether the results of a round are hidden from this visitor: silent rounds end with the
    tournament.
    """
    return at.state.is_silent(number) and not sees_silent(visitor)


def silent_from(at: TournamentView, visitor: Visitor) -> int | None:
    """The first round whose results are hidden from this visitor; None where none is."""
    begun = at.state.silence
    return begun if begun is not None and is_silent(at, visitor, begun) else None


def format_words(state: State) -> str:
    """The format in words; of several stages the one that is played, and what follows its cut."""
    count, number = len(state.every_stage), state.stage_number
    words = stage_words(state.stage)
    if count == 1:
        return words
    said = _("Stage %(number)d of %(count)d: %(format)s") % {
        "number": number,
        "count": count,
        "format": words,
    }
    if number >= count:
        return said
    later = state.every_stage[number]
    if later.takes is not None and (later.also or later.takes.first > 1):
        return said + _("; then go on %(sources)s: %(format)s") % {
            "sources": sources_words(later),
            "format": stage_words(later),
        }
    return said + _("; then the first %(top)d go on: %(format)s") % {
        "top": later.takes.top if later.takes is not None else 0,
        "format": stage_words(later),
    }


def stage_words(stage: Stage) -> str:
    """The format of a stage in words."""
    if stage.kind == "round_robin":
        return _("Round robin, everybody twice") if stage.double else _("Round robin")
    words = str(FORMAT_WORDS[stage.kind])
    if stage.rounds is None:
        return words
    return ngettext(
        "%(format)s, %(rounds)d round", "%(format)s, %(rounds)d rounds", stage.rounds
    ) % {"format": words, "rounds": stage.rounds}


def match_size_words(stage: Stage) -> str:
    """At how many tables two teams meet, and what decides; "" where a match has one."""
    if stage.tables_a_match == 1:
        return ""
    return _(
        "Two teams meet at %(tables)d tables at once, and the sum over them decides the match."
    ) % {"tables": stage.tables_a_match}


def _build_table(
    at: TournamentView,
    each: RoundState,
    table: TableState,
    game: Game | None,
    of_tables: Mapping[int, Sequence[int]],
) -> ShownTable:
    first = at.state.match_of(each.number, table)[0].table
    match = build_match(at.state, at.outcomes, at.entries, each, table, of_tables.get(first, ()))
    points = of_tables.get(table.table, ()) if match is None else ()
    results, sides = (
        results_of(table, at.outcomes, at.state.stage_in(each.number)),
        side_words(at.state.game, len(table.entries)),
    )
    seated = [
        SeatedEntry(
            entry=entry,
            name=at.name_at(each.number, table, entry),
            result=results[place] if results else None,
            points=points[place] if points else None,
            absent=entry in table.absent,
            side=sides[place],
            deals=sides[place] == table.dealer,
            line_up=_line_up(at, each.number, table, entry),
            handed_in=entry in dict(each.sealed) or bool(_line_up(at, each.number, table, entry)),
        )
        for place, entry in enumerate(table.entries)
    ]
    counts = what_counts(table, at.outcomes)
    return ShownTable(
        table=table,
        seated=seated,
        game=game,
        status=STATUS[counts],
        confirmation=_confirmation(game) if not table.is_settled and not table.detached else "",
        clock=clock_of(each, table.table) if table.extension else None,
        counts=counts,
        differs=differs(table, at.outcomes, at.state.stage_in(each.number)),
        goes_on=goes_on(table, at.outcomes),
        came_to=_came_to(table, at.outcomes),
        match=match,
    )


def _line_up(at: TournamentView, number: int, table: TableState, key: str) -> tuple[str, ...]:
    """The names of a team's players at a table of round `number`, once that is open; ()
    before, and if all of an entry play.
    """
    entry = at.state.entry(key)
    if entry is None or number not in dict(entry.line_ups):
        return ()
    return tuple(
        at.players.get(player, "") for _place, player in at.state.players_at(number, table, key)
    )


def _confirmation(game: Game | None) -> str:
    """The state of a game of which a hand is closed; "" for one that is not shown."""
    if game is None or game.is_silent or not game.state["hands"]:
        return ""
    return state_of_confirmation(game, closed=game.state["hands"])


def _came_to(table: TableState, outcomes: Outcomes) -> str:
    """The scores of a game that is over, in the order of the entries, `20 : 101`; "" where there
    are none.
    """
    outcome = outcomes.get(table.game or "")
    scores = [result.score for result in outcome.results] if outcome is not None else []
    return " : ".join(hundredths(score) for score in scores if score is not None)
