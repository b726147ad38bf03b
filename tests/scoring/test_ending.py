"""A game ends at any moment before its rules end it: called or abandoned after a closed hand, else
not played (Called games).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.commands import EndGame, Undo
from scoring.correcting import decide_correction
from scoring.corrections import Correction, CorrectOptions, ReopenGame
from scoring.ending import decide_end
from scoring.errors import NotationError, RuleViolation
from scoring.events import ChipsMoved
from scoring.games import GAMES
from scoring.records import read_record
from tests.scoring.corrected import SAID, begun
from tests.scoring.laws import PLAYED, Step, every_step, folded, shown
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.patience.table import made

SAMPLES = Path(__file__).parent / "samples"
FILES = {
    "precedence": "precedence_simulated",
    "preference": "preference_simulated",
    "contract_sabacc": "contract_sabacc_simulated",
    "order_of_precedence": "order_of_precedence_games",
}
MISDEALT: dict[str, Any] = {
    "format": "salon-record/1",
    "id": "misdealt",
    "game": "precedence",
    "players": {"N": "Asha", "E": "Brin", "S": "Cato", "W": "Dara"},
    "options": {"opening_chips": 100, "ante": 3},
    "hands": [
        {"dealer": "N", "misdeal": True, "buy_ins": {"N": 40}},
        {"misdeal": True, "players": {"E": "Ezra"}},
    ],
}


def ends(kind: str) -> EndGame:
    return EndGame(kind=kind, by="Elder", reason="They were called away")


def steps_of(name: str, *, hands: int = 3) -> Iterator[Step]:
    """Every act of the first hands of some games, from the start on."""
    values = [
        with_rulings(json.loads(line))
        for line in (SAMPLES / f"{FILES[name]}.jsonl").read_text().splitlines()[:4]
    ]
    if name == "order_of_precedence":
        values = [
            made(Random(seed), most_hands=4) for seed in range(4)
        ]  # the samples have one deal each
    for value in values:
        yield from every_step(PLAYED[name], {**value, "hands": value["hands"][:hands]})


def state_of(value: dict[str, Any]) -> Any:
    return begun(value).state


@pytest.mark.parametrize("name", FILES)
def test_a_game_without_a_closed_hand_was_not_played_whatever_is_on_the_table(name: str) -> None:
    game, seen = GAMES[name], set()
    for _, _, state in steps_of(name, hands=1):
        if state.closed is not None or state.results:
            continue
        seen.add(game.table(state)["stage"])
        facts = decide_end(game, ends("not_played"), state)
        after = folded(game, facts, state)

        assert game.table(after)["stage"] == "over"
        assert game.table(after)["closed"] == "not_played"
        assert not any(after.balances.values())
        result = game.result(after)
        assert not result["hands"]
        assert not result.get("winners")
        assert not any(result.get("chips", {}).values())
    assert len(seen) > 1


@pytest.mark.parametrize("name", FILES)
def test_a_game_that_was_not_played_goes_on_by_an_undo_with_the_chips_it_had(name: str) -> None:
    game = GAMES[name]
    _, _, state = next(steps_of(name))
    after = folded(game, decide_end(game, ends("not_played"), state), state)

    back = folded(
        game, game.decide(Undo(version=game.table(after)["undo"]["version"]), after), after
    )

    assert shown(back) == shown(state)


@pytest.mark.parametrize("name", FILES)
def test_an_open_hand_is_taken_back_before_a_game_is_called(name: str) -> None:
    game, between, seen = GAMES[name], None, 0
    for _, _, state in steps_of(name):
        if state.closed is not None or not state.results:
            between = None
        elif state.hand is None:
            between = state
        elif between is not None:
            seen += 1
            called = folded(game, decide_end(game, ends("called"), state), state)
            straight = folded(game, decide_end(game, ends("called"), between), between)
            assert shown(called)._replace(act=None) == shown(straight)._replace(act=None)
            assert game.result(called) == game.result(straight)
    assert seen > 3


@pytest.mark.parametrize("name", FILES)
def test_a_game_of_which_a_hand_was_played_was_played(name: str) -> None:
    game = GAMES[name]
    state = next(state for _, _, state in steps_of(name) if state.results and state.closed is None)

    with pytest.raises(RuleViolation, match="a hand of this game was played") as refusal:
        decide_end(game, ends("not_played"), state)
    assert refusal.value.code == "out_of_turn"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["called", "abandoned"])
def test_a_game_without_a_closed_hand_is_neither_called_nor_abandoned(name: str, kind: str) -> None:
    game = GAMES[name]
    for _, _, state in steps_of(name, hands=1):
        if not state.results:
            with pytest.raises(RuleViolation, match="say that it was not played"):
                decide_end(game, ends(kind), state)


@pytest.mark.parametrize("kind", ["called", "abandoned", "not_played"])
def test_a_game_ends_once(kind: str) -> None:
    state = state_of(MISDEALT)
    game = GAMES["precedence"]
    over = folded(game, decide_end(game, ends("not_played"), state), state)

    with pytest.raises(RuleViolation, match="the game is over already"):
        decide_end(game, ends(kind), over)


def test_misdeals_buy_ins_and_substitutes_are_no_hand_and_every_chip_goes_back() -> None:
    game, state = GAMES["precedence"], state_of(MISDEALT)
    assert state.balances["N"] == 100 - 5 - 3 + 40

    facts = decide_end(game, ends("not_played"), state)

    moved = {
        (each.source, each.target): each.chips for each in facts if isinstance(each, ChipsMoved)
    }
    assert moved[("N", "bank")] == 140
    assert {(source, target) for source, target in moved if target != "bank"} >= {
        ("accord", "N"),
        ("accord", "S"),
        ("hand", "W"),
    }
    assert not any(folded(game, facts, state).balances.values())


def test_a_game_that_was_not_played_goes_on_when_its_end_is_taken_away() -> None:
    table = begun(MISDEALT)
    before = shown(table.state)
    table.add(decide_end(table.game, ends("not_played"), table.state))

    table.correct(ReopenGame(), table.intended)

    assert shown(table.state) == before


def test_a_correction_of_the_house_rules_leaves_a_game_not_played() -> None:
    table = begun(MISDEALT)
    table.add(decide_end(table.game, ends("not_played"), table.state))
    rules = table.game.read_rules({**MISDEALT["options"], "accord_stake": 9})
    done = decide_correction(
        table.game,
        table.course,
        table.version,
        Correction(change=CorrectOptions(rules=rules), **SAID),
    )

    assert done.state.closed is not None
    assert done.state.closed.kind == "not_played"
    assert not any(done.state.balances.values())


def test_a_file_knows_no_game_that_was_not_played() -> None:
    with pytest.raises(NotationError, match="called, abandoned"):
        read_record(
            {**MISDEALT, "ended": {"kind": "not_played", "by": "Elder", "reason": "nobody came"}}
        )
