"""Where matches are drawn: no box over another, every winner's line from its box to the next, and
pages that hold every match once.
"""

from itertools import combinations

import pytest

from tournament.domain.brackets.layout import (
    COLUMN,
    PAGE_COLUMNS,
    PAGE_ROWS,
    WHOLE_DOUBLE,
    Box,
    Layout,
    blocks,
    layout,
    pages,
)
from tournament.domain.brackets.values import Match, tree

TREES = [
    pytest.param(made, id=f"{count} {name}")
    for count in [*range(2, 35), 48, 63, 64]
    for name, made in {
        "single": tree(count),
        "third": tree(count, third_place=True),
        "reseed": tree(count, third_place=True, reseed=True),
        "double": tree(count, elimination="double"),
    }.items()
]


def touch(one: Box, two: Box) -> bool:
    return (
        one.x <= two.x + two.width
        and two.x <= one.x + one.width
        and one.y <= two.y + two.height
        and two.y <= one.y + one.height
    )


def check(drawn: Layout) -> None:
    """What holds of every drawing."""
    boxes = {box.match.number: box for box in drawn.boxes}
    assert not [pair for pair in combinations(drawn.boxes, 2) if touch(*pair)]
    assert all(
        0 <= box.x <= drawn.width - box.width and 0 <= box.y < drawn.height - box.height
        for box in drawn.boxes
    )
    for line in drawn.lines:
        start = boxes[line.match]
        goals = [
            box
            for box in drawn.boxes
            if any(
                (place.kind, place.number) == ("winner", line.match) for place in box.match.places
            )
        ]
        assert line.points[0] == (start.x + start.width, start.y + start.height // 2)
        assert [box.x for box in goals] == [line.points[-1][0]]
        assert goals[0].y < line.points[-1][1] < goals[0].y + goals[0].height
        assert goals[0].x > start.x
    for heading in drawn.headings:
        assert heading.y > 0
        assert not any(
            box.x == heading.x and box.y - 4 < heading.y < box.y + box.height + 12
            for box in drawn.boxes
        )
    assert len({(heading.bracket, heading.round) for heading in drawn.headings}) == len(
        drawn.headings
    )


@pytest.mark.parametrize("made", TREES)
def test_no_box_stands_over_another_and_every_line_goes_from_one_to_the_next(
    made: tuple[Match, ...],
) -> None:
    drawn = layout(made)

    check(drawn)
    assert [box.match for box in drawn.boxes] == list(made)
    winners = [place for match in made for place in match.places if place.kind == "winner"]
    assert len(drawn.lines) == len(winners)


@pytest.mark.parametrize("made", TREES)
def test_every_match_is_printed_once_on_a_page_of_so_many_rows_at_most(
    made: tuple[Match, ...],
) -> None:
    parts = pages(made)

    assert sorted(match.number for part in parts for match in part) == [
        match.number for match in made
    ]
    double = any(match.bracket == "losers" for match in made)
    entries = sum(place.kind == "seed" for match in made for place in match.places)
    if entries <= (WHOLE_DOUBLE if double else PAGE_ROWS):
        assert parts == (made,)
        return
    for part in parts:
        drawn = layout(part)
        check(drawn)
        columns: dict[int, int] = {}
        for box in drawn.boxes:
            columns[box.x] = columns.get(box.x, 0) + 1
        assert max(columns.values()) <= PAGE_ROWS // 2
        assert max(columns) <= PAGE_COLUMNS * COLUMN  # four, and one more where a round has byes


@pytest.mark.parametrize("made", TREES)
def test_on_a_screen_the_finals_stand_in_the_first_columns_that_it_shows(
    made: tuple[Match, ...],
) -> None:
    parts = blocks(made)

    assert [match for part in parts for match in part] == list(made)
    double = any(match.bracket == "losers" for match in made)
    for drawn in map(layout, parts):
        check(drawn)
        finals = [box.x for box in drawn.boxes if box.match.bracket in ("final", "reset")]
        assert not double or all(x < COLUMN * PAGE_COLUMNS for x in finals)


def test_sixty_four_entries_are_printed_in_five_parts_of_a_single_and_eight_of_a_double() -> None:
    assert [len(part) for part in pages(tree(64, third_place=True))] == [15, 15, 15, 15, 4]
    assert [len(part) for part in pages(tree(64, elimination="double"))] == [
        *(15, 15, 15, 15),
        *(24, 24, 12, 7),
    ]
