"""Trees of 4 to 128 entries are those of brackets-manager 1.11: as it once printed them, and, where
Node is and packages can be had, as it prints them now.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.material import text_of
from tournament.domain.brackets.values import tree

HERE = Path(__file__).parent
PACKAGES = ("brackets-manager@1.11", "brackets-memory-db@1.0")
GROUPS = {
    "single": {1: "winners", 2: "third"},
    "double": {1: "winners", 2: "losers", 3: "final"},
}

type Line = tuple[int, Any, list[list[Any]]]  # as samples/README.md has it


def test_trees_of_4_to_128_entries_are_those_that_brackets_manager_draws_and_plays() -> None:
    lines = text_of(HERE / "samples" / "trees.jsonl").splitlines()

    assert [count for count, *_ in map(json.loads, lines[::2])] == list(range(4, 129))
    assert _differing(lines) == []


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("node") is None or shutil.which("npm") is None,
    reason="there is no Node with npm on this machine",
)
def test_brackets_manager_itself_prints_these_trees(tmp_path: Path) -> None:
    shutil.copy(HERE / "reference.js", tmp_path)
    install = ["npm", "install", "--no-audit", "--no-fund", "--fetch-retries=0", *PACKAGES]
    if subprocess.run(install, cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip("brackets-manager can't be had from here")

    ran = subprocess.run(
        ["node", "reference.js", "4", "128"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert _differing(ran.stdout.splitlines()) == []
    assert ran.stdout == text_of(HERE / "samples" / "trees.jsonl")


def _differing(lines: list[str]) -> list[tuple[int, str]]:
    """The events of which the two trees aren't the same."""
    return [
        (entries, elimination)
        for entries, elimination, matches in map(json.loads, lines)
        if list(_ours(entries, elimination)) != list(_theirs((entries, elimination, matches)))
    ]


def _ours(entries: int, elimination: Any) -> Iterator[tuple[object, ...]]:
    third_place = elimination == "single"
    for match in tree(entries, elimination=elimination, third_place=third_place):
        yield (
            match.bracket,
            match.round,
            *(f"{place.kind[0]}{place.number}" for place in match.places),
        )


def _theirs(line: Line) -> Iterator[tuple[object, ...]]:
    """Their matches in our words: a round that is all byes isn't counted, the last round of a
    single elimination is the final, the second of the finals the reset.
    """
    _, elimination, matches = line
    played = sorted({(group, number) for group, number, *_ in matches})
    rounds: dict[int, list[int]] = {}
    for group, number in played:
        rounds.setdefault(group, []).append(number)
    for group, number, _, *places in matches:
        bracket, turn = GROUPS[elimination][group], rounds[group].index(number) + 1
        if elimination == "single" and group == 1 and number == rounds[1][-1]:
            bracket = "final"
        elif bracket == "final" and turn == 2:
            bracket, turn = "reset", 1
        yield bracket, turn, *places
