"""The players of an entry in each round: line-ups one after the other, and someone
else at a place for some rounds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tournament.domain.tournament.state import EntryState

type Players = tuple[tuple[str, str], ...]  # (place, player) pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineup:
    """Those who play for an entry from round `first` to round `last` (None: to the end)."""

    first: int
    last: int | None
    players: Players


def lineups(entry: EntryState) -> Iterator[Lineup]:
    """The line-ups of an entry, in order; the first one from the round it joined in."""
    first = entry.joined_in
    for last, players in entry.earlier:
        yield Lineup(first=first, last=last, players=players)
        first = last + 1
    yield Lineup(first=first, last=None, players=entry.players)


def replace_players(
    entry: EntryState, players: Players, first: int, last: int | None
) -> EntryState:
    """The entry with these at their places from round `first` to `last`; who plays in the other
    rounds stays.
    """
    parts = (part for lineup in lineups(entry) for part in _cut(lineup, first, last))
    changed = (
        replace(part, players=_with(part.players, players))
        if is_within(part, first, last)
        else part
        for part in parts
    )
    *before, final = _join_equal(changed)
    earlier = tuple((part.last, part.players) for part in before if part.last is not None)
    began = before[0].players if before else final.players
    plays = any(entry.regular == part.players for part in (*before, final))
    return replace(
        entry,
        players=final.players,
        earlier=earlier,
        entered=entry.regular if plays and entry.regular != began else (),
    )


def runs(entry: EntryState, place: str) -> list[Lineup]:
    """Return the players at one place of an entry with their rounds, in order."""
    at_place = (
        replace(lineup, players=((place, dict(lineup.players)[place]),))
        for lineup in lineups(entry)
    )
    return _join_equal(at_place)


def is_within(lineup: Lineup, first: int, last: int | None) -> bool:
    """Whether a line-up plays in one of the rounds `first` to `last`."""
    return (lineup.last is None or first <= lineup.last) and (last is None or lineup.first <= last)


def _cut(lineup: Lineup, first: int, last: int | None) -> Iterator[Lineup]:
    """The line-up in two or three parts where these rounds begin or end within it."""
    for end in (first - 1, last):
        if end is not None and lineup.first <= end and (lineup.last is None or end < lineup.last):
            yield replace(lineup, last=end)
            lineup = replace(lineup, first=end + 1)
    yield lineup


def _join_equal(parts: Iterable[Lineup]) -> list[Lineup]:
    """The same, those one who are the same people one after the other."""
    joined: list[Lineup] = []
    for part in parts:
        if joined and joined[-1].players == part.players:
            joined[-1] = replace(joined[-1], last=part.last)
        else:
            joined.append(part)
    return joined


def _with(players: Players, others: Players) -> Players:
    return tuple((dict(players) | dict(others)).items())
