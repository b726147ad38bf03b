"""Which screenful is on the wall now. The server's clock decides: whoever opens a screen, on
however many projectors, sees the same, and one that was asleep goes on where the others are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The place of the screenful that is on now, and for how many seconds more."""

    place: int
    left: float


def turn_at(now: int, seconds: Sequence[int]) -> Turn:
    """Whose turn it is at `now` (microseconds UTC), where each screenful has so many `seconds`."""
    assert seconds
    within = now % (sum(seconds) * MICROSECONDS)
    for place, each in enumerate(seconds):
        if within < each * MICROSECONDS:
            return Turn(place=place, left=each - within / MICROSECONDS)
        within -= each * MICROSECONDS
    raise AssertionError("what is left after all turns is less than nothing")
