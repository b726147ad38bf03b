"""What cannot be read of a hand of Preference, and the ways a card can be written
(salon-record/1).
"""

from typing import Any

import pytest

from scoring.errors import NotationError
from scoring.french import card_name
from scoring.preference.cards import CARDS
from scoring.preference.sheet import read_card
from scoring.records import decide_record, read_record, write_record
from tests.scoring.preference.table import hand, record, refused, scored

ONE = hand("A", "one", "6 2 2")


def test_every_card_is_read_by_its_code_and_by_its_name() -> None:
    assert [read_card(card_name(card), "") for card in CARDS] == list(CARDS)
    assert [read_card("10" + suit, "") for suit in "CSDH"] == ["TC", "TS", "TD", "TH"]
    assert card_name("QH") == "Queen of Hearts"


@pytest.mark.parametrize(
    ("changed", "path", "says"),
    [
        ({"melds": []}, "melds", "no key 'melds'"),
        ({"contract": "five"}, "contract", "one of one, two"),
        ({"contract": None}, "contract", "one of one, two"),
        ({"soloist": "N"}, "soloist", "one of A, B, C"),
        ({"soloist": None}, "contract", "has no contract"),
        ({"soloist": None, "contract": None}, "tricks", "has no tricks"),
        ({"tricks": {"A": 6, "B": 4}}, "tricks.C", "Seat C's tricks are missing"),
        ({"tricks": {"A": 6, "B": 2.0, "C": 2}}, "tricks.B", "a whole number is expected"),
        ({"defenders": {"A": "out"}}, "defenders.A", "the soloist is no defender"),
        ({"defenders": {"B": "away"}}, "defenders.B", "one of along, out, insisted"),
        ({"calls": [["B"]]}, "calls[0]", "a call is a seat and what it said"),
        ({"calls": [["B", "five"]]}, "calls[0][1]", "one of pass, hold, one"),
        ({"plays": [["1H", "9H", "8H"]]}, "plays[0][0]", '"1H" is no card'),
        ({"plays": [[7, "9H", "8H"]]}, "plays[0][0]", "this is no card"),
        ({"winners": ["D"]}, "winners[0]", "one of A, B, C"),
        ({"deal": {"A": ["7H"], "B": []}}, "deal.C", "the cards dealt to Seat C are missing"),
        ({"discards": []}, "discards", "discards has two cards or is absent"),
        ({"in_succession": 1}, "in_succession", "true or false"),
        (
            {
                "rulings": [
                    {"kind": "accept_play", "trick": 11, "seat": "A", "by": "x", "reason": "y"}
                ]
            },
            "rulings[0].trick",
            "from 1 to 10",
        ),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(
    changed: dict[str, Any], path: str, says: str
) -> None:
    with pytest.raises(NotationError) as caught:
        read_record(record({**ONE, **changed}))
    assert (caught.value.code, caught.value.path) == ("bad_record", f"hands[0].{path}")
    assert says in caught.value.message


@pytest.mark.parametrize("missing", ["soloist", "contract", "tricks"])
def test_a_hand_says_who_played_what_and_how_it_went(missing: str) -> None:
    with refused(
        "bad_record",
        rule="R13" if missing == "tricks" else "",
        path=f"hands[0].{missing}",
        says="missing here",
    ):
        read_record(record({key: value for key, value in ONE.items() if key != missing}))


@pytest.mark.parametrize("key", ["plays", "winners", "defenders", "discards", "in_succession"])
def test_a_thrown_in_deal_has_nothing_of_a_play(key: str) -> None:
    with refused("bad_record", rule="R7", path=f"hands[0].{key}", says=f"has no {key}"):
        read_record(record({**hand(None), key: []}))


def test_calls_come_before_the_contract_and_that_before_counts_and_plays() -> None:
    wrong = hand(
        "A",
        "misere",
        "0 5 5",
        calls=[["B", "one"]],
        defenders={"B": "out"},
        plays=[["7H", "7H", "8H"]],
    )

    with refused("out_of_turn", rule="R6", path="hands[0].calls[0]", says="Seat A speaks now"):
        scored(wrong)
    with refused(
        "bad_contract", rule="R9", path="hands[0].defenders.B", says="nobody keeps out of misère"
    ):
        scored({**wrong, "calls": []})
    with refused("bad_total", rule="R3", path="hands[0].plays[0][1]", says="7H is played twice"):
        scored({**wrong, "calls": [], "defenders": {}})


def test_a_canonical_record_spells_out_every_option_and_names_the_dealer() -> None:
    read = read_record(record(hand(None), hand("B", "one", "2 6 2", defenders={"A": "insisted"})))
    written = write_record(read.game, decide_record(read)[1])

    assert written["options"] == {
        "hands": 12,
        "ante": 10,
        "take": 10,
        "forfeit": 20,
        "duty": 10,
        "concede": "six_trick",
        "misere_duty": False,
        "insister_pays": False,
    }
    assert written["hands"] == [
        {"dealer": "C", "soloist": None, "contract": None},
        {
            "dealer": "A",
            "soloist": "B",
            "contract": "one",
            "defenders": {"C": "along", "A": "insisted"},
            "tricks": {"A": 2, "B": 6, "C": 2},
        },
    ]
