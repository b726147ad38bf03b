"""Screenfuls of each kind of slide on a screen, made of public data."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.accounts.permissions import Visitor
from tournament.domain.house.table_labels import place_of
from tournament.domain.names import in_alphabet
from tournament.domain.screens import rules
from tournament.domain.screens.rules import Part
from tournament.domain.tournament.counting import missing
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.todo import last_round
from tournament.models import Season, Tournament
from tournament.pages.common.tournament_context import is_over
from tournament.pages.table.game_summary import Glance, list_glances
from tournament.pages.wall import screenfuls
from tournament.pages.wall.bracket_windows import WallBracket, windows
from tournament.projections.standings import read_season_table
from tournament.queries.brackets import format_places
from tournament.queries.cuts import StageTable, stage_tables
from tournament.queries.listed_games import playing
from tournament.queries.number_format import hundredths
from tournament.queries.round_clocks import clock_of
from tournament.queries.stage_views import find_bracket
from tournament.queries.team_matches import whole_part_words
from tournament.queries.tournament import (
    ShownTable,
    TournamentView,
    is_silent,
    list_tables,
    load_tournament,
)
from tournament.queries.tournament_visibility import podium, read_visible_standings
from tournament.salons.players import names_of

# Hundredths of the size of letters that stand beside a name in its line.
NUMBER, SEAT, VALUE, SCORE, GAP = 230, 250, 330, 260, 50
ON_A_CLOCK = "00:00"
FIRST = 140  # per cent of the usual size: the winner's name
MOST_LINES_BELOW_A_CLOCK = 3

type Look = Literal["lines", "seats", "clock", "bracket", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a list: what it begins with, a name, and what stands at its end."""

    number: str
    name: str
    value: str = ""
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """A table with who sits there: (side, name) pairs; `silent` scores are not to be seen, `scores`
    stand for each side where a game is played. `beside`: in one column they stand side by side, two
    in a line.
    """

    number: str
    seated: tuple[tuple[str, str], ...]
    scores: tuple[int, ...] = ()
    silent: bool = False
    beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Screenful:
    """A screenful of the wall. `look` says by which template, `event` of which tournament it is,
    and in a line of its own where it is `long`; `round` is the one whose clock runs beside it.

    Screenful `page` of `pages` of its part, which is shown for so many `seconds`.
    """

    look: Look
    kind: str
    title: str
    event: str = ""
    long: bool = False
    round: RoundState | None = None
    lines: screenfuls.Columns[Line] | None = None
    seats: screenfuls.Columns[Seats] | None = None
    bracket: WallBracket | None = None
    says: str = ""
    page: int = 1
    pages: int = 1
    seconds: int = 15

    @property
    def columns(self) -> str:
        """The layout of its list: in `two` columns, in one that goes on (`many`), or `alone`."""
        shown = self.lines or self.seats
        if shown is not None and shown.is_wide:
            return "two"
        return "alone" if self.pages == 1 else "many"


@dataclass(slots=True)
class Looker:
    """The public data of a salon, looked up once for all parts of a screen of this
    `shape`; `words` are those of its texts by their digests.
    """

    visitor: Visitor
    words: Mapping[str, str]
    shape: screenfuls.Shape = screenfuls.USUAL
    _seen: dict[str, TournamentView] = field(default_factory=dict)

    def event(self, part: Part) -> TournamentView | None:
        """The tournament of a part: the one named, else the one that is on, else the latest; no
        draft, and none to practise with.
        """
        rows = Tournament.objects.filter(salon=self.visitor.salon, practice=False).exclude(
            phase="draft"
        )
        rows = rows.select_related("salon").order_by("-started_position")
        row = (
            rows.filter(pk=part.of).first()
            if part.of
            else rows.filter(phase="running").first() or rows.first()
        )
        if row is None:
            return None
        if row.pk not in self._seen:
            self._seen[row.pk] = load_tournament(row, self.visitor.audience)
        return self._seen[row.pk]

    def games(self) -> list[Glance]:
        """The games that are played at tables now, in the order of the tables."""
        games = [game for game in playing(self.visitor.salon) if game.line.table]
        found = list_glances(self.visitor.salon, games, self.visitor.audience)
        return sorted(found, key=lambda each: place_of(each.table))


def screenfuls_of(parts: Iterable[Part], looker: Looker) -> list[Screenful]:
    """All that a screen shows in turn; a part that has nothing to show has none."""
    return [
        each for part in parts for each in _number_pages(part, [*KINDS[part.kind](part, looker)])
    ]


def _number_pages(part: Part, found: Sequence[Screenful]) -> Iterator[Screenful]:
    for number, each in enumerate(found, start=1):
        yield replace(each, page=number, pages=len(found), seconds=part.seconds)


def _seating(part: Part, looker: Looker) -> Iterator[Screenful]:
    """Yield the seats of the round published last, table by table."""
    at, each = _round(part, looker)
    if at is None or each is None or each.closed:
        return
    seats = [_seats(at, each, shown) for shown in list_tables(at, each)]
    room = looker.shape.room
    title = _("Round %(number)d: please be seated") % {"number": each.number}
    head = _head(at, part, looker, "seats", title, each)
    for page in _seats_in_columns(seats, SEAT, room, screenfuls.LINES - head.long):
        yield replace(head, seats=page)


