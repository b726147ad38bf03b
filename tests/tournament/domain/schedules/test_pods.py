"""Tables of three to five by construction: F2 and F4 of the formats."""

from itertools import pairwise

import pytest

from tests.tournament.domain.schedules.plans import check_sound, meetings
from tournament.domain.schedules.pods import pods, ring_rounds, whole_number_rounds
from tournament.domain.schedules.shifts import shifts
from tournament.domain.schedules.values import Plan

ROUNDS = {  # F2's table: seats -> tables: rounds by the ring, else by the whole-number rule
    3: "3:3 4:4 5:5 6:3 7:7 8:8 9:9 10:5 11:11 12:12 13:13 14:7 15:15 16:16 18:9 20:20 22:11 24:24 "
    "26:13 28:28 30:15 33:33 40:40",
    4: "4:4 5:5 6:2 7:7 8:8 9:9 10:4 11:11 12:4 13:13 14:5 15:5 16:16 17:17 18:6 19:19 20:20 21:7 "
    "22:8 23:23 24:8 25:25 28:28 30:10 36:36 50:17",
    5: "5:5 6:2 7:7 8:8 9:9 10:3 11:11 12:3 13:13 14:4 15:4 16:16 17:17 18:5 19:19 20:5 25:25 "
    "35:35 40:40 50:13",
}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_ring_and_whole_number_rule_have_the_rounds_of_the_table(seats: int) -> None:
    for written in ROUNDS[seats].split():
        tables, rounds = map(int, written.split(":"))
        told = ring_rounds(tables, seats) or whole_number_rounds(tables, seats)
        assert told == rounds, (seats, tables)
        plan = pods(seats * tables, tables=tables, seats=seats, rounds=rounds)
        assert plan.construction.split(" ")[0] in ("ring", "whole-number")
        assert len(plan.rounds) == rounds
        check_sound(plan)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_nobody_meets_twice_whatever_the_number_of_tables_and_of_players(seats: int) -> None:
    for tables in (*range(1, 10), 12, 16, 25):
        for players in range((seats - 1) * tables + 1, seats * tables + 1):
            plan = pods(players, tables=tables, seats=seats)
            check_sound(plan)
            assert len(plan.rounds) >= whole_number_rounds(tables, seats)
            assert {len(table.places) for each in plan.rounds for table in each.tables} <= {
                seats,
                seats - 1,
            }


@pytest.mark.parametrize(
    ("players", "tables", "seats", "rounds"),
    [
        (31, 7, 5, 7),
        (32, 8, 4, 8),
        (44, 11, 4, 11),
        (100, 25, 4, 25),
        (180, 45, 4, 45),
        (199, 49, 5, 49),
        (200, 50, 4, 17),
        (250, 64, 4, 64),
    ],
)
def test_the_examples_of_the_formats_have_their_rounds(
    players: int, tables: int, seats: int, rounds: int
) -> None:
    plan = pods(players, tables=tables, seats=seats, rounds=rounds)

    assert len(plan.rounds) == rounds
    check_sound(plan)


# Threes, fours and fives against the best known numbers of rounds, where these are reached.
@pytest.mark.parametrize(
    ("seats", "tables", "rounds", "construction"),
    [
        (4, 4, 5, "affine 16"),
        (4, 5, 5, "ring 5"),
        (4, 7, 9, "bose 28"),
        (4, 8, 9, "ring 8, then whole-number 2 in each group"),
        (4, 10, 13, "bose 40"),
        (3, 3, 4, "affine 9"),
        (3, 4, 4, "ring 4"),
        (3, 5, 7, "kirkman 15"),
        (3, 7, 10, "kirkman 21"),
        (3, 9, 13, "kirkman 27"),
        (5, 5, 6, "affine 25"),
        (5, 7, 7, "ring 7"),
        (5, 8, 8, "ring 8"),
        (5, 9, 9, "ring 9"),
    ],
)
def test_the_most_rounds_are_those_of_the_best_construction(
    seats: int, tables: int, rounds: int, construction: str
) -> None:
    plan = pods(seats * tables, tables=tables, seats=seats)

    assert (len(plan.rounds), plan.construction) == (rounds, construction)


