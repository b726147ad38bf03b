"""A director goes on to the next stage: given what was played, when the stage begins, then who
plays on, and what can be taken back.
"""

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import Desk, played
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.stages import of_stage, whole_standings
from tournament.domain.standings.values import Duplicate, Result, Scale, Stage, Takes
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.byes import AskBye
from tournament.domain.tournament.cuts import BeginStage, DropStage
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.team_line_ups import OpenLineUps
from tournament.domain.tournament.todo import todo

FIRST = Stage(kind="swiss", rounds=2, tie_breaks=("buchholz", "score_difference"))
FINAL = Stage(kind="knockout", takes=Takes(top=4))


def after_the_first_stage(count: int = 6, final: Stage = FINAL) -> Desk:
    """Two rounds of a Swiss are played and closed."""
    desk = entered(count, final).does(EnterPhase(phase="running"))
    for number in (1, 2):
        played(desk.does(DrawRound(round=number), PublishRound(round=number)))
    return desk


def entered(count: int, final: Stage = FINAL) -> Desk:
    opening = OpenTournament(
        record="cup", name="Cup", game="precedence", seed=7, stage=FIRST, later=(final,)
    )
    desk = Desk(opening=opening).does(EnterPhase(phase="registration"))
    pairs = ((("1", f"a{number}"), ("2", f"b{number}")) for number in range(1, count + 1))
    return desk.does(*(MakeEntry(players=pair) for pair in pairs))


def test_after_the_last_round_of_a_stage_the_next_one_is_to_begin() -> None:
    desk = after_the_first_stage()

    assert [each.step for each in todo(desk.now, {})] == ["begin_stage"]


def test_those_who_went_on_are_drawn_in_the_order_of_their_seeds() -> None:
    desk = after_the_first_stage().does(BeginStage(stage=2))
    cut = desk.now.begun[0].cut
    desk.does(DrawRound(round=3))
    last = desk.now.last

    assert len(cut.entries) == 4
    assert last is not None
    assert last.stage == 2
    assert {frozenset(table.entries) for table in last.tables} == {
        frozenset((cut.entries[0], cut.entries[3])),
        frozenset((cut.entries[1], cut.entries[2])),
    }
    assert desk.now.stage.kind == "knockout"


def test_a_stage_is_taken_back_with_a_reason_before_its_first_round() -> None:
    desk = after_the_first_stage()
    before = desk.now
    desk.does(BeginStage(stage=2), DropStage(stage=2, reason="a score was wrong"))

    assert desk.now.entries == before.entries
    assert (desk.now.stage, desk.now.begun) == (before.stage, ())


def test_the_cut_is_made_anew_when_somebody_withdrew_and_the_next_moves_up() -> None:
    desk = after_the_first_stage().does(BeginStage(stage=2))
    first = desk.now.begun[0].cut
    desk.does(Withdraw(entry=first.entries[0]), BeginStage(stage=2))
    again = desk.now.begun[0].cut

    assert again.entries == (*first.entries[1:], first.missed)
    assert again.passed == (first.entries[0],)


def test_once_a_round_is_drawn_the_cut_stays_until_its_draw_is_dropped() -> None:
    desk = after_the_first_stage().does(BeginStage(stage=2), DrawRound(round=3))

    with pytest.raises(RuleViolation, match="drop its draw"):
        desk.does(BeginStage(stage=2))
    with pytest.raises(RuleViolation, match="drop its draw"):
        desk.does(DropStage(stage=2, reason="no"))
    desk.does(DropRound(round=3), BeginStage(stage=2))


def test_a_director_can_take_fewer_than_the_stage_was_to_take() -> None:
    desk = after_the_first_stage().does(BeginStage(stage=2, top=2), DrawRound(round=3))

    assert desk.now.stage.takes == Takes(top=2)
    assert len(list(desk.now.rounds[2].seated)) == 2


