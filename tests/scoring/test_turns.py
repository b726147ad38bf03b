"""Who deals a coming hand, and what is trump in it, is known before it: a table that hears of
nobody goes on by it.
"""

from typing import Any

import pytest

from scoring.commands import StartGame
from scoring.errors import Refusal
from scoring.game import AnyGame, Turns
from scoring.games import GAMES
from scoring.records import read_record
from tests.material import MATERIAL, lines_of

RECORDED = (
    "precedence_claimed_games.jsonl",
    "precedence_simulated.jsonl",
    "preference_simulated.jsonl",
    "contract_sabacc_simulated.jsonl",
    "contract_sabacc_tarot.jsonl",
)
A_FEW = 40  # of each file; the rest is long


def started(game: AnyGame, start: StartGame) -> Any:
    return game.folded(game.decide(start, None))


def check_foretold(record: dict[str, Any]) -> int:
    """The table after each hand of a recorded game is as its turns foretold; how many hands it
    had.
    """
    read = read_record(record)
    game, state = read.game, started(read.game, read.start)
    assert game.turns is not None
    turns = game.turns(read.start.rules, [seat for seat, _ in read.start.players])
    for sheet in read.sheets:
        number = game.table(state)["next"]["number"]
        try:
            _, state = game.decide_sheet(sheet, state)
        except Refusal:
            break  # some of these games are there to be refused
        coming, hand = game.table(state)["next"], state.done[-1].hand
        if not coming.get("redealt"):
            assert coming["number"] == number + 1
            assert coming["dealer"] == turns.dealers[hand.dealer]
            assert coming.get("trump") == turns.trumps.get(getattr(hand, "trump", ""))
        else:
            assert (coming["number"], coming["dealer"]) == (number, hand.dealer)
    return len(state.done)


@pytest.mark.parametrize("name", RECORDED)
def test_the_next_hand_is_as_was_foretold(name: str) -> None:
    hands = sum(check_foretold(record) for record in lines_of(MATERIAL / name)[:A_FEW])

    assert hands >= A_FEW


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDED)
def test_every_next_hand_of_every_recorded_game_is_as_was_foretold(name: str) -> None:
    assert sum(check_foretold(record) for record in lines_of(MATERIAL / name))


def test_every_game_goes_on_by_sheets_and_nobody_deals_in_a_patience() -> None:
    assert [game.name for game in GAMES.values() if game.turns is None] == []
    patience = GAMES["order_of_precedence"]
    assert patience.turns is not None
    assert patience.turns(patience.read_rules({}), "A") == Turns({})
