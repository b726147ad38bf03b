"""Positions of the matches of a knock-out in a drawing.

Boxes in columns, lines from each to the match that its winner goes to, and pages to
print. Everything is in whole units from the top left corner.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.brackets.values import BracketName, Match

WIDTH, HEIGHT = 256, 56  # of a box: two entries of one or two lines each
COLUMN = 288  # from a column to the next
ROW = 33  # of one entry; two rows hold a box and some air
HEAD = 32  # a line of headings
PAGE_ROWS = 16
PAGE_COLUMNS = 4  # of a page: with more of them names are too small to be read on A4
WHOLE_DOUBLE = 8  # entries of a double elimination that one page can hold

type Point = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A match: its box with the entry of the first place above that of the second."""

    match: Match
    x: int
    y: int
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The way of a winner from the `match` to the one it goes on to."""

    match: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The name of a round above its column; `y` is the line on which it is written."""

    bracket: BracketName
    round: int
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A drawing, so many units wide and high: no two boxes touch."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    headings: tuple[Heading, ...]


def layout(matches: Sequence[Match]) -> Layout:
    """The drawing of a tree, or of the part of it that a page has (`pages`): a column for each
    round, the losers' bracket below the winners', the finals to the right of both.
    """
    columns = _columns(matches)
    middles = _middles(matches)
    boxes = tuple(
        Box(match=match, x=COLUMN * columns[match.number], y=middles[match.number] - HEIGHT // 2)
        for match in matches
    )
    return Layout(
        width=max((box.x + box.width for box in boxes), default=0),
        height=max((box.y + box.height for box in boxes), default=0) + 1,
        boxes=boxes,
        lines=tuple(_lines({box.match.number: box for box in boxes})),
        headings=tuple(_headings(boxes)),
    )


def pages(matches: Sequence[Match]) -> tuple[tuple[Match, ...], ...]:
    """The parts of a tree that are printed each on a page of their own: all of it for up to 16
    entries (8 of a double elimination), else as many neighbouring parts as 16 rows and four columns
    hold, and what follows from them.
    """
    seeds = sum(place.kind == "seed" for match in matches for place in match.places)
    double = any(match.bracket == "losers" for match in matches)
    if seeds <= (WHOLE_DOUBLE if double else PAGE_ROWS):
        return (tuple(matches),)
    upper = {"winners"} if double else {"winners", "final"}
    *first, winners = _cut([match for match in matches if match.bracket in upper])
    if not double:
        third = tuple(match for match in matches if match.bracket == "third")
        return *first, winners + third
    *later, losers = _cut([match for match in matches if match.bracket == "losers"])
    finals = tuple(match for match in matches if match.bracket in ("final", "reset"))
    ends = [winners, losers, finals] if first else [losers, finals]
    together = tuple(match for part in ends for match in part)
    if _height(together) <= PAGE_ROWS and max(_columns(together).values()) < PAGE_COLUMNS:
        return (*first, *later, together) if first else (winners, *later, together)
    return *first, winners, *later, losers, finals


def blocks(matches: Sequence[Match]) -> tuple[tuple[Match, ...], ...]:
    """The parts of a tree that stand below each other on a screen: all of it, but the finals of a
    double elimination with more columns than a page has by themselves, where they are in view.
    """
    double = any(match.bracket == "losers" for match in matches)
    if not double or max(_columns(matches).values()) < PAGE_COLUMNS:
        return (tuple(matches),)
    brackets = tuple(match for match in matches if match.bracket in ("winners", "losers"))
    return brackets, tuple(match for match in matches if match not in brackets)


def _cut(block: Sequence[Match]) -> Iterator[tuple[Match, ...]]:
    """From the first rounds on, parts of few enough rows and columns; the last has what follows
    from all.
    """
    left = list(block)
    while left:
        below = _below(left)
        fit = [
            number
            for number in below
            if _rows(number, below) <= PAGE_ROWS and _depth(number, below) <= PAGE_COLUMNS
        ]
        inner = {child for number in fit for child in below[number]}
        for numbers in _together([number for number in fit if number not in inner], below):
            page = {each for number in numbers for each in _subtree(number, below)}
            yield tuple(match for match in left if match.number in page)
            left = [match for match in left if match.number not in page]


def _height(matches: Sequence[Match]) -> int:
    """In rows."""
    below = _below(matches)
    led = {child for children in below.values() for child in children}
    return sum(_rows(number, below) for number in below if number not in led)


def _together(roots: Sequence[int], below: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Neighbouring parts on one page as long as there is room."""
    found: list[list[int]] = []
    room = 0
    for root in roots:
        rows = _rows(root, below)
        if not found or rows > room:
            found.append([])
            room = PAGE_ROWS
        found[-1].append(root)
        room -= rows
    return found


def _below(matches: Sequence[Match]) -> dict[int, list[int]]:
    """The matches, among these, that stand in the column before each and lead to it. Where
    survivors are seeded again none does: there it is two of the round before, from the first on.
    """
    numbers = {match.number for match in matches}
    rounds: dict[int, list[int]] = {}
    for match in matches:
        if match.bracket in ("winners", "final"):
            rounds.setdefault(match.round, []).append(match.number)
    found = {}
    for match in matches:
        found[match.number] = [
            place.number
            for place in match.places
            if place.kind == "winner" and place.number in numbers
        ]
        if any(place.kind == "survivor" for place in match.places):
            turn = rounds[match.round].index(match.number)
            found[match.number] = rounds.get(match.round - 1, [])[2 * turn : 2 * turn + 2]
    return found


def _subtree(number: int, below: Mapping[int, Sequence[int]]) -> set[int]:
    return {number, *(each for child in below[number] for each in _subtree(child, below))}


def _rows(number: int, below: Mapping[int, Sequence[int]]) -> int:
    return sum(_rows(child, below) for child in below[number]) or 2


def _depth(number: int, below: Mapping[int, Sequence[int]]) -> int:
    """In columns."""
    return 1 + max((_depth(child, below) for child in below[number]), default=0)


def _columns(matches: Sequence[Match]) -> dict[int, int]:
    firsts: dict[str, int] = {}
    for match in matches:
        firsts[match.bracket] = min(match.round, firsts.get(match.bracket, match.round))
    found = {
        match.number: match.round - firsts[match.bracket]
        for match in matches
        if match.bracket in ("winners", "losers")
    }
    final = max(found.values(), default=-1) + 1
    for match in matches:
        if match.bracket not in ("winners", "losers"):
            found[match.number] = final + (match.bracket == "reset" and len(matches) > 1)
    return found


def _middles(matches: Sequence[Match]) -> dict[int, int]:
    """Return the vertical middle of each box by match number.

    A box is between the boxes that lead to it, beside a single one, else in rows of its
    own.
    """
    below = _below(matches)
    led = {child for children in below.values() for child in children}
    brackets = {match.number: match.bracket for match in matches}
    found: dict[int, int] = {}
    top = HEAD
    in_losers = False

    def place(number: int) -> int:
        nonlocal top, in_losers
        if below[number]:
            middles = [place(child) for child in below[number]]
            found[number] = sum(middles) // len(middles)
            return found[number]
        if brackets[number] == "losers" and not in_losers:
            in_losers = True
            top += HEAD * (top > HEAD)
        found[number] = top + ROW
        top += 2 * ROW
        return found[number]

    for match in matches:
        if match.number not in led and match.bracket != "third":
            place(match.number)
    for match in matches:
        if match.bracket == "third":  # below the final, which has its column to itself
            found[match.number] = found.get(match.number - 1, 0) + 2 * ROW + HEAD
    return found


def _lines(boxes: Mapping[int, Box]) -> Iterator[Line]:
    for box in boxes.values():
        for turn, place in enumerate(box.match.places):
            if place.kind != "winner" or place.number not in boxes:
                continue
            start = boxes[place.number]
            right, middle = start.x + start.width, start.y + start.height // 2
            turn_at = box.x - (COLUMN - WIDTH) // 2
            end = box.y + box.height * (1 + 2 * turn) // 4
            yield Line(
                match=place.number,
                points=((right, middle), (turn_at, middle), (turn_at, end), (box.x, end)),
            )


def _headings(boxes: Sequence[Box]) -> Iterator[Heading]:
    """One above each column of a bracket, those of one bracket on a line."""
    tops: dict[str, int] = {}
    seen = set()
    for box in boxes:
        tops[box.match.bracket] = min(box.y, tops.get(box.match.bracket, box.y))
    for box in boxes:
        match = box.match
        if (match.bracket, match.round) in seen:
            continue
        seen.add((match.bracket, match.round))
        yield Heading(
            bracket=match.bracket,
            round=match.round,
            x=box.x,
            y=tops[match.bracket] - (HEAD - 2 * ROW + HEIGHT),
        )
