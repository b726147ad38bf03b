"""What counts at a table: one rule; a game is detached, counted again, overridden, and every
difference is accepted or flagged.
"""

from dataclasses import replace
from typing import Any

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import Desk, drawn, result
from tournament.domain.standings.values import Result
from tournament.domain.tournament.counting import Outcomes, differs, results_of, what_counts
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.ended_games import EndTableGame, FreeTables
from tournament.domain.tournament.games import (
    AcceptDifference,
    CountGame,
    DetachGame,
    GameLinked,
    LinkGame,
    UnlinkGame,
)
from tournament.domain.tournament.outcomes import GamesSeen, Outcome
from tournament.domain.tournament.results import ClearTable, EnterResult, ExcuseTable, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, RoundClosed
from tournament.domain.tournament.state import TableState
from tournament.domain.tournament.subjects import evolve
from tournament.domain.tournament.todo import todo

LINKED = LinkGame(round=1, table=1, game="g")
OTHER = LinkGame(round=1, table=1, game="h")
LIVE = GamesSeen(live=((1, 1),))
HERE: Any = {"round": 1, "table": 1}


def over(kind: str = "played", scores: tuple[int, int] = (20, 101)) -> dict[str, Outcome]:
    results = tuple(Result(score=100 * score) for score in scores) if kind != "not_played" else ()
    return {"g": Outcome(game="g", results=results, hands=3, kind=kind)}


def seen(outcomes: Outcomes) -> GamesSeen:
    return GamesSeen(outcomes=tuple(outcomes.values()))


def with_game() -> Desk:
    """One table in round 1, its game linked."""
    return drawn(2).does(LINKED)


def table_of(desk: Desk) -> TableState:
    return desk.now.rounds[0].tables[0]


def counts(desk: Desk, outcomes: Outcomes) -> str:
    return what_counts(table_of(desk), outcomes)


def flagged(desk: Desk, outcomes: Outcomes) -> bool:
    return differs(table_of(desk), outcomes, desk.now.stage)


def refused(desk: Desk, command: Any) -> tuple[str, str]:
    before = desk.state
    with pytest.raises(Refusal) as refusal:
        desk.does(command)
    assert desk.state == before
    return refusal.value.code, refusal.value.path


def steps(desk: Desk, outcomes: Outcomes) -> list[str]:
    return [each.step for each in todo(desk.now, outcomes)]


@pytest.mark.parametrize(
    ("acts", "outcomes", "counted"),
    [
        ([], {}, "playing"),
        ([], over(), "game"),
        ([], over("called"), "game"),
        ([], over("abandoned"), "abandoned"),
        ([], over("not_played"), "not_played"),
        ([CountGame(**HERE, seen=seen(over("abandoned")))], over("abandoned"), "game"),
        ([DetachGame(**HERE, reason="x")], over(), "detached"),
        ([DetachGame(**HERE, reason="x"), CountGame(**HERE, seen=seen(over()))], over(), "game"),
        ([UnlinkGame(**HERE)], over(), "waiting"),
        ([result()], over(), "typed"),
        ([result(), ClearTable(**HERE)], over(), "game"),
        ([result(), ClearTable(**HERE)], over("abandoned"), "abandoned"),
        ([result(), CountGame(**HERE, seen=seen(over()))], over(), "game"),
        ([DetachGame(**HERE, reason="x"), result(), ClearTable(**HERE)], over(), "detached"),
        ([ForfeitTable(**HERE, absent=("1",))], over(), "forfeit"),
        ([ExcuseTable(**HERE, reason="x")], over(), "excused"),
        (
            [CountGame(**HERE, seen=seen(over("abandoned"))), result(), ClearTable(**HERE)],
            over("abandoned"),
            "abandoned",
        ),
        (
            [CountGame(**HERE, seen=seen(over("abandoned"))), UnlinkGame(**HERE), LINKED],
            over("abandoned"),
            "abandoned",
        ),
    ],
)
def test_one_rule_says_what_counts(acts: list[Any], outcomes: Outcomes, counted: str) -> None:
    desk = with_game().does(*acts)

    assert counts(desk, outcomes) == counted
    assert bool(results_of(table_of(desk), outcomes, desk.now.stage)) == (
        counted in ("typed", "game", "forfeit")
    )


