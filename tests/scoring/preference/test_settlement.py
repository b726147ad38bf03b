"""Antes, the settlement of a hand, chips that are missing, and the end of the game (R1, R2, R14 to
R17, Chips).
"""

from typing import Any

import pytest

from scoring.commands import EndGame, StartGame
from scoring.errors import Refusal
from scoring.events import ChipsMoved, GameClosed
from scoring.preference.commands import OpenHand
from scoring.preference.decide import decide
from scoring.preference.rules import read_rules
from scoring.records import decide_record, read_record
from tests.scoring.preference.table import (
    PLAYERS,
    accept_hand,
    adjust_tricks,
    after,
    dealt,
    defence,
    game,
    given,
    hand,
    move_chips,
    open_hand,
    plays,
    ready,
    record,
    refused,
    scored,
    totals,
    when,
)

MADE, FAILED, PASSED = hand("A", "one", "6 2 2"), hand("A", "one", "5 3 2"), hand(None)
CALLED = EndGame(kind="called", by="Director", reason="time is up")


def chips(*hands: dict[str, Any], **options: object) -> list[dict[str, int]]:
    return [each["chips"] for each in scored(*hands, hands=30, **options)["hands"]]


@pytest.mark.parametrize("hands", [1, 4, 10])
def test_r1_the_number_of_deals_is_a_multiple_of_three(hands: int) -> None:
    with pytest.raises(Refusal, match=r"a multiple of 3|from 3 to") as caught:
        read_rules({"hands": hands})
    assert (caught.value.code, caught.value.rule, caught.value.path) == (
        "bad_record",
        "R1",
        "options.hands",
    )


def test_r1_the_deal_passes_to_the_left_and_thrown_in_deals_count() -> None:
    result = scored(PASSED, MADE, PASSED, hands=3)

    assert [each["dealer"] for each in result["hands"]] == ["C", "A", "B"]
    assert result["finished"]


def test_r1_another_dealer_is_refused_unless_excused() -> None:
    state = given(*ready("A", "one"), totals(6, 2, 2))

    with refused("bad_dealer", rule="R1", path="dealer", says="Seat A deals this hand, not Seat B"):
        when(state, dealt("B"))
    assert open_hand(after(state, dealt("B", accepted=(accept_hand("bad_dealer"),)))).dealer == "B"


def test_r1_no_hand_follows_the_last() -> None:
    with refused("game_over", rule="R1", path="hands[3]", says="the game is over"):
        scored(PASSED, PASSED, PASSED, PASSED, hands=3)


def test_r3_the_first_hand_must_name_its_dealer() -> None:
    with refused("bad_record", rule="R3", path="dealer", says="names its dealer"):
        when(game(), dealt())


def test_r2_each_pays_the_ante_before_the_first_deal_and_whenever_the_pot_is_empty() -> None:
    hands = [hand("A", "one", "6 2 2")] * 4

    assert [each["A"] for each in chips(*hands)] == [0, 10, 10, 0]
    assert [each["pot"] for each in scored(*hands)["hands"]] == [20, 10, 0, 20]


def test_r2_a_pot_with_one_chip_is_not_empty() -> None:
    assert chips(PASSED, hand("A", "one", "6 2 2"), PASSED, take=29)[2] == {"A": 0, "B": 0, "C": 0}


def test_r14_the_soloist_takes_what_is_there_if_that_is_less() -> None:
    result = scored(MADE, take=100)

    assert result["hands"][0]["chips"] == {"A": 20, "B": -10, "C": -10}
    assert result["hands"][0]["pot"] == 0


def test_r14_what_defenders_owe_comes_after_the_take() -> None:
    result = scored(hand("A", "one", "8 1 1"), take=100)

    assert result["hands"][0]["chips"] == {"A": 20, "B": -20, "C": -20}
    assert result["hands"][0]["pot"] == 20


