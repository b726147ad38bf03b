"""Who gets the pots and the odd chips, and how a game ends (P20 to P24)."""

from typing import Any

import pytest

from scoring.commands import EndGame
from scoring.events import ChipsMoved, GameClosed, HandClosed
from scoring.precedence.events import TricksCounted
from tests.scoring.table import (
    after,
    bids,
    dealt,
    game,
    given,
    hand,
    refused,
    ruling,
    scored,
    totals,
    when,
)

CALLED = {"kind": "called", "by": "Director", "reason": "time is up"}
NEITHER = hand(7, bid=(4, 4, 4, 3))


def first(*hands: dict[str, Any], **options: object) -> dict[str, Any]:
    result: dict[str, Any] = scored(*hands, **options)["hands"][0]
    return result


def test_p20_the_hand_pot_goes_to_the_team_that_made_its_contract() -> None:
    assert first(hand(7, bid=(4, 4, 3, 4)))["hand_pot"] == {"amount": 19, "to": "NS"}
    assert first(hand(4, bid=(4, 4, 3, 4)))["hand_pot"] == {"amount": 19, "to": "EW"}


@pytest.mark.parametrize(("tricks", "team"), [(7, "NS"), (6, "EW")])
def test_p20_when_both_made_it_the_team_with_more_tricks_gets_it(tricks: int, team: str) -> None:
    assert first(hand(tricks, bid=(1, 1, 1, 1)))["hand_pot"]["to"] == team


def test_p20_a_ruling_that_makes_the_tricks_equal_shares_the_pot_by_all_four() -> None:
    result = first(
        hand(7, bid=(1, 1, 1, 1), rulings=[ruling("adjust_tricks", source="NS", tricks=1)])
    )

    assert result["tricks"] == {"NS": 6, "EW": 6}
    assert result["hand_pot"] == {"amount": 8, "to": None}
    assert result["chips"] == {"N": 0, "E": 0, "S": 0, "W": 0}


def test_p21_the_pot_stays_for_the_next_hand_when_neither_made_it() -> None:
    result = scored(NEITHER, hand(7, bid=(3, 3, 3, 3)))

    assert [each["hand_pot"] for each in result["hands"]] == [
        {"amount": 19, "to": None},
        {"amount": 35, "to": "NS"},
    ]


def test_p21_refund_gives_each_player_back_what_they_paid_in_this_hand() -> None:
    melds = [{"seat": "E", "kind": "run", "cards": ["2V", "3V", "4V"]}]

    assert first(dict(NEITHER, melds=melds), no_winner_pot="refund")["chips"] == {
        "N": 0,
        "E": 0,
        "S": 0,
        "W": 0,
    }
    assert scored(NEITHER, no_winner_pot="refund")["pots"]["hand"] == 0


def test_p21_split_shares_the_pot_equally_by_all_four() -> None:
    """19 chips: five each for the three from the player who led on, four for the dealer."""
    assert first(NEITHER, no_winner_pot="split")["chips"] == {
        "N": 4 - 5,
        "E": 5 - 5,
        "S": 5 - 5,
        "W": 5 - 4,
    }


def test_p21_what_a_ruling_put_into_the_pot_is_no_stake_and_is_not_refunded() -> None:
    fined = dict(NEITHER, rulings=[ruling("move_chips", source="E", to="hand", chips=2)])
    result = scored(fined, hand(7), no_winner_pot="refund")

    assert result["hands"][0]["chips"] == {"N": 0, "E": -2, "S": 0, "W": 0}
    assert result["hands"][1]["hand_pot"]["amount"] == 2 + 4 + 12


def test_p21_a_refund_is_never_more_than_a_ruling_left_in_the_pot() -> None:
    taken = dict(NEITHER, rulings=[ruling("move_chips", source="hand", to="E", chips=17)])

    assert scored(taken, no_winner_pot="refund")["pots"]["hand"] == 0


