"""Who does not come to a table of many lets the others play, and who sits out can sit down."""

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import Desk
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Pods, Result, Scale, Stage
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.subject import Command
from tournament.domain.tournament.table_places import LeavePlace, TakePlace


def pods(players: int, *sizes: int, game: str = "contract_sabacc") -> Desk:
    """An event of tables of many with its first round drawn."""
    stage = Stage(
        kind="pods",
        rounds=3,
        scale=Scale(kind="chips", opponents=max(sizes) - 1),
        pods=Pods(sizes=sizes),
    )
    opening = OpenTournament(record="pods", name="Pods", game=game, seed=7, stage=stage)
    desk = Desk(opening=opening).does(EnterPhase(phase="registration"))
    desk.does(*(MakeEntry(players=(("1", f"p{number}"),)) for number in range(1, players + 1)))
    return desk.does(CheckInAll(), EnterPhase(phase="running"), DrawRound(round=1))


def code_of(desk: Desk, command: Command) -> str:
    with pytest.raises(RuleViolation) as refused:
        desk.does(command)
    return refused.value.code


def test_a_table_plays_on_without_who_does_not_come_and_its_chips_count() -> None:
    desk = pods(8, 4, 3).does(PublishRound(round=1))
    table = desk.now.rounds[0].tables[0]
    gone = table.entries[1]
    desk.does(LeavePlace(round=1, table=1, entry=gone, reason="Missed the train."))

    left = desk.now.rounds[0].tables[0]
    assert left.entries == tuple(entry for entry in table.entries if entry != gone)
    assert [(bye.entry, bye.kind) for bye in desk.now.rounds[0].byes] == [(gone, "zero")]
    for number, chips in ((1, (4, -2, -2)), (2, (3, -1, -1, -1))):
        results = tuple(Result(chips=each) for each in chips)
        desk.does(EnterResult(round=1, table=number, results=results))
    desk.does(CloseRound(round=1), DrawRound(round=2))
    assert len(list(desk.now.rounds[1].seated)) == 8


def test_who_sits_out_takes_a_place_and_the_round_is_as_drawn_elsewhere() -> None:
    desk = pods(8, 4, 3)
    first, second = desk.now.rounds[0].tables
    gone = first.entries[0]
    desk.does(LeavePlace(round=1, table=1, entry=gone), TakePlace(round=1, table=2, entry=gone))

    assert desk.now.rounds[0].tables[1].entries == (*second.entries, gone)
    assert desk.now.rounds[0].byes == ()
    assert sorted(desk.now.rounds[0].seated) == sorted(entry.id for entry in desk.now.entries)


def test_a_table_that_would_be_too_small_or_too_large_is_refused_with_what_plays() -> None:
    threes = pods(7, 3, 4, 5)
    small = next(table for table in threes.now.rounds[0].tables if len(table.entries) == 3)
    leave = LeavePlace(round=1, table=small.table, entry=small.entries[0])
    assert code_of(threes, leave) == "bad_table"

    preference = pods(7, 3, game="preference")
    out = preference.now.rounds[0].byes[0].entry
    assert code_of(preference, TakePlace(round=1, table=1, entry=out)) == "bad_table"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (LeavePlace(round=1, table=1, entry="99"), "entry_missing"),
        (LeavePlace(round=1, table=9, entry="1"), "table_missing"),
        (TakePlace(round=1, table=1, entry="1"), "entry_missing"),
    ],
)
def test_only_who_sits_there_leaves_and_only_who_sits_out_sits_down(
    command: Command, code: str
) -> None:
    assert code_of(pods(8, 4), command) == code


def test_a_table_with_a_result_keeps_its_players() -> None:
    desk = pods(8, 4).does(PublishRound(round=1))
    table = desk.now.rounds[0].tables[0]
    desk.does(
        EnterResult(
            round=1, table=1, results=tuple(Result(chips=chips) for chips in (3, -1, -1, -1))
        )
    )

    leave = LeavePlace(round=1, table=1, entry=table.entries[0])
    assert code_of(desk, leave) == "round_started"


def test_who_was_away_and_sits_down_after_all_is_in_the_round_on_file_too() -> None:
    desk = pods(8, 4, 3).does(DrawRound(round=1, away=("3",)), PublishRound(round=1))
    small = next(table for table in desk.now.rounds[0].tables if len(table.entries) == 3)

    desk.does(TakePlace(round=1, table=small.table, entry="3"))

    read = read_tournament(write_tournament(field_of(desk.now, {})))
    assert [each.away for each in read.entries if each.id == "3"] == [()]
    assert desk.entry("3").plays_in(1)
