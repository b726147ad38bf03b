"""Knock-outs played for the tests."""

import random
from collections.abc import Callable, Collection, Sequence

from tournament.domain.brackets.progress import MatchState, Played, Progress, progress, ready
from tournament.domain.brackets.values import Knockout

type Chooses = Callable[[MatchState], str]


def seeds_of(count: int) -> list[str]:
    """Entries `e1`, `e2` and so on, in the order of their seeds."""
    return [f"e{number}" for number in range(1, count + 1)]


def entries_of(state: MatchState) -> tuple[str, str]:
    """Both entries of a match that has them."""
    one, two = state.entries
    assert isinstance(one, str)
    assert isinstance(two, str)
    return one, two


def won(state: MatchState, winner: str) -> Played:
    """A match won by the only game that is needed, or by as many as are."""
    return Played(match=state.match.number, entries=entries_of(state), winners=(winner,))


def first_wins(state: MatchState) -> str:
    return entries_of(state)[0]


def second_wins(state: MatchState) -> str:
    return entries_of(state)[1]


def better_seed_wins(state: MatchState) -> str:
    return min(entries_of(state), key=lambda entry: int(entry[1:]))


def by_lot(seed: int) -> Chooses:
    """Winners drawn by a number, the same for the same match and entries in either order."""

    def chosen(state: MatchState) -> str:
        entries = sorted(entries_of(state))
        return random.Random(f"{seed} {state.match.number} {entries}").choice(entries)

    return chosen


def played_out(
    knockout: Knockout,
    seeds: Sequence[str],
    chooses: Chooses = better_seed_wins,
    *,
    results: Sequence[Played] = (),
    withdrawn: Collection[str] = (),
) -> tuple[Progress, list[Played]]:
    """A knock-out played to its end from what was played already, round by round, and its
    results.
    """
    every = list(results)
    while True:
        now = progress(knockout, seeds, every, withdrawn)
        if not ready(now):
            return now, every
        every += [
            Played(
                match=state.match.number,
                entries=entries_of(state),
                winners=(chooses(state),) * (knockout.best_of // 2 + 1),
            )
            for state in ready(now)
        ]
