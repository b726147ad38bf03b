"""Points as exact numbers of hundredths: whole ones, and fractions where something was divided.
They are ranked as they are, and rounded once, where they are shown.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

type Exact = int | Fraction


def divide(total: Exact, count: Exact) -> Exact:
    """`total` / `count`, exactly; a whole number where it is one."""
    quotient = Fraction(total) / count
    return quotient.numerator if quotient.denominator == 1 else quotient


def round_half_up(points: Exact) -> int:
    """The nearest whole number, a half upwards."""
    if isinstance(points, int):
        return points
    return (2 * points.numerator + points.denominator) // (2 * points.denominator)


def round_terms(amounts: Iterable[Exact]) -> Iterator[int]:
    """The amounts rounded so that they add up to their rounded sum."""
    whole: Exact = 0
    for amount in amounts:
        before, whole = whole, whole + amount
        yield round_half_up(whole) - round_half_up(before)
