"""The end of a tournament: with matches that were not played it takes a reason."""

from collections.abc import Callable

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import ROBIN, Desk, drawn, played
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import ExcuseTable
from tournament.domain.tournament.rounds import PublishRound

FINISHED = EnterPhase(phase="finished")
CUP = Stage(kind="knockout", knockout=Knockout(third_place=True))


def after_round(stage: Stage, entries: int, rounds: int) -> Desk:
    desk = played(drawn(entries, stage))
    for number in range(2, rounds + 1):
        played(desk.does(DrawRound(round=number), PublishRound(round=number)))
    return desk


def without_third() -> Desk:
    """A knock-out whose final was played, and third place was not."""
    desk = after_round(CUP, 4, 1).does(DrawRound(round=2), PublishRound(round=2))
    third = next(each for each in desk.now.rounds[1].tables if each.bracket == "third")
    desk.does(ExcuseTable(round=2, table=third.table, reason="Both went home."))
    return played(desk)


@pytest.mark.parametrize(
    ("desk", "words"),
    [
        (lambda: after_round(CUP, 4, 1), "match 3 and 4"),
        (without_third, "match 4"),
        (lambda: after_round(ROBIN, 4, 1), "2 rounds of the round robin"),
    ],
)
def test_with_matches_that_were_not_played_it_is_finished_with_a_reason_alone(
    desk: Callable[[], Desk], words: str
) -> None:
    event = desk()
    with pytest.raises(RuleViolation, match=words) as refused:
        event.does(FINISHED)
    assert (refused.value.code, refused.value.path) == ("matches_missing", "reason")
    event.does(EnterPhase(phase="finished", reason="The hall closes."))
    assert event.now.phase == "finished"


@pytest.mark.parametrize("desk", [lambda: after_round(CUP, 4, 2), lambda: after_round(ROBIN, 4, 3)])
def test_with_all_matches_played_nothing_is_asked(desk: Callable[[], Desk]) -> None:
    assert desk().does(FINISHED).now.phase == "finished"
