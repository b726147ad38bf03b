"""Tables of sizes further apart than one, from a plan of even tables: in every round a few who sit
at tables of the rarer size change to another of these, as from two fours to a five and a three.

Whoever changes meets others there, whom he had met in some other round of the plan: that one is
left out. So those rounds and changes are chosen of which most can stand together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from tournament.domain.schedules.values import Plan, PlannedRound, build_round

MOST_CHANGES = 2  # in a round

type Pairs = frozenset[frozenset[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """Some who change tables in a round: (who, from which table, to which), whom they meet there,
    and in which rounds of the plan these two met, a bit for each.
    """

    moves: tuple[tuple[int, int, int], ...]
    meets: Pairs
    against: int


def with_moved_seats(plan: Plan, shape: Sequence[int]) -> list[PlannedRound]:
    """The rounds found with tables of these sizes and nobody together twice, from those of a plan
    whose tables differ by one seat at most; [] where the sizes are not had by a few such changes.
    """
    sizes = sorted((len(table.places) for table in plan.rounds[0].tables), reverse=True)
    rare = _rarer(sizes, shape)
    if rare is None:
        return []
    size, changes = rare
    met = _map_meetings(plan)
    offers = [_offers(each, number, size, changes, met) for number, each in enumerate(plan.rounds)]
    chosen = _with_more(_standing_together(offers), offers)
    return [_apply_change(plan.rounds[number], chosen[number]) for number in sorted(chosen)]


def _rarer(sizes: Sequence[int], shape: Sequence[int]) -> tuple[int, int] | None:
    """At tables of which size how many change, so that these sizes come to the shape."""
    for size in set(sizes):
        for changes in range(1, min(MOST_CHANGES, sizes.count(size) // 2) + 1):
            others = [each for each in sizes if each != size]
            left = [size] * (sizes.count(size) - 2 * changes)
            moved = [size + 1, size - 1] * changes
            if sorted(others + left + moved) == sorted(shape):
                if changes > 1 and left:
                    return None  # too many to choose from
                return size, changes
    return None


def _map_meetings(plan: Plan) -> Mapping[tuple[int, int], int]:
    """In which round two meet, a bit for it; both ways round."""
    met = {}
    for number, each in enumerate(plan.rounds):
        for table in each.tables:
            for pair in permutations(table.places, 2):
                met[pair] = 1 << number
    return met


def _offers(
    each: PlannedRound, number: int, size: int, changes: int, met: Mapping[tuple[int, int], int]
) -> list[_Change]:
    """All changes between tables of the rarer size that a round could have."""
    rare = [place for place, table in enumerate(each.tables) if len(table.places) == size]
    single = {
        pair: [
            change
            for here, there in (pair, pair[::-1])
            for change in _between(each, here, there, met)
        ]
        for pair in combinations(rare, 2)
    }
    if changes == 1:
        return [change for found in single.values() for change in found]
    return [
        _Change(
            moves=one.moves + two.moves,
            meets=one.meets | two.meets,
            against=one.against | two.against,
        )
        for pair, other in combinations(single, 2)
        if not set(pair) & set(other)
        for one in single[pair]
        for two in single[other]
    ]


def _between(
    each: PlannedRound, here: int, there: int, met: Mapping[tuple[int, int], int]
) -> Iterator[_Change]:
    others = each.tables[there].places
    for player in each.tables[here].places:
        against = 0
        for other in others:
            against |= met.get((player, other), 0)
        yield _Change(
            moves=((player, here, there),),
            meets=frozenset(frozenset((player, other)) for other in others),
            against=against,
        )


def _standing_together(offers: Sequence[Sequence[_Change]]) -> dict[int, _Change]:
    """Rounds, each with a change that is against none of the others: always the one is given up
    that is most in the way, until none is.
    """
    live = dict.fromkeys(range(len(offers)))
    bits = (1 << len(offers)) - 1
    different = [list(dict.fromkeys(change.against for change in offer)) for offer in offers]
    best = dict.fromkeys(live, bits)
    while True:
        best = {
            number: best[number]
            and min((against & bits for against in different[number]), key=int.bit_count)
            for number in live
        }
        in_the_way = {
            number: best[number].bit_count() + sum(each >> number & 1 for each in best.values())
            for number in live
        }
        worst = max(live, key=lambda number: (in_the_way[number], number))
        if not in_the_way[worst]:
            break
        del live[worst]
        bits &= ~(1 << worst)
    chosen: dict[int, _Change] = {}
    for number in live:
        found = _find_change(number, chosen, offers, beside=live)
        if found is not None:
            chosen[number] = found
    return chosen


def _with_more(
    chosen: dict[int, _Change], offers: Sequence[Sequence[_Change]]
) -> dict[int, _Change]:
    """As many rounds more as can be taken in, those in their way with another change."""
    for number in [number for number in range(len(offers)) if number not in chosen] * 2:
        if number in chosen:
            continue
        against = [other for other, change in chosen.items() if change.against >> number & 1]
        trial = {other: change for other, change in chosen.items() if other not in against}
        wanted = dict.fromkeys((number, *chosen))
        for each in (number, *against):
            found = _find_change(each, trial, offers, beside=wanted)
            if found is None:
                break
            trial[each] = found
        else:
            chosen = trial
    return chosen


def _find_change(
    number: int,
    chosen: Mapping[int, _Change],
    offers: Sequence[Sequence[_Change]],
    *,
    beside: Mapping[int, object],
) -> _Change | None:
    """A change of a round that is against none of those `beside` it, and brings nobody together who
    meet by another that is chosen.
    """
    bits = sum(1 << other for other in beside)
    if any(change.against >> number & 1 for change in chosen.values()):
        return None
    taken = {pair for change in chosen.values() for pair in change.meets}
    return next(
        (
            change
            for change in offers[number]
            if not change.against & bits and taken.isdisjoint(change.meets)
        ),
        None,
    )


def _apply_change(each: PlannedRound, change: _Change) -> PlannedRound:
    tables = [list(table.places) for table in each.tables]
    for player, here, there in change.moves:
        tables[here].remove(player)
        tables[there].append(player)
    return build_round(tables, each.out)
