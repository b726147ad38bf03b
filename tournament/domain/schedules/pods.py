"""Tables of k and k - 1 by construction, nobody together twice (F2): the ring rule over fields, the
whole-number rule, shifts that were looked for, and rounds of the groups among themselves.

Number j·g + x is place x of group j, for g tables; the last group may be short. Each table has one
of every group, so members of one group never meet, and whoever is in a full group plays at a table
of k once with every member of the short one. Members of the short group always do.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tournament.domain.schedules.complete import complete
from tournament.domain.schedules.empty_seats import with_empty_seats
from tournament.domain.schedules.galois_field import Field, field, prime_powers
from tournament.domain.schedules.pod_starters import by_pod_starter
from tournament.domain.schedules.shifts import shifts
from tournament.domain.schedules.values import Plan, PlannedRound, build_round

BEGINNINGS = 6  # of a choice of rounds


def pods(players: int, *, tables: int, seats: int, rounds: int | None = None) -> Plan:
    """A plan for `tables` of `seats` and one fewer, in which no two meet twice (F2, F4).

    The simplest construction that has `rounds`, for as many; without `rounds`, or where none has so
    many, the one with the most. (seats - 1) · tables < players <= seats · tables.
    """
    assert (seats - 1) * tables < players <= seats * tables
    best: Plan | None = None
    for plan in _constructions(players, tables, seats):
        if rounds is not None and len(plan.rounds) >= rounds:
            return first_rounds(plan, rounds)
        if best is None or len(plan.rounds) > len(best.rounds):
            best = plan
    assert best is not None
    return best


def pods_with_empty_seats(
    players: int, *, tables: int, seats: int, rounds: int | None = None
) -> Plan:
    """As `pods`, with stored starters besides; the seats that are empty are those of numbers whom
    everybody meets about as often, as far as rounds are left over for that.
    """
    assert (seats - 1) * tables < players <= seats * tables
    empty, best = seats * tables - players, None
    for whole in _with_starters(tables, seats):
        most = len(whole.rounds)
        for count in (most, most - 1) if rounds is None else (rounds,):
            if count <= (len(best.rounds) if best is not None else 0) or count > most:
                continue
            plan = with_empty_seats(whole, empty, count)
            best = best if plan is None else _with_moves(plan)
        if rounds is not None and best is not None:
            return best
    return best or pods_with_empty_seats(players, tables=tables, seats=seats)


def pods_of_other_rounds(players: int, *, tables: int, seats: int, rounds: int) -> Iterator[Plan]:
    """Plans of so many rounds, of the same constructions as `pods_with_empty_seats`, that play
    others of their rounds: every second of them, every third, beginning here or there.
    """
    empty = seats * tables - players
    for whole in _with_starters(tables, seats):
        for places in _apart(len(whole.rounds), rounds):
            played = tuple(whole.rounds[place] for place in places)
            plan = with_empty_seats(replace(whole, rounds=played), empty, rounds)
            if plan is not None:
                yield _with_moves(plan)


def _apart(most: int, rounds: int) -> Iterator[list[int]]:
    """Which rounds of so many are played, each a step after the one before, round and round."""
    for step in range(1, most if most > rounds else 0):
        for first in range(0, most, max(1, most // BEGINNINGS)):
            places = [(first + each * step) % most for each in range(rounds)]
            if len(set(places)) == rounds:
                yield places


def in_groups(*, tables: int, seats: int) -> Plan:
    """The plan of most rounds with all seats taken and one of every group at each table."""
    return max(
        (plan for plan in _constructions(seats * tables, tables, seats) if plan.groups),
        key=lambda plan: len(plan.rounds),
    )


def _with_starters(tables: int, seats: int) -> Iterator[Plan]:
    """Plans with all seats taken."""
    yield from _constructions(seats * tables, tables, seats)
    yield from by_pod_starter([seats] * tables)


def _with_moves(plan: Plan) -> Plan:
    return replace(plan, moves=_moves(plan.rounds, plan.groups))


def first_rounds(plan: Plan, rounds: int) -> Plan:
    """The first rounds of a plan; how groups move is told if they do so in these."""
    played = plan.rounds[:rounds]
    return replace(plan, rounds=played, moves=_moves(played, plan.groups))


def ring_rounds(tables: int, seats: int) -> int:
    """Return the number of rounds of the ring rule: as many as tables, or 0 if a part
    is too small for it.
    """
    return tables if min(prime_powers(tables), default=0) >= seats else 0


def whole_number_rounds(tables: int, seats: int) -> int:
    """Return the number of rounds of the whole-number rule, which exists for every
    number of tables.
    """
    return (tables - 1) // (seats - 1) + 1


def _constructions(players: int, tables: int, seats: int) -> Iterator[Plan]:
    """From the one that is told most easily in the room on."""
    ring = bool(ring_rounds(tables, seats))
    plain = _by_ring(players, tables, seats) if ring else _whole_number(players, tables, seats)
    yield plain
    yield from complete(players, tables=tables, seats=seats)
    yield from _then_in_groups(plain, tables, seats)
    if not ring:
        yield _search_shifts(players, tables, seats)
        yield from _then_in_groups(_search_shifts(players, tables, seats), tables, seats)


def _by_ring(players: int, tables: int, seats: int) -> Plan:
    """Group j moves by r times the j-th element: differences of two elements are units."""
    moved = [[_product(turn, group, tables) for group in range(seats)] for turn in range(tables)]
    return _in_groups(f"ring {tables}", players, tables, moved, add=_sum)


def _whole_number(players: int, tables: int, seats: int) -> Plan:
    moved = [
        [group * turn for group in range(seats)]
        for turn in range(whole_number_rounds(tables, seats))
    ]
    return _in_groups(f"whole-number {tables}", players, tables, moved)


def _search_shifts(players: int, tables: int, seats: int) -> Plan:
    return _in_groups(f"shifts {tables}", players, tables, shifts(tables, seats))


def _modulo(place: int, by: int, tables: int) -> int:
    return (place + by) % tables


def _in_groups(
    construction: str,
    players: int,
    tables: int,
    moved: Iterable[Sequence[int]],
    *,
    add: Callable[[int, int, int], int] = _modulo,
) -> Plan:
    """The plan in which group j sits `moved[r][j]` up from its places in round r, as `add` counts
    tables.
    """
    groups = tuple(
        tuple(range(first, min(first + tables, players))) for first in range(0, players, tables)
    )
    rounds = []
    for shift in moved:
        seated: list[list[int]] = [[] for _ in range(tables)]
        for group, by in zip(groups, shift, strict=True):
            for place, player in enumerate(group):
                seated[add(place, by, tables)].append(player)
        rounds.append(build_round(seated))
    plan = Plan(
        size=players, construction=construction, rounds=tuple(rounds), most_met=1, groups=groups
    )
    return first_rounds(plan, len(rounds))


def _then_in_groups(plan: Plan, tables: int, seats: int) -> Iterator[Plan]:
    """The plan and, where its groups are full and fill tables, rounds of each among itself."""
    if tables % seats or plan.size < seats * tables:
        return
    within = pods(tables, tables=tables // seats, seats=seats)
    more = tuple(
        build_round(
            [
                [group[place] for place in table.places]
                for group in plan.groups
                for table in each.tables
            ]
        )
        for each in within.rounds
    )
    yield replace(
        plan,
        construction=f"{plan.construction}, then {within.construction} in each group",
        rounds=(*plan.rounds, *more),
        groups=(),
        moves=(),
    )


def _moves(rounds: Sequence[PlannedRound], groups: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """By how many tables each group moves up after every round; () if one of them doesn't move so,
    or the round is the only one.
    """
    tables = max((len(each.tables) for each in rounds), default=0)
    at = [
        {player: table.table for table in each.tables for player in table.places} for each in rounds
    ]
    moves: list[int] = []
    for group in groups:
        steps = {
            (after[player] - before[player]) % tables
            for before, after in pairwise(at)
            for player in group
            if player in before and player in after
        }
        if len(steps) != 1:
            return ()
        moves.extend(steps)
    return tuple(moves)


def _sum(one: int, other: int, order: int) -> int:
    """The sum of two elements of the product of fields whose orders make up `order`."""
    return _by_parts(Field.add, one, other, order)


def _product(one: int, group: int, order: int) -> int:
    """An element times the one that is `group` in every part."""
    repeated, unit = 0, 1
    for part in prime_powers(order):
        repeated, unit = repeated + group * unit, unit * part
    return _by_parts(Field.multiply, one, repeated, order)


def _by_parts(combine: Callable[[Field, int, int], int], one: int, other: int, order: int) -> int:
    result, unit = 0, 1
    for part in prime_powers(order):
        result += combine(field(part), one // unit % part, other // unit % part) * unit
        unit *= part
    return result
