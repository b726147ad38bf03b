"""The race chart: where plain numbers come to stand."""

from collections.abc import Sequence

import pytest

from tournament.pages.history.race import Name, Race, race_chart

SEVEN_HANDS = [(71, 50), (115, 94), (57, 147), (119, 87), (60, 140), (130, 78), (182, 138)]


NAMES = (Name(short="N–S", whole="North–South"), Name(short="E–W", whole="East–West"))


def chart(
    scores: Sequence[Sequence[int]], *, target: int, marked: Sequence[tuple[int, int]] = ()
) -> Race:
    return race_chart(scores, target=target, marked=marked, names=NAMES)


def height(place: str) -> float:
    return float(place.removesuffix("%"))


def test_every_hand_has_a_mark_for_each_side_and_both_lines_begin_at_nothing() -> None:
    race = chart(SEVEN_HANDS, target=250)

    assert len(race.first.marks) == len(race.second.marks) == 7
    assert race.first.path.startswith("M0.0 100.0L")
    assert race.first.path.count("L") == 7


def test_a_higher_score_stands_higher_and_the_target_highest() -> None:
    race = chart(SEVEN_HANDS, target=250)

    assert (
        height(race.goal.y) < height(race.first.marks[6].y) < height(race.second.marks[6].y) < 100
    )


def test_scores_below_nothing_stay_inside_the_chart() -> None:
    race = chart([(-71, 50), (-260, 40)], target=250)

    assert all(0 < height(mark.y) < 100 for mark in (*race.first.marks, *race.second.marks))
    assert "−200" in [line.label for line in race.lines]


def test_the_level_of_nothing_is_always_drawn() -> None:
    for scores in ([(10, 0)], [(-10, -300)], SEVEN_HANDS):
        assert "0" in [line.label for line in chart(scores, target=250).lines]


def test_an_audit_is_marked_at_the_side_and_hand_it_struck() -> None:
    race = chart(SEVEN_HANDS, target=250, marked=[(6, 1)])

    assert [(mark.x, mark.y) for mark in race.marked] == [
        (race.second.marks[5].x, race.second.marks[5].y)
    ]


def test_the_words_beside_the_two_ends_never_meet() -> None:
    ahead, behind = (chart([pair], target=250) for pair in ((100, 99), (99, 100)))

    assert (ahead.first.end.dy, ahead.second.end.dy) == (behind.second.end.dy, behind.first.end.dy)
    assert ahead.first.end.dy < 0 < ahead.second.end.dy


def test_of_many_hands_only_some_are_numbered() -> None:
    race = chart([(hand, 0) for hand in range(1, 41)], target=250)

    assert [mark.label for mark in race.hands] == ["5", "10", "15", "20", "25", "30", "35", "40"]


def test_the_chart_is_told_in_words_too() -> None:
    told = chart([(71, -50)], target=250).summary

    assert told == "hand 1: North–South 71, East–West −50"


@pytest.mark.parametrize("points", [40, 7_000, 90_000, 7_654_321, 10**15])
def test_however_far_the_sides_are_apart_there_are_a_few_lines(points: int) -> None:
    assert 1 <= len(chart([(-points, 50)], target=250).lines) <= 7
