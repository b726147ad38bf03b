"""Which substitutes a director would have named, so that those play who do by a file."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from tournament.domain.standings.values import Entry
from tournament.domain.tournament.substitutes import ReplacePlayer


def entered(entry: Entry) -> tuple[str, ...]:
    """Those whom an entry was entered with."""
    return entry.entered or entry.members_in(entry.joined_in)


def substitutes_of(entry: Entry, played: int) -> Iterator[ReplacePlayer]:
    """Yield each replacement of a player, from which round on or for which rounds;
    `played` rounds are over.
    """
    now = max(played + 1, entry.joined_in)
    for place in range(len(entry.players)):
        begin = (entry.joined_in - 1, entered(entry))
        lineups = [
            (last, players[place])
            for last, players in (begin, *entry.earlier, (None, entry.players))
        ]
        runs = [tuple(run)[-1] for _player, run in groupby(lineups, key=lambda each: each[1])]
        yield from (
            ReplacePlayer(
                entry=entry.id,
                players=((str(place + 1), player),),
                from_round=first,
                until_round=until,
            )
            for first, until, player in _replacements(runs, now)
        )


type _Run = tuple[int | None, str]  # one person up to this round (None: to the end)


def _replacements(runs: Sequence[_Run], now: int) -> Iterator[tuple[int, int | None, str]]:
    """From which round up to which somebody replaces who is at a place, so that its `runs` come of
    it. No round after `now` can be the first one: who plays later is said before those who play
    until then.
    """
    replacements = [(_first(runs, at), until, player) for at, until, player in _who_replaces(runs)]
    yield from (each for each in replacements if each[0] <= now)
    if any(first > now for first, _until, _player in replacements):
        ahead = [run for run in runs if run[0] is None or run[0] >= now]
        yield from ((now, until, player) for until, player in reversed(ahead))


def _who_replaces(runs: Sequence[_Run]) -> Iterator[tuple[int, int | None, str]]:
    """Which of the runs are of somebody who replaces another one, and up to which round: for a time
    where those who were there before come back.
    """
    at = 0
    while at + 1 < len(runs):
        usual, later = runs[at][1], range(at + 1, len(runs))
        back = next((place for place in later if runs[place][1] == usual), None)
        for place in range(at + 1, back or at + 2):
            yield place, runs[place][0] if back else None, runs[place][1]
        at = back or at + 1


def _first(runs: Sequence[_Run], at: int) -> int:
    return (runs[at - 1][0] or 0) + 1
