"""A whole hand given when it is open already: it goes on from what is recorded, with which it has
to agree.
"""

import pytest

from scoring.precedence.commands import Command
from scoring.precedence.rules import read_rules
from scoring.precedence.sheet import Sheet, read_sheet
from scoring.precedence.whole_hand import decide_sheet
from tests.scoring.table import (
    adjust_points,
    after,
    bids,
    dealt,
    given,
    hand,
    meld,
    refused,
    ruling,
    totals,
    winners,
)

RUN = {"seat": "E", "kind": "run", "cards": ["2V", "3V", "4V"]}


def sheet(ns: int | None = 7, /, **more: object) -> Sheet:
    return read_sheet(hand(ns, bid=(3, 4, 3, 3), melds=[RUN], **more), read_rules({}))


def test_it_comes_to_the_same_as_the_whole_hand_from_any_point_before_the_play() -> None:
    acts: list[Command] = [dealt("N"), meld("E", "run", "2V 3V 4V"), *bids("E", 4, 3, 3, 3)]
    _, whole = decide_sheet(sheet(dealer="N"), given())
    for done in range(1, len(acts) + 1):
        _, finished = decide_sheet(sheet(), given(*acts[:done]))
        assert finished == whole == given(*acts, totals(7, 6))


def test_totals_end_a_hand_of_which_some_tricks_are_recorded() -> None:
    state = given(dealt("N"), meld("E", "run", "2V 3V 4V"), *bids("E", 4, 3, 3, 3), *winners("N N"))

    assert decide_sheet(sheet(), state)[1] == after(state, totals(7, 6))
    with refused("out_of_turn", rule="P13", path="winners", says="2 tricks are recorded already"):
        decide_sheet(sheet(None, winners=list("NNNNNNNEEEEEE")), state)


def test_another_bid_meld_dealer_or_trump_than_recorded_is_refused() -> None:
    with refused("out_of_turn", rule="P11", path="bids.E", says="East bid 5 as recorded, not 4"):
        decide_sheet(sheet(), given(dealt("N"), *bids("E", 5)))
    with refused(
        "out_of_turn", rule="P6", path="melds[0]", says="South showed 2F 3F 4F as recorded"
    ):
        decide_sheet(sheet(), given(dealt("N"), meld("S", "run", "2F 3F 4F")))
    with refused("out_of_turn", rule="P4", path="dealer", says="opened with dealer N, not S"):
        decide_sheet(sheet(dealer="S"), given(dealt("N")))
    with refused("out_of_turn", rule="P4", path="trump", says="opened with trump V, not B"):
        decide_sheet(sheet(trump="B"), given(dealt("N")))


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("players", {"N": "Ezra"}),
        ("buy_ins", {"N": 5}),
        ("rulings", [ruling("accept_hand", excuses=["no_chips"])]),
    ],
)
def test_what_belongs_to_the_opening_is_not_dropped_in_silence(key: str, told: object) -> None:
    with refused("out_of_turn", rule="P4", path=key, says="undo the opening first"):
        decide_sheet(sheet(**{key: told}), given(dealt("N"), opening_chips=100))


def test_who_sits_as_recorded_may_be_said_again() -> None:
    state = given(dealt("N", players=(("N", "Ezra"),)))

    assert decide_sheet(sheet(players={"N": "Ezra", "E": "Brin"}), state)[1].score == (61, -70 + 1)


def test_rulings_of_the_sheet_come_on_top_of_those_recorded() -> None:
    state = given(dealt("N"), adjust_points("NS", 5))

    assert (
        decide_sheet(sheet(rulings=[ruling("adjust_points", side="NS", points=2)]), state)[1].score[
            0
        ]
        == 61 + 7
    )
