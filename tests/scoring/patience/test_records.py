"""Deals as records: what is read, what is refused and where, and in which order it is found
(salon-record/1).
"""

from typing import Any

import pytest

from scoring.records import decide_record, read_record
from tests.scoring.patience.table import (
    DIRECTOR,
    SORTED,
    WAITING,
    record,
    refused,
    scored,
    totals,
    written,
)

LENGTHS = [13, 13, 9, 7, 6, 4, 2, 0]
# Every card to the waste, three times: one King is out before the deal.
ALL_WASTED = [*(["-"] * 103 + ["turn"]) * 2, *["-"] * 103]
FULL: dict[str, Any] = {"stock": SORTED, "moves": ALL_WASTED}


def test_moves_come_to_lengths_and_passes() -> None:
    (hand,) = scored(record(FULL))["hands"]

    assert (hand["foundations"], hand["passes"], hand["seconds"]) == (
        [1, 0, 0, 0, 0, 0, 0, 0],
        3,
        None,
    )


def test_cards_are_read_by_code_with_10_and_by_name() -> None:
    spelled = [card.replace("T", "10") for card in SORTED]
    spelled[SORTED.index("QH")] = "Queen of Hearts"
    spelled[SORTED.index("AD")] = "Ace of diamonds"

    assert written(record({**FULL, "stock": spelled}))["hands"][0]["stock"] == SORTED


def test_moves_may_stop_after_any_pass() -> None:
    assert scored(record({"stock": SORTED, "moves": ["-"] * 103}))["hands"][0]["passes"] == 1


def test_totals_beside_the_moves_have_to_agree_with_them() -> None:
    agreed = {"built": [1, 0, 0, 0, 0, 0, 0, 0], "passes": 3}

    assert written(record({**FULL, **agreed}))["hands"] == [FULL]
    with refused(
        "bad_total",
        rule="O6",
        path="hands[0].built[1]",
        says="foundation 2 has 0 cards by the moves, not 1",
    ):
        scored(record({**FULL, **agreed, "built": [1, 1, 0, 0, 0, 0, 0, 0]}))
    with refused(
        "bad_total", rule="O6", path="hands[0].passes", says="3 times by the moves, not 2"
    ):
        scored(record({**FULL, **agreed, "passes": 2}))


def test_moves_that_end_before_the_stock_does_are_refused_totals_or_not() -> None:
    for more in ({}, totals(1, 0, 0, 0, 0, 0, 0, 0)):
        with refused(
            "bad_total", rule="O6", path="hands[0].moves", says="1 card is still in the stock"
        ):
            scored(record({"stock": SORTED, "moves": ["-"] * 102, **more}))


def test_a_stock_may_stand_beside_totals() -> None:
    hand = {"stock": SORTED, **totals(*LENGTHS)}

    assert written(record(hand))["hands"] == [hand]


@pytest.mark.parametrize(
    ("stock", "path", "says"),
    [
        (SORTED[:-1], "hands[0].stock", "104 cards, two packs, not 103"),
        ([*SORTED, "KS"], "hands[0].stock", "not 105"),
        (["2S", *SORTED[1:]], "hands[0].stock[9]", "2S is in the stock a third time"),
    ],
)
def test_a_stock_is_two_packs(stock: list[str], path: str, says: str) -> None:
    with refused("bad_total", rule="O4", path=path, says=says):
        scored(record({**FULL, "stock": stock}))


def test_a_move_that_a_rule_forbids_is_named_by_its_place() -> None:
    with refused(
        "bad_build", rule="O3", path="hands[1].moves[2]", says="foundation 1 takes a Queen"
    ):
        scored(record(FULL, {"stock": SORTED, "moves": ["-", "-", "1", *["-"] * 100]}))


