"""International match points: the table of bridge, the salon's own that is fitted to its spread,
and the datum that pairs are compared with (F8).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from statistics import median_low

from scoring.errors import RuleViolation

# The least differences of score that are worth 1, 2, … 24 IMPs at bridge.
BRIDGE_BOUNDS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
MIDDLE = 6  # what the median difference of a salon is worth, in IMPs
LEFT_OUT = 8  # of so many results the datum leaves out the highest and the lowest


def imps(difference: int | Fraction, bounds: Sequence[int] = BRIDGE_BOUNDS) -> int:
    """Return the IMPs of a difference of scores, in the unit of the bounds; the other
    side has as much with the sign turned.
    """
    apart = abs(Fraction(difference))
    worth = sum(apart >= bound for bound in bounds)
    return worth if difference >= 0 else -worth


def salon_bounds(deals: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Bounds in the proportions of bridge's, for scores with another spread: the median difference
    of two results of a deal falls in the middle of those that are worth 6 IMPs.

    `deals` are the scores of N–S, deal by deal. Raises RuleViolation `no_scale` where there are no
    differences or they are too small for 24 bounds in whole numbers.
    """
    differences = [abs(one - other) for scores in deals for one, other in combinations(scores, 2)]
    median = median_low(differences) if differences else 0
    # What is worth 6 at bridge has its middle at half of these two.
    double_middle = BRIDGE_BOUNDS[MIDDLE - 1] + BRIDGE_BOUNDS[MIDDLE]
    bounds = tuple(-(-2 * median * bound // double_middle) for bound in BRIDGE_BOUNDS)
    if len(set(bounds)) < len(bounds) or imps(median, bounds) != MIDDLE:
        raise RuleViolation(
            "no_scale",
            "the results lie too near each other for a scale of their own: the median difference "
            "is %(median)s; the scale of bridge works",
            path="scoring",
            median=median,
        )
    return bounds


def published(bounds: Sequence[int]) -> list[tuple[int, int | None, int]]:
    """The table as it is put up: from which difference to which, None for no end, and the IMPs."""
    return [
        (least, after - 1 if after is not None else None, worth)
        for worth, (least, after) in enumerate(zip((0, *bounds), (*bounds, None), strict=True))
    ]


def datum(scores: Sequence[int]) -> Fraction:
    """The mean of a deal's scores, of every eight the highest and the lowest left out (Butler).

    There must be one at least.
    """
    left_out = len(scores) // LEFT_OUT
    counted = sorted(scores)[left_out : len(scores) - left_out]
    return Fraction(sum(counted), len(counted))


def butler(scores: Sequence[int], bounds: Sequence[int] = BRIDGE_BOUNDS) -> list[int]:
    """The IMPs of N–S for each score of a deal against the datum; those of E–W have the sign
    turned.
    """
    middle = datum(scores) if scores else Fraction()
    return [imps(score - middle, bounds) for score in scores]
