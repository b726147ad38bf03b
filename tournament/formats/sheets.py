"""A sheet: a heading, columns and rows of plain values, the same whether it becomes CSV, a
workbook, JSON or paper.

Standings and results are sheets. Points and scores are numbers of points there, not hundredths.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.names import in_alphabet
from tournament.domain.standings.deal_points import shown_points_of_rounds
from tournament.domain.standings.ranking import Standing, Standings
from tournament.domain.standings.scales import bye_worth
from tournament.domain.standings.team_matches import part_tables
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import Bye, Scale, SeatedTable, Tournament
from tournament.domain.standings.writing import number, number_if_any

type Cell = str | int | float | None
type NamesAtTables = Mapping[int, Mapping[str, str]]  # by table, by entry
type ByeWords = Callable[[Scale, Bye], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """`columns` are (key, heading) pairs: the key stays the same in every language; each row has a
    cell for every column. `note` says on paper how its cells are read, or what they rest on.
    """

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the columns."""
        return tuple(heading for _key, heading in self.columns)

    def records(self) -> Iterator[dict[str, Cell]]:
        """Every row by the keys of its columns."""
        keys = [key for key, _heading in self.columns]
        return (dict(zip(keys, row, strict=True)) for row in self.rows)


def standings_sheet(
    title: str,
    table: Standings,
    names: Mapping[str, str],
    tie_breaks: Sequence[str],
    words: Mapping[str, str],
) -> Sheet:
    """A row an entry, the best first: rank, entry, name, points, each tie-break, tables played.
    Where each direction has a winner the side, NS or EW, stands before the rank, which is one among
    those who sat there. `words` are headings by key.
    """
    sides = any(row.side for row in table.rows)
    keys = (*(("side",) if sides else ()), "rank", "entry", "name", "points")
    columns = [(key, words[key]) for key in keys]
    columns += [(name, TIE_BREAKS[name].title) for name in tie_breaks] + [
        ("played", words["tables_played"])
    ]
    rows = tuple(
        (
            *((row.side,) if sides else ()),
            row.rank,
            row.entry,
            names[row.entry],
            number_if_any(row.points),
            *(_in(row, name) for name in tie_breaks),
            row.played,
        )
        for row in table.rows
    )
    return Sheet(title=title, columns=tuple(columns), rows=rows)


def _in(row: Standing, name: str) -> Cell:
    """Return the value of a row in a tie-break, None if its stage doesn't count that."""
    values = dict(row.tie_breaks)
    return number(values[name]) if name in values else None


def results_sheet(
    title: str,
    tournament: Tournament,
    names: Mapping[int, Mapping[str, str]],
    words: Mapping[str, str],
    out: ByeWords,
    at_tables: Mapping[int, NamesAtTables],
) -> Sheet:
    """A row an entry and round: where and whom it met, its score and its points; empty cells while
    a result is missing.

    `names` are those of the entries in each of the rounds shown, `at_tables` those of teams of whom
    others sit at each table; `out` says what a bye counts.
    """
    keys = ("round", "table", "entry", "name", "opponent", "score", "points", "kind")
    rows = tuple(
        row
        for each, of_round in names.items()
        for row in _rows_of(
            tournament, each, of_round, at_tables.get(each, {}), words=words, out=out
        )
    )
    return Sheet(title=title, columns=tuple((key, words[key]) for key in keys), rows=rows)


def seating_sheet(
    title: str,
    tournament: Tournament,
    each: int,
    names: Mapping[str, str],
    words: Mapping[str, str],
    sides: Callable[[int], Sequence[str]],
    company: Callable[[Sequence[str], Sequence[str]], str],
    out: ByeWords,
    at_tables: NamesAtTables,
) -> Sheet:
    """A row an entry by name: the table and the side of it, or why it has none, and whom it meets;
    `sides` says what the entries of a table with so many sit at, `company` in words with and
    against whom somebody plays where partners change, `out` what a bye counts, and
    `at_tables` the names of teams of whom others sit at each table.
    """
    keys = ("name", "table", "side", "opponent", "kind")
    drawn = tournament.rounds[each - 1]
    seated: list[tuple[Cell, ...]] = [
        (
            here[entry],
            table.table,
            sides(len(table.entries))[place],
            company(
                [here[other] for other in table.partners_of(place)],
                [here[other] for other in table.opponents(place)],
            )
            if table.partners
            else " · ".join(here[other] for other in table.entries if other != entry),
            "",
        )
        for table in part_tables(drawn.tables)
        for here in (at_tables.get(table.table, names),)
        for place, entry in enumerate(table.entries)
    ]
    scale = tournament.stage_of(drawn).scale
    seated += [(names[bye.entry], None, "", "", out(scale, bye)) for bye in drawn.byes]
    rows = tuple(sorted(seated, key=lambda row: in_alphabet(str(row[0]))))
    partners = any(table.partners for table in drawn.tables)
    headings = {**words, "opponent": words["company"]} if partners else words
    return Sheet(title=title, columns=tuple((key, headings[key]) for key in keys), rows=rows)


def _rows_of(
    tournament: Tournament,
    each: int,
    names: Mapping[str, str],
    at_tables: NamesAtTables,
    *,
    words: Mapping[str, str],
    out: ByeWords,
) -> Iterator[tuple[Cell, ...]]:
    drawn = tournament.rounds[each - 1]
    points = shown_points_of_rounds(tournament)[each - 1]
    for match, table in _with_parts(drawn.tables):
        here = at_tables.get(table.table, names)
        for place, entry in enumerate(table.entries):
            others = " · ".join(here[other] for other in table.entries if other != entry)
            begins = match.table == table.table  # the points of a match stand once
            at = match.entries.index(entry)
            own = points[match.table][at] if match.results and begins else None
            yield (
                each,
                table.table,
                entry,
                here[entry],
                others,
                *_write_result_cells(table, place, own),
                words[_kind(table)],
            )
    scale = tournament.stage_of(drawn).scale
    for bye in drawn.byes:
        worth = number_if_any(bye_worth(scale, bye))
        yield each, None, bye.entry, names[bye.entry], "", None, worth, out(scale, bye)


def _with_parts(tables: Iterable[SeatedTable]) -> Iterator[tuple[SeatedTable, SeatedTable]]:
    """Every table by itself, with the match that it is of."""
    return ((match, part) for match in tables for part in match.parts or (match,))


def _write_result_cells(table: SeatedTable, place: int, points: int | None) -> tuple[Cell, Cell]:
    score = table.results[place].score if table.results else None
    return (None if score is None else number(score), None if points is None else number(points))


def _kind(table: SeatedTable) -> str:
    if table.forfeit:
        return "forfeit"
    if table.excused:
        return "excused"
    return "played" if table.results else "missing"
