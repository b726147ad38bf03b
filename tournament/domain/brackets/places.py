"""The places of a knock-out: who was knocked out where shares which of them (F7)."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from tournament.domain.brackets.progress import Absent, MatchState, Occupant, Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPlaces:
    """The entries, by their seeds, that share the places from `first` to `last`. While matches are
    still to be played, others may come to share them.
    """

    first: int
    last: int
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """Those who left a knock-out on the same way, and how many will have at the end."""

    entries: tuple[str, ...]
    size: int


def places(progress: Progress) -> tuple[SharedPlaces, ...]:
    """The places of all who are out or play for third place alone, and of the winner, best first.

    Who lost in the same round of the winners' bracket of a single elimination, or of the losers' of
    a double, shares its places; the third and the fourth are apart where a match was played for
    them. Two who were both gone from a match have the places of its round's losers.
    """
    last = len(progress.seeds)
    found = []
    for way in _ways(progress):
        first = last - way.size + 1
        if way.entries:
            entries = tuple(seed for seed in progress.seeds if seed in way.entries)
            found.append(SharedPlaces(first=first, last=last, entries=entries))
        last = first - 1
    return tuple(reversed(found))


def champion(progress: Progress) -> Occupant:
    """Return the winner of the whole knock-out, unknown while it is running."""
    return _find_deciding_match(progress).winner


def is_over(progress: Progress) -> bool:
    """Whether every match is decided, passed over or not needed."""
    return all(state.winner is not Absent.UNKNOWN for state in progress.states)


def _ways(progress: Progress) -> Iterator[_Way]:
    """From the last places up."""
    third = [state for state in progress.states if state.match.bracket == "third"]
    levels: dict[tuple[bool, int], list[MatchState]] = {}
    for state in progress.states:
        if state.match.bracket != "third":
            levels.setdefault(_level(state, progress), []).append(state)
    going_on = _list_losers_playing_on(progress)
    *rounds, final = (levels[level] for level in sorted(levels))
    for states in rounds:
        yield _way_out(states, going_on)
    for state in third:
        yield from _ways_of_third(state)
    yield _way_out(final, going_on)
    yield _way_up(_find_deciding_match(progress))


def _ways_of_third(state: MatchState) -> Iterator[_Way]:
    """Of the match for third place: until it is decided its two share both places, for neither can
    come higher.
    """
    if state.winner is not Absent.UNKNOWN:
        yield _way_out((state,), ())
        yield _way_up(state)
        return
    known = tuple(each for each in state.entries if isinstance(each, str))
    nobody = sum(each is Absent.NOBODY for each in state.entries)
    yield _Way(entries=known, size=2 - nobody)


def _level(state: MatchState, progress: Progress) -> tuple[bool, int]:
    """Return the level reached by an entry that leaves by this match: whether it was
    the final, else the round.

    An entry that never came to the losers' bracket counts as lost in the match that the
    losers of this one go to.
    """
    if state.match.bracket in ("final", "reset"):
        return True, 0
    if state.match.bracket == "losers" or progress.knockout.elimination == "single":
        return False, state.match.round
    return next(
        _level(each, progress) for each in progress.states if state.match.number in _losers_in(each)
    )


def _list_losers_playing_on(progress: Progress) -> set[int]:
    """The matches whose losers play on."""
    return {
        number
        for state in progress.states
        if state.status != "not_needed"
        for number in _losers_in(state)
    }


def _losers_in(state: MatchState) -> list[int]:
    return [place.number for place in state.match.places if place.kind == "loser"]


def _way_out(states: Collection[MatchState], going_on: Collection[int]) -> _Way:
    found: list[str] = []
    to_come = 0
    for state in states:
        goes_on = state.match.number in going_on
        if state.winner is Absent.UNKNOWN:
            to_come += not goes_on
            continue
        stay = {state.winner, state.loser} if goes_on else {state.winner}
        found += [each for each in state.entries if isinstance(each, str) and each not in stay]
    return _Way(entries=tuple(found), size=len(found) + to_come)


def _way_up(state: MatchState) -> _Way:
    """Of the winner of a match after which there is none."""
    entries = (state.winner,) if isinstance(state.winner, str) else ()
    return _Way(entries=entries, size=0 if state.winner is Absent.NOBODY else 1)


def _find_deciding_match(progress: Progress) -> MatchState:
    """The match whose winner has won it all: the last of the final and its reset."""
    return next(
        state
        for state in reversed(progress.states)
        if state.match.bracket in ("final", "reset") and state.status != "not_needed"
    )
