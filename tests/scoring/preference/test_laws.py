"""What only Preference promises of every game, tried on random ones: the settlement."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from scoring.records import decide_record, read_record
from tests.scoring.laws import legal
from tests.scoring.preference.made import SIX_TRICKS, records

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=SLOW)


games = records().map(legal)


def check_settlement(value: dict[str, Any]) -> None:
    """R2 and R13 to R16 computed again, from the record alone; hands with rulings apart."""
    assume(not any("rulings" in hand or "players" in hand for hand in value["hands"]))
    rules = {"ante": 10, "take": 10, "forfeit": 20, "duty": 10} | value["options"]
    read = read_record(value)
    pot = 0
    for hand, result in zip(
        value["hands"], read.game.result(decide_record(read)[1])["hands"], strict=True
    ):
        ante = 0 if pot else rules["ante"]
        chips, soloist = dict.fromkeys("ABC", -ante), hand["soloist"]
        pot += 3 * ante
        if soloist is not None:
            made, tricks = result["made"], result["tricks"]
            if tricks is not None:
                six = hand.get("in_succession", soloist * 6 in "".join(winners_of(hand, result)))
                enough = tricks[soloist] >= 6 and (hand["contract"] != "no_trump" or six)
                assert made == (enough if hand["contract"] in SIX_TRICKS else tricks[soloist] == 0)
            taken = min(rules["take"], pot) if made else -rules["forfeit"]
            chips[soloist] += taken
            due = hand["contract"] in SIX_TRICKS or rules.get("misere_duty", False)
            for seat, choice in hand["defenders"].items():
                insisted = (
                    choice == "along"
                    and "insisted" in hand["defenders"].values()
                    and made
                    and rules.get("insister_pays", False)
                )
                if tricks and due and ((choice == "along" and tricks[seat] < 2) or insisted):
                    chips[seat] -= rules["duty"]
                    pot += rules["duty"]
            pot -= taken
        assert (result["chips"], result["pot"]) == (chips, pot)


def winners_of(hand: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """The winners as far as the record tells them by name; the state's own otherwise."""
    if len(hand.get("winners", [])) == 10:
        return list(hand["winners"])
    return [hand["soloist"]] * 6 if result["made"] else []


@FEW
@given(value=games)
def test_every_settlement_is_what_the_rules_say_word_by_word(value: dict[str, Any]) -> None:
    check_settlement(value)


@pytest.mark.long
@settings(FEW, max_examples=1500)
@given(value=games)
def test_so_is_that_of_thousands_of_games(value: dict[str, Any]) -> None:
    check_settlement(value)
