"""Who is here: asked about before a draw, sits out or plays by what the director says, and is asked
about again after a no-show.
"""

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import (
    Desk,
    drawn,
    played,
    result,
    running,
    with_entries,
)
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.byes import AskBye
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import (
    CancelAllCheckIns,
    CancelCheckIn,
    CheckIn,
    CheckInAll,
    not_here,
)
from tournament.domain.tournament.results import ClearTable, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of
from tournament.exchange.tournament_records import acts_of


def missing(desk: Desk) -> tuple[str, ...]:
    return not_here(desk.now, {})


def partly_here(here: int, count: int = 6) -> Desk:
    desk = with_entries(count)
    return desk.does(
        *(CheckIn(entry=str(number)) for number in range(1, here + 1)), EnterPhase(phase="running")
    )


def byes_of(desk: Desk, number: int) -> tuple[Bye, ...]:
    return desk.now.rounds[number - 1].byes


def seated(desk: Desk, number: int) -> set[str]:
    return {entry for table in desk.now.rounds[number - 1].tables for entry in table.entries}


def test_who_is_not_checked_in_is_not_here() -> None:
    assert missing(partly_here(4)) == ("5", "6")
    assert (
        missing(partly_here(4).does(Withdraw(entry="5"), AskBye(entry="6", round=1, kind="half")))
        == ()
    )


def test_everybody_is_here_in_one_go_and_that_is_taken_back() -> None:
    desk = partly_here(1).does(Withdraw(entry="6"), CheckInAll())
    assert [entry.checked_in for entry in desk.now.entries] == [True] * 5 + [False]
    assert missing(desk) == ()
    with pytest.raises(Refusal, match="everybody is checked in already"):
        desk.does(CheckInAll())

    desk.does(CancelAllCheckIns())

    assert not any(entry.checked_in for entry in desk.now.entries)
    with pytest.raises(Refusal, match="nobody is checked in"):
        desk.does(CancelAllCheckIns())


def test_a_draw_leaves_out_who_is_away_and_says_so_first() -> None:
    desk = partly_here(4).does(DrawRound(round=1, away=("5", "6")))

    assert seated(desk, 1) == {"1", "2", "3", "4"}
    assert set(byes_of(desk, 1)) == {Bye(entry="5", kind="zero"), Bye(entry="6", kind="zero")}
    assert [type(event).__name__ for event in desk.events[-3:]] == [
        "ByeAsked",
        "ByeAsked",
        "RoundDrawn",
    ]


def test_who_was_left_out_and_came_plays_by_a_draw_anew_and_the_other_way_round() -> None:
    desk = partly_here(4).does(
        DrawRound(round=1, away=("5", "6")), DrawRound(round=1, here=("6", "5"))
    )
    assert seated(desk, 1) == {"1", "2", "3", "4", "5", "6"}
    assert desk.now.entries == partly_here(4).now.entries, "as if nobody had been left out"

    desk.does(DrawRound(round=1, away=("1", "2")))
    assert seated(desk, 1) == {"3", "4", "5", "6"}


def test_who_asked_for_half_a_point_keeps_it_when_left_out() -> None:
    desk = partly_here(6).does(
        AskBye(entry="5", round=1, kind="half"), DrawRound(round=1, away=("5", "6"))
    )

    assert {bye.entry: bye.kind for bye in byes_of(desk, 1)} == {"5": "half", "6": "zero"}


def test_a_draw_without_those_who_are_missing_needs_two_entries() -> None:
    desk = partly_here(1)
    before = desk.now

    with pytest.raises(Refusal, match="two entries or more"):
        desk.does(DrawRound(round=1, away=("2", "3", "4", "5", "6")))

    assert desk.now == before


def test_a_no_show_is_asked_about_before_the_next_draw() -> None:
    desk = drawn(4)
    table = desk.now.rounds[0].tables[0]
    absent = table.entries[1]
    desk.does(ForfeitTable(round=1, table=1, absent=(absent,)), result(2), CloseRound(round=1))
    assert missing(desk) == (absent,)

    desk.does(CheckIn(entry=absent))

    assert missing(desk) == ()


def test_a_no_show_that_was_a_wrong_tap_is_here_again() -> None:
    desk = drawn(4)
    one, other = desk.now.rounds[0].tables[0].entries
    for mended in (
        ClearTable(round=1, table=1),
        result(1),
        ForfeitTable(round=1, table=1, absent=(other,)),
    ):
        desk.does(ForfeitTable(round=1, table=1, absent=(one,)))
        assert missing(desk) == (one,)
        desk.does(mended)
        assert one not in missing(desk)
    assert missing(desk) == (other,)


def test_a_forfeit_noted_later_says_nothing_about_who_is_here_now() -> None:
    desk = played(drawn(4)).does(
        DrawRound(round=2), PublishRound(round=2), ReopenRound(round=1, reason="They never met.")
    )
    absent = desk.now.rounds[0].tables[0].entries[:1]

    desk.does(ForfeitTable(round=1, table=1, absent=absent))

    assert all(entry.checked_in for entry in desk.now.entries)


def test_who_has_played_is_here_though_nobody_checked_them_in() -> None:
    desk = partly_here(0, 4).does(DrawRound(round=1), PublishRound(round=1))

    played(desk)

    assert missing(desk) == ()
    desk.does(MakeEntry(players=(("1", "late"), ("2", "later"))))
    assert missing(desk) == ("5",)


def test_who_has_played_and_left_is_asked_about() -> None:
    desk = played(drawn(4)).does(CancelCheckIn(entry="3"))

    assert missing(desk) == ("3",)
    assert missing(running(4).does(CancelCheckIn(entry="3"))) == ("3",)


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_withdrawal_that_a_file_announces_stays_announced(rounds: int) -> None:
    result = {"1": {"points": 1}, "2": {"points": 0}}
    one_round = {"tables": [{"table": 1, "entries": ["1", "2"], "result": result}]}
    file = {
        "format": "salon-tournament/1",
        "id": "announced",
        "game": "precedence",
        "stage": {"kind": "swiss", "rounds": 5},
        "entries": [
            {"id": "1", "players": ["a", "b"], "withdrawn_after": 3},
            {"id": "2", "players": ["c", "d"]},
        ],
        "rounds": [one_round] * rounds,
    }
    first, *acts = acts_of(read_tournament(file))
    assert isinstance(first, OpenTournament)
    desk = Desk(opening=first).does(*acts)
    assert [entry.withdrawn_after for entry in field_of(desk.now, {}).entries] == [3, None]
    if not rounds:
        desk.does(CheckInAll(), EnterPhase(phase="running"))
    desk.does(DrawRound(round=rounds + 1), PublishRound(round=rounds + 1))
    assert set(desk.now.rounds[-1].seated) == {"1", "2"}
