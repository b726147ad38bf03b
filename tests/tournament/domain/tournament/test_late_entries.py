"""Who comes late, by format and moment: whether they can join, what becomes of them, and one more
table of a round for those who wait.
"""

from typing import Any

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import ROBIN, SWISS, Desk, drawn, played, result
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import (
    Duplicate,
    Movement,
    Pods,
    Result,
    Scale,
    Stage,
)
from tournament.domain.tournament.added_tables import AddTable, RemoveTable
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.late_entries import what_becomes
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of

LATE = MakeEntry(players=(("1", "late"), ("2", "later")))
LATE_ALONE = MakeEntry(players=(("1", "late"),))
PODS = Stage(kind="pods", rounds=4, pods=Pods(sizes=(3,)), scale=Scale(kind="chips", bye=0))
ALONE = Stage(
    kind="duplicate",
    duplicate=Duplicate(deals=3, scoring="built"),
    scale=Scale(kind="built", bye=0),
)
HOWELL = Stage(
    kind="movement", movement=Movement(movement="howell"), scale=Scale(kind="matchpoints")
)


def singles(game: str, count: int, stage: Stage) -> Desk:
    desk = Desk(
        opening=OpenTournament(record="r", name="Cup", game=game, seed=3, stage=stage)
    ).does(EnterPhase(phase="registration"))
    desk.does(*(MakeEntry(players=(("1", f"p{number}"),)) for number in range(1, count + 1)))
    return desk.does(EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))


def over(desk: Desk, number: int) -> Desk:
    """The round with a result at each table, closed, and the next one drawn and published."""
    each = desk.now.rounds[number - 1]
    for table in each.tables:
        scores = tuple(Result(points=0) for _ in table.entries)
        desk.does(EnterResult(round=number, table=table.table, results=scores))
    desk.does(CloseRound(round=number))
    return desk.does(DrawRound(round=number + 1), PublishRound(round=number + 1))


def out_of(desk: Desk, number: int) -> list[str]:
    return [bye.entry for bye in desk.now.rounds[number - 1].byes]


def code(desk: Desk, command: Any) -> str:
    with pytest.raises(Refusal) as refused:
        desk.does(command)
    return refused.value.code


def test_a_late_pair_meets_who_sits_out_at_one_more_table_of_a_running_swiss() -> None:
    desk = drawn(5).does(result(table=1))
    (out,) = out_of(desk, 1)
    before = {row.entry: row.points for row in standings(field_of(desk.now, {})).rows}
    late = what_becomes(desk.now, {})
    assert late is not None
    assert (late.kind, late.round, late.other) == ("more_table", 2, out)
    desk.does(LATE, AddTable(round=1, entry="6", other=out))

    table = desk.now.rounds[0].tables[-1]
    assert (table.table, table.entries, table.by_hand) == (3, ("6", out), True)
    assert (out_of(desk, 1), desk.entry("6").joined_in) == ([], 1)
    after = {row.entry: row.points for row in standings(field_of(desk.now, {})).rows}
    assert (before[out], after[out]) == (100, 0)

    desk.does(RemoveTable(round=1, table=3))
    assert (out_of(desk, 1), desk.entry("6").joined_in) == ([out], 2)
    assert {row.entry: row.points for row in standings(field_of(desk.now, {})).rows}[out] == 100


def test_who_was_away_and_came_after_all_plays_at_the_table_that_is_added() -> None:
    desk = drawn(6)
    desk.does(DrawRound(round=1, away=("2",)), PublishRound(round=1))
    byes = desk.now.rounds[0].byes
    out = next(each.entry for each in byes if each.kind == "pairing")
    desk.does(result(table=1), AddTable(round=1, entry=out, other="2"))

    assert out_of(desk, 1) == []
    assert desk.entry("2").plays_in(1)
    desk.does(RemoveTable(round=1, table=3))
    byes = desk.now.rounds[0].byes
    assert [(each.entry, each.kind) for each in byes] == [(out, "pairing"), ("2", "zero")]
    assert not desk.entry("2").plays_in(1)