@pytest.mark.parametrize(("dealer", "odd"), [("N", "S"), ("E", "S"), ("S", "N"), ("W", "N")])
def test_p22_the_odd_chip_of_a_team_goes_to_the_partner_who_plays_first(
    dealer: str, odd: str
) -> None:
    chips = first(
        hand(
            7,
            bid=(4, 4, 4, 3),
            dealer=dealer,
            rulings=[ruling("adjust_tricks", source="EW", to="NS", tricks=1)],
        )
    )["chips"]

    assert {seat: chips[seat] + 5 for seat in "NS"} == {odd: 10, {"N": "S", "S": "N"}[odd]: 9}


def test_p22_the_events_of_a_paid_pot_cite_their_rule() -> None:
    state = given(dealt("N"), *bids("E", 3, 3, 3, 4))

    assert when(state, totals(7, 6)) == [
        TricksCounted(ns=7, ew=6),
        ChipsMoved(source="hand", target="S", chips=9, why="hand_pot", rule="P22"),
        ChipsMoved(source="hand", target="N", chips=8, why="hand_pot", rule="P22"),
        HandClosed(number=1),
    ]


def test_p23_the_game_ends_after_the_hand_in_which_a_team_reaches_the_target() -> None:
    made = hand(13, bid=(7, 0, 6, 0))

    assert not scored(made, target_score=131)["finished"]
    assert scored(made, target_score=130) == scored(made, target_score=130) | {
        "finished": True,
        "winners": ["NS"],
    }
    with refused("game_over", rule="P23", path="hands[1]", says="the game is over"):
        scored(made, made, target_score=130)


def test_p23_the_score_counts_with_its_audits() -> None:
    """30 points, 10 Excess: -70 is below 20."""
    assert not scored(hand(12, bid=(1, 0, 1, 0)), target_score=20)["finished"]


def test_p23_the_higher_score_wins_even_when_both_are_at_the_target() -> None:
    result = scored(hand(7, bid=(4, 3, 3, 3)), target_score=50)

    assert result["score"] == {"NS": 70, "EW": 60}
    assert result["winners"] == ["NS"]


def test_p23_equal_scores_at_the_target_need_another_hand() -> None:
    equal = hand(7, bid=(3, 3, 3, 3), rulings=[ruling("adjust_points", side="NS", points=-1)])
    result = scored(equal, hand(7), target_score=50)

    assert result["hands"][0]["score"] == {"NS": 60, "EW": 60}
    assert result["winners"] == ["NS"]
    assert len(result["hands"]) == 2


def test_p23_a_limit_of_hands_ends_the_game_and_the_higher_score_wins() -> None:
    assert not scored(hand(7), hands_limit=2)["finished"]
    assert scored(hand(7), hand(7), hands_limit=2)["winners"] == ["NS"]


def test_p23_equal_scores_at_the_limit_are_a_draw() -> None:
    equal = hand(7, bid=(3, 3, 3, 3), rulings=[ruling("adjust_points", side="NS", points=-1)])
    result = scored(equal, hands_limit=1)

    assert (result["finished"], result["winners"]) == (True, ["NS", "EW"])


def test_p24_the_winners_get_the_accord_pot() -> None:
    state = given(dealt("N"), *bids("E", 3, 3, 3, 3), hands_limit=1)

    assert when(state, totals(7, 6))[-3:] == [
        GameClosed(kind="played"),
        ChipsMoved(source="accord", target="S", chips=10, why="accord_pot", rule="P24"),
        ChipsMoved(source="accord", target="N", chips=10, why="accord_pot", rule="P24"),
    ]


def test_p24_the_winners_get_what_is_left_in_the_hand_pot() -> None:
    result = scored(NEITHER, hands_limit=1)

    assert result["score"] == {"NS": -80, "EW": -70}
    assert result["hands"][0]["chips"] == {"N": -5, "E": -5, "S": -5, "W": -4}
    assert result["chips"] == {"N": -10, "S": -10, "E": -10 + 10 + 10, "W": -9 + 10 + 9}
    assert result["pots"] == {"hand": 0, "accord": 0}


