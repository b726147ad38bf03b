"""Deals played at several tables and compared: matchpoints with Neuberg's formula, fouled deals,
artificial scores, travellers and totals (F8).

Matchpoints are exact fractions; `hundredths` rounds them once, where they are shown.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, NamedTuple

# How groups of three results or fewer of a fouled deal are scored: `neuberg` as larger ones;
# `spread` 60 % in the middle and 5 % for each matchpoint from there, where the group is at most a
# third of all (White Book of the EBU, 4.2.3.3), else as larger ones; `averages` 60 % for both sides
# of each table.
type SmallGroups = Literal["neuberg", "spread", "averages"]

SMALL_GROUPS: tuple[SmallGroups, ...] = ("neuberg", "spread", "averages")
SMALL_GROUP = 3
AVERAGE_PLUS, AVERAGE_MINUS = 60, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class DealResult:
    """A table's result on a deal: `score` is that of N–S minus that of E–W, None where there is
    none.

    `version` tells apart the forms in which a fouled deal was played. `awarded` is an artificial
    score instead of a result, N–S and E–W in per cent: 60 for a side at no fault, which gets its
    own mean where that is more, 50 as it stands, 40 for a side at fault, which gets its own mean
    where that is less (Law 12C2). Without score and award the deal doesn't
    count for the table.
    """

    north_south: str
    east_west: str
    score: int | None = None
    version: int = 1
    awarded: tuple[int, int] | None = None


class Matchpoints(NamedTuple):
    """The matchpoints of the two sides of a table for a deal."""

    north_south: Fraction
    east_west: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The matchpoints of a pair, out of so many."""

    matchpoints: Fraction
    of: Fraction

    @property
    def percentage(self) -> Fraction:
        """The share of the matchpoints that could be had, of 100; half where there were none."""
        return 100 * self.matchpoints / self.of if self.of else Fraction(50)


@dataclass(frozen=True, slots=True, kw_only=True)
class TravellerLine:
    """A table of a deal with what it got, None where the deal doesn't count for it."""

    result: DealResult
    matchpoints: Matchpoints | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """All deals of a session: a traveller each, the best result of N–S first, and everybody's
    total.
    """

    travellers: Mapping[int, tuple[TravellerLine, ...]]
    totals: Mapping[str, Total]


def session(
    deals: Mapping[int, Sequence[DealResult]],
    *,
    tables: int | None = None,
    small_groups: SmallGroups = "neuberg",
) -> Session:
    """The matchpoints of all deals, each as if `tables` results had been had: if None, as many as
    the deal that most tables were to play.

    Artificial scores come last: they take no part in the comparison, and the mean that is a side's
    least, or most, is that of the deals it has results of.
    """
    expected = tables or max(map(len, deals.values()), default=1)
    top = Fraction(2 * (expected - 1))
    ruled = {
        number: _average_small_groups(results, expected, small_groups)
        for number, results in deals.items()
    }
    lines = {
        number: _compare_results(results, expected, small_groups)
        for number, results in ruled.items()
    }
    means = totals(lines.values(), top)
    complete = {
        number: tuple(sorted((_complete(line, means, top) for line in each), key=_best_first))
        for number, each in lines.items()
    }
    return Session(travellers=complete, totals=totals(complete.values(), top))


def totals(travellers: Iterable[Iterable[TravellerLine]], top: Fraction) -> dict[str, Total]:
    """Return the total of each pair over deals with this top."""
    points: defaultdict[str, list[Fraction]] = defaultdict(list)
    for lines in travellers:
        for line in lines:
            if line.matchpoints is not None:
                points[line.result.north_south].append(line.matchpoints.north_south)
                points[line.result.east_west].append(line.matchpoints.east_west)
    return {
        pair: Total(matchpoints=sum(each, Fraction()), of=top * len(each))
        for pair, each in points.items()
    }


