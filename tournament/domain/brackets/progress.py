"""The state of a knock-out, as a fold of its results.

Who plays which match now, who won, what is ready, and what was played by others
than those who should have.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from scoring.errors import NotationError
from tournament.domain.brackets.values import Knockout, Match, Source, check_knockout, tree_of


class Absent(Enum):
    """Why no entry stands in a place: it isn't known yet, or nobody will come."""

    UNKNOWN = "unknown"
    NOBODY = "nobody"


type Occupant = str | Absent  # an entry by its key
type Status = Literal["waits", "ready", "decided", "walk_over", "not_needed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One recorded result of a match: its entries and the winner of each game in order,
    None for a drawn one.
    """

    match: int
    entries: tuple[str, str]
    winners: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """The state of a match by the results so far.

    `games` are the winners of the games that count, until one of the entries has won
    more than half of the match's games; drawn ones count for neither. `wrong` is what
    was played here on a wrong premise: by others than the `entries`.
    """

    match: Match
    entries: tuple[Occupant, Occupant]
    status: Status
    winner: Occupant = Absent.UNKNOWN
    loser: Occupant = Absent.UNKNOWN
    games: tuple[str | None, ...] = ()
    wrong: tuple[Played, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A knock-out as far as it has come: its matches in the order of their numbers."""

    knockout: Knockout
    seeds: tuple[str, ...]
    states: tuple[MatchState, ...]

    def state(self, match: int) -> MatchState:
        """That of the match with this number."""
        return self.states[match - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongPremise:
    """A match that was played, and by the results of today should have been played by others."""

    played: Played
    should: tuple[Occupant, Occupant]


def progress(
    knockout: Knockout,
    seeds: Sequence[str],
    results: Sequence[Played] = (),
    withdrawn: Collection[str] = (),
) -> Progress:
    """Return the state of every match, given the entries in the order of their seeds,
    all results, and the entries that have left.

    Of several results of one match by the same entries the last counts: a correction. A
    match is a walk-over if one of its entries left before it was decided, or no one
    came; if both have left, neither goes on. Raises NotationError for a result that
    can't be of this knock-out, and RuleViolation `bad_stage` (`check_knockout`).
    """
    check_knockout(knockout, len(seeds))
    matches = tree_of(knockout, len(seeds))
    _check_seeds(seeds)
    played: dict[int, list[Played]] = defaultdict(list)
    for place, each in enumerate(results):
        _check_played(each, f"results[{place}]", len(matches), seeds)
        played[each.match].append(each)
    states: dict[int, MatchState] = {}
    for match in matches:
        entries = _entries(match, seeds, states)
        states[match.number] = _state(
            match, entries, played[match.number], withdrawn, knockout.best_of // 2 + 1
        )
    return Progress(knockout=knockout, seeds=tuple(seeds), states=tuple(states.values()))


def ready(progress: Progress) -> tuple[MatchState, ...]:
    """The matches to be drawn next: those whose two entries are known and there, those with games
    still to be played among them. In a double elimination they are of both brackets.
    """
    return tuple(state for state in progress.states if state.status == "ready")


def wrong_premises(progress: Progress) -> tuple[WrongPremise, ...]:
    """All that was played by others than those who should have, for the director to settle."""
    return tuple(
        WrongPremise(played=each, should=state.entries)
        for state in progress.states
        for each in state.wrong
    )


def _entries(
    match: Match, seeds: Sequence[str], states: Mapping[int, MatchState]
) -> tuple[Occupant, Occupant]:
    if match.bracket == "reset" and not _needs_reset(states[match.number - 1]):
        return Absent.NOBODY, Absent.NOBODY
    one, two = (_occupant(place, match, seeds, states) for place in match.places)
    return one, two


def _needs_reset(final: MatchState) -> bool:
    """Whether the final doesn't end it (F7): it isn't decided, or whoever came by the losers'
    bracket won, so that the other has lost once.
    """
    if final.winner is Absent.UNKNOWN:
        return True
    return final.winner == final.entries[1] and final.loser is not Absent.NOBODY


def _occupant(
    place: Source, match: Match, seeds: Sequence[str], states: Mapping[int, MatchState]
) -> Occupant:
    if place.kind == "seed":
        return seeds[place.number - 1]
    if place.kind == "winner":
        return states[place.number].winner
    if place.kind == "loser":
        return states[place.number].loser
    return _survivor(place.number, match.round, seeds, states.values())


def _survivor(
    number: int, round_number: int, seeds: Sequence[str], states: Collection[MatchState]
) -> Occupant:
    """The so many-th by its seed of those who are still in before a round."""
    before = [state for state in states if state.match.round < round_number]
    if any(state.winner is Absent.UNKNOWN for state in before):
        return Absent.UNKNOWN
    out = {entry for state in before for entry in state.entries if entry != state.winner}
    left = [seed for seed in seeds if seed not in out]
    return left[number - 1] if number <= len(left) else Absent.NOBODY


def _state(
    match: Match,
    entries: tuple[Occupant, Occupant],
    played: Sequence[Played],
    withdrawn: Collection[str],
    majority: int,
) -> MatchState:
    right = [each for each in played if set(each.entries) == set(entries)]
    state = MatchState(
        match=match,
        entries=entries,
        status="waits",
        wrong=tuple(each for each in played if each not in right),
    )
    nobody = Absent.NOBODY
    if match.bracket == "reset" and set(entries) == {nobody}:
        return replace(state, status="not_needed", winner=nobody, loser=nobody)
    if Absent.UNKNOWN in entries:
        return state
    games, winner = _games_to_majority(right[-1].winners if right else (), majority)
    state = replace(state, games=games)
    if winner is not None:
        return replace(state, status="decided", winner=winner, loser=_other(entries, winner))
    there = [each for each in entries if isinstance(each, str) and each not in withdrawn]
    if len(there) == 2:
        return replace(state, status="ready")
    gone_on = there[0] if there else nobody
    return replace(state, status="walk_over", winner=gone_on, loser=_other(entries, gone_on))


def _games_to_majority(
    winners: Sequence[str | None], majority: int
) -> tuple[tuple[str | None, ...], str | None]:
    """The games until one has won so many, and who that is."""
    for last, winner in enumerate(winners, start=1):
        if winner is not None and winners[:last].count(winner) == majority:
            return tuple(winners[:last]), winner
    return tuple(winners), None


def _other(entries: tuple[Occupant, Occupant], winner: Occupant) -> Occupant:
    """Return the entry that goes where losers go: neither, if both have left."""
    if winner is Absent.NOBODY:
        return Absent.NOBODY
    one, two = entries
    return two if winner == one else one


def _check_seeds(seeds: Sequence[str]) -> None:
    for place, seed in enumerate(seeds):
        if seed in seeds[:place]:
            raise NotationError("%(entry)s is seeded twice", path=f"seeds[{place}]", entry=seed)


def _check_played(played: Played, path: str, matches: int, seeds: Sequence[str]) -> None:
    if not 1 <= played.match <= matches:
        raise NotationError(
            "there is no match %(match)s among %(matches)s",
            path=f"{path}.match",
            match=played.match,
            matches=matches,
        )
    one, two = played.entries
    if one == two or not {one, two} <= set(seeds):
        raise NotationError(
            "a match is between two of the entries, not %(one)s and %(two)s",
            path=f"{path}.entries",
            one=one,
            two=two,
        )
    for place, winner in enumerate(played.winners):
        if winner is not None and winner not in played.entries:
            raise NotationError(
                "%(winner)s isn't in the match of %(one)s and %(two)s",
                path=f"{path}.winners[{place}]",
                winner=winner,
                one=one,
                two=two,
            )
