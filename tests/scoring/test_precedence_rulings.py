"""What a director may rule, and that it counts before the pots are paid (Infractions)."""

from typing import Any

import pytest

from scoring.commands import AcceptHand
from scoring.events import (
    ChipsMoved,
    ChipsRuled,
    HandExcused,
    PlayAccepted,
    PointsAdjusted,
    TricksAdjusted,
)
from scoring.precedence.commands import Command
from scoring.precedence.play import PRECEDENCE
from scoring.records import decide_record, read_record, write_record
from tests.scoring.table import (
    DIRECTOR,
    accept_hand,
    accept_play,
    adjust_points,
    adjust_tricks,
    bids,
    dealt,
    decided,
    game,
    given,
    hand,
    meld,
    move_chips,
    record,
    refused,
    ruling,
    scored,
    totals,
    when,
)

READY: list[Command] = [dealt("N"), *bids("E", 3, 4, 3, 3)]


def test_each_ruling_is_a_fact_with_its_author_and_reason() -> None:
    assert when(given(*READY), accept_play(5, "E")) == [PlayAccepted(trick=5, seat="E", **DIRECTOR)]
    assert when(given(*READY), adjust_tricks("EW", "NS", 1)) == [
        TricksAdjusted(source="EW", target="NS", tricks=1, **DIRECTOR)
    ]
    assert when(given(*READY), adjust_points("NS", -10)) == [
        PointsAdjusted(side="NS", points=-10, **DIRECTOR)
    ]
    moved = ChipsMoved(source="E", target="hand", chips=2, why="ruling", rule="Infractions")
    assert when(given(*READY), move_chips("E", "hand", 2)) == [ChipsRuled(**DIRECTOR), moved]
    excused = HandExcused(excuses=("bad_dealer",), **DIRECTOR)
    assert when(given(), dealt("N", accepted=(accept_hand("bad_dealer"),)))[1] == excused


def test_accept_hand_belongs_to_the_opening() -> None:
    with refused("out_of_turn", rule="Infractions", path="rulings", says="when it is opened"):
        when(given(*READY), AcceptHand(excuses=("no_chips",), **DIRECTOR))


@pytest.mark.parametrize(
    "act",
    [
        accept_play(1, "E"),
        adjust_tricks("EW", None, 1),
        adjust_points("NS", 1),
        move_chips("E", "W", 1),
    ],
)
def test_a_ruling_needs_an_open_hand(act: Command) -> None:
    with refused("out_of_turn", rule="P4", path="", says="no hand is open"):
        when(game(), act)


def test_chips_are_moved_at_any_time_of_a_hand() -> None:
    state = given(dealt("N"), move_chips("N", "E", 1))

    assert (state.balances["N"], state.balances["E"]) == (-7, -5)


def test_chips_moved_so_that_a_bid_can_be_paid_are_moved_before_it_in_a_record_too() -> None:
    state = given(
        dealt("N"), move_chips("N", "E", 3), *bids("E", 6, 3, 3, 0), totals(7, 6), opening_chips=9
    )
    written = write_record(PRECEDENCE, state)
    read = decide_record(read_record(written))[1]

    assert (read.balances, write_record(PRECEDENCE, read)) == (state.balances, written)


def test_an_accepted_hand_excuses_dealer_and_trump_of_that_hand_alone() -> None:
    excused = hand(
        7,
        dealer="W",
        trump="C",
        rulings=[ruling("accept_hand", excuses=["bad_dealer", "bad_trump"])],
    )

    assert [
        (each["dealer"], each["trump"]) for each in scored(hand(7), excused, hand(7))["hands"]
    ] == [("N", "V"), ("W", "C"), ("N", "V")]
    with refused("bad_dealer", rule="P1", path="hands[2].dealer", says="North deals"):
        scored(hand(7), excused, hand(7, dealer="W"))


def test_tricks_go_from_one_team_to_the_other() -> None:
    result = scored(
        hand(6, bid=(4, 3, 3, 3), rulings=[ruling("adjust_tricks", source="EW", to="NS", tricks=1)])
    )["hands"][0]

    assert result["tricks"] == {"NS": 7, "EW": 6}
    assert result["met"] == {"NS": True, "EW": True}
    assert result["hand_pot"]["to"] == "NS"


