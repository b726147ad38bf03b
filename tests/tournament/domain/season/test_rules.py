"""A season is begun, kept and closed; what can't be is refused and says what is missing."""

from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from scoring.errors import Refusal
from tournament.domain.season.rules import (
    BY_PLACE,
    SHAPES,
    AddEvent,
    ChangeSeason,
    CloseSeason,
    OpenSeason,
    RemoveEvent,
    ReopenSeason,
    SeasonRule,
    State,
    decide,
    evolve,
)
from tournament.streams.codec import decode, encode

STORED = dict(
    line.split(" ", 1)
    for line in (Path(__file__).parent / "stored_bodies.txt").read_text().splitlines()
)
BEGUN = OpenSeason(name="Winter", rule=SeasonRule())


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


def test_tournaments_count_in_the_order_added_until_they_are_taken_out() -> None:
    state = after(
        BEGUN,
        AddEvent(tournament="a"),
        AddEvent(tournament="b"),
        RemoveEvent(tournament="a", reason="other rules"),
    )

    assert (state.events, state.version) == (("b",), 4)
    assert (
        after(
            BEGUN, AddEvent(tournament="a"), CloseSeason(), ReopenSeason(reason="one more")
        ).closed
        is False
    )


@pytest.mark.parametrize(
    ("before", "command", "words"),
    [
        ((), AddEvent(tournament="a"), "no such season"),
        ((BEGUN,), BEGUN, "begun already"),
        (
            (BEGUN, AddEvent(tournament="a")),
            AddEvent(tournament="a"),
            "counts in the season already",
        ),
        ((BEGUN,), RemoveEvent(tournament="a", reason="x"), "does not count"),
        ((BEGUN, AddEvent(tournament="a")), RemoveEvent(tournament="a", reason=""), "say why"),
        ((BEGUN,), CloseSeason(), "no tournament counts"),
        ((BEGUN, AddEvent(tournament="a"), CloseSeason()), AddEvent(tournament="b"), "is closed"),
        ((BEGUN, AddEvent(tournament="a"), CloseSeason()), ReopenSeason(reason=""), "say why"),
        ((BEGUN,), ReopenSeason(reason="x"), "is not closed"),
        ((BEGUN,), ChangeSeason(name="Winter", rule=SeasonRule()), "is already"),
        ((), OpenSeason(name=" ", rule=SeasonRule()), "a name"),
        ((), OpenSeason(name="x", rule=SeasonRule(points="luck")), "is expected here"),
        ((), OpenSeason(name="x", rule=SeasonRule(points=BY_PLACE)), "the points of 1 to"),
        (
            (),
            OpenSeason(name="x", rule=SeasonRule(points=BY_PLACE, places=(100, 200))),
            "fewer points than the next",
        ),
        (
            (),
            OpenSeason(name="x", rule=SeasonRule(points=BY_PLACE, places=(100, -1))),
            "fewer than 0",
        ),
        ((), OpenSeason(name="x", rule=SeasonRule(best=1, worst=1)), "not both"),
        ((), OpenSeason(name="x", rule=SeasonRule(best=0)), "a number from 1"),
    ],
)
def test_what_can_not_be_is_refused(before: tuple[Any, ...], command: Any, words: str) -> None:
    state = after(*before) if before else None

    with pytest.raises(Refusal, match=words):
        decide(command, state)
