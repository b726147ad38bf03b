"""Evening out how often each player sits at tables of each size, by exchanges
within a round after which no two meet twice.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from tournament.domain.schedules.values import Plan

TURNS = 6  # how often all rounds are gone over
LEAST_GAIN = -3  # of the counts of two: then the squares of them sum up to less

type Tables = list[list[int]]  # of a round
type Seated = Sequence[Counter[int]]  # of everybody: how often at tables of which size


def with_even_sizes(plan: Plan) -> Plan:
    """The plan in which two may have changed places in a round: one who is oftener at tables as
    large as his with one who is oftener at those of hers. The tables stay as large.

    Where somebody changes, groups no longer hold, and how they move is not told.
    """
    rounds = [[list(table.places) for table in each.tables] for each in plan.rounds]
    seated = _count_seats(rounds, plan.size)
    met = [0] * plan.size
    for tables in rounds:
        for table in tables:
            _meet(table, met)
    changed = False
    for _ in range(TURNS):
        exchanged = [_even_out_round(tables, seated, met) for tables in rounds]
        if not any(exchanged):
            break
        changed = True
    if not changed:
        return plan
    moved = zip(plan.rounds, rounds, strict=True)
    planned = tuple(each.with_places(tables) for each, tables in moved)
    return replace(plan, rounds=planned, groups=(), moves=())


def size_spread(plan: Plan) -> int:
    """By how much two differ at most in how often they sit at tables of one size."""
    seated = _count_seats(
        [[table.places for table in each.tables] for each in plan.rounds], plan.size
    )
    return _spread(seated)


def _count_seats(rounds: Sequence[Sequence[Sequence[int]]], size: int) -> list[Counter[int]]:
    seated: list[Counter[int]] = [Counter() for _ in range(size)]
    for tables in rounds:
        for table in tables:
            for player in table:
                seated[player][len(table)] += 1
    return seated


def _spread(seated: Seated) -> int:
    sizes = {size for each in seated for size in each}
    return max(
        (max(each[size] for each in seated) - min(each[size] for each in seated) for size in sizes),
        default=0,
    )


def _meet(table: Sequence[int], met: list[int]) -> None:
    """Everybody there meets everybody else, or no longer does: it turns from one to the other."""
    everybody = sum(1 << player for player in table)
    for player in table:
        met[player] ^= everybody ^ 1 << player


def _even_out_round(tables: Tables, seated: Seated, met: list[int]) -> bool:
    """Exchange in one round as long as it evens out; whether anybody was exchanged."""
    some = False
    for here, there in product(tables, tables):
        if len(here) <= len(there):
            continue
        while (found := _pair(here, there, seated, met)) is not None:
            _exchange(here, there, *found, seated, met)
            some = True
    return some


def _pair(
    here: Sequence[int], there: Sequence[int], seated: Seated, met: Sequence[int]
) -> tuple[int, int] | None:
    """Return a player of the larger table and one of the smaller that should change
    places, and can.
    """
    large, small = len(here), len(there)
    everybody_here = sum(1 << player for player in here)
    everybody_there = sum(1 << player for player in there)
    gains = [
        (
            seated[two][large] - seated[one][large] + seated[one][small] - seated[two][small],
            one,
            two,
        )
        for one in here
        for two in there
    ]
    for gain, one, two in sorted(gains):
        if gain > LEAST_GAIN:
            return None
        if not met[one] & everybody_there & ~(1 << two) and not met[two] & everybody_here & ~(
            1 << one
        ):
            return one, two
    return None


def _exchange(
    here: list[int], there: list[int], one: int, two: int, seated: Seated, met: list[int]
) -> None:
    for table in (here, there):
        _meet(table, met)
    here[here.index(one)], there[there.index(two)] = two, one
    for table in (here, there):
        _meet(table, met)
    large, small = len(here), len(there)
    for player, size, by in ((one, large, -1), (one, small, 1), (two, large, 1), (two, small, -1)):
        seated[player][size] += by
