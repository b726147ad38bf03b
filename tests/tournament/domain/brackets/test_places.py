"""Places of a knock-out: who shares which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.domain.brackets.play import by_lot, played_out, seeds_of
from tournament.domain.brackets.places import SharedPlaces, champion, is_over, places
from tournament.domain.brackets.progress import Absent, Played, Progress, progress
from tournament.domain.brackets.values import Knockout

OPEN = ("waits", "ready")


def ranges(now: Progress) -> list[tuple[int, int, int]]:
    return [(group.first, group.last, len(group.entries)) for group in places(now)]


@pytest.mark.parametrize(
    ("knockout", "expected"),
    [
        (Knockout(), [(1, 1), (2, 2), (3, 4), (5, 8), (9, 13)]),
        (Knockout(third_place=True), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 8), (9, 13)]),
        (
            Knockout(elimination="double"),
            [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (7, 8), (9, 12), (13, 13)],
        ),
    ],
)
def test_the_places_of_thirteen_entries(
    knockout: Knockout, expected: list[tuple[int, int]]
) -> None:
    now, _ = played_out(knockout, seeds_of(13))

    assert ranges(now) == [(first, last, last - first + 1) for first, last in expected]
    if knockout.elimination == "single":
        assert [group.entries for group in places(now)][:2] == [("e1",), ("e2",)]


@given(
    knockout=st.sampled_from(
        [
            Knockout(),
            Knockout(third_place=True),
            Knockout(reseed=True),
            Knockout(elimination="double"),
        ]
    ),
    count=st.integers(2, 70),
    lots=st.integers(0, 10_000),
)
def test_at_the_end_every_place_is_taken_once(knockout: Knockout, count: int, lots: int) -> None:
    now, _ = played_out(knockout, seeds_of(count), by_lot(lots))
    groups = places(now)

    assert is_over(now)
    assert groups[0] == SharedPlaces(first=1, last=1, entries=(str(champion(now)),))
    assert [place for group in groups for place in range(group.first, group.last + 1)] == list(
        range(1, count + 1)
    )
    assert all(len(group.entries) == group.last - group.first + 1 for group in groups)


def test_who_is_out_has_its_places_while_the_others_play_on() -> None:
    now = progress(
        Knockout(third_place=True),
        seeds_of(8),
        [
            Played(match=1, entries=("e1", "e8"), winners=("e8",)),
            Played(match=2, entries=("e4", "e5"), winners=("e5",)),
            Played(match=5, entries=("e8", "e5"), winners=("e5",)),
        ],
    )

    assert places(now) == (
        SharedPlaces(first=3, last=4, entries=("e8",)),  # it plays for third place at best
        SharedPlaces(first=5, last=8, entries=("e1", "e4")),
    )
    assert champion(now) is Absent.UNKNOWN
    assert not is_over(now)


@given(count=st.integers(3, 40), lots=st.integers(0, 10_000), last=st.integers(0, 40))
def test_at_every_moment_nobody_has_a_better_place_than_it_can_still_reach(
    count: int, lots: int, last: int
) -> None:
    """Against all ends of the event: a place that is given is the best that is left to its
    entries.
    """
    knockout, seeds = Knockout(third_place=True), seeds_of(count)
    _whole, results = played_out(knockout, seeds, by_lot(lots))
    so_far = results[: min(last, len(results))]
    now = progress(knockout, seeds, so_far)
    best = dict.fromkeys(seeds, count)
    for way in range(5):
        ended, _results = played_out(knockout, seeds, by_lot(way), results=so_far)
        for group in places(ended):
            best |= {entry: min(best[entry], group.first) for entry in group.entries}
    for group in places(now):
        assert all(group.first <= best[entry] for entry in group.entries)
    third = now.states[-1]
    for entry in third.entries:
        if third.match.bracket == "third" and third.status in OPEN and isinstance(entry, str):
            assert {group.first for group in places(now) if entry in group.entries} == {3}


def test_who_lost_twice_has_its_places_before_others_have_lost_once() -> None:
    now = progress(
        Knockout(elimination="double"),
        seeds_of(8),
        [
            Played(match=1, entries=("e1", "e8"), winners=("e1",)),
            Played(match=2, entries=("e4", "e5"), winners=("e4",)),
            Played(match=8, entries=("e8", "e5"), winners=("e5",)),
        ],
    )

    assert places(now) == (SharedPlaces(first=7, last=8, entries=("e8",)),)


def test_two_gone_from_one_semi_final_share_the_places_below_who_played_the_other() -> None:
    now, _ = played_out(Knockout(third_place=True), seeds_of(4), withdrawn={"e1", "e4"})

    assert places(now) == (
        SharedPlaces(first=1, last=1, entries=("e2",)),
        SharedPlaces(first=2, last=2, entries=("e3",)),
        SharedPlaces(first=3, last=4, entries=("e1", "e4")),
    )


def test_where_everybody_is_gone_nobody_has_won() -> None:
    for knockout in (Knockout(), Knockout(elimination="double")):
        now = progress(knockout, seeds_of(5), withdrawn=seeds_of(5))

        assert champion(now) is Absent.NOBODY
        assert sum(len(group.entries) for group in places(now)) == 5
