"""Laws that hold for every game, tried on random games of all four; what only one game promises
stands beside its other tests.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.commands import Undo
from scoring.errors import Refusal
from scoring.records import decide_record, read_record
from tests.scoring import games_made as precedence_made
from tests.scoring.laws import (
    PLAYED,
    check_act_by_act,
    check_chips,
    check_fold,
    check_round_trip,
    check_undo,
    check_undo_in_a_row,
    legal,
)
from tests.scoring.patience.table import made
from tests.scoring.preference import made as preference_made
from tests.scoring.sabacc import games_made as sabacc_made

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
FEW = settings(max_examples=45, deadline=None, suppress_health_check=SLOW)
GAMES = {
    "precedence": precedence_made.records().map(legal),
    "preference": preference_made.records().map(legal),
    "contract_sabacc": sabacc_made.records(),
    "order_of_precedence": st.integers(0, 2**32).map(lambda seed: made(Random(seed))),
}
LAWS = [check_chips, check_act_by_act, check_round_trip]
games = pytest.mark.parametrize("name", PLAYED)


@games
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@FEW
@given(data=st.data())
def test_the_law_holds_for_every_game(name: str, law: Any, data: st.DataObject) -> None:
    law(PLAYED[name], data.draw(GAMES[name]))


@games
@FEW
@given(data=st.data(), cut=st.integers(0, 10_000))
def test_folding_all_is_folding_parts(name: str, data: st.DataObject, cut: int) -> None:
    check_fold(PLAYED[name], data.draw(GAMES[name]), cut)


@games
@settings(FEW, max_examples=15)
@given(data=st.data())
def test_undo_of_any_act_gives_the_table_before_it_also_in_a_row(
    name: str, data: st.DataObject
) -> None:
    value = data.draw(GAMES[name])

    check_undo(PLAYED[name], value)
    check_undo_in_a_row(PLAYED[name], value)


@pytest.mark.long
@games
@settings(FEW, max_examples=1500)
@given(data=st.data(), cut=st.integers(0, 10_000))
def test_all_laws_hold_for_thousands_of_games(name: str, data: st.DataObject, cut: int) -> None:
    value = data.draw(GAMES[name])
    for law in (*LAWS, check_undo, check_undo_in_a_row):
        law(PLAYED[name], value)
    check_fold(PLAYED[name], value, cut)


@games
def test_only_the_last_act_can_be_taken_back(name: str) -> None:
    game = PLAYED[name].game
    players = {seat: f"Player {seat}" for seat in game.seatings[0]}
    value = {"format": "salon-record/1", "id": "x", "game": name, "players": players, "hands": []}
    _, state = decide_record(read_record(value))

    for version in (0, 1, 5, state.version, state.version + 1):
        with pytest.raises(Refusal, match="only the last act") as caught:
            game.decide(Undo(version=version), state)
        assert (caught.value.code, caught.value.path) == ("out_of_turn", "version")
