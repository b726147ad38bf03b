"""Victory points from a margin in IMPs: the continuous scale of the WBF (2013), 20 in all (F8)."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache

WHOLE = 2000  # victory points to share, in hundredths
DIGITS = 30


def victory_points(margin: int, deals: int) -> tuple[int, int]:
    """Return the victory points of a margin of IMPs over `deals` deals for the side
    that has it and for the other, in hundredths; the two are 20 together.

    10 each for no margin, all 20 from 15 · √deals on, and every further IMP is worth no
    more than the one before.
    """
    scale = victory_point_scale(deals)
    mine = scale[min(abs(margin), len(scale) - 1)]
    return (mine, WHOLE - mine) if margin >= 0 else (WHOLE - mine, mine)


@cache
def victory_point_scale(deals: int) -> tuple[int, ...]:
    """The winner's hundredths for margins of 0, 1, … IMPs, up to the first of 15 · √deals or
    more.
    """
    with localcontext(prec=DIGITS):
        blitz = 15 * Decimal(deals).sqrt()
        golden = (Decimal(5).sqrt() - 1) / 2
        least_worth = golden**3  # of the last IMP, beside the first
        most = int(blitz.to_integral_value(rounding="ROUND_CEILING"))
        rounded = [
            _hundredths(10 + 10 * (1 - least_worth ** (margin / blitz)) / (1 - least_worth))
            for margin in range(most)
        ]
    return _make_concave([*rounded, WHOLE])


def _hundredths(points: Decimal) -> int:
    return int((100 * points).to_integral_value(rounding=ROUND_HALF_UP))


def _make_concave(scale: list[int]) -> tuple[int, ...]:
    """The least values not below these of which no step is greater than the one before: rounding
    alone would make some so by a hundredth.
    """
    raised = True
    while raised:
        raised = False
        for margin in range(1, len(scale) - 1):
            least = (scale[margin - 1] + scale[margin + 1] + 1) // 2
            if scale[margin] < least:
                scale[margin] = least
                raised = True
    return tuple(scale)
