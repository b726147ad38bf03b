"""The best draw of a Swiss round: a matching of least cost over all pairs, found among few.

A thousand entries have half a million pairs; the best draw nearly always lies among those who stand
close to each other in the order of points and lots. So that is where it is looked for first. It is
taken when it reaches what no draw can do better, or as much as a matching over all pairs a best
draw can have; otherwise the circle grows, at last to all pairs. Only where these pairs are too many
to match in a moment (some 200 entries of equal points) a draw is taken unproved, when a circle
twice as wide finds none better.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from tournament.domain.pairing.costs import Tiers, Vector
from tournament.domain.pairing.matching import Edge, least_matching

NEAR = 16  # how many places below itself an entry looks at first
FEW = 64  # up to so many entries all pairs are looked at at once
PROVABLE = 20_000  # up to so many pairs are matched to prove a draw the best


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The pairs of the best draw and who sits out, by places in the tiers' players, and what it
    costs in every tier but the lot.
    """

    pairs: tuple[tuple[int, int], ...]
    out: int | None
    cost: Vector


def best_draw(tiers: Tiers) -> Matched:
    """The draw of least cost in the first tier, among those in the second, and so on to the lot."""
    size = len(tiers.players)
    circle, goal, before = (NEAR if size > FEW else size), lower_bound(tiers), None
    proof: Vector | None = None
    while True:
        matched = _match_pairs(tiers, _nearby(size, circle), with_lots=True)
        if matched is not None:
            if circle >= size or matched.cost in (goal, before):
                return matched
            proof = proof or _least_cost(tiers, matched.cost)
            if matched.cost == proof:
                return matched
            before = None if proof else matched.cost
        circle *= 2


def _least_cost(tiers: Tiers, found: Vector) -> Vector | None:
    """The least cost there is, found over all pairs that a draw may have which is as good as
    `found`; None if they are too many.
    """
    pairs = list(islice(_all_that_matter(tiers, found), PROVABLE + 1))
    if len(pairs) > PROVABLE:
        return None
    matched = _match_pairs(tiers, pairs, with_lots=False)
    return found if matched is None else matched.cost


def _nearby(size: int, near: int) -> Iterator[tuple[int, int]]:
    return ((one, two) for one in range(size) for two in range(one + 1, min(size, one + 1 + near)))


def _all_that_matter(tiers: Tiers, found: Vector) -> Iterable[tuple[int, int]]:
    """All pairs, or those of scores that the best can have where rematches and the bye are already
    as they should be.
    """
    size = len(tiers.players)
    out, seated = least_bye(tiers)
    if found[:5] != (0, 0, *out):
        return _nearby(size, size)
    allowed = set(possible_pairs(seated, found[5]))
    groups: dict[int, list[int]] = {}
    for place, height in enumerate(tiers.heights):
        groups.setdefault(height, []).append(place)
    return _between(groups, allowed)


