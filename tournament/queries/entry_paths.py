"""The path of an entry through a tournament: round by round whom it met and what came of it; and
where it sits and with whom, in words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from scoring.games import GAMES
from tournament.accounts.permissions import Visitor
from tournament.domain.standings.exact import round_half_up
from tournament.domain.standings.results_by_round import Line
from tournament.domain.standings.scales import bye_worth
from tournament.domain.standings.stages import courses_of_stages
from tournament.domain.standings.values import Bye, SeatedTable
from tournament.domain.tournament.counting import plays_with_partners
from tournament.domain.tournament.lookups import line_ups_are_open
from tournament.domain.tournament.sides import seats_of, sides_at
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.number_format import hundredths
from tournament.queries.scale_words import own_bye_words
from tournament.queries.sides import side_words
from tournament.queries.stage_views import at_stage, is_knockout
from tournament.queries.tournament import (
    ShownTable,
    TournamentView,
    is_silent,
    list_tables,
    points_by_round,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One round of an entry's path: `side` is what it sits at, `partners` play with it; `points`
    None while the result is missing or hidden. `deals`: it deals the first hand. `game` is the one
    that goes on there, "" for none or a silent one, `live` how it stands, and `elsewhere` the table
    of the salon where it is played, if that is another. `out` says to an entry without a table what
    that counts. Of a match at several tables `own` and `theirs` are the sums over them, and `parts`
    the tables by themselves.
    """

    round: int
    kind: str
    table: int | None
    opponents: tuple[tuple[str, str], ...]
    own: str
    theirs: str
    points: int | None
    side: str = ""
    seats: tuple[tuple[str, str], ...] = ()
    partners: tuple[tuple[str, str], ...] = ()
    deals: bool = False
    game: str = ""
    live: str = ""
    out: str = ""
    parts: tuple["Step", ...] = ()
    elsewhere: str = ""

    @property
    def at_tables(self) -> tuple["Step", ...]:
        """Each table that is played in this round, by itself."""
        return self.parts or (self,)


def path_of(at: TournamentView, visitor: Visitor, entry: str) -> list[Step]:
    """The published rounds of an entry, those that are silent for this visitor without result."""
    lines = {line.round: line for line in courses_of_stages(field_of(at.state, at.outcomes))[entry]}
    steps, points = [], points_by_round(at)
    for each in at.state.rounds:
        if not each.published:
            continue
        silent = is_silent(at, visitor, each.number)
        line = None if silent else lines.get(each.number)
        tables = list_tables(at, each, entry=entry, known=points)
        shown = next(iter(tables), None)
        if shown is None and is_knockout(at.state.stage_in(each.number)):
            continue  # it has no match then, which the bracket says better
        if shown is None:
            steps.append(_without_table(at, each, entry, line))
            continue
        shows = line is not None or (shown.match is not None and not silent)
        parts = [_at_a_table(at, each, table, entry, line, shows=shows) for table in tables]
        if not silent:
            parts = [_with_game(*part) for part in zip(parts, tables, strict=True)]
        steps.append(_whole_match(shown, entry, parts) if shown.match else parts[0])
    return steps


def _whole_match(shown: ShownTable, entry: str, parts: Sequence[Step]) -> Step:
    """The step of a match at several tables, of which these are the parts."""
    first, match = parts[0], shown.match
    teams = {team.entry: team for team in match.teams} if match is not None else {}
    is_known = any(part.own or part.theirs for part in parts)
    own, theirs = (
        _score(team.sum) if is_known else ""
        for team in (teams[entry], *(teams[key] for key in teams if key != entry))
    )
    return replace(
        first,
        kind=next((part.kind for part in parts if part.kind != "done"), "done"),
        opponents=tuple((key, team.name) for key, team in teams.items() if key != entry),
        own=own,
        theirs=theirs,
        seats=(),
        game="",
        live="",
        parts=tuple(parts),
    )


def _with_game(step: Step, shown: ShownTable) -> Step:
    """The step with the game that goes on at its table."""
    if shown.status != "playing" or shown.game is None:
        return step
    return replace(step, game=str(shown.game.pk), live=shown.live)


