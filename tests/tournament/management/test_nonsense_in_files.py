"""Whatever stands in any place of a tournament's file, it is answered at once: with what it comes
to, or with why it can't be read.
"""

import copy
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from scoring.errors import Refusal
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import STAGE_KINDS
from tournament.management.commands import check_pairings, pair, schedule

NONSENSE: tuple[Any, ...] = (
    10**9, 10**400, -1, 0, 1.5, float("inf"), float("nan"), True, None, "", "x" * 5_000,
    "9" * 5_000, "\x00", "\ud800", "1e9", [], [[[[]]]] * 3_000, {}, {"a": 1}, [1] * 100_000,
    [float("nan")],
)  # fmt: skip
STAGES: dict[str, dict[str, Any]] = {kind: {"kind": kind} for kind in STAGE_KINDS} | {
    "swiss": {"kind": "swiss", "rounds": 3, "accelerated": 1},
    "pods": {"kind": "pods", "sizes": [3], "seating": "score", "rounds": 3},
    "pods of a plan": {"kind": "pods", "sizes": [3], "rounds": 2},
    "movement": {"kind": "movement", "movement": "howell", "deals_a_round": 2, "winners": 1},
    "knockout": {"kind": "knockout", "elimination": "double", "best_of": 3},
    "duplicate": {"kind": "duplicate", "deals": 12, "scoring": "imps"},
    "rotating": {"kind": "rotating", "games_a_sitting": 1, "rounds": 2},
    "round_robin": {"kind": "round_robin", "double": True, "seeding": "rating"},
}
DOORS: dict[str, Callable[[Any], object]] = {
    "pair": pair._answer,
    "check_pairings": check_pairings._answer,
    "schedule": schedule._answer_planned,
    "schedule --given": schedule._answer_given,
}
SCORES = (10, 5, 1, 0)
LONGEST_SAID = 600  # characters
TRIED = 150  # of some thousand places and values for each stage


def in_round_1(stage: dict[str, Any]) -> dict[str, Any]:
    """The file of nine who play for themselves, or of eight pairs, after a round."""
    kind = stage["kind"]
    people = 1 if kind in ("pods", "rotating") else 2
    file: dict[str, Any] = {
        "format": "salon-tournament/1", "id": "cup", "name": "Cup", "seed": 3, "stage": stage,
        "game": "preference" if kind == "pods" else "precedence",
        "draw": {"engine": "accord pairing 2"},
        "entries": [
            {
                "id": str(number), "name": f"Entry {number}", "rating": 1500, "club": "Core",
                "players": [f"Player {number}{place}" for place in range(people)],
            }
            for number in range(1, 10 if kind == "pods" else 9)
        ],
    }  # fmt: skip
    drawn: Any = pair._answer(read_tournament(file))[0]
    tables = [_played(table, partners=kind == "rotating") for table in drawn["tables"]]
    return file | {"rounds": [{"tables": tables, "byes": []}]}


def _played(table: dict[str, Any], *, partners: bool) -> dict[str, Any]:
    scores = SCORES[:2] * 2 if partners else SCORES
    reached = dict(zip(table["entries"], scores, strict=False))
    kept = {key: table[key] for key in ("table", "entries", "match", "bracket") if key in table}
    if "deals" in table:
        boards = [{"deal": deal, "scores": reached} for deal in table["deals"]]
        return kept | {"deals": table["deals"], "boards": boards}
    return kept | {"result": {entry: {"score": score} for entry, score in reached.items()}}


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a file; of a list the first alone."""
    keys = [*value] if isinstance(value, dict) else [0] if isinstance(value, list) and value else []
    for key in keys:
        yield (*before, key)
        yield from places(value[key], (*before, key))


def with_nonsense(file: dict[str, Any], place: tuple[Any, ...], value: object) -> dict[str, Any]:
    changed = copy.deepcopy(file)
    inner: Any = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return changed


def said_of(answer: Callable[[Any], object], file: dict[str, Any]) -> str:
    """Why a file is refused; "" where it isn't."""
    try:
        answer(read_tournament(file))
    except Refusal as refusal:
        return str(refusal)
    return ""


@pytest.mark.parametrize("name", STAGES)
def test_nonsense_in_any_place_is_refused_or_counted_within_a_second(name: str) -> None:
    file = in_round_1(STAGES[name])
    everywhere = [(place, value) for place in places(file) for value in NONSENSE]

    for place, value in Random(name).sample(everywhere, TRIED):
        changed = with_nonsense(file, place, value)
        for door, answer in DOORS.items():
            began = time.process_time()
            said = said_of(answer, changed)
            assert time.process_time() - began < 1, (door, place, repr(value)[:40])
            assert len(said) < LONGEST_SAID, (door, place, said[:80])


@pytest.mark.parametrize("name", STAGES)
def test_without_nonsense_it_is_drawn_again(name: str) -> None:
    """What the test above changes is sound."""
    told, _table = check_pairings._answer(read_tournament(in_round_1(STAGES[name])))

    assert told["same"] == 1