def test_r14_who_fails_pays_the_forfeit() -> None:
    assert chips(PASSED, FAILED)[1] == {"A": -20, "B": 0, "C": 0}
    assert chips(PASSED, FAILED, forfeit=7)[1] == {"A": -7, "B": 0, "C": 0}


@pytest.mark.parametrize(
    ("tricks", "choices", "owed"),
    [
        ("8 1 1", {}, {"B": -10, "C": -10}),
        ("7 2 1", {}, {"B": 0, "C": -10}),
        ("3 7 0", {"C": "out"}, {"B": 0, "C": 0}),
        ("9 1 0", {"C": "out"}, {"B": -10, "C": 0}),
        ("9 1 0", {"C": "insisted"}, {"B": -10, "C": 0}),
        ("4 5 1", {}, {"B": 0, "C": -10}),
    ],
)
def test_r15_a_defender_who_went_along_owes_two_tricks(
    tricks: str, choices: dict[str, str], owed: dict[str, int]
) -> None:
    paid = chips(PASSED, hand("A", "one", tricks, defenders=choices))[1]

    assert {seat: paid[seat] for seat in "BC"} == owed


def test_r15_in_a_misere_there_is_no_duty_unless_the_house_has_it() -> None:
    assert chips(PASSED, hand("A", "misere", "0 10 0"))[1] == {"A": 10, "B": 0, "C": 0}
    assert chips(PASSED, hand("A", "misere", "0 10 0"), misere_duty=True)[1] == {
        "A": 10,
        "B": 0,
        "C": -10,
    }


INSISTED = {"B": "along", "C": "insisted"}


@pytest.mark.parametrize(
    ("tricks", "options", "paid"),
    [
        ("6 2 2", {}, 0),
        ("6 2 2", {"insister_pays": True}, -10),
        ("5 3 2", {"insister_pays": True}, 0),
        ("8 1 1", {"insister_pays": True}, -10),
    ],
)
def test_r16_who_insisted_pays_once_at_most_when_it_is_made(
    tricks: str, options: dict[str, bool], paid: int
) -> None:
    assert chips(PASSED, hand("A", "one", tricks, defenders=INSISTED), **options)[1]["B"] == paid


@pytest.mark.parametrize(("misere_duty", "paid"), [(False, 0), (True, -10)])
def test_r16_in_a_misere_only_with_its_duty(misere_duty: bool, paid: int) -> None:
    options = {"insister_pays": True, "misere_duty": misere_duty, "concede": "value_6"}

    assert (
        chips(PASSED, hand("A", "misere_hand", "0 8 2", defenders=INSISTED), **options)[1]["B"]
        == paid
    )


def test_r17_the_pot_is_shared_at_the_end_odd_chips_from_the_last_dealers_left() -> None:
    result = scored(PASSED, MADE, PASSED, hands=3, take=10)

    assert result["hands"][2]["pot"] == 20
    assert result["chips"] == {"A": 7, "B": -4, "C": -3}
    assert (result["pots"], result["winners"]) == ({"pot": 0}, ["A"])


def test_r17_equal_chips_share_the_place() -> None:
    assert scored(PASSED, PASSED, PASSED, hands=3)["winners"] == ["A", "B", "C"]


def test_a_called_game_ends_as_after_a_last_hand() -> None:
    state = given(*ready("A", "one"), totals(6, 2, 2))
    events = when(state, CALLED)

    assert events[0] == GameClosed(kind="called", by="Director", reason="time is up")
    assert [(move.target, move.chips) for move in events[1:]] == [("A", 7), ("B", 7), ("C", 6)]
    with refused("out_of_turn", rule="R17", path="ended", says="only after a hand was played"):
        when(game(), CALLED)
    with refused("out_of_turn", rule="R17", path="ended", says="a hand is open"):
        when(given(dealt("A")), CALLED)


