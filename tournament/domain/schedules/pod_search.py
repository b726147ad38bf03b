"""Rounds that no construction has, looked for by exchanges from what the rule gives: tables of
mixed sizes, and rounds beyond those without repeats. The work is bounded in steps.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tournament.domain.schedules.annealer import draws, least_cost_tables
from tournament.domain.schedules.values import Plan, PlannedRound, build_round
from tournament.domain.standings.lots import lot

STEPS = 150_000  # in all, at about two microseconds
ATTEMPTS = 3  # to find one round more
TURNS = 3  # how often every round is gone over
MEETING, SITTING_OUT, SHORT = 4, 8, 1  # what costs how much, each time there was one before

# Of a round, those of the most seats first; who is alone is out.
type Tables = list[tuple[int, ...]]


def with_shape(plan: Plan, shape: Sequence[int], *, seed: int) -> list[PlannedRound]:
    """As many rounds as are found with tables of these sizes and nobody together twice, made from
    those of a plan; a size of 1 sits out.
    """
    found = _without_repeats(
        [_reshape_tables(each, shape) for each in plan.rounds], plan.size, seed
    )
    for attempt in range(ATTEMPTS):
        more = _without_repeats(
            [*found, _deal_tables(_order(plan.size, seed, attempt), shape)],
            plan.size,
            seed + attempt,
        )
        found = max(found, more, key=len)
    return list(map(_build_round, found))


def with_more_rounds(plan: Plan, rounds: int, *, seed: int) -> list[PlannedRound]:
    """The rounds of a plan, and more of the same tables with as few repeats as are found."""
    made = [_list_tables(each) for each in plan.rounds]
    shape = [len(table) for table in made[0]]
    for number in range(len(made), rounds):
        made.append(_deal_tables(_order(plan.size, seed, number), shape))
    _search_rounds(made, len(plan.rounds), plan.size, seed)
    return [*plan.rounds, *map(_build_round, made[len(plan.rounds) :])]


def _without_repeats(rounds: list[Tables], players: int, seed: int) -> list[Tables]:
    """The rounds bettered, without those that still have most repeats, until there is none."""
    made = list(rounds)
    met = _search_rounds(made, 0, players, seed)
    while repeats := [_repeats(tables, met) for tables in made]:
        if not max(repeats):
            break
        _count(met, made.pop(repeats.index(max(repeats))), -MEETING)
    return made


def _order(players: int, seed: int, number: int) -> list[int]:
    return sorted(range(players), key=lambda player: lot(seed, "order", number, player))


def _search_rounds(rounds: list[Tables], first: int, players: int, seed: int) -> list[list[int]]:
    """Go over all rounds from `first` on and better them; what everybody has met then, in
    `MEETING`s.
    """
    met = [[0] * players for _ in range(players)]
    for tables in rounds:
        _count(met, tables, MEETING)
    steps = STEPS // (TURNS * max(1, len(rounds) - first))
    for turn in range(TURNS):
        for number in range(first, len(rounds)):
            _count(met, rounds[number], -MEETING)
            rounds[number] = least_cost_tables(
                rounds[number],
                met,
                _seat_costs(rounds, number, players),
                draws(seed, "rounds", turn, number),
                steps=min(steps, STEPS // 12),
                slack=MEETING,
            )
            _count(met, rounds[number], MEETING)
    return met


def _seat_costs(rounds: Sequence[Tables], number: int, players: int) -> list[list[int]]:
    """For each table of a round: what it costs to seat a player there who sat out, or at a table of
    fewer, in other rounds.
    """
    alone, short, free = [0] * players, [0] * players, [0] * players
    for other, tables in enumerate(rounds):
        for table in tables if other != number else ():
            for player in table if len(table) < len(tables[0]) else ():
                short[player] += SHORT
                alone[player] += SITTING_OUT if len(table) == 1 else 0
    tables = rounds[number]
    return [
        alone if len(table) == 1 else short if len(table) < len(tables[0]) else free
        for table in tables
    ]


def _reshape_tables(each: PlannedRound, shape: Sequence[int]) -> Tables:
    """The tables of a round made as large as wanted, with as few moved as possible."""
    sizes = sorted(shape, reverse=True)
    tables = sorted((list(table.places) for table in each.tables), key=len, reverse=True)
    tables += [[] for _ in range(len(sizes) - len(tables))]
    moved = [player for table, size in zip(tables, sizes, strict=True) for player in table[size:]]
    for table, size in zip(tables, sizes, strict=True):
        del table[size:]
        while len(table) < size:
            table.append(moved.pop())
    return list(map(tuple, tables))


def _deal_tables(order: Sequence[int], shape: Sequence[int]) -> Tables:
    places: Iterator[int] = iter(order)
    return [tuple(next(places) for _ in range(size)) for size in shape]


def _list_tables(each: PlannedRound) -> Tables:
    tables = sorted((table.places for table in each.tables), key=len, reverse=True)
    return [*tables, *((player,) for player in each.out)]


def _build_round(tables: Tables) -> PlannedRound:
    return build_round(
        (table for table in tables if len(table) > 1),
        (table[0] for table in tables if len(table) == 1),
    )


def _repeats(tables: Tables, met: Sequence[Sequence[int]]) -> int:
    return sum(met[one][two] > MEETING for table in tables for one, two in combinations(table, 2))


def _count(met: list[list[int]], tables: Tables, by: int) -> None:
    for table in tables:
        for one, two in combinations(table, 2):
            met[one][two] += by
            met[two][one] += by
