"""Tables of one round looked for by exchanges: threshold accepting in a fixed number of steps, all
chance from lots, no fractions; so it finds the same on every machine.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tournament.domain.standings.lots import lot

BITS = 16  # of a lot, used at a time

type Costs = Sequence[Sequence[int]]  # of every two players, symmetrical
type SeatCosts = Sequence[Sequence[int]]  # for every table: of each player there


def draws(seed: int, *purpose: str | int) -> Iterator[int]:
    """Numbers of 16 bits without end, from the lots of a seed and purpose."""
    number = 0
    while True:
        chance = lot(seed, *purpose, number)
        number += 1
        for _ in range(4):
            yield chance & 0xFFFF
            chance >>= BITS


def cost_of(tables: Sequence[Sequence[int]], costs: Costs, seat_costs: SeatCosts) -> int:
    """Return the cost of these tables: of every two at a table, and of each player at
    that table.
    """
    return sum(
        sum(costs[one][two] for one, two in combinations(table, 2))
        + sum(map(seats.__getitem__, table))
        for table, seats in zip(tables, seat_costs, strict=True)
    )


def least_cost_tables(
    tables: Sequence[Sequence[int]],
    costs: Costs,
    seat_costs: SeatCosts,
    chance: Iterator[int],
    *,
    steps: int,
    slack: int,
) -> list[tuple[int, ...]]:
    """The best tables found from these by exchanging two players at a time; each keeps its size.

    An exchange may make it worse by `slack` at first, then less and less. Whoever sits alone at a
    table sits out and meets nobody. Players are numbers from 0 on, each at one table.
    """
    seated = [list(table) for table in tables]
    players = sum(map(len, seated))
    at = [0] * players
    for number, table in enumerate(seated):
        for player in table:
            at[player] = number
    total = least = cost_of(seated, costs, seat_costs)
    best = [tuple(table) for table in seated]
    for step in range(steps):
        if not least:
            break
        one, two = next(chance) * players >> BITS, next(chance) * players >> BITS
        here, there = at[one], at[two]
        if here == there:
            continue
        theirs, others = costs[one], costs[two]
        now = sum(map(theirs.__getitem__, seated[here])) + seat_costs[here][one]
        if not now:
            continue  # nothing to mend there
        change = (
            sum(map(others.__getitem__, seated[here]))
            + sum(map(theirs.__getitem__, seated[there]))
            - sum(map(others.__getitem__, seated[there]))
            - 2 * theirs[two]
            - now
            + seat_costs[there][one]
            + seat_costs[here][two]
            - seat_costs[there][two]
        )
        if change > slack * (steps - step) // steps:
            continue
        seated[here][seated[here].index(one)] = two
        seated[there][seated[there].index(two)] = one
        at[one], at[two] = there, here
        total += change
        if total < least:
            least, best = total, [tuple(table) for table in seated]
    return best
