"""What is stored is read with the standard library as the service reads it."""

import json

import pytest

from scoring.games import GAMES
from scoring.records import decide_record, read_record
from scoring.stored_facts import StoredFact, fold_stored, read_fact
from tests.material import MATERIAL, lines_of
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import RECORDED
from tests.scoring.stored_events import STORED, stored_facts
from tournament.streams.codec import decode

A_FEW = 6


@pytest.mark.parametrize("stored", STORED)
def test_every_shape_is_read_as_the_service_reads_it(stored: str) -> None:
    name, schema = stored.split("/")
    game = next(game for game in GAMES.values() if (name, int(schema)) in game.shapes)
    fact = StoredFact(name, int(schema), json.loads(STORED[stored]))

    assert read_fact(game, fact) == decode(name, int(schema), STORED[stored])


@pytest.mark.parametrize("name", RECORDED)
def test_a_game_folds_from_what_is_stored_to_the_state_that_was_decided(name: str) -> None:
    for value in lines_of(MATERIAL / name)[:A_FEW]:
        record = read_record(with_rulings(value))
        events, state = decide_record(record)

        assert fold_stored(record.game, stored_facts(events)) == state


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"record": 1}, {"record": "a", "players": [["N"]], "rules": {}}],
)
def test_another_shape_is_not_taken(value: object) -> None:
    game = GAMES["precedence"]

    with pytest.raises((TypeError, ValueError)):
        read_fact(game, StoredFact("precedence.game_started", 1, value))
    with pytest.raises(KeyError):
        read_fact(game, StoredFact("preference.game_started", 1, value))
