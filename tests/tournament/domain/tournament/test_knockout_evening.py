"""A knock-out at the desk: it goes on until one has won, a corrected result re-derives what
follows, and what was played on a wrong premise waits for the director (formats.md F7).
"""

from dataclasses import replace

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import Desk, drawn, result, running, with_entries
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.knockout import find_misplaced, knockout_so_far, ranks_of_knockout
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.byes import AskBye
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import ChangeStage
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import TableState
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.todo import Todo, todo

SINGLE = Stage(kind="knockout")
DOUBLE = Stage(kind="knockout", knockout=Knockout(elimination="double"))
BEST_OF_3 = Stage(kind="knockout", knockout=Knockout(best_of=3))


def table_of(desk: Desk, match: int, round: int | None = None) -> TableState:
    each = desk.now.rounds[(round or len(desk.now.rounds)) - 1]
    return next(table for table in each.tables if table.match == match)


def wins(desk: Desk, match: int, winner: str, *, reason: str | None = None) -> Desk:
    """The result of a match in the round in which it was last drawn: this entry has won it."""
    number = next(
        each.number
        for each in reversed(desk.now.rounds)
        if any(table.match == match for table in each.tables)
    )
    table = table_of(desk, match, number)
    scores = (251, 180) if table.entries[0] == winner else (180, 251)
    more = {"reason": reason} if reason else {}
    return desk.does(result(table.table, scores, number, **more))


def played_round(desk: Desk, winners: dict[int, str]) -> Desk:
    for match, winner in winners.items():
        wins(desk, match, winner)
    return desk.does(CloseRound(round=len(desk.now.rounds)))


def next_round(desk: Desk) -> Desk:
    number = desk.now.next_round
    return desk.does(DrawRound(round=number), PublishRound(round=number))


def steps(desk: Desk) -> list[Todo]:
    return todo(desk.now, {})


def names(desk: Desk) -> list[str]:
    return [step.step for step in steps(desk)]


def corrected() -> Desk:
    """Four entries; match 3 was played by 1 and 2, then the result of match 1 was corrected."""
    desk = played_round(drawn(4, SINGLE), {1: "1", 2: "2"})
    played_round(next_round(desk), {3: "1"})
    return wins(desk, 1, "4", reason="typed the wrong way round")


def test_rounds_are_drawn_until_one_has_won_and_then_it_can_be_finished() -> None:
    desk = played_round(drawn(4, SINGLE), {1: "1", 2: "2"})
    assert names(desk) == ["draw"]

    played_round(next_round(desk), {3: "1"})

    assert names(desk) == ["finish"]
    with pytest.raises(RuleViolation, match="the knock-out is over; 1 has won it"):
        desk.does(DrawRound(round=3))


def test_a_match_goes_on_round_after_round_until_one_has_won_more_than_half_of_its_games() -> None:
    desk = played_round(drawn(2, BEST_OF_3), {1: "1"})
    assert names(desk) == ["draw"]
    table = table_of(next_round(desk), 1)
    desk.does(result(table.table, (200, 200), 2), CloseRound(round=2))  # drawn: another game
    played_round(next_round(desk), {1: "2"})
    assert names(desk) == ["draw"]

    played_round(next_round(desk), {1: "1"})

    state = knockout_so_far(field_of(desk.now, {})).state(1)
    assert (state.winner, state.games) == ("1", ("1", None, "2", "1"))
    assert names(desk) == ["finish"]


def test_a_corrected_result_leaves_a_match_played_on_a_wrong_premise_to_the_director() -> None:
    desk = corrected()

    assert [(step.step, step.round, step.names) for step in steps(desk)] == [
        ("premise", 2, ("1",)),
        ("draw", 3, ()),
    ]
    (wrong,) = find_misplaced(field_of(desk.now, {}))
    assert (set(wrong.entries), set(wrong.should), wrong.match) == ({"1", "2"}, {"4", "2"}, 3)


def test_drawing_the_match_anew_settles_it_and_nothing_is_deleted() -> None:
    desk = next_round(corrected())
    assert set(table_of(desk, 3).entries) == {"2", "4"}
    assert "premise" not in names(desk)

    played_round(desk, {3: "4"})

    assert names(desk) == ["finish"]
    assert ranks_of_knockout(field_of(desk.now, {})) == {"4": 1, "2": 2, "1": 3, "3": 3}
    assert [each.settled for each in find_misplaced(field_of(desk.now, {}))] == [True]
    assert desk.now.rounds[1].tables[0].results


