"""Shifts of groups from round to round without a rule: looked for where no ring has enough.

Round r, group j, place x sits at table x + s(r, j) modulo the number of tables. Two of different
groups share a table once at most if the differences s(r, i) - s(r, j) of every two groups are all
different. So few numbers stand for a whole plan, and what is found holds for any players.
"""

from functools import cache
from itertools import combinations

from tournament.domain.standings.lots import lot

STEPS = 12_000  # what is tried at most
BITS = 16  # of a lot, used at a time

type Shift = tuple[int, ...]  # of each group, the first stays


@cache
def shifts(tables: int, seats: int) -> tuple[Shift, ...]:
    """Shifts of `seats` groups for as many rounds as are found, always the same ones; never fewer
    than by the whole-number rule.
    """
    found = _ShiftSet(tables=tables, seats=seats)
    for turn in range((tables - 1) // (seats - 1) + 1):
        found.add(tuple(group * turn % tables for group in range(seats)))
    most = tables - (tables % 2 == 0)  # the differences of three groups can't all occur if even
    for step in range(STEPS):
        if found.count == most:
            break
        found.offer(found.propose(lot(step, "shifts", tables, seats)))
    return found.shifts()


class _ShiftSet:
    """Shifts without two equal differences, and which of them has which difference."""

    def __init__(self, *, tables: int, seats: int) -> None:
        self.tables, self.seats, self.count = tables, seats, 0
        self.pairs = list(combinations(range(seats), 2))
        self.owners: list[list[Shift | None]] = [[None] * tables for _ in self.pairs]

    def add(self, shift: Shift) -> None:
        """Take it in; whoever had one of its differences must be out."""
        self._write(shift, shift)
        self.count += 1

    def propose(self, chance: int) -> Shift:
        """A shift whose groups each have a difference to the first that is still free."""
        shift = [0]
        for group in range(1, self.seats):
            free = [value for value, owner in enumerate(self.owners[group - 1]) if owner is None]
            chance, choice = chance >> BITS, (chance & (1 << BITS) - 1) * len(free) >> BITS
            shift.append(free[choice])
        return tuple(shift)

    def offer(self, shift: Shift) -> None:
        """Take it in if it stands against one other at most, which goes out."""
        against = {
            owner
            for (one, two), owners in zip(self.pairs, self.owners, strict=True)
            if (owner := owners[(shift[two] - shift[one]) % self.tables]) is not None
        }
        if len(against) > 1:
            return
        for other in against:
            self._write(other, None)
            self.count -= 1
        self.add(shift)

    def shifts(self) -> tuple[Shift, ...]:
        """All that are in, in a settled order."""
        return tuple(sorted({owner for owner in self.owners[0] if owner is not None}))

    def _write(self, shift: Shift, owner: Shift | None) -> None:
        for (one, two), owners in zip(self.pairs, self.owners, strict=True):
            owners[(shift[two] - shift[one]) % self.tables] = owner
