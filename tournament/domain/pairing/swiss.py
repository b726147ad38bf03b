"""The best draw of a Swiss round: a matching of least cost over all pairs, found among few.

A thousand entries have half a million pairs; the best draw nearly always lies among those who stand
close to each other in the order of points and lots. So that is where it is looked for first. It is
taken when it reaches what no draw can do better, or as much as a matching over all pairs a best
draw can have; otherwise the circle grows, at last to all pairs. Only where these pairs are too many
to match in a moment (some 200 entries of equal points) a draw is taken unproved, when a circle
twice as wide finds none better.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tournament.domain.pairing.bounds import least_bye, lower_bound
from tournament.domain.pairing.costs import Tiers, Vector
from tournament.domain.pairing.matching import Edge, least_matching
from tournament.domain.pairing.score_pairs import possible_pairs

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
        matched = _matched(tiers, _nearby(size, circle), with_lots=True)
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
    matched = _matched(tiers, pairs, with_lots=False)
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


def _matched(tiers: Tiers, pairs: Iterable[tuple[int, int]], *, with_lots: bool) -> Matched | None:
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
