"""Hands whose totals were taken before they were weighed whole (S8, S11): they stay as they were
taken, whatever else is corrected.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from scoring.corrections import CorrectHand, CorrectOptions, CorrectSeats, InsertHand, RemoveHand
from scoring.effective_history import hands_of
from scoring.errors import RuleViolation
from scoring.events import HandExcused
from scoring.games import GAMES
from scoring.legacy_hands import state_as_taken
from scoring.records import decide_record, read_record
from scoring.sabacc import decide
from scoring.second_entry import second_entry_of
from tests.scoring.corrected import SAID, Corrected, begun, right_first_time, shown
from tests.scoring.sabacc.table import hand, record

SABACC = GAMES["contract_sabacc"]
SLAMMED = {"kind": "grand_slam", "seat": "B"}
IMPOSSIBLE = hand(
    "A", "take", points=27, bonus=SLAMMED
)  # who defends has won every trick, and the declarer has 27 points
ALL_WITHOUT_A_WORD = hand("C", "guard", points=91)  # a Grand Slam that the bonus doesn't say
RIGHT = hand("B", "push", points=50)
HANDS = (
    {"dealer": "C", **IMPOSSIBLE},
    {"dealer": "B", **ALL_WITHOUT_A_WORD},
    {"dealer": "A", **RIGHT},
)


@pytest.fixture
def unweighed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], Any]:
    """Does something by the rules of then."""

    def then[Found](does: Callable[[], Found]) -> Found:
        with monkeypatch.context() as before:
            before.setattr(decide, "check_counted", lambda points, bonus, hand: None)
            return does()

    return then


@pytest.fixture
def table(unweighed: Callable[[Callable[[], Corrected]], Corrected]) -> Corrected:
    return unweighed(lambda: begun(record(*HANDS, players=3, hands=6)))


def sheet(value: dict[str, Any], table: Corrected) -> Any:
    return SABACC.read_sheet(value, table.state.rules)


def intend_hands(table: Corrected, *hands: Mapping[str, Any], **options: Any) -> Any:
    """What is intended with these hands and options; nothing is asked of them."""
    written = {**table.intended.options, **options}
    return type(table.intended)(
        record=table.intended.record, options=written, hands=hands, ended=table.intended.ended
    )


def check_corrected(table: Corrected, then: Callable[[Callable[[], Any]], Any]) -> None:
    """It is as if it had been recorded so at first, by the rules of then; and nobody excused
    anything.
    """
    assert shown(SABACC, table.state) == shown(SABACC, then(lambda: right_first_time(table)))
    assert not any(isinstance(fact, HandExcused) for fact in table.facts)


@pytest.mark.parametrize("place", [0, 1])
def test_one_impossible_hand_is_corrected_beside_another(
    table: Corrected, unweighed: Any, place: int
) -> None:
    right = {"dealer": HANDS[place]["dealer"], **hand("A", "take", points=45)}
    hands = [*table.intended.hands]
    hands[place] = right

    table.correct(
        CorrectHand(hand=place + 1, sheet=sheet(right, table)), intend_hands(table, *hands)
    )

    check_corrected(table, unweighed)


def test_a_bonus_of_such_a_hand_follows_the_ante_pot_that_other_house_rules_leave(
    table: Corrected, unweighed: Any
) -> None:
    table.correct(
        CorrectOptions(rules=SABACC.read_rules({"hands": 6, "ante": 5})),
        intend_hands(table, *table.intended.hands, hands=6, ante=5),
    )

    check_corrected(table, unweighed)
    assert SABACC.hand_results(table.state, 0)[0]["result"]["bonus"] == {**SLAMMED, "chips": 15}


def test_a_hand_is_taken_out_and_another_put_in_beside_them(
    table: Corrected, unweighed: Any
) -> None:
    first, second, third = table.intended.hands
    table.correct(RemoveHand(hand=3), intend_hands(table, first, second))
    table.correct(
        InsertHand(hand=3, sheet=sheet({**third}, table)), intend_hands(table, first, second, third)
    )

    check_corrected(table, unweighed)


def test_who_sat_is_corrected_and_the_totals_stay(table: Corrected, unweighed: Any) -> None:
    hands = tuple({**each, "players": {"A": "Dara"}} for each in table.intended.hands)

    table.correct(
        CorrectSeats(first=1, last=3, players=(("A", "Dara"),)), intend_hands(table, *hands)
    )

    check_corrected(table, unweighed)
    assert all(part.corrected for part in hands_of(table.course))


def test_such_a_hand_that_became_surplus_counts_again(table: Corrected, unweighed: Any) -> None:
    """Three hands, one of them recorded twice; six in all, the first of them forgotten: the game
    was short, then long again.
    """
    beyond = unweighed(
        lambda: begun(record(*HANDS, {"dealer": "C", **IMPOSSIBLE}, players=3, hands=6))
    )
    hands = beyond.intended.hands
    beyond.correct(
        CorrectOptions(rules=SABACC.read_rules({"hands": 3})), intend_hands(beyond, *hands, hands=3)
    )
    assert [part.surplus for part in hands_of(beyond.course)] == [False, False, False, True]

    beyond.correct(
        CorrectOptions(rules=SABACC.read_rules({"hands": 6})), intend_hands(beyond, *hands, hands=6)
    )

    check_corrected(beyond, unweighed)
    assert not any(part.surplus for part in hands_of(beyond.course))


def test_a_surplus_one_that_another_dealer_would_have_dealt_counts_again(unweighed: Any) -> None:
    beyond = unweighed(
        lambda: begun(record(*HANDS, {"dealer": "C", **IMPOSSIBLE}, players=3, hands=6))
    )
    first, second, third, fourth = beyond.intended.hands
    beyond.correct(
        CorrectOptions(rules=SABACC.read_rules({"hands": 3})),
        intend_hands(beyond, first, second, third, fourth, hands=3),
    )

    beyond.correct(RemoveHand(hand=3), intend_hands(beyond, first, second, fourth, hands=3))

    excused = [fact for fact in beyond.facts if isinstance(fact, HandExcused)]
    assert [(fact.excuses, fact.by) for fact in excused] == [(("bad_dealer",), SAID["by"])]
    assert shown(SABACC, beyond.state) == shown(SABACC, unweighed(lambda: right_first_time(beyond)))


@pytest.mark.parametrize("value", [IMPOSSIBLE, ALL_WITHOUT_A_WORD])
def test_totals_that_a_correction_states_itself_are_weighed(
    table: Corrected, value: dict[str, Any]
) -> None:
    again = {"dealer": "A", **value}

    with pytest.raises(RuleViolation) as caught:
        table.correct(CorrectHand(hand=3, sheet=sheet(again, table)), intend_hands(table))
    assert (caught.value.code, caught.value.path.partition(".")[0]) == ("bad_total", "hands[2]")
    with pytest.raises(RuleViolation, match=r"can't have|at most"):
        table.correct(
            CorrectHand(
                hand=1, sheet=sheet({"dealer": "C", **value, "note": "looked at again"}, table)
            ),
            intend_hands(table),
        )


def test_the_same_totals_entered_a_second_time_confirm_the_first_and_others_are_weighed(
    unweighed: Any,
) -> None:
    before = decide_record(read_record(record(players=3)))[1]
    first = {"dealer": "D", **IMPOSSIBLE} | {"dealer": "C"}

    entry, agrees = second_entry_of(SABACC, before, first, first)
    other, same = second_entry_of(SABACC, before, first, {"dealer": "C", **RIGHT})

    assert (agrees, entry["points"]) == (True, 27)
    assert (same, other["points"]) == (False, 50)
    with pytest.raises(RuleViolation, match="28"):
        second_entry_of(SABACC, before, first, first | {"points": 28})
    with pytest.raises(RuleViolation, match="27"):
        second_entry_of(SABACC, before, {"dealer": "C", **RIGHT}, first)


def test_its_record_is_read_as_it_was_taken(table: Corrected) -> None:
    read = read_record(record(*HANDS, players=3, hands=6))

    assert SABACC.write_hands(state_as_taken(read)) == SABACC.write_hands(table.state)
