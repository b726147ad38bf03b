"""What the desk makes of no-shows at tables of many, and of who joins or leaves a knock-out."""

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import Desk
from tournament.domain.standings.result_bounds import wrong_with
from tournament.domain.standings.values import Pods, Result, Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.results import EnterResult, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of

FOURS = Stage(kind="pods", rounds=2, scale=Scale(bye=50, opponents=3), pods=Pods(sizes=(4, 3)))
SINGLES = Stage(kind="rotating", rounds=2, scale=Scale(bye=50))


def running(stage: Stage, game: str, entries: int, *, players: int = 1) -> Desk:
    """An event with its first round published."""
    opening = OpenTournament(record="made", name="Made", game=game, seed=7, stage=stage)
    desk = Desk(opening=opening).does(EnterPhase(phase="registration"))
    for number in range(entries):
        names = [(str(place), f"p{number} {place}") for place in range(1, players + 1)]
        desk.does(MakeEntry(players=tuple(names)))
    desk.does(CheckInAll(), EnterPhase(phase="running"), DrawRound(round=1))
    return desk.does(PublishRound(round=1))


@pytest.mark.parametrize(("stage", "game"), [(FOURS, "contract_sabacc"), (SINGLES, "precedence")])
def test_who_came_to_a_forfeited_table_of_many_has_the_points_of_sitting_out(
    stage: Stage, game: str
) -> None:
    desk = running(stage, game, 4)
    gone = desk.now.rounds[0].tables[0].entries[0]
    desk.does(ForfeitTable(round=1, table=1, absent=(gone,), reason="Nobody came."))

    table = field_of(desk.now, {}).rounds[0].tables[0]
    assert [result.points for result in table.results] == [0, 50, 50, 50]
    assert wrong_with(stage.scale, table) is None, "a file can say it"


def test_at_a_table_of_two_who_came_has_won() -> None:
    desk = running(Stage(kind="swiss", rounds=2), "precedence", 2, players=2)
    gone, _came = desk.now.rounds[0].tables[0].entries
    desk.does(ForfeitTable(round=1, table=1, absent=(gone,), reason="Nobody came."))

    table = field_of(desk.now, {}).rounds[0].tables[0]
    assert [result.points for result in table.results] == [0, 100]


def knockout() -> Desk:
    """A knock-out of four pairs whose first round is over."""
    desk = running(Stage(kind="knockout"), "precedence", 4, players=2)
    for table in (1, 2):
        results = (Result(score=200), Result(score=100))
        desk.does(EnterResult(round=1, table=table, results=results))
    return desk.does(CloseRound(round=1))


def test_nobody_joins_a_knock_out_that_is_drawn() -> None:
    with pytest.raises(RuleViolation, match="nobody can join it now"):
        knockout().does(MakeEntry(players=(("1", "late"), ("2", "later"))))


def test_who_left_a_knock_out_returns_only_before_it_goes_on_without_them() -> None:
    desk = running(Stage(kind="knockout"), "precedence", 8, players=2)
    for table in desk.now.rounds[0].tables:
        results = (Result(score=200), Result(score=100))
        desk.does(EnterResult(round=1, table=table.table, results=results))
    gone = desk.now.rounds[0].tables[0].entries[0]
    desk.does(CloseRound(round=1), Withdraw(entry=gone, reason="A train."), Return(entry=gone))
    desk.does(Withdraw(entry=gone, reason="A train."), DrawRound(round=2), PublishRound(round=2))

    with pytest.raises(RuleViolation, match=f"went on without entry {gone} in round 2"):
        desk.does(Return(entry=gone))
