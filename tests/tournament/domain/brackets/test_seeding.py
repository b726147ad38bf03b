"""Seeds of a knock-out: clubs apart in round 1, and qualifiers of several groups far from their
own.
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.domain.brackets.play import seeds_of
from tournament.domain.brackets.progress import progress, ready
from tournament.domain.brackets.seeding import clubs_apart, cross_qualifiers
from tournament.domain.brackets.values import Knockout, order_seeds, size_of


@given(clubs=st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=40))
def test_no_order_of_the_lower_half_has_fewer_of_one_club_against_each_other(
    clubs: list[str | None],
) -> None:
    seeds = seeds_of(len(clubs))
    club = dict(zip(seeds, clubs, strict=True))
    order = clubs_apart(seeds, club)
    half = size_of(len(seeds)) // 2
    first_round = [
        [club[str(entry)] for entry in state.entries]
        for state in ready(progress(Knockout(), order))
        if state.match.round == 1
    ]
    met = sum(one == two is not None for one, two in first_round)
    playing = Counter(each for pair in first_round for each in pair if each is not None)

    assert sorted(order) == sorted(seeds)
    assert order[:half] == tuple(seeds[:half])  # nobody above changes, so byes stay too
    # More of one club than there are matches: so many matches must be among themselves.
    assert met == max([0, *(times - len(first_round) for times in playing.values())])


def test_clubs_that_need_no_help_leave_the_seeds_as_they_were() -> None:
    seeds = tuple(seeds_of(6))

    assert clubs_apart(seeds, {"e1": "a", "e2": "a"}) == seeds
    assert clubs_apart(seeds, {"e4": "a", "e5": "a"}) == ("e1", "e2", "e3", "e4", "e6", "e5")


def test_who_changes_places_meets_nobody_of_its_club_either() -> None:
    order = clubs_apart(seeds_of(8), {"e1": "a", "e2": "a", "e8": "a"})

    assert order == ("e1", "e2", "e3", "e4", "e5", "e8", "e7", "e6")


def test_the_first_of_each_of_two_groups_meets_the_second_of_the_other() -> None:
    assert cross_qualifiers([["A1", "A2"], ["B1", "B2"]]) == ("A1", "B1", "A2", "B2")
    begun = progress(Knockout(), cross_qualifiers([["A1", "A2"], ["B1", "B2"]]))

    assert [state.entries for state in ready(begun)] == [("A1", "B2"), ("B1", "A2")]


@pytest.mark.parametrize("groups", range(2, 17))
@pytest.mark.parametrize("qualifiers", range(1, 9))
def test_two_of_a_group_meet_as_late_as_so_many_of_it_can(groups: int, qualifiers: int) -> None:
    order = cross_qualifiers(
        [[f"{group}.{rank}" for rank in range(qualifiers)] for group in range(groups)]
    )
    size = size_of(len(order))
    place = {seed: at for at, seed in enumerate(order_seeds(size))}
    own: dict[str, list[int]] = {}
    for seed, entry in enumerate(order, start=1):
        own.setdefault(entry.split(".")[0], []).append(place[seed])

    # The bracket cut into as many equal parts as a group has entries, or nearly twice that: one in
    # each. With more than four of a group ranks may not allow it: two in a part twice as large.
    parts = size_of(qualifiers) if qualifiers <= 4 else size_of(qualifiers) // 2
    most = 1 if qualifiers <= 4 else 2
    for places in own.values():
        assert max(Counter(at * parts // size for at in places).values()) <= most
    ranks = [int(entry.split(".")[1]) for entry in order]
    assert ranks == sorted(ranks)


def test_groups_may_be_of_several_sizes_and_nobody_is_lost() -> None:
    order = cross_qualifiers([["A1", "A2", "A3"], [], ["C1"], ["D1", "D2"]])

    assert order[:3] == ("A1", "C1", "D1")
    assert sorted(order) == ["A1", "A2", "A3", "C1", "D1", "D2"]
    assert cross_qualifiers([]) == cross_qualifiers([[], []]) == ()
