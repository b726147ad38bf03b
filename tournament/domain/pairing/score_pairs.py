"""Which pairs of scores a best draw can have at all, once one draw is known: all others go too far
out of the way.
"""

from collections import Counter
from collections.abc import Iterator, Sequence


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