def _names(part: Part, looker: Looker) -> Iterator[Screenful]:
    """Everybody by name, from A to Z, with table and seat."""
    at, each = _round(part, looker)
    if at is None or each is None or each.closed:
        return
    lines = sorted(_people(at, each), key=lambda line: in_alphabet(line.name))
    title = _("Round %(number)d: find your name") % {"number": each.number}
    yield from _screenfuls_of_lines(_head(at, part, looker, "lines", title, each), lines, looker)


def _clock(part: Part, looker: Looker) -> Iterator[Screenful]:
    """The clock of the round, and which tables still play."""
    at, each = _round(part, looker)
    if at is None or each is None or clock_of(each) is None:
        return
    rounds = last_round(at.state)
    title = _("Round %(number)d of %(rounds)d") if rounds else _("Round %(number)d")
    says = (
        ""
        if is_silent(at, looker.visitor, each.number)
        else _still_playing(at, each, looker.shape.room)
    )
    values = {"number": each.number, "rounds": rounds}
    yield replace(_head(at, part, looker, "clock", title % values, each), says=says)


def _tables(part: Part, looker: Looker) -> Iterator[Screenful]:
    """Yield the games at the tables, with the scores so far."""
    seats = [
        Seats(
            number=game.table,
            seated=tuple(("", side.names) for side in game.sides),
            scores=tuple(side.score for side in game.sides if side.score is not None),
            silent=game.silent,
        )
        for game in looker.games()
    ]
    for page in _seats_in_columns(seats, SCORE, looker.shape.room):
        yield Screenful(look="seats", kind=part.kind, title=_("At the tables"), seats=page)


def _standings(part: Part, looker: Looker) -> Iterator[Screenful]:
    """The standings of each stage, the last first; silent rounds don't count."""
    at = looker.event(part)
    table, _hidden = read_visible_standings(at, looker.visitor) if at is not None else (None, False)
    if at is None or table is None or not table.after_round:
        return
    places = format_places(at, looker.visitor, table)
    found = stage_tables(at, table)
    for shown in found[:1]:
        lines = list(lines_of_standings(at, shown, places))
        title = _("After round %(number)d") % {"number": shown.table.after_round}
        yield from _screenfuls_of_lines(_head(at, part, looker, "lines", title), lines, looker)


def _bracket(part: Part, looker: Looker) -> Iterator[Screenful]:
    """The bracket of a knock-out, as much of it at a time as can be read."""
    at = looker.event(part)
    seen = find_bracket(at, looker.visitor) if at is not None else None
    if at is None or seen is None or seen.shown.progress is None:
        return
    width = looker.shape.width
    for window in windows(seen.shown.progress, at.entries, seen.origins, screen=width):
        yield replace(_head(at, part, looker, "bracket", _("Who meets whom")), bracket=window)


def _podium(part: Part, looker: Looker) -> Iterator[Screenful]:
    """The first three places of a tournament that is over, each with all who share it."""
    at = looker.event(part)
    if at is None or not is_over(at.state):
        return
    lines = [
        Line(
            number=str(row.rank),
            name=at.entries[row.entry],
            value="" if at.state.stage.kind == "knockout" else hundredths(row.points),
            first=row.rank == 1,
        )
        for row in podium(at, looker.visitor)
    ]
    won = ngettext("The winner", "The winners", sum(line.first for line in lines))
    yield from _screenfuls_of_lines(_head(at, part, looker, "lines", won), lines, looker)


def _season(part: Part, looker: Looker) -> Iterator[Screenful]:
    """The table of a season: of the one named, else of the latest that is not closed."""
    salon = looker.visitor.salon
    rows = Season.objects.filter(salon=salon).select_related("salon").order_by("-started_position")
    row = (rows.filter(pk=part.of) if part.of else rows.filter(closed=False)).first()
    table = read_season_table(row)[0] if row is not None else None
    if row is None or table is None:
        return
    names = names_of(salon, {each.player for each in table.rows}, looker.visitor.audience)
    lines = [
        Line(number=str(each.rank), name=names[each.player], value=hundredths(each.points))
        for each in table.rows
    ]
    yield from _screenfuls_of_lines(
        Screenful(look="lines", kind=part.kind, title=row.name), lines, looker
    )


def _text(part: Part, looker: Looker) -> Iterator[Screenful]:
    """A text; one that was erased is there no more."""
    says = looker.words.get(part.note, "")
    if says:
        yield Screenful(look="text", kind=part.kind, title=looker.visitor.salon.name, says=says)


KINDS: Mapping[str, Callable[[Part, Looker], Iterator[Screenful]]] = {
    rules.SEATING: _seating,
    rules.NAMES: _names,
    rules.CLOCK: _clock,
    rules.TABLES: _tables,
    rules.STANDINGS: _standings,
    rules.BRACKET: _bracket,
    rules.PODIUM: _podium,
    rules.SEASON: _season,
    rules.TEXT: _text,
}