UNREADABLE: list[tuple[dict[str, Any], str, str]] = [
    ({"stock": SORTED, "moves": ["-", "9"]}, "hands[0].moves[1]", '"9" is no move'),
    ({"stock": SORTED, "moves": ["-", 3]}, "hands[0].moves[1]", "this is no move"),
    ({"stock": SORTED, "moves": ["w0"]}, "hands[0].moves[0]", '"w0" is no move'),
    ({"stock": SORTED, "moves": "-"}, "hands[0].moves", "a list is expected"),
    ({"stock": ["1S"], "moves": []}, "hands[0].stock[0]", '"1S" is no card'),
    ({"stock": [["KS"]], "moves": []}, "hands[0].stock[0]", "this is no card"),
    ({"moves": []}, "hands[0].stock", "stock is missing"),
    ({"stock": SORTED}, "hands[0].built", "how the deal went is missing"),
    ({"built": LENGTHS}, "hands[0].passes", "the passes are missing"),
    ({"built": LENGTHS[:7], "passes": 1}, "hands[0].built", "8 lengths are expected here"),
    ({"built": [*LENGTHS[:7], "0"], "passes": 1}, "hands[0].built[7]", "a whole number"),
    ({"built": LENGTHS, "passes": True}, "hands[0].passes", "a whole number"),
    ({**totals(*LENGTHS), "seconds": -1}, "hands[0].seconds", "from 0"),
    ({**totals(*LENGTHS), "seconds": 1.5}, "hands[0].seconds", "a whole number"),
    ({**totals(*LENGTHS), "dealer": "A"}, "hands[0].dealer", "there is no key 'dealer'"),
    ({**totals(*LENGTHS), "buy_ins": {"A": 5}}, "hands[0].buy_ins", "there is no key 'buy_ins'"),
    ({**totals(*LENGTHS), "misdeal": True}, "hands[0].misdeal", "there is no key 'misdeal'"),
    ({**totals(*LENGTHS), "players": {"B": "Ezra"}}, "hands[0].players.B", "there is no key 'B'"),
]


@pytest.mark.parametrize(("hand", "path", "says"), UNREADABLE)
def test_what_cannot_be_read_is_refused_where_it_stands(
    hand: dict[str, Any], path: str, says: str
) -> None:
    with refused("bad_record", rule="O6" if "how the deal" in says else "", path=path, says=says):
        scored(record(hand))


@pytest.mark.parametrize(
    "ruling",
    [
        {"kind": "accept_play", "trick": 1, "seat": "A"},
        {"kind": "adjust_tricks", "to": "A", "tricks": 1},
    ],
)
def test_a_patience_has_no_rulings_about_tricks(ruling: dict[str, Any]) -> None:
    with refused(
        "bad_record", rule="", path="hands[0].rulings[0].kind", says="no tricks and no chips"
    ):
        scored(record({**totals(*LENGTHS), "rulings": [{**ruling, **DIRECTOR}]}))


@pytest.mark.parametrize(
    ("option", "value"),
    [("first_king", "any"), ("redeals", -1), ("redeals", "2"), ("opening_chips", 5)],
)
def test_an_option_has_one_of_its_values(option: str, value: object) -> None:
    with pytest.raises(Exception, match=option):
        read_record(record(options={option: value}))


def test_everything_that_may_stand_beside_a_deal_is_written_again() -> None:
    hand = totals(*LENGTHS, seconds=767) | {
        "players": {"A": "Ezra"},
        "rulings": [
            {"kind": "accept_hand", "excuses": ["bad_dealer"], **DIRECTOR},
            {"kind": "adjust_points", "side": "A", "points": 2, **DIRECTOR},
        ],
        "note": "by the window",
        "at": "2026-11-21T19:30:00Z",
    }
    value = record(hand, options={**WAITING, "redeals": 3}, ended={"kind": "called", **DIRECTOR})

    assert written(value) == value
    assert scored(value)["score"] == sum(LENGTHS) + 2


def test_the_shape_of_every_deal_is_looked_at_before_any_rule() -> None:
    value = record({**FULL, "stock": SORTED[:-1]}, {"moves": 3, "stock": SORTED})

    with refused("bad_record", rule="", path="hands[1].moves", says="a list is expected"):
        decide_record(read_record(value))


def test_the_stock_is_looked_at_before_the_moves() -> None:
    with refused("bad_total", rule="O4", path="hands[0].stock", says="104 cards"):
        scored(record({"stock": SORTED[:-1], "moves": ["8"]}))