def test_a_cut_larger_than_the_field_is_refused_with_what_would_work() -> None:
    with pytest.raises(RuleViolation, match="take 2 to 3"):
        entered(3).does(EnterPhase(phase="running"))
    with pytest.raises(RuleViolation, match="take 2 to 6"):
        after_the_first_stage().does(BeginStage(stage=2, top=7))


def test_a_stage_that_no_plan_fits_is_refused_with_the_nearest_that_do() -> None:
    final = Stage(kind="movement", rounds=3, takes=Takes(top=2))

    with pytest.raises(RuleViolation, match="it can for"):
        after_the_first_stage(8, final).does(BeginStage(stage=2))


def test_results_that_are_silent_decide_no_cut_in_public() -> None:
    desk = after_the_first_stage().does(BeginSilence(from_round=2))

    with pytest.raises(RuleViolation, match="silent"):
        desk.does(BeginStage(stage=2))
    desk.does(BeginSilence(from_round=None), BeginStage(stage=2))


def test_nobody_joins_once_the_field_is_cut() -> None:
    desk = after_the_first_stage().does(BeginStage(stage=2))

    with pytest.raises(RuleViolation, match="nobody can join"):
        desk.does(MakeEntry(players=(("1", "x"), ("2", "y"))))


def test_a_stage_of_the_same_deals_begins_in_silence() -> None:
    final = Stage(
        kind="duplicate",
        duplicate=Duplicate(deals=6),
        scale=Scale(kind="matchpoints"),
        takes=Takes(top=4),
    )
    desk = after_the_first_stage(6, final).does(BeginStage(stage=2))

    assert desk.now.silent_from == 3
    assert after_the_first_stage().does(BeginStage(stage=2)).now.silent_from is None


def test_a_result_of_an_earlier_stage_is_corrected_by_what_that_stage_asks() -> None:
    """Four sat at its tables two against two, and nobody was lined up."""
    singles = Stage(kind="rotating", rounds=1)
    opening = OpenTournament(
        record="cup", name="Cup", game="precedence", seed=7, stage=singles, later=(FINAL,)
    )
    desk = Desk(opening=opening).does(EnterPhase(phase="registration"))
    desk.does(*(MakeEntry(players=(("1", f"p{number}"),)) for number in range(1, 9)))
    played(desk.does(EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1)))
    two = (Result(score=10_000), Result(score=20_000))
    desk.does(
        BeginStage(stage=2), EnterResult(round=1, table=1, results=two, reason="It was the other.")
    )

    assert desk.now.rounds[0].tables[0].results == two * 2


def test_pairs_that_are_lined_up_in_the_final_alone_can_be_corrected_before_it() -> None:
    final = Stage(kind="knockout", takes=Takes(top=4), line_up=2)
    desk = after_the_first_stage(6, final).does(BeginStage(stage=2))
    two = (Result(score=10_000), Result(score=20_000))

    desk.does(EnterResult(round=1, table=1, results=two, reason="It was the other."))

    assert desk.now.rounds[0].tables[0].results == two


def test_a_final_of_teams_is_read_from_its_file_with_their_line_ups() -> None:
    final = Stage(kind="knockout", takes=Takes(top=4), line_up=2)
    desk = after_the_first_stage(6, final).does(BeginStage(stage=2))
    desk.does(DrawRound(round=3), PublishRound(round=3), OpenLineUps(round=3))
    played(desk)
    seen = field_of(desk.now, {})

    read = read_tournament(write_tournament(seen))

    assert whole_standings(read) == whole_standings(seen)
    assert {number for each in of_stage(read, 2).entries for number, _who in each.line_ups} == {1}
    assert {each.id: each.line_ups for each in read.entries} == {
        each.id: each.line_ups for each in seen.entries
    }


def test_who_leaves_before_a_round_off_that_was_asked_for_is_read_from_the_file() -> None:
    desk = after_the_first_stage()
    desk.does(
        AskBye(entry="6", round=3, kind="half"),
        Withdraw(entry="6"),
        BeginStage(stage=2, top=4),
    )

    read = read_tournament(write_tournament(field_of(desk.now, {})))

    assert [each.away for each in read.entries if each.id == "6"] == [()]
