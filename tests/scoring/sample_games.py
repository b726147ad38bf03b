"""The games of the samples, by file and by game: whole, or begun and broken off."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.material import MATERIAL, lines_of
from tests.scoring.corrected import SAID, Corrected, begun
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.patience.table import made

SAMPLES = Path(__file__).parent / "samples"
FILES = {
    "precedence": ("precedence_simulated", "precedence_games"),
    "preference": ("preference_simulated",),
    "contract_sabacc": ("contract_sabacc_simulated",),
    "order_of_precedence": ("order_of_precedence_games",),
}
SHORT = {
    "precedence": "hands_limit",
    "preference": "hands",
    "contract_sabacc": "hands",
}  # what ends a game after so many hands
NO_GAMES = ("expected", "refused", "openspiel")
SAMPLE_FILES = sorted(
    path for path in SAMPLES.glob("*.jsonl") if not any(word in path.name for word in NO_GAMES)
)
GAMES = [
    "precedence_games",
    "precedence_claimed_games",
    "precedence_simulated",
    "preference_simulated",
    "contract_sabacc_simulated",
    "contract_sabacc_tarot",
    "order_of_precedence_games",
]
RECORDED = tuple(f"{name}.jsonl" for name in GAMES)


@cache
def records(game: str) -> list[dict[str, Any]]:
    """The sample records of a game; patiences, of which the samples have one deal each, are made
    besides.
    """
    lines = [
        line
        for name in FILES[game]
        for line in (SAMPLES / f"{name}.jsonl").read_text().splitlines()
    ]
    return [
        *(with_rulings(json.loads(line)) for line in lines),
        *(made(Random(seed), most_hands=4) for seed in range(8) if game == "order_of_precedence"),
    ]


def a_beginning(game: str, number: int, hands: int, how: str) -> Corrected:
    """A sample game after so many hands: `going on`, `called`, or `to its end` by a rule that makes
    it as short.
    """
    value = records(game)[number]
    if how == "to its end" and game in SHORT:
        hands = len(value["players"])
        value = {**value, "options": value["options"] | {SHORT[game]: hands}}
    going_on = begun({**value, "hands": value["hands"][:hands]})
    if (
        how == "called" and hands < len(value["hands"]) and going_on.state.results
    ):  # misdeals alone can't be called
        return begun(
            {**value, "hands": value["hands"][:hands], "ended": {"kind": "called", **SAID}}
        )
    return going_on


@cache
def given(name: str) -> list[Any]:
    return lines_of(MATERIAL / f"{name}.jsonl")


@cache
def accepted(name: str) -> list[Any]:
    """The games of a file, a ruling at each play that R12 refuses."""
    return [with_rulings(record) for record in given(name)]


def games_of(name: str) -> Iterator[tuple[Any, Any]]:
    return zip(accepted(name), given(f"{name}.expected"), strict=True)