def test_nobody_pays_what_they_do_not_have() -> None:
    with refused(
        "no_chips",
        rule="Chips",
        path="hands[0]",
        says="Seat A has 9 chips and must pay 10: 1 are missing",
    ):
        scored(PASSED, opening_chips=9)
    with refused(
        "no_chips",
        rule="Chips",
        path="hands[0]",
        says="Seat A has 15 chips and must pay 20: 5 are missing",
    ):
        scored(FAILED, opening_chips=25)
    with refused(
        "no_chips", rule="Chips", path="hands[0]", says="Seat C has 5 chips and must pay 10"
    ):
        scored(hand("A", "one", "7 2 1"), opening_chips=15)


def test_a_director_excuses_missing_chips_of_one_hand() -> None:
    state = given(
        dealt("C", accepted=(accept_hand("no_chips"),)),
        plays("A", "one"),
        defence(),
        totals(5, 3, 2),
        opening_chips=25,
    )

    assert state.balances["A"] == -5


def test_a_further_buy_in_is_never_won() -> None:
    result = scored({**FAILED, "buy_ins": {"A": 50}}, opening_chips=10)

    assert result["chips"] == {"A": -30, "B": -10, "C": -10}
    with refused("bad_record", rule="Chips", path="buy_ins", says="needs opening_chips"):
        when(game(), dealt("A", buy_ins=(("A", 5),)))


def test_a_ruling_moves_chips_before_the_hand_is_settled() -> None:
    state = given(*ready("A", "one"), move_chips("B", "pot", 5), totals(6, 2, 2))

    assert state.balances == {"A": 0, "B": -15, "C": -10, "pot": 25}
    with refused("no_chips", rule="Chips", path="rulings", says="pot has 30 chips"):
        when(given(*ready("A", "one")), move_chips("pot", "A", 31))


def test_a_ruling_adjusts_tricks_of_one_side_without_another() -> None:
    state = given(*ready("A", "one"), adjust_tricks("A", None, 1), totals(6, 2, 2))

    assert state.done[0].result.made is False
    assert state.done[0].result.tricks == (5, 2, 2)
    with refused(
        "bad_total", rule="Infractions", path="rulings", says="leaves Seat A with -1 tricks"
    ):
        when(given(*ready("A", "one"), adjust_tricks("A", "B", 7)), totals(6, 2, 2))


def test_there_are_no_points_to_adjust() -> None:
    ruling = {"kind": "adjust_points", "side": "A", "points": 5, "by": "Director", "reason": "x"}

    with refused("bad_record", rule="Infractions", path="hands[0].rulings", says="no points"):
        scored({**MADE, "rulings": [ruling]})


def test_a_substitute_wins_and_pays_for_the_seat_that_is_left() -> None:
    value = record({**FAILED, "players": {"A": "Dara"}}, PASSED)
    read = read_record(value)
    events, state = decide_record(read)

    assert state.balances["A:Dara"] == -30
    assert read.game.result(state)["chips"] == {"A": -30, "B": -10, "C": -10}
    assert ChipsMoved(source="A:Dara", target="pot", chips=20, why="forfeit", rule="R14") in events


def test_players_in_each_others_seats_keep_their_own_chips() -> None:
    result = scored({**FAILED, "players": {"A": "Brin", "B": "Asha"}})

    assert result["hands"][0]["chips"] == {"A": -10, "B": -30, "C": -10}


def test_one_player_sits_once() -> None:
    with refused(
        "bad_record", rule="", path="hands[0].players", says="one player sits in two seats"
    ):
        scored({**MADE, "players": {"A": "Brin"}})


def test_preference_is_played_by_three() -> None:
    four = StartGame(record="x", players=(*PLAYERS.items(), ("D", "Dara")), rules=read_rules({}))

    with pytest.raises(Refusal, match="played by three"):
        decide(four, None)


def test_a_hand_is_opened_when_none_is_open() -> None:
    with refused("out_of_turn", rule="R1", path="", says="hand 1 is still open"):
        when(given(dealt("A")), OpenHand())
