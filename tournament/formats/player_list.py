"""Players from a list of another program: its columns, which of them hold the names, and what every
line comes to.
"""

import csv
import io
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tournament.domain.list_columns import (
    FIRST,
    LAST,
    PLAYERS,
    are_surnames_first,
    roles_of_headings,
    turn_name,
    without_number,
)
from tournament.domain.names import JOINERS, LONGEST_NAME, plain_name

MOST_LINES = 2_000
LONGEST_LINE = 2_000  # characters: lists of other programs have many columns
SEPARATORS = ";\t,|"
NO_SIGN = "\x1f"  # parts nothing: it comes in no list
UNREADABLE = f"this line can't be read: a line has {LONGEST_LINE} characters at most"
NEW, KNOWN, AGAIN, BAD = "new", "known", "again", "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A list as rows of fields; `columns` is how many the widest has, `lines` the number of each
    row in the text.

    A row that can't be read has no fields.
    """

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    @property
    def columns(self) -> int:
        """The fields of the widest row."""
        return max((len(row) for row in self.rows), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """Which column (from 0) holds the name, or the first of two that are put together; whether the
    first row only names them, and whether names are `turned`: Casadei, Mara is Mara Casadei.
    """

    name: int = 0
    second: int | None = None
    heading: bool = False
    turned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a line comes to: a `new` player, one `known`, one that came `again` in the list, or
    `bad` for the reason in `problem`.
    """

    number: int
    name: str
    kind: str
    problem: str = ""


def read_listed(text: str) -> Listed:
    """The rows that are not blank, parted by the sign that parts most of them alike."""
    given = text.replace("\x00", "")
    rows, lines = [], []
    for number, fields in _rows(given, _separator(given)):
        if fields is None or any(fields):
            rows.append(fields or ())
            lines.append(number)
    return Listed(rows=tuple(rows), lines=tuple(lines))


def _rows(text: str, separator: str) -> Iterator[tuple[int, tuple[str, ...] | None]]:
    """Each row with the number of its last line; None for one with a line or a field too long to be
    read.
    """
    too_long = set[int]()
    reader = csv.reader(_short_lines(text, too_long), delimiter=separator, skipinitialspace=True)
    while True:
        before = reader.line_num
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            yield reader.line_num, None
            continue
        readable = too_long.isdisjoint(range(before + 1, reader.line_num + 1))
        yield reader.line_num, tuple(field.strip() for field in row) if readable else None


def _short_lines(text: str, too_long: set[int]) -> Iterator[str]:
    """The lines of a text; of one that is `too_long` nothing but its end, so that nobody works on
    the rest.
    """
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if len(line) > LONGEST_LINE:
            too_long.add(number)
        yield line if len(line) <= LONGEST_LINE else "…\n"


def guess_columns(listed: Listed) -> Mapping:
    """The columns that the first row names, else the first column of rows that are names
    already.
    """
    roles = roles_of_headings(listed.rows[0]) if listed.rows else ()
    if PLAYERS in roles:
        return Mapping(name=roles.index(PLAYERS), heading=True)
    if FIRST in roles and LAST in roles:
        return Mapping(name=roles.index(FIRST), second=roles.index(LAST), heading=True)
    return Mapping()


def lines_of(listed: Listed, mapping: Mapping, known: Collection[str]) -> Iterator[Line]:
    """Yield the outcome of each row, in order."""
    names, seen = set(known), set[str]()
    for place, row in list(enumerate(listed.rows))[int(mapping.heading) :]:
        name, number = _name(row, mapping), listed.lines[place]
        problem = _problem(name, place) if row else UNREADABLE
        if problem:
            yield Line(number=number, name=name[:LONGEST_NAME], kind=BAD, problem=problem)
        else:
            name = name if name in names else _find_known_name(name, names)
            yield Line(
                number=number,
                name=name,
                kind=AGAIN if name in seen else KNOWN if name in names else NEW,
            )
            seen.add(name)


def _find_known_name(name: str, names: Collection[str]) -> str:
    """The known name that this is with its surname first, else the name."""
    turned = plain_name(turn_name(name))
    return turned if turned in names else name


def _problem(name: str, place: int) -> str:
    if not name.strip(JOINERS):
        return "there is no name in the columns chosen"
    if len(name) > LONGEST_NAME:
        return f"a name has {LONGEST_NAME} characters at most"
    return (
        ""
        if place < MOST_LINES
        else f"a list has {MOST_LINES} lines at most; send the rest afterwards"
    )


def _name(row: Sequence[str], mapping: Mapping) -> str:
    wanted = [mapping.name] if mapping.second is None else [mapping.name, mapping.second]
    name = without_number(" ".join(row[column] for column in wanted if column < len(row)))
    return plain_name(turn_name(name) if mapping.turned else name)


def _separator(text: str) -> str:
    """The sign that stands equally often, and at least once, in most of the first lines."""
    lines = [line for line in text.splitlines() if line.strip()][:20]
    counts = {sign: [line.count(sign) for line in lines] for sign in SEPARATORS}
    alike = {
        sign: max((found.count(count) for count in set(found) if count), default=0)
        for sign, found in counts.items()
    }
    sign = max(SEPARATORS, key=lambda sign: (alike[sign], -SEPARATORS.index(sign)))
    return NO_SIGN if sign == "," and _are_names(lines) else sign


def _are_names(lines: Sequence[str]) -> bool:
    """Whether the commas of these lines stand in names, surname first: they part no columns."""
    rows = [tuple(part.strip() for part in without_number(line).split(",")) for line in lines]
    has_headings = bool(rows and roles_of_headings(rows[0]))
    return not has_headings and not any('"' in line for line in lines) and are_surnames_first(rows)
