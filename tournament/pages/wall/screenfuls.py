"""How much fits on a screen that is read from ten metres: lists broken into screenfuls, each letter
at least as large as it has to be.

Widths are hundredths of the size of letters, which is 7 % of the screen's height: so a small letter
is 2.95 % high, and a screen of 16:9 is 25.4 letters wide. Rather too much than too little is
reckoned for a line.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tournament.queries.bracket_drawing import text_width

ROOM = 2_440  # between the edges of a screen
BETWEEN = 130  # two columns
LINES = 10  # below the heading
EM = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid[T]:
    """A list on a screen: its items in each column, from left to right."""

    columns: tuple[tuple[T, ...], ...]

    @property
    def is_wide(self) -> bool:
        """Whether there are two columns."""
        return len(self.columns) > 1


def laid[T](items: Sequence[T], lines: Callable[[T, int], int]) -> list[Laid[T]]:
    """The screenfuls of a list: in one column or in two, whichever needs fewer. `lines` says how
    many lines an item takes in a column of so much room; one that takes more than a screen has it
    for itself.
    """
    if not items:
        return []
    one = [Laid(columns=(each,)) for each in _columns(items, lambda item: lines(item, ROOM))]
    narrow = (ROOM - BETWEEN) // 2
    halves = list(_columns(items, lambda item: lines(item, narrow)))
    two = [Laid(columns=tuple(halves[at : at + 2])) for at in range(0, len(halves), 2)]
    return two if len(two) < len(one) else one


def lines_of(text: str, room: int) -> int:
    """How many lines a text takes in so much room; a word that is longer than a line is broken."""
    lines, left = 1, room
    for word in text.split():
        width, space = text_width(word, EM), text_width(" ", EM) if left < room else 0
        if space + width <= left:
            left -= space + width
            continue
        if left < room:
            lines += 1
        further = -(-width // room) - 1  # lines that the word fills by itself
        lines, left = lines + further, room - (width - further * room)
    return lines


def _columns[T](items: Sequence[T], lines: Callable[[T], int]) -> Iterator[tuple[T, ...]]:
    """The items in their order, as many in each column as it has lines for."""
    column: list[T] = []
    taken = 0
    for item in items:
        wanted = min(lines(item), LINES)
        if column and taken + wanted > LINES:
            yield tuple(column)
            column, taken = [], 0
        column.append(item)
        taken += wanted
    yield tuple(column)
