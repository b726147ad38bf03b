"""Entries from a pasted list or a CSV file: one a line, its players, then perhaps a club and a
rating.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.errors import Sentence, sentence
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.singles import NoteSingle

MOST_LINES = 500
MOST_RATING = 10_000
LONGEST_CLUB = 80
# Characters: two names of the longest, a club and a rating, and room for what parts them.
LONGEST_LINE = 400
BETWEEN_PLAYERS = re.compile(r"&|\+|/|\band\b|–")
RATING = re.compile(r"[0-9]{1,5}")
# What a first line says when it names the columns, digits and case apart.
HEADINGS = {
    "player": "player",
    "players": "player",
    "name": "player",
    "names": "player",
    "pair": "player",
    "partner": "player",
}
HEADINGS |= {"club": "club", "rating": "rating", "elo": "rating"}


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


def read_list(
    text: str, *, players: int, fewest: int | None = None, singles: bool = False
) -> Iterator[ListLine]:
    """The lines that are not blank. A line is `Asha & Cato; Core; 1510`, or CSV with as many
    players' columns first.

    Club and rating may be left out; a first line that names the columns may order them otherwise.
    `players` is how many people an entry has, `fewest` to `players` where entries are teams, whose
    names stand in one field; with `singles` a line with one name of two is
    somebody who waits for a partner.
    """
    sizes = range(players if fewest is None else fewest, players + 1)
    lines = [
        (number, line.strip())
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]
    columns = _columns_of([line for _number, line in lines[:2]])
    for place, (number, line) in enumerate(lines):
        if columns and place == 0:
            yield ListLine(number=number, text=line, heading=True)
        elif place >= MOST_LINES:
            yield ListLine(
                number=number,
                text=line,
                problem=sentence(
                    "a list has %(most)s lines at most; send the rest afterwards", most=MOST_LINES
                ),
            )
        elif len(line) > LONGEST_LINE:
            yield ListLine(
                number=number,
                text=line,
                problem=sentence("a line has %(most)s characters at most", most=LONGEST_LINE),
            )
        else:
            parts = (
                _by_columns(_fields(line), columns) if columns else _in_order(_fields(line), sizes)
            )
            yield replace(_list_line(parts, sizes, singles=singles), number=number, text=line)


def _list_line(parts: LineParts, sizes: range, *, singles: bool) -> ListLine:
    names, line = [name for name in parts.names if name], ListLine(number=0, text="")
    alone = singles and sizes == range(2, 3) and len(names) == 1
    if len(names) not in sizes and not alone:
        return replace(line, problem=_expected(sizes))
    if len(parts.clubs) > 1 or len(parts.ratings) > 1:
        return replace(
            line, problem=sentence("a club and a rating are all that can follow the names")
        )
    rating, club = next(iter(parts.ratings), ""), next(iter(parts.clubs), "")
    if rating and not (RATING.fullmatch(rating) and int(rating) <= MOST_RATING):
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


def _expected(sizes: range) -> Sentence:
    if len(sizes) > 1:
        return sentence(
            "%(least)s to %(most)s names are expected, as in “Asha & Cato & Emil; club; rating”",
            least=sizes[0],
            most=sizes[-1],
        )
    if sizes[0] == 2:
        return sentence("2 names are expected, as in “Asha & Cato; club; rating”")
    return sentence("a name is expected, as in “Asha; club; rating”")


def _fields(line: str) -> list[str]:
    """The fields of a line no longer than LONGEST_LINE: parted by semicolons or tabs, by commas
    where there are none of these.
    """
    parts = next((sign for sign in ";\t," if sign in line), ",")
    return [
        field.strip()
        for row in csv.reader([line], delimiter=parts, skipinitialspace=True)
        for field in row
    ]


def _columns_of(first: Sequence[str]) -> tuple[str, ...]:
    """The columns that the first line names; nothing where it is like the next, as of people who
    are called Player 01 and Player 02.
    """
    named = [_columns(_fields(line)) if len(line) <= LONGEST_LINE else () for line in first]
    return named[0] if named and not any(named[1:]) else ()


def _columns(fields: Sequence[str]) -> tuple[str, ...]:
    """What each column holds when these are headings, else nothing."""
    plain = [field.casefold().rstrip(" .0123456789") for field in fields]
    return (
        tuple(HEADINGS[each] for each in plain) if all(each in HEADINGS for each in plain) else ()
    )


def _by_columns(fields: Sequence[str], columns: Sequence[str]) -> LineParts:
    found: dict[str, list[str]] = {"player": [], "club": [], "rating": []}
    for column, field in zip(columns, fields, strict=False):
        found[column] += _players(field) if column == "player" else [field] if field else []
    return LineParts(names=found["player"], clubs=found["club"], ratings=found["rating"])


def _players(field: str) -> list[str]:
    return [name.strip() for name in BETWEEN_PLAYERS.split(field)]


def _in_order(fields: Sequence[str], sizes: range) -> LineParts:
    """The names in one field or in as many as an entry has players; what is a number after them is
    the rating.
    """
    players, together = sizes[-1], [name for name in _players(fields[0]) if name]
    names, rest = (
        (together, fields[1:])
        if len(sizes) > 1 or len(together) == players or len(fields) == 1
        else (fields[:players], fields[players:])
    )
    # One name and a rating are no pair.
    if len(names) == players == 2 and len(together) == 1 and RATING.fullmatch(names[1]):
        names, rest = names[:1], fields[1:]
    rest = [field for field in rest if field]
    return LineParts(
        names=names,
        clubs=[field for field in rest if not field.isdecimal()],
        ratings=[field for field in rest if field.isdecimal()],
    )
