"""What was stored once is read for ever: a body of every event's name and schema, exactly as it
lies in a log.
"""

import json
from typing import Any

import pytest

from scoring.games import GAMES
from tests.scoring.stored_events import STORED
from tournament.streams.codec import decode, encode, find_stored_name

LATEST = {
    name: max(schema for game in GAMES.values() for other, schema in game.shapes if other == name)
    for name in {each.split("/")[0] for each in STORED}
}


def test_every_shape_has_a_body_written_out() -> None:
    assert {f"{name}/{schema}" for game in GAMES.values() for name, schema in game.shapes} == set(
        STORED
    )


@pytest.mark.parametrize("stored", STORED)
def test_a_stored_body_is_read_as_the_latest_shape_and_written_as_it_lies_there(
    stored: str,
) -> None:
    name, schema = stored.split("/")
    event: Any = decode(name, int(schema), STORED[stored])

    assert find_stored_name(event) == (name, LATEST[name])
    if int(schema) == LATEST[name]:
        assert encode(event).decode() == STORED[stored]
    assert (
        json.dumps(
            json.loads(STORED[stored]), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        == STORED[stored]
    )


def test_each_event_has_one_stored_name() -> None:
    for game in GAMES.values():
        assert len(set(game.shapes.values())) == len({name for name, _schema in game.shapes})