def test_the_round_goes_on_with_the_table_that_was_added() -> None:
    desk = drawn(5).does(result(table=1), LATE)
    (out,) = out_of(desk, 1)
    desk.does(AddTable(round=1, entry=out, other="6"), result(table=3))
    assert code(desk, RemoveTable(round=1, table=3)) == "round_started"
    played(desk).does(DrawRound(round=2))

    assert sorted(desk.now.rounds[1].seated) == ["1", "2", "3", "4", "5", "6"]
    assert all(set(table.entries) != {out, "6"} for table in desk.now.rounds[1].tables)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (AddTable(round=1, entry="6", other="6"), "bad_table"),
        (AddTable(round=1, entry="6"), "bad_table"),
        (AddTable(round=1, entry="1", other="6"), "entry_missing"),
        (RemoveTable(round=1, table=1), "bad_table"),
    ],
)
def test_only_those_who_wait_are_seated_at_a_table_that_is_added(
    command: Any, expected: str
) -> None:
    desk = drawn(5).does(LATE)
    if out_of(desk, 1) == ["1"]:
        command = AddTable(round=1, entry="2", other="6")
    assert code(desk, command) == expected


def test_other_formats_say_who_meets_whom() -> None:
    desk = drawn(7, ROBIN)
    assert code(desk, AddTable(round=1, entry="1", other="2")) == "bad_table"


def test_in_the_last_round_of_a_swiss_a_late_pair_plays_at_once_or_cannot_join() -> None:
    odd = drawn(5, Stage(kind="swiss", rounds=1))
    (out,) = out_of(odd, 1)
    odd.does(LATE)
    assert odd.now.rounds[0].tables[-1].entries == (out, "6")

    assert code(drawn(4, Stage(kind="swiss", rounds=1)), LATE) == "wrong_phase"


def test_who_comes_late_to_the_patience_plays_the_round_that_is_open() -> None:
    desk = singles("order_of_precedence", 4, ALONE)
    late = what_becomes(desk.now, {})
    assert late is not None
    assert (late.kind, late.round) == ("own_table", 1)
    desk.does(LATE_ALONE)

    tables = desk.now.rounds[0].tables
    assert tables[-1].entries == ("5",)
    assert tables[-1].deals == tables[0].deals == (1, 2, 3)
    assert desk.entry("5").joined_in == 1


def test_an_eighth_joins_a_round_robin_of_seven_and_a_ninth_cannot() -> None:
    desk = drawn(7, ROBIN).does(LATE)

    assert code(desk, MakeEntry(players=(("1", "x"), ("2", "y")))) == "wrong_phase"
    played(desk).does(DrawRound(round=2))
    assert out_of(desk, 2) == []
    assert code(drawn(6, ROBIN), LATE) == "wrong_phase"


def test_a_leavers_chair_of_a_round_robin_is_taken() -> None:
    desk = drawn(6, ROBIN)
    played(desk).does(Withdraw(entry="2"), LATE, DrawRound(round=2))

    assert sorted(desk.now.rounds[1].seated) == ["1", "3", "4", "5", "6", "7"]
    assert out_of(desk, 2) == []


def test_where_tables_of_three_are_full_it_is_said_that_the_late_sit_out_in_turn() -> None:
    desk = singles("preference", 13, PODS)
    late = what_becomes(desk.now, {})
    assert late is not None
    assert (late.kind, late.round) == ("in_turn", 2)
    assert late.plays

    desk.does(LATE_ALONE)
    there = [2]
    for number in (1, 2, 3):
        over(desk, number)
        there += [number + 1] if "14" not in out_of(desk, number + 1) else []
    assert tuple(there[1:]) == late.plays


def test_a_late_pair_of_a_howell_waits_until_someone_leaves() -> None:
    desk = drawn(8, HOWELL)
    late = what_becomes(desk.now, {})
    assert late is not None
    assert (late.kind, late.plays) == ("waits", ())

    desk.does(LATE)
    over(desk, 1)
    assert out_of(desk, 2) == ["9"]
    left = desk.now.rounds[1].tables[0].entries[0]
    for table in desk.now.rounds[1].tables:
        desk.does(
            EnterResult(round=2, table=table.table, results=(Result(points=0), Result(points=0)))
        )
    desk.does(CloseRound(round=2), Withdraw(entry=left), DrawRound(round=3))
    assert out_of(desk, 3) == []


def test_before_the_first_draw_nothing_is_late() -> None:
    desk = Desk(SWISS).does(EnterPhase(phase="registration"))
    assert what_becomes(desk.now, {}) is None