def _round(part: Part, looker: Looker) -> tuple[TournamentView | None, RoundState | None]:
    """The round published last of the tournament that a part is about, while it runs."""
    at = looker.event(part)
    if at is None or at.state.phase != "running":
        return None, None
    return at, at.state.last_published


def _head(
    at: TournamentView,
    part: Part,
    looker: Looker,
    look: Look,
    title: str,
    each: RoundState | None = None,
) -> Screenful:
    """A screenful of a tournament without what it lists; `each` is the round whose clock runs
    beside it.
    """
    clock = ON_A_CLOCK if look != "clock" and clock_of(each) is not None else ""
    fits = screenfuls.fits_in_a_line((title, at.row.name, clock), looker.shape.room)
    return Screenful(
        look=look,
        kind=part.kind,
        title=title,
        event=at.row.name,
        long=not fits and look != "bracket",  # which is as high as what is below one line
        round=each,
    )


def _screenfuls_of_lines(
    head: Screenful, lines: Sequence[Line], looker: Looker
) -> Iterator[Screenful]:
    """Lines on as many screenfuls with this head as they need."""
    for page in screenfuls.in_columns(
        lines, _lines_of_line, looker.shape.room, screenfuls.LINES - head.long
    ):
        yield replace(head, lines=page)


def _still_playing(at: TournamentView, each: RoundState, room: int) -> str:
    """The tables that lack their result, or how many they are where they don't fit."""
    tables = [
        str(table.table) for table in missing(each, at.outcomes, at.state.stage_in(each.number))
    ]
    if not tables:
        return _("All tables are in.")
    which = {"tables": ", ".join(tables), "count": len(tables)}
    says = ngettext("Table %(tables)s plays.", "Tables %(tables)s play.", len(tables)) % which
    if screenfuls.lines_of(says, room) <= MOST_LINES_BELOW_A_CLOCK:
        return says
    return ngettext("%(count)d table plays.", "%(count)d tables play.", len(tables)) % which


def _seats(at: TournamentView, each: RoundState, shown: ShownTable) -> Seats:
    """A table with who sits there, and of several of a match which it is."""
    part = whole_part_words(at.state, at.entries, each, shown.table)
    seated = [(seat.side, seat.name) for seat in shown.seated]
    return Seats(
        number=shown.salon_table or str(shown.table.table),
        seated=(*seated, *((("", part),) if part else ())),
    )


def _people(at: TournamentView, each: RoundState) -> Iterator[Line]:
    """Everybody who is seated, or sits out; a team by its own name, as who of it plays is for its
    captain to say.
    """
    teams = bool(at.state.stage_in(each.number).line_up)
    for shown in list_tables(at, each):
        for seat in shown.seated:
            place = f"{shown.salon_table or shown.table.table} {seat.side}".strip()
            names = [seat.name] if teams else _names_of_entry(at, each.number, seat.entry)
            for name in names:
                yield Line(number="", name=name, value=place)
    for bye in each.byes:
        names = (
            [at.name_in(each.number, bye.entry)]
            if teams
            else _names_of_entry(at, each.number, bye.entry)
        )
        for name in names:
            yield Line(number="", name=name, value="\N{EN DASH}")


def _names_of_entry(at: TournamentView, number: int, key: str) -> list[str]:
    entry = at.state.entry(key)
    if entry is None:
        return [at.name_in(number, key)]
    return [at.players.get(player, "") for _place, player in entry.players_in(number)]


def lines_of_standings(
    at: TournamentView, shown: StageTable, places: Mapping[str, str]
) -> Iterator[Line]:
    """Each entry with its rank and points; of a knock-out its place, once it is known."""
    side = ""
    for row in shown.table.rows:
        if row.side != side:
            side = row.side
            yield Line(number="", name="\N{EN DASH}".join(side), value="")
        yield Line(
            number=places.get(row.entry, str(row.rank)) if shown.has_places else str(row.rank),
            name=at.entries[row.entry],
            value="" if shown.is_knockout else hundredths(row.points),
        )


def _lines_of_line(line: Line, room: int) -> int:
    beside = (NUMBER if line.number else 0) + (VALUE if line.value else 0)
    if line.first:
        return 2 * screenfuls.lines_of(line.name, (room - beside) * 100 // FIRST)
    return screenfuls.lines_of(line.name, room - beside)


def _seats_in_columns(
    seats: Iterable[Seats], beside: int, room: int, most: int = screenfuls.LINES
) -> list[screenfuls.Columns[Seats]]:
    """The screenfuls of tables, with so much `beside` each name: its seat or its score. Those whose
    names have one line each in half of one column stand side by side there.
    """
    half = (room - NUMBER - GAP) // 2 - beside
    fitting = [
        replace(table, beside=all(screenfuls.lines_of(name, half) == 1 for _, name in table.seated))
        for table in seats
    ]

    def lines(table: Seats, given: int) -> int:
        if table.beside and given == room:
            return -(-len(table.seated) // 2)
        return sum(screenfuls.lines_of(name, given - NUMBER - beside) for _, name in table.seated)

    return screenfuls.in_columns(fitting, lines, room, most)
