"""Breaks lists into screenfuls for a screen that is read from ten metres, each letter
at least as large as it has to be.

Widths are hundredths of the size of letters, which is 7 % of the screen's height:
so a small letter is 2.95 % high, and a screen of 16:9 is 25.4 letters wide, one of
4:3 only 19. Estimates for a line err on the large side.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tournament.queries.bracket_drawing import text_width

ROOM = 2_440  # between the edges of a screen of 16:9
BETWEEN = 130  # two columns
APART = 80  # two texts of the head
LINES = 10  # below the heading
EM = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A shape of screen: its `width` in hundredths of its height, by which wall.css knows it, and
    the `room` between its edges.
    """

    width: int
    room: int


SHAPES = (
    Shape(width=178, room=ROOM),
    Shape(width=160, room=2_185),
    Shape(width=150, room=2_040),
    Shape(width=133, room=1_805),
    Shape(width=125, room=1_685),
)
USUAL = SHAPES[0]  # 16:9, and whatever is wider


def shape_of(width: str) -> Shape:
    """The widest shape that fits a screen of this width (hundredths of its height, as wall.js
    writes it); the usual one where it says nothing that makes sense.
    """
    if not (width.isascii() and width.isdecimal() and len(width) < 6):
        return USUAL
    return next((each for each in SHAPES if each.width <= int(width) + 1), SHAPES[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns[T]:
    """A list on a screen: its items in each column, from left to right."""

    columns: tuple[tuple[T, ...], ...]

    @property
    def is_wide(self) -> bool:
        """Whether there are two columns."""
        return len(self.columns) > 1


def in_columns[T](
    items: Sequence[T], lines: Callable[[T, int], int], room: int = ROOM, most: int = LINES
) -> list[Columns[T]]:
    """The screenfuls of a list: in one column or in two, whichever needs fewer; in one where half
    the room would break an item into so many lines that it can't be read. `lines` says how many an
    item takes in a column of so much room, of which the screen has `room`, and `most` lines; one
    that takes more than a screen has it for itself.
    """
    if not items:
        return []
    one = [
        Columns(columns=(each,)) for each in _columns(items, lambda item: lines(item, room), most)
    ]
    narrow = (room - BETWEEN) // 2
    if any(lines(item, narrow) > most * 2 // 3 for item in items):
        return one
    halves = list(_columns(items, lambda item: lines(item, narrow), most))
    two = [Columns(columns=tuple(halves[at : at + 2])) for at in range(0, len(halves), 2)]
    return two if len(two) < len(one) else one


def lines_of(text: str, room: int) -> int:
    """Return the number of lines that a text takes in this width; a word that is longer
    than a line is broken.
    """
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


def fits_in_a_line(texts: Sequence[str], room: int) -> bool:
    """Whether these texts have room beside each other, as the head of a screen has them."""
    widths = [text_width(text, EM) for text in texts if text]
    return sum(widths) + APART * (len(widths) - 1) <= room


def _columns[T](
    items: Sequence[T], lines: Callable[[T], int], most: int
) -> Iterator[tuple[T, ...]]:
    """The items in their order, as many in each column as it has lines for."""
    column: list[T] = []
    taken = 0
    for item in items:
        wanted = min(lines(item), most)
        if column and taken + wanted > most:
            yield tuple(column)
            column, taken = [], 0
        column.append(item)
        taken += wanted
    yield tuple(column)
