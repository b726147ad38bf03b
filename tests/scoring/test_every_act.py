"""Whatever is offered next is taken by the rules and everything else refused, at states reached by
chance (README: At a table).

The fifth game goes through the same test as the four of the salon.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scoring.every_act import Space, check_state, ruled, started, walk
from tests.scoring.spaces import SPACES

STEPS = {"order_of_precedence": 400}  # most other games are over or at a dead end before 120 acts
ONE_IN = {"order_of_precedence": 60}  # so many states are passed before one is tried


def check_walk(name: str, data: st.DataObject, *, one_in: int) -> None:
    """Walk through a game and try everything at one in so many of its states."""
    space = SPACES[name]
    chance = Random(data.draw(st.integers(0, 2**32)))
    state = started(
        space,
        data.draw(space.options),
        data.draw(st.sampled_from([len(seats) for seats in space.game.seatings])),
    )
    if state is None:
        return
    first = chance.randrange(one_in)
    for place, reached in enumerate(walk(space, state, chance, steps=STEPS.get(name, 120))):
        if place % one_in == first or is_decisive(space, reached):
            check_state(space, reached, chance)
        if is_decisive(space, reached) and reached.hand is not None:
            check_state(space, ruled(space, reached, chance), chance)


def is_decisive(space: Space, state: Any) -> bool:
    """Whether the game is over, or the last trick of a hand comes next: what was ruled and who
    can't pay matters there.
    """
    last = space.game.tricks(len(state.players))
    return state.closed is not None or (
        state.hand is not None and space.game.place(state)["trick"] == last
    )


@pytest.mark.parametrize("name", SPACES)
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_a_table_offers_is_taken_and_everything_else_refused(
    name: str, data: st.DataObject
) -> None:
    check_walk(name, data, one_in=ONE_IN.get(name, 15))


@pytest.mark.long
@pytest.mark.parametrize("name", SPACES)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_so_it_is_at_thousands_of_states(name: str, data: st.DataObject) -> None:
    check_walk(name, data, one_in=ONE_IN.get(name, 15) // 3)
