"""Seatings with one of each group at every table, nobody with anybody twice (F2), for at most five
groups of as many players as there are tables.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from tournament.domain.schedules.galois_field import field, prime_powers

type Seating = tuple[tuple[int, ...], ...]  # of each table, the place in each group

# Twelve has a part, 3, that is too small for the ring rule. In the group Z2 x Z6, whose pair (a, b)
# is written 6a + b, these five rows have all differences of every two rows once (found by search).
OF_TWELVE = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    (0, 2, 1, 6, 8, 7, 10, 9, 11, 4, 3, 5),
    (0, 3, 8, 10, 1, 9, 2, 6, 5, 7, 11, 4),
    (0, 4, 10, 9, 7, 1, 11, 5, 3, 2, 8, 6),
)

# Other numbers of tables that the ring rule has nothing for: by how much each of five groups is
# shifted in a round, a digit each (a is 10), modulo the tables. The differences of every two groups
# are all different (found by search).
SHIFTS = {
    6: "00035 01314 02542 03121 05400",
    10: "00762 01038 03603 04457 05190 06844 07226 08919 09385",
    14: "00b4b 01289 029d7 03db2 0487a 05413 06166 08691 09c04 0aa50 0b33d 0c0a8",
    15: "00680 01558 03a26 04c61 0501e 0649b 073d3 098ea 0ab4c 0be39 0c977 0dda4 0e1cd",
    18: "00a76 01169 02ea0 03002 0493g 058f8 0672h 07d17 094c1 0bfdd 0c253 0db4e 0e59a 0fhgc "
    "0gce5 0hgh4",
}


def transversals(tables: int, groups: int) -> tuple[Seating, ...]:
    """The seatings there are: as many as tables by the ring rule or for twelve tables, in which all
    of different groups meet; else as many as were found, or as the whole-number rule has.
    """
    if tables == len(OF_TWELVE[0]):
        return _of_twelve(groups)
    if min(prime_powers(tables), default=0) >= groups:
        return _by_ring(tables, groups)
    if tables in SHIFTS:
        return _by_shifts(
            tables, [[int(by, 36) for by in word] for word in SHIFTS[tables].split()], groups
        )
    return _by_shifts(tables, _whole_numbers(tables, groups), groups)


def _of_twelve(groups: int) -> tuple[Seating, ...]:
    return tuple(
        tuple(
            tuple((table // 6 + by // 6) % 2 * 6 + (table + by) % 6 for by in column[:groups])
            for table in range(12)
        )
        for column in zip(*OF_TWELVE, strict=True)
    )


def _by_ring(tables: int, groups: int) -> tuple[Seating, ...]:
    """Round r, table t: place t + r·j of group j, in every field that makes up the ring."""
    fields = [field(part) for part in prime_powers(tables)]
    elements = list(product(*(range(each.order) for each in fields)))
    numbers = {element: number for number, element in enumerate(elements)}
    return tuple(
        tuple(
            tuple(
                numbers[
                    tuple(
                        each.add(t, each.multiply(r, group))
                        for each, t, r in zip(fields, table, turn, strict=True)
                    )
                ]
                for group in range(groups)
            )
            for table in elements
        )
        for turn in elements
    )


def _by_shifts(tables: int, shifts: Iterable[Sequence[int]], groups: int) -> tuple[Seating, ...]:
    """Table t: place t + shift of each group, modulo the tables."""
    return tuple(
        tuple(tuple((table + by) % tables for by in shift[:groups]) for table in range(tables))
        for shift in shifts
    )


def _whole_numbers(tables: int, groups: int) -> list[list[int]]:
    """Round r: group j is shifted by r·j."""
    return [
        [turn * group for group in range(groups)]
        for turn in range((tables - 1) // (groups - 1) + 1)
    ]