def _between(
    groups: dict[int, list[int]], allowed: set[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    for high, low in allowed:
        if high == low:
            yield from (
                (one, two)
                for place, one in enumerate(groups[high])
                for two in groups[high][place + 1 :]
            )
        else:
            yield from ((one, two) for one in groups[high] for two in groups[low])


def _match_pairs(
    tiers: Tiers, pairs: Iterable[tuple[int, int]], *, with_lots: bool
) -> Matched | None:
    """The best matching of these pairs and of whoever may sit out, or None where they don't
    suffice.
    """
    size = len(tiers.players)
    edges = tiers.edges(pairs, with_lots=with_lots)
    if size % 2:
        edges += _byes(tiers, with_lots=with_lots)
    matching = least_matching(size + size % 2, edges)
    if matching is None:
        return None
    seated = tuple((one, two) for one, two in matching if two < size)
    out = next((one for one, two in matching if two == size), None)
    cost = sum(map(tiers.packed, (tiers.pair(one, two) for one, two in seated)))
    return Matched(
        pairs=seated,
        out=out,
        cost=tiers.unpacked(cost + (tiers.packed(tiers.bye(out)) if out is not None else 0)),
    )


def _byes(tiers: Tiers, *, with_lots: bool) -> list[Edge]:
    size = len(tiers.players)
    return [
        (one, size, tiers.packed(tiers.bye(one)) + (tiers.bye_lot(one) if with_lots else 0))
        for one in range(size)
    ]


type Balances = Mapping[int | None, int]


def lower_bound(tiers: Tiers) -> Vector:
    """A cost in every tier but the lot that no draw goes below, tier by tier as long as those above
    are reached.
    """
    out, left = least_bye(tiers)
    squares = sum((one - two) ** 2 for one, two in zip(left[::2], left[1::2], strict=True))
    seats = (len(left) // 2) * tiers.widest - _most_balanced(tiers, out)
    return (0, 0, *out, squares, 0, 0, seats)


def least_bye(tiers: Tiers) -> tuple[Vector, list[int]]:
    """Return the least cost of the bye (again, above the lowest, its place), and the
    heights of all others; nothing for an even number.
    """
    heights = list(tiers.heights)
    if len(heights) % 2 == 0:
        return (0, 0, 0), heights
    least = min(
        (player.byes, place, below)
        for player, place, below in zip(tiers.players, tiers.places, tiers.below, strict=True)
    )
    heights.remove(_height_of(tiers, least[1]))
    return least, heights


def _height_of(tiers: Tiers, place: int) -> int:
    return tiers.heights[tiers.places.index(place)]


def _most_balanced(tiers: Tiers, out: Vector) -> int:
    """The most that differences of balance can add up to, when neighbours in score are paired; whom
    they met apart.

    From the highest score down: the state is the balance of the one who floats down from it, None
    for nobody.
    """
    states: Balances = {None: 0}
    odd = len(tiers.players) % 2 == 1
    for place, balances in _by_place(tiers):
        options = _without_one(balances) if odd and place == out[1] else [balances]
        states = _best(step for option in options for step in _steps(states, option))
    return states.get(None, 0)


def _by_place(tiers: Tiers) -> Iterator[tuple[int, Counter[int]]]:
    """Yield the number of contenders by balance for each place of the ladder of scores,
    from the top.
    """
    groups: dict[int, Counter[int]] = {}
    for player, place in zip(tiers.players, tiers.places, strict=True):
        groups.setdefault(place, Counter())[player.balance] += 1
    yield from groups.items()


def _without_one(balances: Counter[int]) -> list[Counter[int]]:
    return [balances - Counter([balance]) for balance in balances]


def _steps(states: Balances, balances: Counter[int]) -> Iterator[tuple[int | None, int]]:
    """Every way through one score: whoever came down meets one here, and one goes down when the
    number left is odd.
    """
    for came_down, gained in states.items():
        if came_down is None:
            yield from _downward(balances, gained)
        elif not balances:
            yield came_down, gained
        else:
            for here in balances:
                yield from _downward(balances - Counter([here]), gained + abs(came_down - here))


def _downward(balances: Counter[int], gained: int) -> Iterator[tuple[int | None, int]]:
    if balances.total() % 2 == 0:
        yield None, gained + _within(balances)
        return
    for down in balances:
        yield down, gained + _within(balances - Counter([down]))


def _within(balances: Counter[int]) -> int:
    """Lowest with highest: the upper half less the lower half."""
    ordered = sorted(balances.elements())
    half = len(ordered) // 2
    return sum(ordered[half:]) - sum(ordered[:half])


def _best(steps: Iterator[tuple[int | None, int]]) -> dict[int | None, int]:
    best: dict[int | None, int] = {}
    for state, gained in steps:
        best[state] = max(gained, best.get(state, gained))
    return best


def possible_pairs(heights: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """The pairs of heights that a draw may have whose squared differences add up to `most` or less.

    `heights` are those of all who are seated, an even number, from the highest down. A pair is left
    out when it and the neighbours of all the others, which is the least that these can cost, come
    to more.
    """
    even, odd = _sums(heights, 0), _sums(heights, 1)
    count = Counter(heights)
    ladder = list(count)
    first = (
        {height: heights.index(height) for height in ladder}
        if len(ladder) < len(heights)
        else dict(zip(ladder, range(len(ladder)), strict=True))
    )
    for rung, high in enumerate(ladder):
        if count[high] > 1 and _around(heights, first[high], first[high] + 1, even, odd) <= most:
            yield high, high
        for low in ladder[rung + 1 :]:
            apart = (high - low) ** 2
            if apart > most:
                break
            if apart + _around(heights, first[high], first[low], even, odd) <= most:
                yield high, low


def _sums(heights: Sequence[int], parity: int) -> list[int]:
    """At each place, the squares between neighbours that begin before it, at even places or (parity
    1) at odd ones.
    """
    sums = [0]
    for place in range(len(heights) - 1):
        sums.append(sums[-1] + (_square(heights, place, place + 1) if place % 2 == parity else 0))
    return [*sums, sums[-1], sums[-1]]


def _around(
    heights: Sequence[int], one: int, two: int, even: Sequence[int], odd: Sequence[int]
) -> int:
    """The squares between neighbours when the places `one` < `two` are taken out.

    Whoever is left without a neighbour before a gap, `waiting`, meets the first after it.
    """
    total, start, waiting = even[one - one % 2], one + 1, one - 1 if one % 2 else None
    if waiting is not None and start < two:
        total += _square(heights, waiting, start)
        start, waiting = start + 1, None
    if start < two:
        end = two - (two - start) % 2
        total += odd[end] - odd[start]
        waiting = two - 1 if end < two else None
    start = two + 1
    if waiting is not None:
        total += _square(heights, waiting, start)
        start += 1
    return total + even[len(heights)] - even[start]


def _square(heights: Sequence[int], one: int, two: int) -> int:
    return (heights[one] - heights[two]) ** 2
