"""Entries of a salon's log that are asked for, newest first, without reading the log: walks along
indexes, a portion at a time.

A walk gives all entries of some types, of an actor, of some games, or simply all, from one entry
back. What else is asked for is looked at entry by entry, and at no more than `LOOKED_AT` of them:
whoever asks goes on where the search ended.
"""

import heapq
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from ledger.reading import fetch_all, head_of

LOOKED_AT = 4_000  # entries in one search
FIRST_PORTION, LARGEST_PORTION = 100, 1_000
COLUMNS = ("position", "stream", "version", "type", "actor", "occurred_at")
OF_AN_EVENT = ", ".join(f"e.{column}" for column in COLUMNS)
_ALL = (
    f"SELECT {OF_AN_EVENT} FROM ledger_event e WHERE e.log_id = %s AND e.position < "  # noqa: S608
    f"%s ORDER BY e.position DESC LIMIT %s"
)
_OF_A_TYPE = f"""
SELECT {OF_AN_EVENT} FROM ledger_event e
 WHERE e.log_id = %s AND e.type = %s AND e.position < %s ORDER BY e.position DESC LIMIT %s"""  # noqa: S608
_OF_AN_ACTOR = f"""
SELECT {OF_AN_EVENT} FROM ledger_command c {{index}}
  JOIN ledger_event e ON e.log_id = c.log_id AND e.position BETWEEN c.first_position
    AND c.last_position
 WHERE c.log_id = %s AND c.actor = %s AND c.first_position < %s AND e.position < %s
 ORDER BY c.first_position DESC, e.position DESC LIMIT %s"""  # noqa: S608
_OF_A_STREAM = (
    f"SELECT {OF_AN_EVENT} FROM ledger_event e WHERE e.stream = %s AND e.position < "  # noqa: S608
    f"%s ORDER BY e.version DESC LIMIT %s"
)
# As `ledger_event_told_later` has it: what did not happen in the hour before it was recorded.
_OF_OTHER_TIMES = f"""
SELECT {OF_AN_EVENT} FROM ledger_event e
 WHERE e.log_id = %s AND e.position < %s AND (e.occurred_at < (e.recorded_at - 3600000000)
   OR e.occurred_at > e.recorded_at)
 ORDER BY e.position DESC LIMIT %s"""  # noqa: S608
HOUR = 3_600_000_000  # microseconds


class FoundEvent(NamedTuple):
    """An entry of the log, as far as it is asked for."""

    position: int
    stream: str
    version: int
    type: str
    actor: str
    occurred_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSearch:
    """A search for log entries: of a kind, of an actor ("": all), of games, and of a time
    (microseconds UTC, None: any).

    `types` are those of the kind if it is found by them, else none; `streams` has the
    last entry of each game (None: all). Nothing is found of `unseen` games.
    """

    log: int
    unseen: frozenset[str]
    is_of_kind: Callable[[str], bool]
    types: Sequence[str]
    actor: str
    streams: dict[str, int] | None
    since: int | None
    until: int | None

    def wants(self, found: FoundEvent) -> bool:
        """Whether an entry is asked for."""
        return (
            found.stream not in self.unseen
            and self.is_of_kind(found.type)
            and self.actor in ("", found.actor)
            and (self.streams is None or found.stream in self.streams)
            and (self.since is None or found.occurred_at >= self.since)
            and (self.until is None or found.occurred_at <= self.until)
        )


def search_events(
    search: EventSearch, before: int | None, most: int
) -> tuple[list[FoundEvent], int | None]:
    """At most so many entries before an entry (None: before none), newest first; and where to go
    on, None where there is nothing more.
    """
    found: list[FoundEvent] = []
    start = head_of(search.log).position + 1 if before is None else before
    for looked, each in enumerate(_walk_candidates(search, start), start=1):
        if search.wants(each):
            found.append(each)
        if len(found) == most or looked == LOOKED_AT:
            return found, each.position
    return found, None


def _walk_candidates(search: EventSearch, before: int) -> Iterator[FoundEvent]:
    """Every entry that may be asked for, once."""
    if search.since is None and search.until is None:
        yield from _walk(search, before)
        return
    first, last = _span(search, before)
    usual = (each for each in _until(_walk(search, min(before, last + 1)), first))
    others = _portions(_OF_OTHER_TIMES, [search.log], before)
    seen = None
    for each in heapq.merge(usual, others, reverse=True):
        if each.position != seen:
            yield each
        seen = each.position


def _until(walk: Iterator[FoundEvent], first: int) -> Iterator[FoundEvent]:
    for each in walk:
        if each.position < first:
            return
        yield each


def _span(search: EventSearch, before: int) -> tuple[int, int]:
    """The first and last entry between which everything lies that happened in time and was recorded
    within the hour.
    """

    def recorded_at(position: int) -> int:
        rows = fetch_all(
            "SELECT recorded_at FROM ledger_event WHERE log_id = %s AND position = %s",
            [search.log, position],
        )
        return int(rows[0][0]) if rows else 0

    # Entries are recorded in the order of time: a few of them tell where a time lies.
    places = range(1, before)
    first = (
        1 if search.since is None else bisect_right(places, search.since - 1, key=recorded_at) + 1
    )
    last = (
        before - 1
        if search.until is None
        else bisect_right(places, search.until + HOUR, key=recorded_at)
    )
    return first, last


def _walk(search: EventSearch, before: int) -> Iterator[FoundEvent]:
    """The entries that the most telling index has."""
    if search.streams is not None:
        return _of_games(search.streams, before)
    if search.types:
        return heapq.merge(
            *(_portions(_OF_A_TYPE, [search.log, each], before) for each in search.types),
            reverse=True,
        )
    if search.actor:
        return _of_an_actor(search, before)
    return _portions(_ALL, [search.log], before)


def _of_an_actor(search: EventSearch, before: int) -> Iterator[FoundEvent]:
    # SQLite would take the index of all commands in their order.
    index = "INDEXED BY ledger_command_actor" if connection.vendor == "sqlite" else ""
    return _portions(_OF_AN_ACTOR.format(index=index), [search.log, search.actor], before, times=2)


def _of_games(streams: dict[str, int], before: int) -> Iterator[FoundEvent]:
    """The entries of these games: each game is opened when the walk comes to its last entry."""
    coming = sorted(streams.items(), key=lambda each: each[1])
    opened: list[tuple[int, FoundEvent, Iterator[FoundEvent]]] = []
    while coming or opened:
        while coming and (not opened or coming[-1][1] >= -opened[0][0]):
            _open(opened, _portions(_OF_A_STREAM, [coming.pop()[0]], before))
        if opened:
            _, found, rest = heapq.heappop(opened)
            yield found
            _open(opened, rest)


def _open(
    opened: list[tuple[int, FoundEvent, Iterator[FoundEvent]]], walk: Iterator[FoundEvent]
) -> None:
    found = next(walk, None)
    if found is not None:
        heapq.heappush(opened, (-found.position, found, walk))


def _portions(
    sql: str, values: Collection[object], before: int, *, times: int = 1
) -> Iterator[FoundEvent]:
    """The entries that a query gives, a portion before the other, each larger than the one it
    follows.
    """
    size = FIRST_PORTION
    while True:
        rows = [FoundEvent._make(row) for row in fetch_all(sql, [*values, *[before] * times, size])]
        yield from rows
        if len(rows) < size:
            return
        before, size = rows[-1].position, min(2 * size, LARGEST_PORTION)
