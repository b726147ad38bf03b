"""A call is made, taken up, answered or taken back; what can't be is refused and says why."""

from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from scoring.errors import NotationError, Refusal, RuleViolation
from tournament.domain.calls.rules import (
    ANSWERED,
    ENDINGS,
    LAPSED,
    OPEN,
    REASONS,
    SHAPES,
    TAKEN_BACK,
    AnswerCall,
    Keeping,
    LetCallLapse,
    MakeCall,
    ReopenCall,
    State,
    TakeBackCall,
    TakeUpCall,
    decide,
    evolve,
)
from tournament.domain.calls.waiting import Waiting, waiting
from tournament.streams.codec import decode, encode

STORED = dict(
    line.split(" ", 1)
    for line in (Path(__file__).parent / "stored_bodies.txt").read_text().splitlines()
)
MADE = MakeCall(table="5", reason="card", at=100)
KEEPING: tuple[type[Keeping], ...] = (
    TakeUpCall,
    AnswerCall,
    TakeBackCall,
    LetCallLapse,
    ReopenCall,
)
ENDS: dict[type[Keeping], str] = {
    AnswerCall: ANSWERED,
    TakeBackCall: TAKEN_BACK,
    LetCallLapse: LAPSED,
}


def after(*commands: Any) -> State:
    state: Any = None
    for command in commands:
        state = reduce(evolve, decide(command, state), state)
    assert isinstance(state, State)
    return state


def test_every_shape_has_a_body_written_out_that_is_read_and_written_as_it_lies_there() -> None:
    assert {f"{name}/{schema}" for name, schema in SHAPES} == set(STORED)
    for stored, body in STORED.items():
        name, schema = stored.split("/")
        assert encode(decode(name, int(schema), body)).decode() == body


def test_there_are_six_reasons_to_call() -> None:
    assert [after(MakeCall(table="5", reason=each, at=1)).made.reason for each in REASONS] == [
        *REASONS
    ]
    assert len(set(REASONS)) == 6
    with pytest.raises(NotationError, match="one of card"):
        decide(MakeCall(table="5", reason="thirst", at=1), None)


@pytest.mark.parametrize("end", ENDS)
def test_a_call_ends_once_and_the_time_is_kept(end: type[Keeping]) -> None:
    state = after(MADE, TakeUpCall(at=130), end(at=160))

    assert (state.ending, state.ended_at, state.taken_up_at) == (ENDS[end], 160, 130)
    for again in (TakeUpCall, AnswerCall, TakeBackCall, LetCallLapse):
        with pytest.raises(RuleViolation) as refused:
            decide(again(at=170), state)
        assert refused.value.code == "call_over"


def test_only_what_was_answered_is_open_again() -> None:
    answered = after(MADE, AnswerCall(at=160))
    again = after(MADE, AnswerCall(at=160), ReopenCall(at=170))

    assert (answered.ending, again.ending, again.ended_at) == (ANSWERED, OPEN, None)
    for state in (after(MADE), after(MADE, TakeBackCall(at=110)), after(MADE, LetCallLapse(at=1))):
        with pytest.raises(RuleViolation) as refused:
            decide(ReopenCall(at=170), state)
        assert refused.value.code == "call_open"


def test_one_director_comes_not_two() -> None:
    with pytest.raises(RuleViolation) as refused:
        decide(TakeUpCall(at=140), after(MADE, TakeUpCall(at=130)))

    assert refused.value.code == "call_taken_up"


def test_whatever_the_clock_says_nothing_happens_before_the_call() -> None:
    for acts in product(KEEPING, repeat=3):
        state = after(MADE)
        for act in acts:
            try:
                events = decide(act(at=40), state)
            except Refusal:
                continue
            assert all(getattr(event, "at", 0) >= MADE.at for event in events)
            state = reduce(evolve, events, state)
        assert (state.ending in ENDINGS) == (state.ended_at is not None)


def test_nothing_becomes_of_a_call_that_was_not_made() -> None:
    for act in KEEPING:
        with pytest.raises(RuleViolation, match="no such call"):
            decide(act(at=1), None)
    with pytest.raises(RuleViolation, match="made already"):
        decide(MADE, after(MADE))


def test_the_middle_is_what_half_of_them_waited_at_most() -> None:
    assert waiting([]) == Waiting(answered=0, middle=None, longest=None)
    assert waiting([40]) == Waiting(answered=1, middle=40, longest=40)
    assert waiting([300, 20, 40]) == Waiting(answered=3, middle=40, longest=300)
    assert waiting([300, 21, 40, 20]) == Waiting(answered=4, middle=30, longest=300)
