"""Games as lists of tables show them, with all that a line depends on, read in one look-up: a line
that was made stays right while this stays the same.

No rows of models: a hundred of them cost more than a page that has nothing new to say. So nothing
is taken out of a silent game here; `glance.listed` looks at what the visitor may see.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from django.db import connection

from ledger.reading import fetch_all
from tournament.models import Salon

ALL = 1_000_000  # more tables than any salon has

# What its players are called and how they want to be, in the order of their seats.
_CALLED = {
    "sqlite": """(SELECT group_concat(p.names_shown || char(31) || p.name, char(30))
      FROM json_each(g.seats) s JOIN tournament_player p ON p.id = s.value)""",
    "postgresql": """(SELECT string_agg(p.names_shown || chr(31) || p.name, chr(30) ORDER BY s.key)
      FROM json_each_text(g.seats) s JOIN tournament_player p ON p.id = s.value)""",
}
_GAMES = """
SELECT g.id, g.kind, g."table", g.played_on, g.finished, CAST(g.seats AS text),
       CAST(g.state AS text), {called}, g.started_position, g.position
  FROM tournament_game g"""
_PLAYING = """
 WHERE g.salon_id = %s AND {unfinished} ORDER BY g.started_position DESC LIMIT %s"""
_THESE = " WHERE g.salon_id = %s AND g.id IN ({marks})"
_UNFINISHED = {"sqlite": "g.finished = 0", "postgresql": "NOT g.finished"}


class Line(NamedTuple):
    """The parts of a line of a list: `seats` and `state` are JSON as the row has them,
    `called` changes with every name.
    """

    game: str
    kind: str
    table: str
    played_on: date | str | None
    finished: bool | int
    seats: str
    state: str
    called: str | None


class ListedGame(NamedTuple):
    """A game in a list: its line, and where in the log it began and was last recorded in."""

    line: Line
    started_position: int
    position: int


def playing(salon: Salon, most: int = ALL) -> list[ListedGame]:
    """The salon's games that are not over, the latest first, at most so many."""
    vendor = connection.vendor
    asked = (_GAMES + _PLAYING).format(called=_CALLED[vendor], unfinished=_UNFINISHED[vendor])
    return _read_games(asked, [salon.pk, most])


def list_games_by_id(salon: Salon, games: Sequence[str]) -> list[ListedGame]:
    """These games of the salon, in their order."""
    if not games:
        return []
    marks = ", ".join(["%s"] * len(games))
    asked = (_GAMES + _THESE).format(called=_CALLED[connection.vendor], marks=marks)
    found = {each.line.game: each for each in _read_games(asked, [salon.pk, *games])}
    return [found[game] for game in games if game in found]


def _read_games(sql: str, values: Sequence[object]) -> list[ListedGame]:
    return [
        ListedGame(Line._make(row[:8]), started, position)
        for *row, started, position in fetch_all(sql, values)
    ]
