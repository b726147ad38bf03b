"""All the rounds a construction for changing partners has, and as many of them as an evening has
time for, in the best order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd

from tournament.domain.schedules.fair_orders import cost_of, fair_order
from tournament.domain.schedules.values import Plan, PlannedRound, build_round

FAIR_EDITION = 4  # of plans: from here on sitting out is shared first

type Table = tuple[int, ...]  # clockwise; the first and the third are partners
type Tables = tuple[Table, ...]  # of one game
type Place = tuple[int, int]  # the sitting and the game in it, both from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """A construction for `size` players with all its sittings: one game or more each, for which
    everybody stays at the same table. `together`: the games of a sitting are played one after the
    other whatever is asked for.
    """

    size: int
    construction: str
    sittings: tuple[tuple[Tables, ...], ...]
    together: bool = False

    @property
    def rounds(self) -> int:
        """The number of games in the whole cycle."""
        return sum(map(len, self.sittings))


def three_games(tables: Iterable[Table]) -> tuple[Tables, ...]:
    """A sitting in which everybody has each of the other three as partner once (F1.3)."""
    seated = tuple(tables)
    return (
        seated,
        tuple((a, c, b, d) for a, b, c, d in seated),
        tuple((a, b, d, c) for a, b, c, d in seated),
    )


def plan_of(cycle: Cycle, rounds: int, *, by_sitting: bool, edition: int = FAIR_EDITION) -> Plan:
    """A plan of so many rounds of the cycle: game by game in each sitting, or with a move after
    every game.

    Nobody sits out a second time before everyone has sat out once, if the cycle has such rounds;
    of these orders it is one in which the fewest are opponents a second time. Of an older `edition`
    it is one of the orders in equal steps in which the fewest are opponents a second time.
    """
    best = _fairest_order if edition >= FAIR_EDITION else _best_order
    chosen = best(cycle, rounds, by_sitting=by_sitting or cycle.together)
    return Plan(
        size=cycle.size,
        construction=cycle.construction,
        rounds=tuple(
            _build_round(cycle.sittings[sitting][game], cycle.size) for sitting, game in chosen
        ),
        partners=True,
        most_met=2,
        most_partnered=1,
    )


def _build_round(tables: Tables, size: int) -> PlannedRound:
    playing = {player for table in tables for player in table}
    return build_round(tables, (player for player in range(size) if player not in playing))


def _best_order(cycle: Cycle, rounds: int, *, by_sitting: bool) -> Sequence[Place]:
    orders = [order[:rounds] for order in _orders(cycle, by_sitting=by_sitting)]
    if rounds == cycle.rounds:
        return orders[0]
    again = _opponents_again(cycle)
    playing = {
        (number, game): {player for table in tables for player in table}
        for number, sitting in enumerate(cycle.sittings)
        for game, tables in enumerate(sitting)
    }

    def cost(order: Sequence[Place]) -> tuple[int, int]:
        in_order = set(order)
        out = Counter(
            player
            for place in order
            for player in range(cycle.size)
            if player not in playing[place]
        )
        return (
            sum(one in in_order and other in in_order for one, other in again),
            max(out.values(), default=0),
        )

    return min(orders, key=cost)


def _fairest_order(cycle: Cycle, rounds: int, *, by_sitting: bool) -> Sequence[Place]:
    """An order that shares the sitting out best; the one in equal steps if none does it better."""
    as_before = _best_order(cycle, rounds, by_sitting=by_sitting)
    units = _units(cycle, by_sitting=by_sitting)
    outs = [_out_of(cycle, unit) for unit in units]
    if rounds == cycle.rounds or not any(outs):
        return as_before
    unit_of = {place: number for number, unit in enumerate(units) for place in unit}
    again = _again_in(cycle, unit_of, len(units))
    before = list(dict.fromkeys(unit_of[place] for place in as_before))
    cost = cost_of(cycle.size, outs, again, before)
    fair = fair_order(cycle.size, outs, again, len(before))
    if cost[:2] <= fair.cost[:2]:
        return as_before
    return [place for number in fair.units for place in units[number]][:rounds]


def _units(cycle: Cycle, *, by_sitting: bool) -> list[list[Place]]:
    """Return the units that stay together in any order: the games of a sitting, or each
    game.
    """
    sittings = [
        [(number, game) for game in range(len(sitting))]
        for number, sitting in enumerate(cycle.sittings)
    ]
    return sittings if by_sitting else [[place] for places in sittings for place in places]


def _out_of(cycle: Cycle, unit: Sequence[Place]) -> tuple[int, ...]:
    sitting, game = unit[0]
    playing = {player for table in cycle.sittings[sitting][game] for player in table}
    return tuple(player for player in range(cycle.size) if player not in playing)


def _again_in(cycle: Cycle, unit_of: Mapping[Place, int], count: int) -> list[list[int]]:
    """Return the number of pairs that are opponents in both of two units, for each two
    units.
    """
    again = [[0] * count for _ in range(count)]
    for one, other in _opponents_again(cycle):
        if unit_of[one] != unit_of[other]:
            again[unit_of[one]][unit_of[other]] += 1
            again[unit_of[other]][unit_of[one]] += 1
    return again


def _orders(cycle: Cycle, *, by_sitting: bool) -> Iterator[list[Place]]:
    """The sittings in equal steps, beside where they began once they come back there; backwards
    is as good as forwards.
    """
    count = len(cycle.sittings)
    longest = max(map(len, cycle.sittings))
    for step in range(1, max(count // 2, 1) + 1):
        rings = gcd(step, count)
        sittings = [
            (first + turn * step) % count
            for first in range(rings)
            for turn in range(count // rings)
        ]
        if by_sitting:
            yield [
                (number, game) for number in sittings for game in range(len(cycle.sittings[number]))
            ]
        else:
            yield [
                (number, game)
                for game in range(longest)
                for number in sittings
                if game < len(cycle.sittings[number])
            ]


def _opponents_again(cycle: Cycle) -> list[tuple[Place, Place]]:
    """For every two who are opponents twice: where."""
    found: dict[tuple[int, int], list[Place]] = {}
    for number, sitting in enumerate(cycle.sittings):
        for game, tables in enumerate(sitting):
            for a, b, c, d in tables:
                for one, other in ((a, b), (b, c), (c, d), (d, a)):
                    pair = (one, other) if one < other else (other, one)
                    found.setdefault(pair, []).append((number, game))
    return [both for met in found.values() for both in combinations(met, 2)]
