"""A sheet: a heading, columns and rows of plain values, the same whether it becomes CSV, a
workbook, JSON or paper.

Standings and results are sheets. Points and scores are numbers of points there, not hundredths.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.names import in_alphabet
from tournament.domain.standings.deal_points import points_of_rounds
from tournament.domain.standings.ranking import Standing, Standings
from tournament.domain.standings.scales import bye_points
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import SeatedTable, Tournament
from tournament.domain.standings.writing import number

type Cell = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """`columns` are (key, heading) pairs: the key stays the same in every language; each row has a
    cell for every column.
    """

    title: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def headings(self) -> tuple[str, ...]:
        """What stands above the columns."""
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
        ("played", words["played"])
    ]
    rows = tuple(
        (
            *((row.side,) if sides else ()),
            row.rank,
            row.entry,
            names[row.entry],
            number(row.points),
            *(_in(row, name) for name in tie_breaks),
            row.played,
        )
        for row in table.rows
    )
    return Sheet(title=title, columns=tuple(columns), rows=rows)


def _in(row: Standing, name: str) -> Cell:
    """What a row has in a tie-break, nothing where its stage doesn't count that."""
    values = dict(row.tie_breaks)
    return number(values[name]) if name in values else None


def results_sheet(
    title: str,
    tournament: Tournament,
    names: Mapping[int, Mapping[str, str]],
    words: Mapping[str, str],
) -> Sheet:
    """A row an entry and round: where and whom it met, its score and its points; empty cells while
    a result is missing.

    `names` are those of the entries in each of the rounds shown.
    """
    keys = ("round", "table", "entry", "name", "opponent", "score", "points", "kind")
    rows = tuple(
        row
        for each, of_round in names.items()
        for row in _rows_of(tournament, each, of_round, words)
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
) -> Sheet:
    """A row an entry by name: the table and the side of it, or why it has none, and whom it meets;
    `sides` says what the entries of a table with so many sit at, `company` in words with and
    against whom somebody plays where partners change.
    """
    keys = ("name", "table", "side", "opponent", "kind")
    drawn = tournament.rounds[each - 1]
    seated: list[tuple[Cell, ...]] = [
        (
            names[entry],
            table.table,
            sides(len(table.entries))[place],
            company(
                [names[other] for other in table.partners_of(place)],
                [names[other] for other in table.opponents(place)],
            )
            if table.partners
            else " · ".join(names[other] for other in table.entries if other != entry),
            "",
        )
        for table in drawn.tables
        for place, entry in enumerate(table.entries)
    ]
    seated += [(names[bye.entry], None, "", "", words[f"{bye.kind}_bye"]) for bye in drawn.byes]
    rows = tuple(sorted(seated, key=lambda row: in_alphabet(str(row[0]))))
    partners = any(table.partners for table in drawn.tables)
    headings = {**words, "opponent": words["company"]} if partners else words
    return Sheet(title=title, columns=tuple((key, headings[key]) for key in keys), rows=rows)


def _rows_of(
    tournament: Tournament, each: int, names: Mapping[str, str], words: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    drawn = tournament.rounds[each - 1]
    points = points_of_rounds(tournament)[each - 1]
    for table in drawn.tables:
        for place, entry in enumerate(table.entries):
            others = " · ".join(names[other] for other in table.entries if other != entry)
            own = points[table.table][place] if table.results else None
            yield (
                each,
                table.table,
                entry,
                names[entry],
                others,
                *_reached(table, place, own),
                words[_kind(table)],
            )
    yield from _byes(tournament, each, names, words)


def _byes(
    tournament: Tournament, each: int, names: Mapping[str, str], words: Mapping[str, str]
) -> Iterator[tuple[Cell, ...]]:
    drawn = tournament.rounds[each - 1]
    for bye in drawn.byes:
        points = (
            bye_points(tournament.stage_of(drawn).scale, bye.kind)
            if bye.points is None
            else bye.points
        )
        yield (
            each,
            None,
            bye.entry,
            names[bye.entry],
            "",
            None,
            number(points),
            words[f"{bye.kind}_bye"],
        )


def _reached(table: SeatedTable, place: int, points: int | None) -> tuple[Cell, Cell]:
    score = table.results[place].score if table.results else None
    return (None if score is None else number(score), None if points is None else number(points))


def _kind(table: SeatedTable) -> str:
    if table.forfeit:
        return "forfeit"
    if table.excused:
        return "excused"
    return "played" if table.results else "missing"
