"""The verifier accepts every published movement and none that has one entry changed."""

from dataclasses import replace

import pytest

from tests.tournament.domain.schedules.published import (
    Published,
    movements,
    with_one_entry_changed,
)
from tournament.domain.schedules.movements import movement_plan
from tournament.domain.schedules.values import Plan, PlannedRound, Sitting
from tournament.domain.schedules.verify import faults
from tournament.domain.schedules.verify_movement import calibre, movement_faults, movement_report

PUBLISHED = movements()
SPARED = 17  # one change in so many is tried where not all are


def test_there_are_23_published_movements_of_pairs_and_3_of_single_players() -> None:
    assert [each.partners for each in PUBLISHED.values()].count(False) == 23
    assert len(PUBLISHED) == 26


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_movement_is_accepted(name: str) -> None:
    assert movement_faults(PUBLISHED[name].plan) == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_movement_with_one_entry_changed_is_rejected(name: str) -> None:
    for number, changed in enumerate(with_one_entry_changed(PUBLISHED[name])):
        if number % SPARED == len(name) % SPARED:
            assert movement_faults(changed.plan), changed


@pytest.mark.long
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_movement_with_any_one_entry_changed_is_rejected(name: str) -> None:
    for changed in with_one_entry_changed(PUBLISHED[name]):
        assert movement_faults(changed.plan), changed


def test_a_table_with_its_directions_exchanged_is_another_sound_movement() -> None:
    """So no count can tell it from the published one."""
    howell = PUBLISHED["Howell08T4B14"]
    (number, first), *others = howell.tables
    turned = replace(howell, tables=((number, replace(first, places=first.places[::-1])), *others))

    assert movement_faults(turned.plan) == []
    assert calibre(turned.plan) != calibre(howell.plan)


def said_of(movement: Published) -> list[str]:
    return [str(each) for each in movement_faults(movement.plan)]


def with_table(movement: Published, place: int, **changes: object) -> Published:
    tables = list(movement.tables)
    number, sitting = tables[place]
    tables[place] = (number, replace(sitting, **changes))  # type: ignore[arg-type]
    return replace(movement, tables=tuple(tables))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"places": (1, 3)}, "round 1: number 2 is in it twice"),
        ({"places": (1, 3)}, "number 1 plays 2 rounds, most play 3"),
        ({"places": (0, 3, 6)}, "round 1, table 1: 3 numbers can't be two sides"),
        ({"deals": (1, 2, 3, 4, 5, 19)}, "deal 19 is played at one table only"),
        ({"deals": (1, 2, 3, 4, 5, 7)}, "round 1: tables 1 and 2 share deal 7 and not all"),
        ({"deals": (1, 2, 3, 4, 5, 7)}, "deal 6 is played at 2 tables, most at 3"),
        ({"deals": (1, 2, 3, 4, 5)}, "round 1, table 1: 5 deals, not 6 as elsewhere"),
        ({"table": 9}, "table 9 stands in 1 of 3 rounds"),
    ],
)
def test_faults_say_what_is_wrong_and_where(changes: dict[str, object], said: str) -> None:
    assert said in said_of(with_table(PUBLISHED["Mitchell3Table"], 0, **changes))


def test_a_table_more_in_one_round_is_a_fault() -> None:
    howell = PUBLISHED["Howell07T3B21"]
    _number, last = howell.tables[-1]
    moved = replace(howell, tables=(*howell.tables[:-1], (8, last)))

    assert "round 8 has 1 tables, not 3 as others" in said_of(moved)


def test_pairs_that_come_together_unequally_are_named() -> None:
    howell = PUBLISHED["Howell04T2B18"]
    first_four = replace(howell, tables=tuple(each for each in howell.tables if each[0] <= 4))

    assert said_of(first_four) == [
        f"numbers {one} and {two} come together 0 times, most 2" for one, two in ((1, 2), (3, 4))
    ]
    assert movement_faults(first_four.plan, shortened=True) == []


def test_deals_are_shared_where_a_plan_allows_it_and_nowhere_else() -> None:
    plan = movement_plan(6, "howell", None, deals_a_round=1, winners=1)

    assert faults(plan) == []
    assert [str(each) for each in faults(replace(plan, shares_deals=False))] == [
        "round 5: deal 5 is at two tables at once"
    ]
    assert movement_report(plan).shared == ((5, (1, 2, 3)),)


def test_the_report_counts_deals_directions_and_deals_that_one_table_plays_alone() -> None:
    sitting = Sitting(table=1, places=(0, 1), deals=(1, 2))
    alone = PlannedRound(tables=(sitting,), out=(2,))
    report = movement_report(Plan(size=3, construction="by hand", rounds=(alone,)))

    assert report.alone == (1, 2)
    assert report.deals_played == {0: 1, 2: 2}
    assert report.rounds_north_south == {0: 2, 1: 1}
    assert report.calibre == {0: 3}
