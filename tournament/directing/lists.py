"""Entries from a pasted list: one a line, its players, then perhaps a club and a rating."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tournament.directing.commands import MakeEntry

MOST_LINES = 500
BETWEEN_PLAYERS = re.compile(r"\s*(?:&|\+|/|\band\b|–)\s*")
BETWEEN_FIELDS = re.compile(r"\s*[;\t]\s*")
RATING = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """A line of a list by its number: the entry it asks for, or in `problem` why it can't be read."""

    number: int
    text: str
    entry: MakeEntry | None = None
    problem: str = ""


def read_list(text: str, *, players: int) -> Iterator[ListLine]:
    """The lines that are not blank. A line is `Asha & Cato; Core; 1510`, or CSV with as many players' columns first.

    Club and rating may be left out; `players` is how many people an entry has.
    """
    for number, line in enumerate(text.splitlines()[:MOST_LINES], start=1):
        if line.strip():
            yield _read(number, line.strip(), players)


def _read(number: int, line: str, players: int) -> ListLine:
    names, rest = _parts(line, players)
    if len(names) != players or not all(names):
        expected = "Asha & Cato; club; rating" if players == 2 else "Asha; club; rating"
        return ListLine(number=number, text=line, problem=f"{players} names are expected, as in “{expected}”")
    rating = next((int(part) for part in rest if RATING.fullmatch(part)), None)
    club = next((part for part in rest if part and not RATING.fullmatch(part)), None)
    pairs = tuple((str(place), name) for place, name in enumerate(names, start=1))
    return ListLine(number=number, text=line, entry=MakeEntry(players=pairs, club=club, rating=rating))


def _parts(line: str, players: int) -> tuple[list[str], list[str]]:
    """The names and what comes after them; commas part fields where nothing else does."""
    fields = BETWEEN_FIELDS.split(line)
    if len(fields) == 1 and "," in line:
        fields = [field.strip().strip('"') for field in line.split(",")]
    together = [name for name in BETWEEN_PLAYERS.split(fields[0]) if name]
    if len(together) == players:
        return together, fields[1:]
    return fields[:players], fields[players:]