def test_p24_in_a_draw_both_pots_are_shared_by_all_four_each_separately() -> None:
    """Accord Pot 22 after a ruling, Hand Pot 19: two and three odd chips, each from the player who
    led.
    """
    rulings = [
        ruling("move_chips", source="E", to="accord", chips=2),
        ruling("adjust_points", side="NS", points=10),
    ]
    result = scored(dict(NEITHER, rulings=rulings), hands_limit=1)

    assert result["winners"] == ["NS", "EW"]
    paid = {"N": 5 + 5, "E": 5 + 5 + 2, "S": 5 + 5, "W": 5 + 4}
    shared = {"N": 5 + 4, "E": 6 + 5, "S": 6 + 5, "W": 5 + 5}
    assert result["chips"] == {seat: shared[seat] - paid[seat] for seat in "NESW"}


def test_p24_odd_chips_follow_where_the_winners_sat_in_the_last_hand() -> None:
    """The teams changed seats: Asha sits East and leads, Dara comes next, so the odd one of 21
    chips is West's.
    """
    seats = {"N": "Brin", "E": "Asha", "S": "Dara", "W": "Cato"}
    result = scored(
        hand(
            7,
            bid=(3, 3, 3, 3),
            players=seats,
            rulings=[ruling("move_chips", source="N", to="accord", chips=1)],
        ),
        hands_limit=1,
    )

    assert result["winners"] == ["EW"]
    assert result["chips"] == {"N": -9, "E": -10 + 8 + 10, "S": -9, "W": -9 + 8 + 11}


@pytest.mark.parametrize("kind", ["called", "abandoned"])
def test_a_called_game_ends_as_after_a_last_hand(kind: str) -> None:
    result = scored(hand(7), hand(9), ended={**CALLED, "kind": kind})

    assert result == scored(hand(7), hand(9), hands_limit=2)


def test_a_called_game_with_equal_scores_is_a_draw() -> None:
    equal = hand(7, bid=(3, 3, 3, 3), rulings=[ruling("adjust_points", side="NS", points=-1)])

    assert scored(equal, ended=CALLED)["winners"] == ["NS", "EW"]


def test_a_game_called_after_a_misdeal_shares_its_antes_too() -> None:
    result = scored(hand(7), {"misdeal": True}, ended=CALLED)

    assert result["winners"] == ["NS"]
    assert result["pots"] == {"hand": 0, "accord": 0}
    assert result["chips"]["N"] - scored(hand(7), ended=CALLED)["chips"]["N"] == 2 - 1


def test_a_game_is_called_only_after_a_closed_hand() -> None:
    call = EndGame(**CALLED)

    with refused("out_of_turn", rule="P23", path="ended", says="only after a hand was played"):
        when(game(), call)
    with refused("out_of_turn", rule="P23", path="ended", says="a hand is open"):
        when(given(dealt("N")), call)
    with refused("game_over", rule="P23", path="ended", says="over already"):
        when(after(given(dealt("N"), *bids("E", 3, 3, 3, 3), totals(7, 6)), call), call)
    with refused("game_over", rule="P23", path="ended", says="over already"):
        scored(hand(7), hands_limit=1, ended=CALLED)


def test_the_hand_pot_is_antes_bids_melds_and_what_was_carried() -> None:
    melds = [{"seat": "E", "kind": "run", "cards": ["2V", "3V", "4V"]}]
    stakes = {"ante": 2, "trick_stake": 3, "meld_stake": 7}

    assert first(dict(NEITHER, melds=melds), **stakes)["hand_pot"]["amount"] == 4 * 2 + 3 * 15 + 7
    assert (
        scored(dict(NEITHER, melds=melds), hand(7), **stakes)["hands"][1]["hand_pot"]["amount"]
        == 60 + 4 * 2 + 3 * 12
    )