def test_typing_the_earlier_result_again_lets_what_was_played_stand() -> None:
    desk = wins(corrected(), 1, "1", reason="noticed too late: it stands")

    assert names(desk) == ["finish"]
    assert find_misplaced(field_of(desk.now, {})) == ()


def test_a_draw_of_earlier_results_is_not_published() -> None:
    desk = played_round(drawn(4, SINGLE), {1: "1", 2: "2"}).does(DrawRound(round=2))
    wins(desk, 1, "4", reason="typed the wrong way round")

    with pytest.raises(RuleViolation, match="draw round 2 anew") as refused:
        desk.does(PublishRound(round=2))
    assert refused.value.code == "wrong_premise"
    assert set(table_of(next_again(desk), 3).entries) == {"2", "4"}


def next_again(desk: Desk) -> Desk:
    number = len(desk.now.rounds)
    return desk.does(DrawRound(round=number), PublishRound(round=number))


def test_a_swap_brings_nobody_to_another_match_but_may_change_the_seats() -> None:
    desk = running(4, SINGLE).does(DrawRound(round=1))
    one, two = table_of(desk, 1).entries

    with pytest.raises(RuleViolation, match="follows from its results"):
        desk.does(SwapEntries(round=1, one=one, two=table_of(desk, 2).entries[0]))
    desk.does(SwapEntries(round=1, one=one, two=two))

    assert table_of(desk, 1).entries == (two, one)


def test_nobody_joins_a_knock_out_once_it_is_drawn() -> None:
    entry = MakeEntry(players=(("1", "late"), ("2", "later")))
    desk = running(4, SINGLE).does(entry, Withdraw(entry="1")).does(DrawRound(round=1))

    for late in (replace(entry, players=(("1", "x"), ("2", "y"))), Return(entry="1")):
        with pytest.raises(RuleViolation, match="settled with its first draw"):
            desk.does(late)


def test_whoever_left_makes_a_walk_over_and_may_return_before_the_match() -> None:
    desk = played_round(drawn(4, SINGLE), {1: "1", 2: "2"}).does(Withdraw(entry="2"))
    assert knockout_so_far(field_of(desk.now, {})).state(3).status == "walk_over"
    assert names(desk) == ["finish"]

    desk.does(Return(entry="2"))

    assert knockout_so_far(field_of(desk.now, {})).state(3).status == "ready"


def test_a_match_waits_for_who_is_away_and_the_desk_says_for_whom() -> None:
    desk = played_round(drawn(8, SINGLE), {1: "1", 2: "4", 3: "2", 4: "3"})
    desk.does(AskBye(entry="1", round=2, kind="zero"))
    step = next(step for step in steps(desk) if step.step == "held_up")
    assert (step.round, step.count, step.names) == (2, 1, ("1",))

    next_round(desk)

    assert {entry for table in desk.now.rounds[1].tables for entry in table.entries} == {"2", "3"}


def test_only_those_who_play_next_are_asked_whether_they_are_here() -> None:
    desk = with_entries(5, SINGLE).does(EnterPhase(phase="running"))

    assert set(steps(desk)[0].names) == {"2", "3", "4", "5"}  # 1 has no match yet


def test_the_reset_is_drawn_when_the_winner_of_the_losers_bracket_wins_the_final() -> None:
    desk = played_round(drawn(3, DOUBLE), {1: "2"})
    while names(desk) == ["draw"] and len(desk.now.rounds) < 9:
        next_round(desk)
        (table,) = desk.now.rounds[-1].tables
        weaker = max(table.entries)
        played_round(desk, {table.match or 0: weaker})

    brackets = [table.bracket for each in desk.now.rounds for table in each.tables]
    assert brackets[-2:] == ["final", "reset"]
    assert names(desk) == ["finish"]


@pytest.mark.parametrize("kind", ["margin", "matchpoints"])
def test_a_knock_out_counts_only_by_what_a_table_can_be_won_by(kind: str) -> None:
    stage = replace(SINGLE, scale=Scale(kind=kind, steps=(500,)))

    with pytest.raises(RuleViolation, match="has a winner"):
        Desk().does(ChangeStage(name="Cup", stage=stage))
