"""Entries from a list: one a line, its players, then perhaps a club and a rating; or by columns
that a heading names or somebody chooses.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.errors import Sentence, sentence
from tournament.domain.list_columns import (
    CLUB,
    FIRST,
    LAST,
    PLAYERS,
    RATING,
    UNUSED,
    are_surnames_first,
    roles_of_headings,
    turn_name,
    without_number,
)
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.singles import NoteSingle

MOST_LINES = 500
MOST_RATING = 10_000
LONGEST_CLUB = 80
# Characters: two names of the longest, a club and a rating, and room for what parts them.
LONGEST_LINE = 400
BETWEEN_PLAYERS = re.compile(r"&|\+|/|\band\b|–")
A_RATING = re.compile(r"[0-9]{1,5}")
LOOKED_AT = 40  # lines that say which columns a list has


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """A line of a list by its number: the entry or single it asks for, or in `problem` why it can't
    be read.

    `heading`: it only names the columns.
    """

    number: int
    text: str
    entry: MakeEntry | NoteSingle | None = None
    problem: Sentence | None = None
    heading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LineParts:
    """The parts of a line."""

    names: Sequence[str]
    clubs: Sequence[str]
    ratings: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The contents of each column of a list, by ROLES; `heading`: the first line only
    names them.
    """

    roles: tuple[str, ...]
    heading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReading:
    """The way to read a list: with `players` in an entry, `fewest` to `players` in
    teams, whose names are in one field.

    With `singles` a line with one name of two is a player without a partner; with
    `turned` the surname comes first and is moved to the end. `columns` are chosen,
    None: as they are recognised.
    """

    players: int
    fewest: int | None = None
    singles: bool = False
    turned: bool = False
    columns: Columns | None = None

    @property
    def sizes(self) -> range:
        """The numbers of people that an entry may have."""
        return range(self.players if self.fewest is None else self.fewest, self.players + 1)


def read_list(text: str, reading: ListReading) -> Iterator[ListLine]:
    """The lines that are not blank. A line is `Asha & Cato; Core; 1510`, or CSV with as many
    players' columns first.

    Club and rating may be left out; a first line that names the columns may order them otherwise.
    """
    lines = _lines(text)
    commas = _has_surnames_first(lines, reading.sizes)
    columns = reading.columns or _headings(lines, commas, reading.sizes)
    for place, (number, line) in enumerate(lines):
        if columns is not None and columns.heading and place == 0:
            yield ListLine(number=number, text=line, heading=True)
            continue
        problem = _problem(place, line)
        if problem is not None:
            yield ListLine(number=number, text=line[:LONGEST_LINE], problem=problem)
            continue
        fields = _fields(line, commas, reading.sizes)
        parts = (
            _by_columns(fields, columns.roles)
            if columns is not None
            else _in_order(fields, reading.sizes)
        )
        if reading.turned:
            parts = replace(parts, names=[turn_name(name) for name in parts.names])
        yield replace(
            _list_line(parts, reading.sizes, singles=reading.singles), number=number, text=line
        )


def columns_of(text: str, reading: ListReading) -> tuple[Columns, tuple[str, ...]]:
    """The columns that a list is read by, recognised or chosen, and what stands first in each."""
    lines = _lines(text)[:LOOKED_AT]
    commas = _has_surnames_first(lines, reading.sizes)
    rows = [_fields(line, commas, reading.sizes) for _number, line in lines if _is_short(line)]
    width = max((len(row) for row in rows), default=0)
    first = tuple(
        (row[place] if place < len(row) else "") for row in rows[:1] for place in range(width)
    )
    columns = reading.columns or _headings(lines, commas, reading.sizes)
    if columns is None:
        columns = Columns(roles=_usual_roles(rows, width, reading.sizes))
    return replace(columns, roles=(*columns.roles, *(UNUSED,) * width)[:width]), first


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines that are not blank, each with its number."""
    return [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]


def _is_short(line: str) -> bool:
    return len(line) <= LONGEST_LINE


def _problem(place: int, line: str) -> Sentence | None:
    """Why a line isn't looked at, before any work is done on it."""
    if place >= MOST_LINES:
        return sentence(
            "a list has %(most)s lines at most; send the rest afterwards", most=MOST_LINES
        )
    if not _is_short(line):
        return sentence("a line has %(most)s characters at most", most=LONGEST_LINE)
    return None


def _list_line(parts: LineParts, sizes: range, *, singles: bool) -> ListLine:
    names, line = [name for name in parts.names if name], ListLine(number=0, text="")
    alone = singles and sizes == range(2, 3) and len(names) == 1
    if len(names) not in sizes and not alone:
        return replace(line, problem=_explain_expected(sizes))
    if len(parts.clubs) > 1 or len(parts.ratings) > 1:
        message = sentence(
            "a club and a rating can follow the names, and a rating is a whole number; “%(text)s” "
            "is one thing too many",
            text=(parts.ratings if len(parts.ratings) > 1 else parts.clubs)[-1][:20],
        )
        return replace(line, problem=message)
    rating, club = next(iter(parts.ratings), ""), next(iter(parts.clubs), "")
    if rating and not (A_RATING.fullmatch(rating) and int(rating) <= MOST_RATING):
        message = sentence(
            "a rating is a whole number up to %(most)s, not “%(rating)s”",
            most=MOST_RATING,
            rating=rating[:20],
        )
        return replace(line, problem=message)
    if len(club) > LONGEST_CLUB:
        return replace(
            line,
            problem=sentence(
                "the name of a club has %(most)s characters at most", most=LONGEST_CLUB
            ),
        )
    make = NoteSingle if alone else MakeEntry
    seated = tuple((str(place), name) for place, name in enumerate(names, start=1))
    return replace(
        line, entry=make(players=seated, club=club or None, rating=int(rating) if rating else None)
    )