def _at_a_table(
    at: TournamentView,
    each: RoundState,
    shown: ShownTable,
    entry: str,
    line: Line | None,
    *,
    shows: bool,
) -> Step:
    """The step of a round that is played at a table; `shows`: with what was reached there."""
    sits = seat_at(at_stage(at, each.stage), shown.table, entry)
    names = {seat.entry: seat.name for seat in shown.seated}
    scores = {
        seat.entry: _score(seat.result.score) if seat.result is not None and shows else ""
        for seat in shown.seated
    }
    theirs = [scores[other] for other in sits.opponents]
    return Step(
        round=each.number,
        kind=shown.status,
        table=shown.table.table,
        opponents=tuple((other, names[other]) for other in sits.opponents),
        partners=tuple((other, names[other]) for other in sits.partners),
        own=scores[entry],
        theirs=", ".join(dict.fromkeys(theirs) if sits.partners else theirs),
        points=None if line is None else round_half_up(line.points),
        side=sits.seat,
        seats=_seats(at, each, shown, entry),
        deals=sits.deals and not each.closed,
        elsewhere=shown.salon_table,
    )


def _without_table(at: TournamentView, each: RoundState, entry: str, line: Line | None) -> Step:
    bye = next((bye for bye in each.byes if bye.entry == entry), Bye(entry=entry, kind="zero"))
    scale = at.state.stage_in(each.number).scale
    return Step(
        round=each.number,
        kind=bye.kind,
        table=None,
        opponents=(),
        own="",
        theirs="",
        points=None if line is None else bye_worth(scale, bye),
        out=own_bye_words(scale, bye),
    )


def _seats(
    at: TournamentView, each: RoundState, shown: ShownTable, entry: str
) -> tuple[tuple[str, str], ...]:
    """The seats and names of an entry of several players while its table is played."""
    found = at.state.entry(entry)
    if found is None or each.closed or not line_ups_are_open(at.state, each.number, shown.table):
        return ()
    people = [player for _place, player in at.state.players_at(each.number, shown.table, entry)]
    names = GAMES[at.state.game].seat_names
    seats = seats_of(
        at.state.game, len(shown.table.entries), shown.table.entries.index(entry), people
    )
    if len(seats) == 1:
        return ()  # the side says it
    return tuple((at.players.get(player, ""), str(names[seat])) for seat, player in seats)


def _score(score: int | None) -> str:
    return "" if score is None else hundredths(score)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatText:
    """The seat of an entry at a table, `North` or `N–S`, and by their numbers who plays with it and
    against it; `deals`: it has a seat of its own and deals the first hand.
    """

    seat: str
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    deals: bool


def seat_at(at: TournamentView, table: TableState, entry: str) -> SeatText:
    """The seat of an entry at a table."""
    place, count = table.entries.index(entry), len(table.entries)
    seated = SeatedTable(
        table=table.table,
        entries=table.entries,
        partners=plays_with_partners(at.state.stage, table),
    )
    sides = sides_at(at.state.game, count)
    own = sides[place] if count > 1 and place < len(sides) and len(sides[place]) == 1 else ""
    return SeatText(
        seat=str(GAMES[at.state.game].seat_names[own])
        if own
        else side_words(at.state.game, count)[place],
        partners=seated.partners_of(place),
        opponents=seated.opponents(place),
        deals=bool(own) and own == table.dealer,
    )


def company_at(at: TournamentView, number: int, table: TableState, sits: SeatText) -> str:
    """With whom and against whom an entry that sits so plays at a table of round `number`, by
    name.
    """
    partners = [at.name_at(number, table, other) for other in sits.partners]
    opponents = [at.name_at(number, table, other) for other in sits.opponents]
    return company_words(partners, opponents, deals=sits.deals)


def company_words(partners: Sequence[str], opponents: Sequence[str], *, deals: bool = False) -> str:
    """With whom and against whom somebody of a table plays, by name; "" for one alone."""
    words = ""
    if opponents:
        words = _("against %(names)s") % {"names": in_a_row(opponents)}
    if partners:
        words = _("with %(partner)s, %(against)s") % {
            "partner": in_a_row(partners),
            "against": words,
        }
    return _("%(company)s; deals first") % {"company": words} if deals and words else words


def in_a_row(names: Iterable[str]) -> str:
    """Names as a sentence has them: `Cato, Dane and Ede`."""
    return get_text_list([*names], _("and"))
