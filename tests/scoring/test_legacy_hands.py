"""Games recorded before a rule was asked for: they are read, folded and corrected as they were
played.
"""

from dataclasses import replace
from typing import Any

import pytest

from scoring.correcting import decide_correction
from scoring.corrections import Change, CorrectHand, Correction, CorrectOptions, CorrectSeats
from scoring.effective_history import Course, course_of, fold_course
from scoring.errors import RuleViolation
from scoring.events import PlayAccepted
from scoring.preference.rules import Rules
from scoring.records import Record, decide_record, read_record
from scoring.second_entry import second_entry_of
from scoring.trick_states import DealtState
from tests.material import MATERIAL, lines_of
from tests.scoring.corrected import SAID
from tests.scoring.lone_defenders import with_rulings

BROKEN = (
    "sim-preference-003",
    "sim-preference-028",
    "sim-preference-045",
)  # one play that R12 refuses, and more in one hand or several


def record_of(name: str) -> Record:
    return read_record(
        with_rulings(
            next(
                value
                for value in lines_of(MATERIAL / "preference_simulated.jsonl")
                if value["id"] == name
            )
        )
    )


def course_before(record: Record) -> Course:
    """The game as it was taken while nobody asked for R12: the same facts without a ruling."""
    facts = [fact for fact in decide_record(record)[0] if not isinstance(fact, PlayAccepted)]
    return course_of(record.game, enumerate(facts, 1))


def version_of(course: Course) -> int:
    return course[-1].facts[-1][0]


def corrected(record: Record, change: Change) -> Any:
    course = course_before(record)
    return decide_correction(
        record.game, course, version_of(course), Correction(change=change, **SAID)
    )


def with_take(rules: Rules, chips: int) -> Rules:
    return replace(rules, take=chips)


@pytest.mark.parametrize("name", BROKEN)
def test_other_house_rules_are_put_right_and_the_plays_stay_as_they_were(name: str) -> None:
    record = record_of(name)
    assert isinstance(record.start.rules, Rules)
    rules = with_take(record.start.rules, record.start.rules.take + 1)

    done = corrected(record, CorrectOptions(rules=rules))

    right_first_time = decide_record(replace(record, start=replace(record.start, rules=rules)))[1]
    assert chips_of(done.state) == chips_of(right_first_time)
    assert not any(isinstance(each.fact, PlayAccepted) for each in done.facts)


def test_another_hand_is_corrected_and_only_that_is_stated_anew() -> None:
    record = record_of("sim-preference-045")
    sheet = record.game.read_sheet({"soloist": None}, record.start.rules)

    done = corrected(record, CorrectHand(hand=len(record.sheets), sheet=sheet))

    assert len([each for each in done.facts if type(each.fact).__name__ == "PartRestated"]) == 1


def test_the_hand_itself_is_asked_for_a_ruling_when_it_is_corrected() -> None:
    record = record_of("sim-preference-028")
    course = course_before(record)
    hand = record.game.write_hands(fold_course(record.game, course, version_of(course)))[8]
    sheet = record.game.read_sheet(hand | {"note": "looked at again"}, record.start.rules)

    with pytest.raises(RuleViolation, match="can head the trick") as caught:
        corrected(record, CorrectHand(hand=9, sheet=sheet))
    assert (caught.value.code, caught.value.rule) == ("must_head", "R12")


def test_who_sat_is_corrected_and_the_plays_stay_as_they_were() -> None:
    record = record_of("sim-preference-028")

    done = corrected(record, CorrectSeats(first=9, last=9, players=(("A", "Somebody else"),)))

    hand = record.game.write_hands(done.state)[8]
    assert (hand["players"], "rulings" in hand) == ({"A": "Somebody else"}, False)


def test_the_same_plays_entered_again_confirm_the_first_and_others_are_asked_for_a_ruling() -> None:
    record = record_of("sim-preference-028")
    course = course_before(record)
    before = fold_course(record.game, course[:9], course[9].opened - 1)
    hand = record.game.write_hands(fold_course(record.game, course, version_of(course)))[8]
    totals = {
        key: value
        for key, value in hand.items()
        if key not in ("plays", "deal", "widow", "discards", "winners")
    }

    assert second_entry_of(record.game, before, hand, hand)[1]
    with pytest.raises(RuleViolation, match="can head the trick"):
        second_entry_of(record.game, before, totals | {"winners": winners_of(record, 8)}, hand)


def winners_of(record: Record, place: int) -> list[str]:
    """Who won each trick of a hand."""
    state = decide_record(record)[1]
    assert isinstance(state, DealtState)
    played = state.done[place].hand.play
    return list(played.winners)


def chips_of(state: Any) -> dict[str, int]:
    return {account: chips for account, chips in state.balances.items() if chips}