def test_tricks_may_be_adjusted_for_one_side_without_the_other() -> None:
    taken = scored(
        hand(7, bid=(4, 3, 3, 3), rulings=[ruling("adjust_tricks", source="NS", tricks=1)])
    )["hands"][0]
    added = scored(hand(6, bid=(4, 3, 3, 3), rulings=[ruling("adjust_tricks", to="NS", tricks=1)]))[
        "hands"
    ][0]

    assert (taken["tricks"], taken["hand_pot"]["to"]) == ({"NS": 6, "EW": 6}, "EW")
    assert (added["tricks"], added["hand_pot"]["to"]) == ({"NS": 7, "EW": 7}, None)


@pytest.mark.parametrize(
    ("ns", "fields", "says"),
    [
        (2, {"source": "NS", "to": "EW", "tricks": 3}, "leaves North–South with -1 tricks"),
        (13, {"to": "NS", "tricks": 1}, "leaves North–South with 14 tricks"),
    ],
)
def test_arithmetic_that_cannot_be_is_refused_with_a_ruling_too(
    ns: int, fields: dict[str, Any], says: str
) -> None:
    with refused("bad_total", rule="P16", path="hands[0].rulings", says=says):
        scored(hand(ns, rulings=[ruling("adjust_tricks", **fields)]))


def test_points_are_adjusted_for_one_side_and_count_before_audits_and_the_end() -> None:
    result = scored(
        hand(7, rulings=[ruling("adjust_points", side="NS", points=200)]), target_score=250
    )

    assert result["hands"][0]["points"] == {"NS": 261, "EW": 60}
    assert result["winners"] == ["NS"]


def test_chips_moved_by_a_ruling_are_in_the_pot_that_is_paid() -> None:
    moved = scored(hand(7, rulings=[ruling("move_chips", source="E", to="hand", chips=4)]))[
        "hands"
    ][0]

    assert moved["hand_pot"]["amount"] == 20
    assert moved["chips"] == {"N": 6, "E": -8, "S": 6, "W": -4}


def test_chips_moved_to_the_accord_pot_are_apart_from_the_hand() -> None:
    moved = scored(hand(7, rulings=[ruling("move_chips", source="E", to="accord", chips=4)]))

    assert moved["pots"]["accord"] == 24
    assert moved["hands"][0]["chips"] == scored(hand(7))["hands"][0]["chips"]
    assert moved["chips"]["E"] == -5 - 4 - 4


def test_rulings_of_every_kind_are_written_as_they_were_read() -> None:
    written = [
        ruling("accept_hand", excuses=["bad_dealer", "no_chips"]),
        ruling("accept_play", trick=5, seat="E"),
        ruling("adjust_tricks", source="EW", to="NS", tricks=1),
        ruling("adjust_tricks", source="NS", tricks=1),
        ruling("adjust_tricks", to="EW", tricks=2),
        ruling("adjust_points", side="NS", points=-10),
        ruling("move_chips", source="E", to="hand", chips=2),
        ruling("move_chips", source="hand", to="W", chips=1),
    ]
    read, _, state = decided(record(hand(7, rulings=written)))

    assert read.game.write_hands(state)[0]["rulings"] == written


def test_a_ruling_in_the_opening_of_a_live_hand_is_an_excuse_or_refused() -> None:
    opening = decided(record())[0].game.acts["hands"]
    rules = decided(record())[0].start.rules

    assert opening(
        {"dealer": "N", "rulings": [ruling("accept_hand", excuses=["no_chips"])]}, rules
    ).accepted[0].excuses == ("no_chips",)
    with refused("bad_record", rule="", path="rulings[0].kind", says="no ruling but accept_hand"):
        opening({"dealer": "N", "rulings": [ruling("adjust_points", side="NS", points=1)]}, rules)


def test_rulings_given_during_play_come_to_the_same_as_those_of_the_record() -> None:
    live = given(dealt("N"), meld("E", "triad", "2V 2F 2B"), *bids("E", 3, 4, 3, 3), totals(6, 7))
    ruled = given(
        dealt("N"),
        adjust_points("NS", 5),
        meld("E", "triad", "2V 2F 2B"),
        *bids("E", 3, 4, 3, 3),
        adjust_tricks("EW", "NS", 1),
        totals(6, 7),
    )

    assert live.score == (-70, 60 + 1 + 5)
    assert ruled.score == (70 + 5, 60 + 5)