@pytest.mark.parametrize(
    "act",
    [
        result(),
        ForfeitTable(**HERE, absent=("1",), reason="late"),
        ExcuseTable(**HERE, reason="lost"),
    ],
    ids=["typed", "forfeit", "excused"],
)
def test_whatever_is_to_count_beside_a_live_game_asks_what_becomes_of_the_game(act: Any) -> None:
    asked = replace(act, seen=LIVE)
    assert refused(with_game(), asked) == ("game_unsettled", "its_game")
    if not asked.reason:
        ends = replace(asked, game="end")
        assert refused(with_game(), ends) == ("reason_missing", "reason")

    detached = with_game().does(replace(asked, game="detach", reason="they play on for themselves"))
    assert table_of(detached).detached
    assert not flagged(detached, over())

    ended = with_game().does(
        replace(
            act, game="end", reason="never began", seen=GamesSeen(ended=((1, 1, "not_played"),))
        )
    )
    assert table_of(ended).game is None
    abandoned = with_game().does(
        replace(act, game="end", reason="too late", seen=GamesSeen(ended=((1, 1, "abandoned"),)))
    )
    assert table_of(abandoned).game == "g"
    assert not flagged(abandoned, over("abandoned"))


def test_letting_a_game_go_on_without_counting_asks_why() -> None:
    assert refused(with_game(), replace(result(), game="detach", seen=LIVE)) == (
        "reason_missing",
        "reason",
    )
    assert refused(with_game(), DetachGame(**HERE, reason="")) == ("reason_missing", "reason")


def test_a_result_beside_a_detached_game_asks_nothing() -> None:
    desk = with_game().does(
        DetachGame(**HERE, reason="x"), replace(result(), seen=LIVE), CloseRound(round=1)
    )

    assert desk.now.rounds[0].closed


def test_a_typed_result_that_its_game_contradicts_is_flagged_until_it_is_accepted_or_mended() -> (
    None
):
    typed, came_to = with_game().does(result(scores=(255, 190))), over()
    assert flagged(typed, came_to)
    assert steps(typed, came_to)[0] == "differences"
    assert refused(typed, AcceptDifference(**HERE, reason="", seen=seen(came_to))) == (
        "reason_missing",
        "reason",
    )

    accepted = with_game().does(
        result(scores=(255, 190)),
        AcceptDifference(**HERE, reason="The pad was wrong", seen=seen(came_to)),
    )
    assert not flagged(accepted, came_to)
    assert flagged(accepted, over(scores=(30, 101)))  # the game was corrected since

    mended = with_game().does(result(scores=(255, 190)), result(scores=(20, 101)))
    assert not flagged(mended, came_to)
    assert refused(mended, AcceptDifference(**HERE, reason="x", seen=seen(came_to))) == (
        "no_difference",
        "table",
    )
    counted = with_game().does(result(scores=(255, 190)), CountGame(**HERE, seen=seen(came_to)))
    assert (counts(counted, came_to), flagged(counted, came_to)) == ("game", False)


def test_a_reason_beside_what_contradicts_a_game_accepts_the_difference_at_once() -> None:
    came_to = over()
    for act in (
        result(scores=(255, 190)),
        ForfeitTable(**HERE, absent=("1",)),
        ExcuseTable(**HERE, reason="x"),
    ):
        desk = with_game().does(replace(act, reason="The pad was wrong", seen=seen(came_to)))
        assert not flagged(desk, came_to)
        assert flagged(desk, over(scores=(1, 2)))


def test_a_forfeit_and_an_excuse_are_flagged_when_a_game_says_otherwise() -> None:
    assert flagged(with_game().does(ForfeitTable(**HERE, absent=("1",))), over())
    assert flagged(with_game().does(ExcuseTable(**HERE, reason="x")), over())


@pytest.mark.parametrize(
    ("typed", "differ"),
    [
        ((Result(score=2000), Result(score=10100)), False),
        ((Result(score=2000, tricks=20), Result(score=10100, tricks=19)), False),
        ((Result(points=0), Result(points=100)), False),
        ((Result(points=100), Result(points=0)), True),
        ((Result(score=10100), Result(score=2000)), True),
    ],
)
def test_only_what_both_say_can_differ(typed: tuple[Result, Result], differ: bool) -> None:
    hands = 3 if typed[0].tricks else None
    desk = with_game().does(EnterResult(**HERE, results=typed, hands=hands))

    assert flagged(desk, over()) == differ


