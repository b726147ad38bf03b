"""The progress of a knock-out by the tables that were played, and the places in it
(formats.md F7).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.domain.brackets.places import places
from tournament.domain.brackets.progress import Occupant, Played, Progress, progress
from tournament.domain.brackets.seeding import clubs_apart
from tournament.domain.brackets.values import FEWEST, MOST
from tournament.domain.standings.beginners import beginners, by_rating
from tournament.domain.standings.exact import Exact
from tournament.domain.standings.scales import points_of_round
from tournament.domain.standings.values import BY_RATING, Round, SeatedTable, Tournament

OPEN = ("waits", "ready")  # matches that are still to be played


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplaced:
    """A table of a round at which a `match` is played, or was, by other `entries` than those who
    `should` by the results of today.

    `settled`: nothing is to be done any more, for the match is decided without this table, or those
    who should play it are seated.
    """

    round: int
    table: int
    match: int
    entries: tuple[str, ...]
    should: tuple[Occupant, Occupant]
    settled: bool


def has_tree(tournament: Tournament) -> bool:
    """Whether there are as many entries as a knock-out can have."""
    return FEWEST <= len(beginners(tournament)) <= MOST


def knockout_so_far(tournament: Tournament) -> Progress:
    """Return the progress of the knock-out by all tables that have a result."""
    return progress(
        tournament.stage.knockout,
        seeds_of_knockout(tournament),
        tuple(_list_played_matches(tournament)),
        _list_withdrawn(tournament),
    )


def _list_withdrawn(tournament: Tournament) -> set[str]:
    """Return the entries that have left by the end of the rounds there are.

    An entry at a table whose result is awaited has left once it is settled.
    """
    playing = {
        entry
        for number, each in enumerate(tournament.rounds, start=1)
        for table in each.tables
        if not (table.results or table.excused)
        for entry in table.entries
        if _plays_to(tournament, entry) >= number
    }
    last = len(tournament.rounds)
    return {
        entry.id
        for entry in tournament.entries
        if entry.withdrawn_after is not None
        and entry.withdrawn_after <= last
        and entry.id not in playing
    }


def _plays_to(tournament: Tournament, entry: str) -> int:
    """The last round of an entry that has left, 0 for others."""
    left = next(each.withdrawn_after for each in tournament.entries if each.id == entry)
    return left or 0


def seeds_of_knockout(tournament: Tournament) -> tuple[str, ...]:
    """Those who begin it in the order of their seeds: as entered, or by rating; entries of one club
    apart in the first round where that is asked for.
    """
    entries = beginners(tournament)
    if tournament.stage.knockout.seeds == BY_RATING:
        entries = tuple(by_rating(entries))
    seeds = tuple(entry.id for entry in entries)
    if not tournament.stage.clubs_apart:
        return seeds
    return clubs_apart(seeds, {entry.id: entry.club for entry in entries})


def ranks_of_knockout(tournament: Tournament) -> dict[str, int]:
    """The rank of every entry: whoever can still win shares the first, everybody else has the first
    of the places shared.
    """
    if not has_tree(tournament):
        return {entry.id: 1 for entry in tournament.entries}
    so_far = knockout_so_far(tournament)
    out = {entry: shared.first for shared in places(so_far) for entry in shared.entries}
    begun = {entry: out.get(entry, 1) for entry in so_far.seeds}
    last = len(begun) + 1
    return {entry.id: begun.get(entry.id, last) for entry in tournament.entries}


def find_misplaced(tournament: Tournament) -> tuple[Misplaced, ...]:
    """All tables of a knock-out at which others sit, or sat, than the results send there today
    (F7); one that was excused was not played. Of another stage there are none.
    """
    if tournament.stage.kind != "knockout" or not has_tree(tournament):
        return ()
    so_far = knockout_so_far(tournament)
    return tuple(
        Misplaced(
            round=number,
            table=table.table,
            match=table.match,
            entries=table.entries,
            should=so_far.state(table.match).entries,
            settled=so_far.state(table.match).status not in OPEN
            or _is_seated(so_far, table.match, tournament.rounds[number:]),
        )
        for number, each in enumerate(tournament.rounds, start=1)
        for table in each.tables
        if table.match is not None
        and (table.results or not table.excused)
        and set(table.entries) != set(so_far.state(table.match).entries)
    )


def _is_seated(so_far: Progress, match: int, rounds: Sequence[Round]) -> bool:
    """Whether those who should play a match sit at a table of one of these rounds."""
    return any(
        table.match == match and set(table.entries) == set(so_far.state(match).entries)
        for each in rounds
        for table in each.tables
    )


def _list_played_matches(tournament: Tournament) -> Iterator[Played]:
    """The games of every match by those who played them, a match played by others once more."""
    games: dict[tuple[int, frozenset[str]], list[str | None]] = {}
    for each in tournament.rounds:
        points = points_of_round(tournament.stage.scale, each)
        for table in _matches(each):
            key = (table.match or 0, frozenset(table.entries))
            games.setdefault(key, []).append(_winner(table, points[table.table]))
    for (match, entries), winners in games.items():
        one, two = sorted(entries)
        yield Played(match=match, entries=(one, two), winners=tuple(winners))


def _matches(each: Round) -> Iterator[SeatedTable]:
    yield from (table for table in each.tables if table.match is not None and table.results)


def _winner(table: SeatedTable, points: Sequence[Exact]) -> str | None:
    """Return the entry with more points; a tie-break of a drawn game is another game."""
    if points[0] == points[1]:
        return None
    return table.entries[0 if points[0] > points[1] else 1]
