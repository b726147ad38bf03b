"""The rarest results: numbers of a table that hardly any table before has come to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest

ONE_IN = 200  # a result that fewer than one in so many reach is rare
LEAST = 200  # recorded results; among fewer nothing is called rare
MARGIN, HIGHEST, LOWEST = "margin", "highest", "lowest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rare:
    """A rare result: `value` is its margin, its highest or its lowest number, as `kind` says;
    `reached` of `among` recorded ones went as far.
    """

    kind: str
    value: int
    reached: int
    among: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The extremes of `among` recorded results: by kind the furthest of them, one in
    `ONE_IN` rounded up, the furthest first.

    The lowest numbers have the other sign, so that more is further.
    """

    among: int = 0
    furthest: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def recorded(results: Iterable[Sequence[int]]) -> Recorded:
    """Return the extremes of these results; each has the number of every side of a
    table.
    """
    reached = [distances(numbers) for numbers in results if numbers]
    most = -(-len(reached) // ONE_IN)
    furthest = {
        kind: tuple(nlargest(most, (each[kind] for each in reached if kind in each)))
        for kind in (MARGIN, HIGHEST, LOWEST)
    }
    return Recorded(among=len(reached), furthest=furthest)


def distances(numbers: Sequence[int]) -> dict[str, int]:
    """Return the distances of the numbers of a table, by kind; one that sits alone wins
    by nothing.
    """
    ordered = sorted(numbers)
    margin = {MARGIN: ordered[-1] - ordered[-2]} if len(ordered) > 1 else {}
    return margin | {HIGHEST: ordered[-1], LOWEST: -ordered[0]}


def rare(numbers: Sequence[int], known: Recorded) -> Rare | None:
    """Return the rare part of the numbers of a table, its margin before all; None if
    nothing is rare, or too little is known.
    """
    if known.among < LEAST or not numbers:
        return None
    for kind, distance in distances(numbers).items():
        reached = sum(each >= distance for each in known.furthest[kind])
        if reached * ONE_IN < known.among:
            value = -distance if kind == LOWEST else distance
            return Rare(kind=kind, value=value, reached=reached, among=known.among)
    return None
