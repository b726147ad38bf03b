"""The contenders for the next round, from the results of the rounds before."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from scoring.errors import RuleViolation, sentence
from tournament.domain.pairing.values import Contender
from tournament.domain.standings.beginners import by_rating
from tournament.domain.standings.exact import round_half_up
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.results_by_round import (
    PLAYED,
    Course,
    Line,
    courses,
    round_courses,
    with_leavers,
)
from tournament.domain.standings.scales import draw_points
from tournament.domain.standings.team_matches import part_tables
from tournament.domain.standings.values import ENGINES, Stage, Tournament

FULL = ("pairing", "full")  # byes with full points
QUARTERS = 4  # the upper half is an even number: twice a quarter of all, rounded up


def contenders(
    tournament: Tournament, number: int, *, seated: Collection[str] | None = None
) -> tuple[Contender, ...]:
    """Everybody who plays in round `number`, or is `seated` in it, in the order of the entries, as
    they stand before it.
    """
    tournament = with_leavers(tournament)
    before = replace(tournament, rounds=tournament.rounds[: number - 1])
    each, first_engine = round_courses(before), tournament.engine == ENGINES[0]
    ranks = (
        {} if first_engine else {row.entry: row.rank for row in standings(before, exact=False).rows}
    )
    adjusted, virtual = _sum_adjustments(tournament, number), virtual_points(tournament, number)
    then = virtual_points(tournament, number - 1)
    earlier = {
        entry: sum(round_half_up(line.points) for line in course if line.round < number - 1)
        + then.get(entry, 0)
        for entry, course in each.items()
    }
    balances = _balances(before)
    return tuple(
        Contender(
            entry=entry.id,
            points=sum(round_half_up(line.points) for line in each[entry.id])
            + adjusted[entry.id]
            + virtual.get(entry.id, 0),
            club=entry.club,
            met=_meetings(each[entry.id]),
            byes=sum(
                line.kind in FULL or (not first_engine and _is_unplayed_win(line))
                for line in each[entry.id]
            ),
            floated=_find_float(entry.id, each[entry.id], earlier, number),
            balance=balances[entry.id],
            rank=ranks.get(entry.id, 0),
            virtual=virtual.get(entry.id, 0),
        )
        for entry in tournament.entries
        if (entry.plays_in(number) if seated is None else entry.id in seated)
    )


def rounds_met(tournament: Tournament, number: int) -> Mapping[frozenset[str], tuple[int, ...]]:
    """In which rounds before round `number` each two met at a table."""
    met: dict[frozenset[str], tuple[int, ...]] = {}
    for entry, course in courses(
        replace(with_leavers(tournament), rounds=tournament.rounds[: number - 1])
    ).items():
        for line in course:
            for other in line.opponents if line.kind == PLAYED else ():
                if entry < other:
                    met[frozenset((entry, other))] = (
                        *met.get(frozenset((entry, other)), ()),
                        line.round,
                    )
    return met


def check_ready(tournament: Tournament, number: int) -> None:
    """Raise RuleViolation `game_over` for a round after the last, `result_missing` where an earlier
    table has none and no excuse.
    """
    last = tournament.stage.rounds
    if last is not None and number > last:
        message = sentence(
            "round %(last)s was the last; round %(number)s can't be drawn", last=last, number=number
        )
        raise RuleViolation("game_over", message, path="stage.rounds")
    for place, tables in enumerate(tournament.rounds[: number - 1]):
        for seat, match in enumerate(tables.tables):
            if not match.results and not match.excused:
                table = next(
                    part for part in part_tables([match]) if not (part.results or part.excused)
                )
                message = sentence(
                    "table %(table)s of round %(round)s has no result; it has to be in, or "
                    "excused, before the next draw",
                    table=table.table,
                    round=place + 1,
                )
                path = f"rounds[{place}].tables[{seat}].result"
                raise RuleViolation("result_missing", message, path=path)


def _sum_adjustments(tournament: Tournament, number: int) -> Counter[str]:
    points: Counter[str] = Counter()
    for adjustment in tournament.adjustments:
        if adjustment.after_round < number:
            points[adjustment.entry] += adjustment.points
    return points


def _is_unplayed_win(line: Line) -> bool:
    """Whether a round brought as many points as a win without a game (FIDE C.04.1)."""
    return line.won and line.kind != PLAYED


def _meetings(course: Course) -> dict[str, int]:
    """Forfeits are no meetings; an excused table without a result is no meeting either."""
    return dict(
        Counter(opponent for line in course if line.kind == PLAYED for opponent in line.opponents)
    )


def _find_float(entry: str, course: Course, earlier: dict[str, int], number: int) -> int:
    last = next((line for line in course if line.round == number - 1), None)
    if last is None:
        return 0
    if last.kind in FULL:
        return -1
    if last.kind != PLAYED or len(last.opponents) != 1:
        return 0
    theirs, mine = earlier[last.opponents[0]], earlier[entry]
    return (theirs > mine) - (theirs < mine)


def _balances(tournament: Tournament) -> Counter[str]:
    balance: Counter[str] = Counter()
    for tables in tournament.rounds:
        for table in tables.tables:
            if len(table.entries) == 2 and not table.forfeit:
                balance[table.entries[0]] += 1
                balance[table.entries[1]] -= 1
    return balance


def upper_half(tournament: Tournament) -> frozenset[str]:
    """The entries that stand at least as high by rating as the last of the first half of those who
    were in the first round; that half is rounded up to an even number.

    Who comes later joins the half that the rating says.
    """
    ordered = by_rating(tournament.entries)
    begun = [entry for entry in ordered if entry.is_in(1)]
    size = 2 * -(-len(begun) // QUARTERS)
    if not begun:
        return frozenset()
    last = begun[min(size, len(begun)) - 1]
    return frozenset(entry.id for entry in ordered[: ordered.index(last) + 1])


def lend_points(stage: Stage, number: int) -> int:
    """The points (hundredths) that a round lends to the upper half: as many as a win brings in the
    first half of the accelerated rounds, half of that in the others, then none.
    """
    if number > stage.accelerated:
        return 0
    win = stage.scale.win if stage.scale.kind == "match" else 2 * draw_points(stage.scale)
    return win if number <= -(-stage.accelerated // 2) else win // 2


def virtual_points(tournament: Tournament, number: int) -> Mapping[str, int]:
    """The points (hundredths) that each of the upper half is drawn with in round `number` besides
    its own; nobody where the round is not accelerated.
    """
    points = lend_points(tournament.stage, number)
    return dict.fromkeys(upper_half(tournament), points) if points else {}
