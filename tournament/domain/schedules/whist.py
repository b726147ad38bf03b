"""Whist tournaments: single players who partner everybody once and oppose everybody twice, and what
comes near it (F1).
"""

from collections.abc import Callable

from tournament.domain.schedules.cycles import Cycle
from tournament.domain.schedules.field_whist import bose, bose_cameron, cosets
from tournament.domain.schedules.products import by_four_groups, by_product
from tournament.domain.schedules.starters import by_starter

CONSTRUCTIONS: tuple[Callable[[int], Cycle | None], ...] = (
    bose_cameron,
    cosets,
    bose,
    by_starter,
    by_product,
    by_four_groups,
)


def whist(size: int) -> Cycle | None:
    """The whist tournament for so many, or the nearest thing to one: nobody partners anybody twice
    or opposes anybody more than twice. None where no construction is known here.
    """
    return next((found for each in CONSTRUCTIONS if (found := each(size)) is not None), None)
