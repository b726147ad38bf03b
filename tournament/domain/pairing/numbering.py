"""Which entry has which number of a plan: by lot, by rating so that tables are even, or a club in
one group, whose members don't meet.
"""

from collections.abc import Sequence

from tournament.domain.schedules.values import Plan
from tournament.domain.standings.lots import lot
from tournament.domain.standings.values import BY_RATING, Entry


def numbers_of(
    entries: Sequence[Entry], plan: Plan, *, seed: int, seeding: str, clubs_apart: bool
) -> tuple[str, ...]:
    """The entries in the order of their numbers; clubs go before ratings."""
    if clubs_apart:
        numbers = numbers_by_club([entry.club for entry in entries], plan, seed=seed)
    elif seeding == BY_RATING:
        numbers = numbers_by_snake([entry.rating for entry in entries], plan, seed=seed)
    else:
        numbers = numbers_by_lot(len(entries), seed=seed)
    of = {number: entry.id for number, entry in zip(numbers, entries, strict=True)}
    return tuple(of[number] for number in range(len(entries)))


def numbers_by_lot(entries: int, *, seed: int) -> tuple[int, ...]:
    """A number for each, drawn."""
    return tuple(_entries_by_lot(entries, seed))


def numbers_by_snake(ratings: Sequence[int | None], plan: Plan, *, seed: int) -> tuple[int, ...]:
    """The highest rated in the first group, the next in the second, to and fro over the tables of
    the first round; who has no rating comes last, equal ones by lot.

    Every table has one of each group, so in every round each has one of the highest, one of the
    next and so on, and those of one group don't meet. Without groups the seats of the first round
    stand for them.
    """
    seeds = sorted(
        _entries_by_lot(len(ratings), seed),
        key=lambda entry: (ratings[entry] is None, -(ratings[entry] or 0)),
    )
    order = [
        number
        for row, group in enumerate(_rows(plan))
        for number in (group if row % 2 == 0 else reversed(group))
    ]
    of = dict(zip(seeds, order, strict=True))
    return tuple(of[entry] for entry in range(len(ratings)))


def numbers_by_club(clubs: Sequence[str | None], plan: Plan, *, seed: int) -> tuple[int, ...]:
    """Each club in one group of the plan, whose members don't meet: the largest first, where it
    just has room; what finds no room goes to another group, and who has no club comes last.

    The lot decides among equals. A plan without groups keeps no club apart.
    """
    free = [list(group) for group in _rows(plan)]
    members: dict[str, list[int]] = {}
    alone = []
    for entry in _entries_by_lot(len(clubs), seed):
        club = clubs[entry]
        if club is None:
            alone.append(entry)
        else:
            members.setdefault(club, []).append(entry)
    of: dict[int, int] = {}
    for together in [*sorted(members.values(), key=len, reverse=True), alone]:
        left = list(together)
        while left:
            group = _group_for(len(left), free)
            while left and group:
                of[left.pop(0)] = group.pop(0)
    return tuple(of[entry] for entry in range(len(clubs)))


def _group_for(members: int, free: Sequence[list[int]]) -> list[int]:
    """The fullest group with room for all of them, else the one with most room."""
    roomy = [group for group in free if len(group) >= members]
    return min(roomy, key=len) if roomy else max(free, key=len)


def _rows(plan: Plan) -> list[list[int]]:
    """The groups; without such, the first seats of all tables of the first round, the second, and
    so on, at last who sits out.
    """
    if plan.groups:
        return [list(group) for group in plan.groups]
    first = plan.rounds[0]
    seats = max(len(table.places) for table in first.tables)
    rows = [
        [table.places[seat] for table in first.tables if seat < len(table.places)]
        for seat in range(seats)
    ]
    return [*rows, list(first.out)] if first.out else rows


def _entries_by_lot(count: int, seed: int) -> list[int]:
    return sorted(range(count), key=lambda entry: lot(seed, "numbers", entry))
