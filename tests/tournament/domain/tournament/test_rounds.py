"""Rounds: drawn, swapped, published, timed, with results, closed; what is refused, and the laws
that hold for any evening.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import (
    ROBIN,
    Desk,
    code_of,
    drawn,
    played,
    result,
    running,
)
from tournament.domain.pairing.values import DrawnTable
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import Bye, Result
from tournament.domain.tournament.clock import (
    CallLastHand,
    ExtendTime,
    PauseClock,
    RecallLastHand,
    StartClock,
)
from tournament.domain.tournament.draws import DrawRound, DropRound, SeatRound
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.games import LinkGame, UnlinkGame
from tournament.domain.tournament.outcomes import Outcome
from tournament.domain.tournament.results import ClearTable, ExcuseTable, ForfeitTable
from tournament.domain.tournament.rounds import (
    CloseRound,
    PublishRound,
    ReopenRound,
    UnpublishRound,
)
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.swaps import SwapEntries

SECOND = 1_000_000
LINKED = LinkGame(round=1, table=1, game="g")
THIRTEEN_EACH = (Result(score=26200, tricks=13), Result(score=18700, tricks=13))


def outcome(game: str = "g") -> Outcome:
    return Outcome(game=game, results=(Result(score=26200), Result(score=18700)), hands=9)


@pytest.mark.parametrize(
    ("desk", "command", "code"),
    [
        (drawn(4), DrawRound(round=2), "result_missing"),
        (drawn(4), DrawRound(round=3), "round_missing"),
        (drawn(4).does(result()), DrawRound(round=1), "round_started"),
        (drawn(4).does(result()), DropRound(round=1), "round_started"),
        (drawn(4).does(result()), UnpublishRound(round=1), "round_started"),
        (running(4).does(DrawRound(round=1)), result(), "round_published"),
        (drawn(4), PublishRound(round=1), "round_published"),
        (drawn(4), result(table=3), "table_missing"),
        (drawn(4), result(round=2), "round_missing"),
        (drawn(4), replace(result(), results=(Result(score=100),)), "bad_result"),
        (
            drawn(4),
            replace(result(), results=(Result(tricks=7), Result(tricks=6)), hands=1),
            "bad_result",
        ),
        (drawn(4), replace(result(), results=THIRTEEN_EACH, hands=1), "bad_result"),
        (drawn(4), replace(result(), results=THIRTEEN_EACH), "bad_result"),
        (drawn(4), SwapEntries(round=1, one="1", two="9"), "entry_missing"),
        (drawn(4), SwapEntries(round=1, one="1", two="1"), "bad_swap"),
        (
            drawn(4).does(result(1), result(2)),
            SwapEntries(round=1, one="1", two="2"),
            "round_started",
        ),
        (drawn(4), CloseRound(round=1), "result_missing"),
        (played(drawn(4)), result(), "round_closed"),
        (played(drawn(4)), ReopenRound(round=1, reason=""), "reason_missing"),
        (drawn(4), ReopenRound(round=1, reason="x"), "round_open"),
        (drawn(4), ClearTable(round=1, table=1), "result_missing"),
        (drawn(4), ExcuseTable(round=1, table=1, reason=""), "reason_missing"),
        (drawn(4).does(result()), ExcuseTable(round=1, table=1, reason="x"), "table_settled"),
        (drawn(4), ForfeitTable(round=1, table=1, absent=("9",)), "entry_missing"),
        (drawn(4).does(LINKED), LINKED, "table_settled"),
        (drawn(4).does(LINKED), replace(LINKED, table=2), "game_linked"),
        (drawn(4), UnlinkGame(round=1, table=1), "game_missing"),
        (drawn(4), PauseClock(round=1, at=0), "clock"),
        (drawn(4), StartClock(round=1, at=0, seconds=0), "bad_record"),
        (drawn(4), ExtendTime(round=1, seconds=300), "clock"),
        (
            drawn(4).does(StartClock(round=1, at=0, seconds=60)),
            StartClock(round=1, at=1, seconds=60),
            "clock",
        ),
        (drawn(4).does(CallLastHand(round=1, at=0)), CallLastHand(round=1, at=1), "clock"),
        (drawn(4), RecallLastHand(round=1), "clock"),
        (drawn(2, ROBIN).does(result(), CloseRound(round=1)), DrawRound(round=2), "game_over"),
    ],
)
def test_what_can_not_be_is_refused_with_its_code_and_nothing_happens(
    desk: Desk, command: Any, code: str
) -> None:
    assert code_of(desk, command) == code


def test_a_drawn_round_can_be_drawn_anew_until_a_table_has_started() -> None:
    desk = drawn(4).does(MakeEntry(players=(("1", "new"), ("2", "newer"))))

    desk.does(DropRound(round=1), DrawRound(round=1))

    assert not desk.now.rounds[0].published
    assert len(desk.now.rounds) == 1


def test_two_entries_swap_their_places_also_with_a_bye() -> None:
    desk = drawn(5)
    first = desk.now.rounds[0]
    seated, out = first.tables[0].entries[0], first.byes[0].entry

    desk.does(SwapEntries(round=1, one=seated, two=out))

    swapped = desk.now.rounds[0]
    assert swapped.tables[0].entries == (out, first.tables[0].entries[1])
    assert swapped.byes[0].entry == seated
    assert (
        desk.does(SwapEntries(round=1, one=seated, two=out)).now.rounds[0].tables[0].entries
        == first.tables[0].entries
    )


def test_each_drawn_table_says_why_and_what_would_have_been_next_best() -> None:
    table = played(drawn(6)).does(DrawRound(round=2)).now.rounds[1].tables[0]

    assert {why.tier for why in table.why} >= {"rematch", "score_difference"}
    assert table.instead


def test_the_same_standings_give_the_same_draw_and_digest() -> None:
    one, two = (played(drawn(8)).does(DrawRound(round=2)).now.rounds[1] for _ in range(2))

    assert one == two


def test_a_linked_game_counts_when_it_is_finished_and_a_typed_result_comes_before_it() -> None:
    desk = drawn(2).does(LINKED)
    assert code_of(desk, CloseRound(round=1)) == "result_missing"
    first = desk.now.rounds[0].tables[0].entries[0]

    assert standings(field_of(desk.now, {"g": outcome()})).rows[0].entry == first
    desk.does(result(scores=(100, 250)))
    assert standings(field_of(desk.now, {"g": outcome()})).rows[0].entry != first
    desk.does(ClearTable(round=1, table=1), CloseRound(round=1, outcomes=(outcome(),)))
    assert desk.now.rounds[0].closed


def test_who_did_not_come_loses_without_a_game_and_the_other_wins() -> None:
    desk = drawn(2)
    here, gone = desk.now.rounds[0].tables[0].entries

    desk.does(ForfeitTable(round=1, table=1, absent=(gone,)), CloseRound(round=1))
    rows = {row.entry: row for row in standings(field_of(desk.now, {})).rows}

    assert (rows[here].points, rows[here].played, rows[gone].points) == (100, 0, 0)


def test_an_excused_table_keeps_nobody_from_the_next_draw() -> None:
    desk = drawn(4).does(result(1), ExcuseTable(round=1, table=2, reason="The table fell over."))

    desk.does(DrawRound(round=2))

    assert len(desk.now.rounds) == 2


def test_the_clock_counts_only_while_it_runs_and_one_table_may_have_more() -> None:
    desk = drawn(4).does(
        StartClock(round=1, at=0, seconds=600), PauseClock(round=1, at=100 * SECOND)
    )
    desk.does(
        StartClock(round=1, at=500 * SECOND, seconds=600),
        ExtendTime(round=1, seconds=60),
        ExtendTime(round=1, seconds=300, table=2),
    )
    each = desk.now.rounds[0]
    assert each.clock is not None

    assert each.clock.seconds_left(600 * SECOND) == 660 - 200
    assert each.clock.seconds_left(600 * SECOND, each.tables[1].extension) == 960 - 200


def test_a_last_hand_called_before_the_clock_starts_takes_no_time_from_it() -> None:
    desk = drawn(4).does(CallLastHand(round=1, at=0), StartClock(round=1, at=0, seconds=600))
    clock = desk.now.rounds[0].clock

    assert clock is not None
    assert (clock.seconds, clock.last_hand) == (600, True)


@pytest.mark.parametrize(
    ("there", "back"),
    [
        (PublishRound(round=1), UnpublishRound(round=1)),
        (LINKED, UnlinkGame(round=1, table=1)),
        (CallLastHand(round=1, at=0), RecallLastHand(round=1)),
        (result(), ClearTable(round=1, table=1)),
        (ForfeitTable(round=1, table=1, absent=("1",)), ClearTable(round=1, table=1)),
        (ExcuseTable(round=1, table=1, reason="x"), ClearTable(round=1, table=1)),
        (SwapEntries(round=1, one="1", two="2"), SwapEntries(round=1, one="1", two="2")),
    ],
)
def test_what_a_director_did_in_a_round_is_undone_by_a_further_event(there: Any, back: Any) -> None:
    desk = running(2).does(DrawRound(round=1)) if isinstance(there, PublishRound) else drawn(2)
    before = desk.now.rounds[0]

    desk.does(there)
    assert desk.now.rounds[0] != before or isinstance(there, SwapEntries)
    desk.does(back)

    assert replace(desk.now.rounds[0], tables=()) == replace(before, tables=())
    assert [replace(table, why=(), instead=None) for table in desk.now.rounds[0].tables] == [
        replace(table, why=(), instead=None) for table in before.tables
    ]


@pytest.mark.parametrize("seed", range(8))
def test_in_any_evening_everybody_who_plays_is_in_a_round_once_and_nobody_else(seed: int) -> None:
    chance = Random(seed)
    desk = drawn(chance.randint(4, 9))
    for number in range(1, 5):
        expected = sorted(entry.id for entry in desk.now.entries if entry.plays_in(number))
        assert sorted(desk.now.rounds[-1].seated) == expected
        played(desk)
        for entry in desk.now.entries:
            try:
                desk.does(
                    chance.choice([Withdraw(entry=entry.id), Return(entry=entry.id), None, None])
                    or result(table=99)
                )
            except Refusal:
                continue
        desk.does(MakeEntry(players=(("1", f"x{number}"), ("2", f"y{number}"))))
        desk.does(DrawRound(round=number + 1), PublishRound(round=number + 1))


def seat(*tables: tuple[str, str], round: int = 1, byes: tuple[Bye, ...] = ()) -> SeatRound:
    """A round seated by hand."""
    return SeatRound(
        round=round,
        tables=tuple(
            DrawnTable(table=number, entries=pair) for number, pair in enumerate(tables, 1)
        ),
        byes=byes,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (seat(("1", "2"), ("2", "3")), "bad_round"),
        (seat(("1", "9")), "bad_round"),
        (seat(("1", "2"), byes=(Bye(entry="1"),)), "bad_round"),
        (seat(("1", "4")), "withdrawn"),
        (seat(("1", "2"), round=2), "round_missing"),
        (
            SeatRound(
                round=1,
                tables=(
                    DrawnTable(table=1, entries=("1", "2")),
                    DrawnTable(table=1, entries=("3",)),
                ),
                byes=(),
            ),
            "bad_round",
        ),
    ],
)
def test_a_round_seated_by_hand_has_everybody_once_and_nobody_who_left(
    command: SeatRound, code: str
) -> None:
    assert code_of(running(4).does(Withdraw(entry="4")), command) == code


def test_a_round_seated_by_hand_is_played_like_a_drawn_one() -> None:
    desk = running(3).does(
        seat(("1", "3"), byes=(Bye(entry="2"),)),
        PublishRound(round=1),
        result(),
        CloseRound(round=1),
    )

    assert {row.entry: row.points for row in standings(field_of(desk.now, {})).rows} == {
        "1": 100,
        "2": 100,
        "3": 0,
    }
