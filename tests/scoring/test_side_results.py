"""What a closed hand comes to for each side is what its result says, in every game."""

from itertools import islice
from typing import Any

import pytest

from scoring.games import GAMES
from scoring.records import decide_record, read_record
from scoring.side_results import SideResult, side_results
from tests.scoring.sample_games import GAMES as FILES
from tests.scoring.sample_games import games_of


def sides_of(game: str, result: dict[str, Any], **why: Any) -> list[SideResult]:
    return GAMES[game].sides({"result": result, "why": why})


def test_a_team_of_precedence_has_its_contract_tricks_points_excess_audits_and_chips() -> None:
    result = {
        "contracts": {"NS": 8, "EW": 5},
        "tricks": {"NS": 6, "EW": 7},
        "met": {"NS": False, "EW": True},
        "points": {"NS": -80, "EW": 52},
        "audits": {"NS": 0, "EW": 1},
        "excess": {"NS": 1, "EW": 2},
        "chips": {"N": -5, "E": 5, "S": -4, "W": 4},
    }

    assert sides_of("precedence", result) == [
        SideResult("NS", 8, "", False, 6, -80, 1, 0, -9),
        SideResult("EW", 5, "", True, 7, 52, 2, 1, 9),
    ]


def test_the_soloist_of_preference_has_the_contract_and_every_seat_tricks_and_chips() -> None:
    named = {"soloist": "A", "contract": "one_hand", "made": False}
    result = {**named, "tricks": {"A": 1, "B": 4, "C": 5}, "chips": {"A": -10, "B": 4, "C": 6}}

    assert sides_of("preference", result) == [
        SideResult("A", contract="one_hand", made=False, taken=1, chips=-10),
        SideResult("B", taken=4, chips=4),
        SideResult("C", taken=5, chips=6),
    ]


def test_in_a_deal_that_was_thrown_in_nobody_has_a_contract_or_tricks() -> None:
    nobody = {"soloist": None, "contract": None, "made": None, "tricks": None}

    assert sides_of("preference", nobody | {"chips": {"A": -10, "B": 0}}) == [
        SideResult("A", chips=-10),
        SideResult("B", chips=0),
    ]


def test_the_declarer_of_sabacc_has_the_contract_and_its_points() -> None:
    result = {"declarer": "B", "contract": "take", "points": 19.5, "made": False}

    assert sides_of("contract_sabacc", result | {"chips": {"A": 5, "B": -5}}) == [
        SideResult("A", chips=5),
        SideResult("B", contract="take", made=False, points=19.5, chips=-5),
    ]


def test_a_patience_has_the_points_of_its_deal_with_what_was_ruled() -> None:
    assert sides_of("order_of_precedence", {"built": 54}, points=50) == [SideResult("A", points=50)]


def test_a_game_that_says_nothing_of_its_own_has_what_its_result_says_by_side() -> None:
    assert side_results({"result": {"number": 1, "tricks": {"NS": 8, "EW": 5}}}) == [
        SideResult("NS", taken=8),
        SideResult("EW", taken=5),
    ]
    assert side_results({"result": {"number": 1, "score": 3}}) == []


@pytest.mark.parametrize("name", FILES)
def test_the_sides_of_a_recorded_hand_share_its_chips_and_all_its_tricks(name: str) -> None:
    for value, _expected in islice(games_of(name), None, None, 8):
        record = read_record(value)
        _events, state = decide_record(record)
        for hand in record.game.hand_results(state, 0):
            sides = record.game.sides(hand)
            seats = hand["result"].get("chips", {"A": None})
            assert "".join(sorted("".join(each.side for each in sides))) == "".join(sorted(seats))
            assert [each.chips for each in sides] == [
                sum(seats[seat] for seat in each.side) if "chips" in hand["result"] else None
                for each in sides
            ]
            tricks = hand["result"].get("tricks")
            assert [each.taken for each in sides] == [
                tricks[each.side] if tricks else None for each in sides
            ]
