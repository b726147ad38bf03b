"""Matches of two teams at several tables at once (F10): drawn once, played at each table by others
of the team, decided by the sum over the tables.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from scoring.errors import Refusal, RuleViolation
from tests.tournament.domain.tournament.desk import Desk, result
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.redraw import redrawn
from tournament.domain.pairing.stages import draw_next
from tournament.domain.rating import list_rated_tables
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.scales import DEFAULT_STEPS
from tournament.domain.standings.stages import courses_of_stages, whole_standings
from tournament.domain.standings.values import Result, Scale, Stage
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.added_tables import AddTable, RemoveTable
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.leavers import games_played
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import (
    ClearTable,
    EnterResult,
    ExcuseTable,
    ForfeitTable,
)
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import ChangeStage, OpenTournament
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.team_line_ups import LineUp, LineUpsOpened, OpenLineUps

KINDS: dict[str, Stage] = {
    "swiss": Stage(kind="swiss", rounds=3, tie_breaks=("buchholz", "score_difference")),
    "round_robin": Stage(kind="round_robin", tie_breaks=("direct_encounter", "wins")),
    "knockout": Stage(kind="knockout"),
}
SCALES = (Scale(), Scale(kind="margin", bye=1200, steps=DEFAULT_STEPS), Scale(kind="points"))


def teams(stage: Stage, count: int, size: int = 5) -> Desk:
    """An event of so many teams, started, nothing drawn."""
    desk = Desk(stage).does(EnterPhase(phase="registration"))
    for number in range(1, count + 1):
        names = tuple((str(place), f"p{number}.{place}") for place in range(1, size + 1))
        desk.does(MakeEntry(players=names), CheckIn(entry=str(number)))
    return desk.does(EnterPhase(phase="running"))


def of_two(kind: str = "swiss", tables: int = 2, **more: Any) -> Stage:
    return replace(KINDS[kind], line_up=2, tables_a_match=tables, **more)


def begun(desk: Desk, number: int = 1) -> Desk:
    """The next round drawn and published, its line-ups open."""
    return desk.does(DrawRound(round=number), PublishRound(round=number), OpenLineUps(round=number))


def opened(given: dict[str, Any]) -> Desk:
    """An event whose stage a form or the API says so."""
    stage = read_stage(given, "stage", "precedence")
    opening = OpenTournament(record="r", name="Cup", game="precedence", seed=1, stage=stage)
    return Desk(opening=opening)


def codes(desk: Desk, *commands: Any) -> list[str]:
    """The refusal of each of these, by its code."""
    found = []
    for command in commands:
        with pytest.raises(Refusal) as refusal:
            desk.does(command)
        found.append(refusal.value.code)
    return found


def test_teams_are_drawn_once_and_meet_at_tables_one_after_another() -> None:
    desk, alone = teams(of_two(tables=2), 6), teams(of_two(tables=1), 6)
    for each in (desk, alone):
        each.does(DrawRound(round=1))
    here, there = desk.now.rounds[0], alone.now.rounds[0]

    assert here.digest == there.digest
    assert [table.table for table in here.tables] == [1, 2, 3, 4, 5, 6]
    assert [table.entries for table in here.tables] == [
        table.entries for table in there.tables for _each in range(2)
    ]
    assert [bool(table.why) for table in here.tables] == [True, False] * 3
    assert len({(table.dealer, table.table) for table in here.tables}) == 6
    assert {best.other_table for table in here.tables if (best := table.instead)} <= {1, 3, 5}


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_counts_what_the_scale_gives_for_the_sums_over_its_tables(
    kind: str, scale: Scale, seed: int
) -> None:
    """The oracle adds up by itself what every table brought, and counts that at one table."""
    if kind == "knockout" and scale.kind == "margin":
        return
    chance = Random(seed)
    tables = chance.choice((2, 3))
    desk = teams(of_two(kind, tables, scale=scale), chance.randint(4, 7), size=7)
    alone = teams(of_two(kind, 1, scale=scale), len(desk.now.entries), size=7)
    number = 1
    while number <= 3:
        try:
            begun(desk, number)
        except RuleViolation:  # over
            break
        begun(alone, number)
        sums: dict[str, Counter[str]] = {}
        for table in desk.now.rounds[-1].tables:
            scores = (chance.randint(0, 300), chance.randint(0, 300))
            desk.does(result(table.table, scores, number))
            match = sums.setdefault("–".join(sorted(table.entries)), Counter())
            match.update(dict(zip(table.entries, scores, strict=True)))
        for table in alone.now.rounds[-1].tables:
            match = sums["–".join(sorted(table.entries))]
            one, two = (match[entry] for entry in table.entries)
            alone.does(result(table.table, (one, two), number))
        desk.does(CloseRound(round=number))
        alone.does(CloseRound(round=number))
        number += 1

    field, sole = field_of(desk.now, {}), field_of(alone.now, {})
    assert standings(field) == standings(sole)
    mine, theirs = courses_of_stages(field), courses_of_stages(sole)
    assert mine == theirs
    for row in standings(field).rows:
        assert row.points == sum(Fraction(line.points) for line in mine[row.entry])
    written = write_tournament(field)
    assert read_tournament(written) == replace(field, name=field.name)
    assert [each.same for each in redrawn(read_tournament(written))] == [True] * len(field.rounds)
    assert [len(each["tables"]) for each in written["rounds"]] == [
        len(each.tables) for each in desk.now.rounds
    ]


def test_a_match_waits_for_its_last_table() -> None:
    desk = begun(teams(of_two(), 4))
    desk.does(result(1), result(3), result(4))

    found = standings(field_of(desk.now, {}))
    assert found.missing == ((1, 2),)
    assert sum(row.points or 0 for row in found.rows) == 100, "the other match"
    assert codes(desk, CloseRound(round=1)) == ["result_missing"]
    with pytest.raises(RuleViolation, match="table 2 of round 1 has no result"):
        draw(field_of(desk.now, {}), 2)

    desk.does(ExcuseTable(round=1, table=2, reason="The hall closes."), CloseRound(round=1))
    assert field_of(desk.now, {}).rounds[0].tables[0].excused
    assert draw_next(field_of(desk.now, {})).round == 2


def test_a_narrow_loss_and_a_large_win_are_a_won_match() -> None:
    desk = begun(teams(of_two(), 2))
    first, second = desk.now.rounds[0].tables[0].entries
    desk.does(result(1, (240, 250)), result(2, (250, 100)), CloseRound(round=1))

    rows = {row.entry: row.points for row in standings(field_of(desk.now, {})).rows}
    assert rows == {first: 100, second: 0}


def test_a_line_up_names_those_of_every_table_in_turn() -> None:
    desk = teams(of_two(), 2).does(DrawRound(round=1), PublishRound(round=1))
    wrong = [
        ("1", "2"),
        ("1", "2", "3"),
        ("1", "2", "3", "3"),
        ("1", "2", "3", "9"),
        ("1", "2", "3", "4", "5"),
    ]
    for places in wrong:
        opening = OpenLineUps(round=1, table=2, line_ups=(LineUp(entry="1", places=places),))
        assert codes(desk, opening) == ["bad_line_up"]
    chosen = LineUp(entry="1", places=("5", "1", "2", "4"))
    desk.does(OpenLineUps(round=1, table=2, line_ups=(chosen,)))

    opened = desk.events[-1]
    assert isinstance(opened, LineUpsOpened)
    assert opened.table == 1, "one opening for the whole match"
    tables = desk.now.rounds[0].tables
    assert dict(desk.now.players_at(1, tables[0], "1")) == {"5": "p1.5", "1": "p1.1"}
    assert dict(desk.now.players_at(1, tables[1], "1")) == {"2": "p1.2", "4": "p1.4"}
    assert codes(desk, OpenLineUps(round=1, table=1)) == ["line_ups_open"]
    desk.does(result(1), result(2), CloseRound(round=1))
    sides = [set(table.sides) for table in list_rated_tables(field_of(desk.now, {}))]
    assert sides == [{("p1.5", "p1.1"), ("p2.1", "p2.2")}, {("p1.2", "p1.4"), ("p2.3", "p2.4")}]


def test_who_does_not_come_forfeits_the_match_and_that_can_be_taken_back() -> None:
    desk = begun(teams(of_two(), 4))
    gone, came = desk.now.rounds[0].tables[0].entries
    before = desk.now
    desk.does(ForfeitTable(round=1, table=2, absent=(gone,), reason="Nobody came."))

    assert [table.absent for table in desk.now.rounds[0].tables] == [(gone,), (gone,), (), ()]
    match = field_of(desk.now, {}).rounds[0].tables[0]
    assert match.forfeit
    assert dict(zip(match.entries, match.results, strict=True)) == {
        gone: Result(points=0),
        came: Result(points=100),
    }
    desk.does(ClearTable(round=1, table=1))
    assert desk.now.rounds == before.rounds
    assert desk.entry(gone).checked_in

    desk.does(result(1), ForfeitTable(round=1, table=2, absent=(gone,), reason="They left."))
    assert [bool(table.absent) for table in desk.now.rounds[0].tables[:2]] == [False, True]
    rows = {row.entry: row for row in standings(field_of(desk.now, {})).rows}
    assert (rows[gone].points, rows[came].points, rows[came].played) == (0, 100, 0)


def test_each_of_two_teams_that_misses_a_table_has_lost() -> None:
    desk = begun(teams(of_two(), 2))
    one, two = desk.now.rounds[0].tables[0].entries
    desk.does(result(1))
    desk.does(ForfeitTable(round=1, table=2, absent=(one,), reason="Nobody."))
    desk.does(ClearTable(round=1, table=1))
    desk.does(ForfeitTable(round=1, table=1, absent=(two,), reason="Nobody."))

    match = field_of(desk.now, {}).rounds[0].tables[0]
    assert [result.points for result in match.results] == [0, 0]


def test_a_swap_changes_all_tables_of_a_match() -> None:
    desk = begun(teams(of_two(), 5))
    tables = desk.now.rounds[0].tables
    one, two = tables[0].entries[0], tables[2].entries[1]
    desk.does(SwapEntries(round=1, one=one, two=two))

    after = desk.now.rounds[0].tables
    assert [table.entries for table in after] == [
        tuple({one: two, two: one}.get(key, key) for key in table.entries) for table in tables
    ]
    assert [bool(table.why) for table in after] == [True, False] * 2
    assert all(table.by_hand for table in after)
    desk.does(SwapEntries(round=1, one=one, two=two))
    assert desk.now.rounds[0].tables == tables
    desk.does(result(2))
    assert codes(desk, SwapEntries(round=1, one=one, two=two)) == ["round_started"]


def test_two_who_wait_meet_at_as_many_tables_as_all_others() -> None:
    desk = begun(teams(of_two(), 5))
    (out,) = [bye.entry for bye in desk.now.rounds[0].byes]
    late = tuple((str(place), f"late.{place}") for place in range(1, 6))
    desk.does(MakeEntry(players=late), AddTable(round=1, entry=out, other="6"))

    added = desk.now.rounds[0].tables[4:]
    assert [(table.table, set(table.entries)) for table in added] == [
        (5, {out, "6"}),
        (6, {out, "6"}),
    ]
    assert not desk.now.rounds[0].byes
    desk.does(RemoveTable(round=1, table=6))
    assert [table.table for table in desk.now.rounds[0].tables] == [1, 2, 3, 4]
    assert [bye.entry for bye in desk.now.rounds[0].byes] == [out]
    desk.does(AddTable(round=1, entry=out, other="6"), OpenLineUps(round=1), result(6))
    assert codes(desk, RemoveTable(round=1, table=5)) == ["round_started"]


def test_taking_a_draw_back_forgets_its_line_ups() -> None:
    desk = begun(teams(of_two(), 4))
    desk.does(DropRound(round=1))
    assert not any(entry.line_ups for entry in desk.now.entries)
    begun(desk)
    assert len(desk.now.rounds[0].tables) == 4


def test_a_leaver_played_as_many_matches_as_had_all_their_tables() -> None:
    desk = begun(teams(of_two("round_robin"), 4)).does(*(result(table) for table in (1, 2, 3, 4)))
    begun(desk.does(CloseRound(round=1)), 2).does(result(1, round=2))
    gone = desk.now.rounds[1].tables[0].entries[0]
    desk.does(Withdraw(entry=gone))

    assert games_played(desk.now, gone, {}) == (1, 3)


def test_points_are_not_given_to_one_table_of_a_match() -> None:
    desk = begun(teams(of_two(), 2))
    points = (Result(points=100), Result(points=0))

    with pytest.raises(Refusal, match="one of several of a match") as refusal:
        desk.does(EnterResult(round=1, table=1, results=points))
    assert refusal.value.path == "results[0].points"


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"kind": "swiss", "line_up": 0}, "stage.tables_a_match", "are for teams"),
        ({"kind": "movement", "line_up": 2}, "stage.tables_a_match", "two teams meet at one table"),
        ({"kind": "rotating", "line_up": 1}, "stage.tables_a_match", "meet at one table"),
        ({"kind": "duplicate", "line_up": 2}, "stage.tables_a_match", "meet at one table"),
        ({"kind": "swiss", "line_up": 2, "tables_a_match": 5}, "stage.tables_a_match", "up to 4"),
        ({"kind": "swiss", "line_up": 2, "tables_a_match": 0}, "stage.tables_a_match", "1"),
        ({"kind": "swiss", "line_up": 2, "tables_a_match": 9}, "stage.tables_a_match", "8"),
    ],
)
def test_what_no_match_of_several_tables_can_be_is_refused_in_words_by_file_and_set_up(
    given: dict[str, Any], path: str, words: str
) -> None:
    given = {"tables_a_match": 2, "rounds": 3} | given
    file = {
        "format": "salon-tournament/1",
        "id": "cup",
        "game": "precedence",
        "stage": given,
        "entries": [],
        "rounds": [],
    }
    with pytest.raises(Refusal, match=words) as refusal:
        read_tournament(file)
    assert refusal.value.path == path
    with pytest.raises(Refusal, match=words) as refusal:
        opened(given)
    assert refusal.value.path == path


def test_a_team_that_is_too_small_for_all_tables_is_refused() -> None:
    desk = Desk(of_two()).does(EnterPhase(phase="registration"))
    small = tuple((str(place), f"p{place}") for place in range(1, 4))
    assert codes(desk, MakeEntry(players=small)) == ["bad_entry"]

    one = Desk(of_two(tables=1)).does(EnterPhase(phase="registration"), MakeEntry(players=small))
    change = ChangeStage(name="Spring Cup", stage=of_two())
    with pytest.raises(Refusal, match="4 to 8"):
        one.does(change)


def file_of_a_match(*tables: dict[str, Any]) -> dict[str, Any]:
    """A file of one match with these tables, each changed as it says."""
    usual = [
        {
            "table": place + 1,
            "entries": ["1", "2"],
            "line_ups": {
                key: [f"p{key}.{2 * place + 1}", f"p{key}.{2 * place + 2}"] for key in ("1", "2")
            },
            "result": {"1": {"score": 250}, "2": {"score": 180}},
        }
        for place in range(len(tables))
    ]
    return {
        "format": "salon-tournament/1",
        "id": "cup",
        "game": "precedence",
        "stage": {"kind": "swiss", "rounds": 3, "line_up": 2, "tables_a_match": 2},
        "entries": [
            {"id": key, "players": [f"p{key}.{place}" for place in range(1, 6)]}
            for key in ("1", "2")
        ],
        "rounds": [{"tables": [a | b for a, b in zip(usual, tables, strict=True)]}],
    }


@pytest.mark.parametrize(
    ("tables", "path", "words"),
    [
        (({},), "tables[0].entries", "meet at 1 tables; a match of this stage has 2"),
        (({}, {}, {}), "tables[0].entries", "meet at 3 tables"),
        (({}, {"line_ups": {}}), "tables[0].line_ups.1", "at the 2 tables of a match, each once"),
        (
            ({}, {"line_ups": {"1": ["p1.1", "p1.3"], "2": ["p2.3", "p2.4"]}}),
            "tables[0].line_ups.1",
            "each once",
        ),
        (
            ({}, {"result": {"1": {"points": 1}, "2": {"points": 0}}}),
            "tables[1].result.1.points",
            "one of several of a match",
        ),
    ],
)
def test_a_file_with_a_match_that_cant_be_is_refused_where_it_stands(
    tables: tuple[dict[str, Any], ...], path: str, words: str
) -> None:
    with pytest.raises(Refusal, match=words) as refusal:
        read_tournament(file_of_a_match(*tables))
    assert refusal.value.path == f"rounds[0].{path}"


def test_a_file_without_several_tables_a_match_refuses_teams_that_meet_twice_in_a_round() -> None:
    file = file_of_a_match({}, {})
    del file["stage"]["tables_a_match"]
    with pytest.raises(Refusal) as refusal:
        read_tournament(file)
    assert refusal.value.code == "seated_twice"


def test_a_file_reads_as_one_match_and_writes_its_tables_again() -> None:
    tournament = read_tournament(
        file_of_a_match({}, {"result": {"2": {"score": 9}, "1": {"score": 7}}})
    )

    (match,) = tournament.rounds[0].tables
    assert [result.score for result in match.results] == [25700, 18900]
    again = write_tournament(tournament)
    assert [table["line_ups"] for table in again["rounds"][0]["tables"]] == [
        {key: [f"p{key}.1", f"p{key}.2"] for key in ("1", "2")},
        {key: [f"p{key}.3", f"p{key}.4"] for key in ("1", "2")},
    ]
    assert read_tournament(again) == tournament
    assert whole_standings(tournament).rows[0].entry == "1"
