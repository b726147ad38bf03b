"""A screen is set up, arranged, held at one part, put away; what can't be is refused and says
why.
"""

from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotationError, Refusal, RuleViolation
from tournament.domain.screens.rules import (
    KINDS,
    LONGEST,
    MOST_PARTS,
    SHAPES,
    SHORTEST,
    TEXT,
    USUAL,
    AddScreen,
    ArrangeScreen,
    BringBackScreen,
    HoldPart,
    LetGoOn,
    Part,
    RetireScreen,
    State,
    check_note,
    decide,
    evolve,
)
from tournament.streams.codec import decode, encode

STORED = dict(
    line.split(" ", 1)
    for line in (Path(__file__).parent / "stored_bodies.txt").read_text().splitlines()
)
ADDED = AddScreen(name="Left wall", address="left-wall")
PARTS = st.builds(
    lambda kind, seconds: Part(kind=kind, seconds=seconds, note="a" * 64 if kind == TEXT else ""),
    st.sampled_from(KINDS),
    st.integers(SHORTEST, LONGEST),
)
COMMANDS = st.one_of(
    st.builds(
        ArrangeScreen,
        name=st.sampled_from(["Bar", "Left wall"]),
        parts=st.lists(PARTS, min_size=1, max_size=MOST_PARTS).map(tuple),
    ),
    st.builds(HoldPart, part=PARTS),
    st.sampled_from([LetGoOn(), RetireScreen(), BringBackScreen()]),
)


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


def test_a_new_screen_shows_what_is_usual() -> None:
    assert (after(ADDED).parts, after(ADDED).held) == (USUAL, None)


@given(st.lists(COMMANDS, max_size=12))
def test_every_act_is_one_fact_or_is_refused_and_a_screen_that_is_put_away_stays_as_it_was(
    commands: list[Any],
) -> None:
    state = after(ADDED)
    for command in commands:
        try:
            (event,) = decide(command, state)
        except Refusal:
            continue
        changed = evolve(state, event)
        assert changed.version == state.version + 1
        if state.retired or changed.retired:
            assert (changed.name, changed.parts, changed.held) == (
                state.name,
                state.parts,
                state.held,
            )
        state = changed


@given(PARTS, PARTS)
def test_what_is_held_stands_alone_until_it_is_let_go(one: Part, other: Part) -> None:
    held = after(ADDED, HoldPart(part=one))

    assert held.held == one
    assert after(ADDED, HoldPart(part=one), LetGoOn()).parts == held.parts
    if one != other:
        assert after(ADDED, HoldPart(part=one), HoldPart(part=other)).held == other


@pytest.mark.parametrize("address", ["", "Bar", "left wall", "-bar", "bar-", "a--b", "a" * 41])
def test_an_address_is_one_that_can_be_read_aloud(address: str) -> None:
    with pytest.raises(NotationError):
        decide(AddScreen(name="Bar", address=address), None)


@pytest.mark.parametrize(
    "part",
    [
        Part(kind="weather"),
        Part(kind="clock", seconds=SHORTEST - 1),
        Part(kind="clock", seconds=LONGEST + 1),
        Part(kind="clock", note="a" * 64),
        Part(kind="text"),
    ],
)
def test_a_part_that_cannot_be_is_refused(part: Part) -> None:
    for command in (HoldPart(part=part), ArrangeScreen(name="Bar", parts=(part,))):
        with pytest.raises(NotationError):
            decide(command, after(ADDED))


def test_words_are_measured_before_they_are_a_digest() -> None:
    check_note(Part(kind="text", note="Soup from nine"), "part")
    for wrong in (
        Part(kind="text"),
        Part(kind="text", note="x" * 201),
        Part(kind="tables", note="x"),
    ):
        with pytest.raises(NotationError):
            check_note(wrong, "part")


@pytest.mark.parametrize("count", [0, MOST_PARTS + 1])
def test_a_screen_shows_at_least_one_part_and_no_endless_list(count: int) -> None:
    with pytest.raises(NotationError):
        decide(ArrangeScreen(name="Bar", parts=(Part(kind="clock"),) * count), after(ADDED))


def test_what_is_so_already_is_no_fact() -> None:
    state = after(ADDED)
    same = ArrangeScreen(name=state.name, parts=state.parts)
    for command in (same, LetGoOn(), BringBackScreen(), ADDED):
        with pytest.raises(RuleViolation):
            decide(command, state)
