"""Special events of an evening for practice, so that a new director meets each of
them once: each a lesson with its end.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tournament.domain.standings.lots import lot
from tournament.domain.standings.values import HUNDREDTHS, Result
from tournament.domain.tournament.state import RoundState, State, TableState

LATECOMERS = ("Belated Lantern", "Hasty Pebble")  # names that nobody has
TARGET, MOST_ABOVE, MOST_BELOW = 250, 70, 230


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """Something that has happened, and whether the director has dealt with it.

    `step` names it; `entry` is whom it is about and `table` where, 0 for nowhere; `scores` are
    those that the table really had.
    """

    step: str
    done: bool
    round: int
    entry: str = ""
    table: int = 0
    scores: tuple[int, ...] = ()


def lessons(state: State) -> list[Lesson]:
    """Return the lessons so far, in the order in which they happened; none if this is
    no practice.
    """
    if not state.practice or len(state.entries) < len(CAST):
        return []
    return [
        lesson for number, of_round in LESSONS for lesson in _lessons_of(state, number, of_round)
    ]


def missed(state: State, table: TableState, number: int) -> bool:
    """Whether a table of a round reports nothing, because somebody did not come."""
    return number == 1 and cast(state, "no_show") in table.entries


def report_scores(state: State, table: TableState, number: int) -> tuple[Result, ...]:
    """Return the results that a table reports: in one case the two scores in each
    other's place.
    """
    scores = true_scores(state, table, number)
    order = reversed(scores) if number == 2 and cast(state, "swapped") in table.entries else scores
    return tuple(Result(score=score * HUNDREDTHS) for score in order)


def true_scores(state: State, table: TableState, number: int) -> tuple[int, int]:
    """Return the real final scores of the game of a table: one side has reached the
    target.
    """
    drawn = lot(state.seed, "practice", number, table.table)
    won, lost = TARGET + drawn % MOST_ABOVE, MOST_BELOW - drawn // MOST_ABOVE % MOST_BELOW
    return (won, lost) if drawn // 97 % 2 else (lost, won)


def cast(state: State, part: str) -> str:
    """The entry that has this part on the evening."""
    drawn = sorted(
        (entry.id for entry in state.entries[: len(CAST) + 1]),
        key=lambda key: lot(state.seed, "cast", key),
    )
    return drawn[CAST.index(part)]


CAST = ("no_show", "swapped", "late", "leaving", "slow")


def _lessons_of(
    state: State, number: int, of_round: Callable[[State, RoundState], Iterator[Lesson]]
) -> Iterator[Lesson]:
    if len(state.rounds) >= number and state.rounds[number - 1].published:
        yield from of_round(state, state.rounds[number - 1])


def _first(state: State, each: RoundState) -> Iterator[Lesson]:
    """One pair doesn't come, and another one comes late."""
    table = _table_of(each, cast(state, "no_show"))
    if table is not None:
        yield Lesson(
            step="no_show",
            done=table.is_settled,
            round=1,
            entry=cast(state, "no_show"),
            table=table.table,
        )
    yield Lesson(
        step="latecomers", done=any(entry.joined_in > 1 for entry in state.entries), round=1
    )


def _second(state: State, each: RoundState) -> Iterator[Lesson]:
    """One pair is late, one table needs more time, one has written its scores the wrong way round;
    and somebody has to leave.
    """
    late = cast(state, "late")
    yield Lesson(
        step="late",
        done=any(penalty.entry == late for penalty in state.penalties),
        round=2,
        entry=late,
    )
    slow = _table_of(each, cast(state, "slow"))
    if slow is not None:
        yield Lesson(
            step="slow",
            done=slow.extension > 0 or each.closed,
            round=2,
            entry=cast(state, "slow"),
            table=slow.table,
        )
    swapped = _table_of(each, cast(state, "swapped"))
    if swapped is not None:
        scores = true_scores(state, swapped, 2)
        right = tuple(result.score for result in swapped.results) == tuple(
            score * HUNDREDTHS for score in scores
        )
        if swapped.results or each.closed:
            yield Lesson(
                step="swapped",
                done=right,
                round=2,
                entry=cast(state, "swapped"),
                table=swapped.table,
                scores=scores,
            )
    leaving = state.entry(cast(state, "leaving"))
    if leaving is not None and not _is_incomplete(each):
        yield Lesson(step="leaving", done=leaving.is_withdrawn, round=2, entry=leaving.id)


def _is_incomplete(each: RoundState) -> bool:
    return any(not table.is_settled for table in each.tables)


def _table_of(each: RoundState, entry: str) -> TableState | None:
    return next((table for table in each.tables if entry in table.entries), None)


LESSONS: tuple[tuple[int, Callable[[State, RoundState], Iterator[Lesson]]], ...] = (
    (1, _first),
    (2, _second),
)
