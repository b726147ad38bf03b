"""Waiting times for the director: the figures of an evening."""

from collections.abc import Collection
from dataclasses import dataclass

SECOND = 1_000_000  # microseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The waiting times of the answered calls, in seconds: the median and the longest,
    None if no call was answered.
    """

    answered: int
    middle: int | None
    longest: int | None


def waiting(seconds: Collection[int]) -> Waiting:
    """The figures of so many answered calls. Of an even number of them the middle is half way
    between the two in the middle, rounded down.
    """
    waits = sorted(seconds)
    if not waits:
        return Waiting(answered=0, middle=None, longest=None)
    half = len(waits) // 2
    middle = waits[half] if len(waits) % 2 else (waits[half - 1] + waits[half]) // 2
    return Waiting(answered=len(waits), middle=middle, longest=waits[-1])


def seconds_between(first: int, second: int) -> int:
    """Whole seconds from one time to a later one, both in microseconds."""
    return (second - first) // SECOND
