"""The facts of a tournament by the names under which they are stored."""

from collections.abc import Callable, Mapping
from typing import Any

from tournament.domain.tournament.subjects import SUBJECTS
from tournament.domain.tournament.upcasters import RoundDrawnInWords, with_numbers

SHAPES: Mapping[tuple[str, int], type] = {("tournament.round_drawn", 1): RoundDrawnInWords} | {
    stored: shape for subject in SUBJECTS for stored, shape in subject.shapes.items()
}
# How a fact of an older shape is read as one of the next.
UPCASTERS: Mapping[tuple[str, int], Callable[[Any], Any]] = {
    ("tournament.round_drawn", 1): with_numbers
}