def _explain_expected(sizes: range) -> Sentence:
    if len(sizes) > 1:
        return sentence(
            "%(least)s to %(most)s names are expected, as in “Asha & Cato & Emil; club; rating”",
            least=sizes[0],
            most=sizes[-1],
        )
    if sizes[0] == 2:
        return sentence("2 names are expected, as in “Asha & Cato; club; rating”")
    return sentence("a name is expected, as in “Asha; club; rating”")


def _has_surnames_first(lines: Sequence[tuple[int, str]], sizes: range) -> bool:
    """Whether the commas of a list of single players stand in their names: Casadei, Mara."""
    if sizes[-1] > 1:
        return False
    rows = [
        [field for field in _split(line, ",") if not field.isdecimal()]
        for _number, line in lines[:LOOKED_AT]
        if _is_short(line) and not {";", "\t", '"'}.intersection(line)
    ]
    return are_surnames_first(rows)


def _fields(line: str, commas: bool, sizes: range) -> list[str]:
    """The fields of a line no longer than LONGEST_LINE: parted by semicolons or tabs, by commas
    where there are none of these. With `commas` the first belongs to a name.

    Where the first comma stands before what joins two players, it is in their names too.
    """
    line = without_number(line)
    sign = next((sign for sign in ";\t" if sign in line), "")
    if sign or '"' in line:
        return _split(line, sign or ",")
    names = [name.strip() for name in BETWEEN_PLAYERS.split(line)]
    if sizes[-1] == 1:
        fields = _split(line, ",")
        words = [field for field in fields if field and not field.isdecimal()]
        has_club = len(words) == 3 and words == fields[:3]
        is_name = has_club or (commas and len(words) == 2 and words == fields[:2])
        return [", ".join(words[:2]), *fields[2:]] if is_name else fields
    if len(names) < 2 or names[0].count(",") != 1 or any(x.count(",") > 1 for x in names[:-1]):
        return _split(line, ",")
    last, *rest = names[-1].split(",", maxsplit=2)
    names[-1] = ", ".join([last.strip(), *(part.strip() for part in rest[:1])])
    return [" & ".join(names), *(_split(rest[1], ",") if len(rest) > 1 else ())]


def _split(line: str, sign: str) -> list[str]:
    return [
        field.strip()
        for row in csv.reader([line], delimiter=sign, skipinitialspace=True)
        for field in row
    ]


def _headings(lines: Sequence[tuple[int, str]], commas: bool, sizes: range) -> Columns | None:
    """The columns that the first line names; None where it is like the next, as of people who are
    called Player 01 and Player 02.
    """
    named = [
        roles_of_headings(_fields(line, commas, sizes)) if _is_short(line) else ()
        for _number, line in lines[:2]
    ]
    return (
        Columns(roles=named[0], heading=True) if named and named[0] and not any(named[1:]) else None
    )


def _by_columns(fields: Sequence[str], roles: Sequence[str]) -> LineParts:
    """The parts of a line by what each column holds; a first name and a surname beside each other
    are one name.
    """
    names: list[str] = []
    clubs, ratings, half = list[str](), list[str](), dict[str, str]()
    for role, field in zip(roles, fields, strict=False):
        if role in (FIRST, LAST):
            if role in half:
                names.append(half.pop(role))
            half[role] = field
            if len(half) == 2:
                names.append(f"{half.pop(FIRST)} {half.pop(LAST)}".strip())
        elif role == PLAYERS:
            names += _players(field)
        elif field and role in (CLUB, RATING):
            (clubs if role == CLUB else ratings).append(field)
    return LineParts(names=[*names, *half.values()], clubs=clubs, ratings=ratings)


def _players(field: str) -> list[str]:
    return [without_number(name).strip() for name in BETWEEN_PLAYERS.split(field)]


def _in_order(fields: Sequence[str], sizes: range) -> LineParts:
    """The names in one field or in as many as an entry has players; what is a number after them is
    the rating. A number before them counts the lines.
    """
    count, names = _names_first(fields, sizes)
    rest = [field for field in fields[count:] if field]
    return LineParts(
        names=names,
        clubs=[field for field in rest if not field.isdecimal()],
        ratings=[field for field in rest if field.isdecimal()],
    )


def _names_first(fields: Sequence[str], sizes: range) -> tuple[int, list[str]]:
    """In how many fields the names stand, and these."""
    if len(fields) > 1 and fields[0].isdecimal() and not fields[1].isdecimal():
        count, names = _names_first(fields[1:], sizes)
        return count + 1, names
    players, together = sizes[-1], [name for name in _players(fields[0]) if name]
    if len(sizes) > 1 or len(together) == players or len(fields) == 1:
        return 1, together
    # One name and a rating are no pair.
    if players == 2 and len(together) == 1 and A_RATING.fullmatch(fields[1]):
        return 1, together
    return players, [without_number(field) for field in fields[:players]]


def _usual_roles(rows: Sequence[Sequence[str]], width: int, sizes: range) -> tuple[str, ...]:
    """Return the most frequent role of each column when these rows are read in order."""
    found: list[Counter[str]] = [Counter() for _ in range(width)]
    for row in rows:
        count, _names = _names_first(row, sizes)
        for place, field in enumerate(row):
            if place < count:
                found[place][UNUSED if field.isdecimal() else PLAYERS] += 1
            elif field:
                found[place][RATING if field.isdecimal() else CLUB] += 1
    return tuple(each.most_common(1)[0][0] if each else UNUSED for each in found)
