"""For each game a recorded evening tapped into the pad on a phone: the board shows what the
reference says it comes to.
"""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.games import GAMES
from tests.browser.evenings import evening
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.tables import MATERIAL, lines_of
from tournament.models import Game, Salon
from tournament.queries.number_format import number
from tournament.streams.folds import fold_of

pytestmark = pytest.mark.browser

SHORT = [
    ("preference_simulated", 0),
    ("contract_sabacc_simulated", 1),
]
# A shorter hand of Precedence, card by card, is in test_pad.py.
LONG = (
    [("precedence_claimed_games", 1)]
    + [("precedence_simulated", place) for place in (2, 4, 5)]
    + [
        ("preference_simulated", 5),  # 3 and 4 need rulings (R12), which are not the scorer's
        ("contract_sabacc_simulated", 0),
        ("contract_sabacc_simulated", 6),
        ("order_of_precedence_games", 0),  # a shorter deal is in test_patience.py
        ("order_of_precedence_games", 1),
    ]
)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        SHORT[0],
        *(pytest.param(*each, marks=pytest.mark.long) for each in SHORT[1:] + LONG),
    ],
)
def test_an_evening_tapped_into_the_pad_comes_to_what_the_reference_says(
    phone: Page, salon: Salon, name: str, place: int
) -> None:
    tapped_in(phone, salon, SAMPLES / f"{name}.jsonl", place)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted({name for name, _place in SHORT + LONG}))
@pytest.mark.parametrize("place", range(10, 14))
def test_so_does_an_evening_that_nobody_here_wrote(
    phone: Page, salon: Salon, name: str, place: int
) -> None:
    record = lines_of(MATERIAL / f"{name}.jsonl")[place]
    if any("rulings" in hand for hand in record["hands"]):
        pytest.skip("a ruling is not the scorer's")
    tapped_in(phone, salon, MATERIAL / f"{name}.jsonl", place)


def tapped_in(phone: Page, salon: Salon, file: Path, place: int) -> None:
    record = lines_of(file)[place]
    expected = {game["id"]: game for game in lines_of(file.with_suffix(".expected.jsonl"))}[
        record["id"]
    ]

    for _ in evening(phone, record):
        pass

    game = Game.objects.get(salon=salon, table="4")
    folded = fold_of(salon.log_id, game.pk)
    assert folded is not None
    assert {**GAMES[record["game"]].result(folded.state), "id": record["id"]} == expected
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator("#board .score--hero")).to_have_text(on_the_board(expected, game.state))


def on_the_board(expected: dict[str, Any], table: dict[str, Any]) -> list[str]:
    """The great numbers of a board by what the reference says: points by team, chips by seat, cards
    built in all.
    """
    if expected["game"] == "precedence":
        return [number(points) for points in expected["score"].values()]
    if expected["game"] == "order_of_precedence":
        return [number(expected["score"])]
    return [number(chips) for chips in expected["chips"].values()]