@pytest.mark.parametrize(
    ("seats", "everybody"),
    [
        (3, (9, 15, 21, 27, 39, 45, 51, 57, 75)),
        (4, (16, 28, 40, 52, 64, 76, 88, 112, 244)),
        (5, (25, 125)),
        (7, (49,)),
        (8, (64,)),
        (9, (81,)),
    ],
)
def test_complete_plans_let_everybody_meet_everybody_once(
    seats: int, everybody: tuple[int, ...]
) -> None:
    for players in everybody:
        plan = pods(players, tables=players // seats, seats=seats)
        assert len(meetings(plan)) == players * (players - 1) // 2, plan.construction
        check_sound(plan)


def test_one_empty_seat_costs_no_round_of_a_complete_plan_and_more_cost_one() -> None:
    assert [len(pods(players, tables=7, seats=4).rounds) for players in range(28, 23, -1)] == [
        9,
        9,
        8,
        8,
        8,
    ]
    check_sound(pods(27, tables=7, seats=4))


def test_groups_move_up_as_many_tables_as_is_told() -> None:
    """The sentence for the room, read out: group j moves up `moves[j]` tables after each round."""
    told = 0
    for tables in (*range(2, 12), 16, 25, 27, 36, 39):
        for seats in (3, 4, 5):
            for players in (seats * tables, seats * tables - tables // 2):
                rounds = ring_rounds(tables, seats) or whole_number_rounds(tables, seats)
                plan = pods(players, tables=tables, seats=seats, rounds=rounds)
                told += bool(plan.moves)
                check_moves(plan, tables)
                if rounds > 1 and plan.construction == f"whole-number {tables}":
                    assert plan.moves == tuple(range(seats))
    assert pods(35, tables=7, seats=5).moves == (0, 1, 2, 3, 4)
    assert told > 30


def check_moves(plan: Plan, tables: int) -> None:
    at = [{p: t.table for t in each.tables for p in t.places} for each in plan.rounds]
    for group, by in zip(plan.groups if plan.moves else (), plan.moves, strict=True):
        for before, after in pairwise(at):
            assert all((before[p] - 1 + by) % tables + 1 == after[p] for p in group)


def test_members_of_a_group_never_meet_and_groups_are_everybody_in_order() -> None:
    plan = pods(31, tables=7, seats=5)

    assert [len(group) for group in plan.groups] == [7, 7, 7, 7, 3]
    assert [player for group in plan.groups for player in group] == list(range(31))
    met = meetings(plan)
    assert not any(met[frozenset((a, b))] for group in plan.groups for a in group for b in group)


def test_whoever_is_in_a_full_group_plays_at_the_larger_tables_once_with_each_of_the_short() -> (
    None
):
    for players, tables, seats in ((31, 7, 5), (29, 8, 4), (13, 5, 3), (102, 27, 4)):
        plan = pods(players, tables=tables, seats=seats, rounds=tables)
        assert plan.construction == f"ring {tables}"
        large = [
            player
            for each in plan.rounds
            for table in each.tables
            for player in table.places
            if len(table.places) == seats
        ]
        short = players - (seats - 1) * tables
        for group in plan.groups[:-1]:
            assert {large.count(player) for player in group} == {short}
        assert {large.count(player) for player in plan.groups[-1]} == {tables}


def test_shifts_looked_for_beat_the_whole_number_rule_where_no_ring_is() -> None:
    for seats, tables in ((3, 6), (3, 10), (4, 6), (4, 10), (4, 12), (4, 50), (5, 6), (5, 20)):
        assert not ring_rounds(tables, seats)
        assert len(shifts(tables, seats)) > whole_number_rounds(tables, seats)
    assert len(shifts(50, 4)) > 40, "not far from the most there could be"
    assert len(shifts(6, 3)) == 5, "with an even number of tables one fewer is all there can be"
