"""What a game counts besides chips is explained by lines that add up to it."""

import json

import pytest

from scoring.events import SHARED_SHAPES
from scoring.games import GAMES
from scoring.records import Record, decide_record, read_record
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import SAMPLE_FILES


def games() -> list[Record]:
    """Every game of the samples that the rules accept."""
    return [
        read_record(with_rulings(json.loads(line)))
        for path in SAMPLE_FILES
        for line in path.read_text().splitlines()
    ]


def test_the_lines_of_every_score_and_excess_add_up_to_it() -> None:
    explained = 0
    for record in games():
        _events, state = decide_record(record)
        table = record.game.table(state)
        for code, hands in record.game.numbers(state).items():
            which, _dot, key = code.partition(".")
            assert sum(line["amount"] for lines in hands for line in lines) == table[which][key], (
                state.record,
                code,
            )
            explained += 1
    assert explained == 50


def test_every_line_names_its_rule_and_facts_that_are_stored() -> None:
    for record in games():
        _events, state = decide_record(record)
        stored = {name for name, _schema in (*record.game.shapes, *SHARED_SHAPES)}
        for hands in record.game.numbers(state).values():
            for line in (line for lines in hands for line in lines):
                assert line["rule"]
                assert line["facts"]
                assert set(line["facts"]) <= stored


@pytest.mark.parametrize("name", ["precedence", "order_of_precedence"])
def test_every_score_that_is_no_count_of_chips_is_explained(name: str) -> None:
    game = GAMES[name]
    record = next(each for each in games() if each.game is game)
    _events, state = decide_record(record)

    counted = {
        f"{which}.{key}"
        for which in ("score", "excess")
        for key in game.table(state).get(which, {})
    }
    assert game.numbers(state).keys() == counted