def matchpoints(scores: Sequence[int], expected: int | None = None) -> list[Matchpoints]:
    """Return the matchpoints of each of these scores of one group.

    2 for every other it beats and 1 for every equal one, brought by Neuberg's formula
    to `expected` results if there were to be more.
    """
    return [_worth(score, scores, expected or len(scores), spread=False) for score in scores]


def neuberg(points: int | Fraction, results: int, expected: int) -> Fraction:
    """Matchpoints of a deal with so many results as if there were `expected`:
    (MP + 1) · N / n − 1.
    """
    return (Fraction(points) + 1) * expected / results - 1


def regulation(group: int, expected: int, small_groups: SmallGroups) -> SmallGroups:
    """By which regulation a group of so many results of a fouled deal is scored."""
    is_small = group <= SMALL_GROUP and (small_groups != "spread" or 3 * group <= expected)
    return small_groups if is_small else "neuberg"


def hundredths(points: Fraction) -> int:
    """Matchpoints or a percentage as they are shown: hundredths, a half upwards."""
    return (200 * points.numerator + points.denominator) // (2 * points.denominator)


def _average_small_groups(
    results: Sequence[DealResult], expected: int, small_groups: SmallGroups
) -> list[DealResult]:
    """The results, those of small groups with the averages that the regulation gives them."""
    groups = Counter(result.version for result in results if _has_result(result))
    averaged = {
        version
        for version, group in groups.items()
        if len(groups) > 1 and regulation(group, expected, small_groups) == "averages"
    }
    return [
        replace(result, awarded=(AVERAGE_PLUS, AVERAGE_PLUS))
        if _has_result(result) and result.version in averaged
        else result
        for result in results
    ]


def _compare_results(
    results: Sequence[DealResult], expected: int, small_groups: SmallGroups
) -> list[TravellerLine]:
    """The tables of a deal, those with a result with what it is worth in its own group."""
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for result in results:
        if _has_result(result):
            groups[result.version].append(result.score or 0)
    return [
        TravellerLine(
            result=result,
            matchpoints=_worth(
                result.score or 0,
                groups[result.version],
                expected,
                spread=len(groups) > 1
                and regulation(len(groups[result.version]), expected, small_groups) == "spread",
            )
            if _has_result(result)
            else None,
        )
        for result in results
    ]


def _worth(score: int, group: Sequence[int], expected: int, *, spread: bool) -> Matchpoints:
    beaten, equal = sum(each < score for each in group), group.count(score) - 1
    north_south = 2 * beaten + equal
    east_west = 2 * (len(group) - 1) - north_south
    scaled = _spread if spread else neuberg
    return Matchpoints(
        scaled(north_south, len(group), expected), scaled(east_west, len(group), expected)
    )


def _spread(points: int, results: int, expected: int) -> Fraction:
    per_cent = AVERAGE_PLUS + 5 * (points - (results - 1))
    return Fraction(per_cent * 2 * (expected - 1), 100)


def _complete(line: TravellerLine, means: Mapping[str, Total], top: Fraction) -> TravellerLine:
    """The line with its artificial score, where it has one."""
    if line.result.awarded is None:
        return line
    for_north_south, for_east_west = line.result.awarded
    return replace(
        line,
        matchpoints=Matchpoints(
            _find_awarded_share(for_north_south, means.get(line.result.north_south)) * top,
            _find_awarded_share(for_east_west, means.get(line.result.east_west)) * top,
        ),
    )


def _find_awarded_share(per_cent: int, own: Total | None) -> Fraction:
    """The share of the top: a side at no fault never gets less than its own mean, and one at fault
    never more (Law 12C2(c)).
    """
    given = Fraction(per_cent)
    if own is not None and per_cent >= AVERAGE_PLUS:
        given = max(given, own.percentage)
    elif own is not None and per_cent <= AVERAGE_MINUS:
        given = min(given, own.percentage)
    return given / 100


def _has_result(result: DealResult) -> bool:
    return result.score is not None and result.awarded is None


def _best_first(line: TravellerLine) -> tuple[bool, int]:
    return not _has_result(line.result), -(line.result.score or 0)