def test_an_abandoned_game_is_asked_about_before_the_round_is_closed() -> None:
    desk, left = with_game(), over("abandoned", (61, 60))
    assert steps(desk, left)[0] == "abandoned"
    assert refused(desk, CloseRound(round=1, outcomes=tuple(left.values())))[0] == "result_missing"

    desk.does(
        CountGame(**HERE, reason="It was nearly over", seen=seen(left)),
        CloseRound(round=1, outcomes=tuple(left.values())),
    )

    assert counts(desk, left) == "game"


def test_a_round_that_was_closed_before_anybody_was_asked_counts_its_abandoned_games_for_ever() -> (
    None
):
    state = drawn(2).now
    for fact in (GameLinked(round=1, table=1, game="g"), RoundClosed(round=1)):
        state = evolve(state, fact)

    assert what_counts(state.rounds[0].tables[0], over("abandoned")) == "game"


def test_a_game_that_was_not_played_makes_room_for_another() -> None:
    desk = with_game().does(replace(OTHER, seen=seen(over("not_played"))))

    assert table_of(desk).game == "h"
    assert refused(with_game(), replace(OTHER, seen=LIVE))[0] == "table_settled"
    assert refused(with_game(), replace(OTHER, seen=seen(over())))[0] == "table_settled"


def closed() -> Desk:
    return drawn(2).does(result(scores=(262, 187)), CloseRound(round=1))


def test_the_result_of_a_closed_round_is_typed_anew_with_a_reason_and_it_stays_closed() -> None:
    assert refused(closed(), result(scores=(187, 262))) == ("round_closed", "reason")

    desk = closed().does(replace(result(scores=(187, 262)), reason="They sat the other way round"))

    assert desk.now.rounds[0].closed
    assert [each.score for each in table_of(desk).results] == [18700, 26200]


def test_a_closed_round_keeps_a_result_at_every_table() -> None:
    desk = with_game().does(CloseRound(round=1, outcomes=tuple(over().values())))
    assert refused(desk, DetachGame(**HERE, reason="x"))[0] == "result_missing"
    assert refused(desk, ClearTable(**HERE, reason="x"))[0] == "round_closed"
    typed = with_game().does(result(), CloseRound(round=1))
    assert refused(typed, CountGame(**HERE, reason="x", seen=LIVE))[0] == "result_missing"

    counted = typed.does(CountGame(**HERE, reason="The game was right", seen=seen(over())))
    assert counts(counted, over()) == "game"


def test_a_forfeit_of_a_closed_round_is_noted_with_a_reason() -> None:
    assert refused(closed(), ForfeitTable(**HERE, absent=("1",))) == ("round_closed", "reason")
    assert table_of(
        closed().does(ForfeitTable(**HERE, absent=("1",), reason="a guest played"))
    ).absent == ("1",)


def test_a_round_is_not_published_while_a_game_of_an_earlier_one_holds_its_table() -> None:
    desk = with_game().does(
        DetachGame(**HERE, reason="they play on"), result(), CloseRound(round=1), DrawRound(round=2)
    )
    assert steps(desk, {})[0] == "held"
    assert refused(desk, PublishRound(round=2, seen=LIVE)) == ("tables_held", "round")
    assert refused(
        desk, FreeTables(round=2, reason="", seen=GamesSeen(ended=((1, 1, "abandoned"),)))
    ) == ("reason_missing", "reason")
    assert refused(desk, FreeTables(round=2, reason="Round 2 begins"))[0] == "game_missing"

    desk.does(
        FreeTables(round=2, reason="Round 2 begins", seen=GamesSeen(ended=((1, 1, "abandoned"),))),
        PublishRound(round=2),
    )

    assert desk.now.rounds[1].published
    assert "held" not in steps(desk, over("abandoned"))


def test_a_game_is_ended_from_the_desk_once() -> None:
    assert refused(with_game(), EndTableGame(**HERE, reason="x"))[0] == "game_over"
    assert refused(drawn(2), EndTableGame(**HERE, reason="x"))[0] == "game_missing"
    desk = with_game().does(
        EndTableGame(**HERE, reason="x", seen=GamesSeen(ended=((1, 1, "not_played"),)))
    )
    assert counts(desk, {}) == "waiting"


def test_a_game_that_goes_on_beside_a_result_is_on_the_list() -> None:
    desk = with_game().does(result())

    assert "beside" in steps(desk, {})
    assert "beside" not in steps(desk, over())
