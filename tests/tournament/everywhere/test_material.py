"""Games that others recorded and counted, of all four kinds: scored, recorded, shown, exported,
rebuilt and verified.

A few of each lie in `tests/scoring/samples`, all of them in `tests/material`.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.material import MATERIAL, lines_of
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import counts
from tournament.models import Game, Hand, Salon
from tournament.queries.number_format import number

NAMES = (
    "precedence_games",
    "precedence_claimed_games",
    "precedence_simulated",
    "preference_simulated",
    "contract_sabacc_simulated",
    "contract_sabacc_tarot",
    "order_of_precedence_games",
)
FOLDERS = [
    pytest.param(SAMPLES, id="samples"),
    pytest.param(MATERIAL, id="material", marks=pytest.mark.long),
]
# A number of a board that opens its explanation: what it is, whose, and how it is written there.
EXPLAINED = re.compile(
    r'id="(score|excess|chips|pots)-(\w+)" href="[^"]*"[^>]*>(.*?)</a>', re.DOTALL
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_games_counted_elsewhere_come_to_the_same_everywhere(
    salon: Salon,
    folder: Path,
    name: str,
    tmp_path: Path,
    unpacked: Callable[[Path], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, expected = unpacked(folder / f"{name}.jsonl"), lines_of(folder / f"{name}.expected.jsonl")
    file.write_text("".join(json.dumps(with_rulings(value)) + "\n" for value in lines_of(file)))
    by_record = {result["id"]: result for result in expected}
    assert run(capsys, "score", file, "--json").lines == expected

    assert run(capsys, "record", file, "--salon", salon.slug).status == 0
    check_rows_and_boards(salon, by_record)
    before = counts()
    assert run(capsys, "record", file, "--salon", salon.slug).status == 0
    assert counts() == before

    exported = tmp_path / "exported.jsonl"
    exported.write_text(run(capsys, "export", "--salon", salon.slug).out)
    assert run(capsys, "score", exported, "--json").lines == expected

    rebuilt = run(capsys, "rebuild", "--json")
    assert (rebuilt.status, [line["differences"] for line in rebuilt.lines]) == (0, [[]])
    check_rows_and_boards(salon, by_record, boards=3)
    assert run(capsys, "verify", "--json").status == 0


def check_rows_and_boards(salon: Salon, expected: dict[str, Any], *, boards: int = 40) -> None:
    """Every row holds the hands and the sums expected, and so many boards show them."""
    games = list(Game.objects.filter(salon=salon).order_by("started_position"))
    assert [game.record for game in games] == [*expected]
    for place, game in enumerate(games):
        result, table = expected[game.record], game.state
        hands = Hand.objects.filter(game=game).order_by("number").values_list("result", flat=True)
        assert [hand["result"] for hand in hands] == result["hands"]
        assert game.finished == result.get("finished", False)
        assert table["winners"] == result.get("winners", [])
        if place < boards:
            check_board(game, result)


def check_board(game: Game, result: dict[str, Any]) -> None:
    """Each number on the board that opens its explanation is the one expected, and all that are
    expected are there.
    """
    page = Client().get(f"/games/{game.pk}/").text
    shown = {f"{which}.{key}": told for which, key, told in EXPLAINED.findall(page)}
    wanted = {f"score.{key}": chips for key, chips in scores_of(result).items()}
    wanted |= {
        f"{which}.{key}": chips
        for which in ("chips", "pots")
        if "score" in result
        for key, chips in result.get(which, {}).items()
    }
    wanted |= {f"pots.{key}": chips for key, chips in result.get("pots", {}).items()}

    assert {key: shown.get(key) for key in wanted} == {
        key: number(value) for key, value in wanted.items()
    }
    for team, excess in result.get("excess", {}).items():
        assert f"<b>{excess}</b> of 10" in shown[f"excess.{team}"]


def scores_of(result: dict[str, Any]) -> dict[str, int]:
    """The great numbers of a board: points by team, cards built, or chips by seat."""
    score: int | dict[str, int] = result["score"] if "score" in result else result["chips"]
    return {"A": score} if isinstance(score, int) else score
