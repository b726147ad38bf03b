"""Sizes of tables if a game is played at several: fewest repeats first, then sizes within one."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from scoring.errors import RuleViolation
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.planned import planned
from tournament.domain.schedules.pod_plan import repeats
from tournament.domain.standings.reading import read_stage
from tournament.domain.standings.values import ENGINES, Entry, Round, SeatedTable, Tournament


def pods(entries: int, rounds: int, engine: str = ENGINES[-1], **asked: Any) -> Tournament:
    said = {"kind": "pods", "rounds": rounds, "scale": {"kind": "chips"}, **asked}
    return Tournament(
        id="made",
        name="made",
        game="contract_sabacc",
        seed=11,
        stage=read_stage(said, "stage", "contract_sabacc"),
        entries=tuple(
            Entry(id=str(number), name=str(number), players=(str(number),))
            for number in range(1, entries + 1)
        ),
        engine=engine,
    )


def sizes(tournament: Tournament) -> list[int]:
    return sorted((len(table.entries) for table in draw(tournament, 1).tables), reverse=True)


@pytest.mark.parametrize(
    ("entries", "rounds", "expected"),
    [(16, 4, [4, 4, 4, 4]), (17, 4, [4, 4, 3, 3, 3]), (25, 5, [5] * 5), (20, 5, [4] * 5)],
)
def test_as_the_game_is_played_nobody_meets_twice_if_other_sizes_let_it(
    entries: int, rounds: int, expected: list[int]
) -> None:
    tournament = pods(entries, rounds)

    assert sizes(tournament) == expected
    assert repeats(planned(tournament).proof) == 0


@pytest.mark.parametrize("asked", [{}, {"sizes": [5, 4, 3]}, {"sizes": [3, 4, 5]}])
@pytest.mark.parametrize("seating", ["planned", "score"])
def test_sizes_of_a_round_differ_by_one_at_most(asked: dict[str, Any], seating: str) -> None:
    for entries in [6, *range(8, 24)]:
        there = Counter(sizes(pods(entries, 2, seating=seating, **asked)))
        assert max(there) - min(there) <= 1, (entries, there)


def test_who_is_left_once_it_has_begun_sits_at_any_table_that_the_game_has() -> None:
    field = pods(16, 3, seating="score", sizes=[4])
    tables = tuple(
        SeatedTable(table=each.table, entries=each.entries, excused=True)
        for each in draw(field, 1).tables
    )
    begun = replace(field, rounds=(Round(tables=tables),))
    for left in range(1, 6):
        entries = (
            replace(each, withdrawn_after=1 if int(each.id) <= left else None)
            for each in begun.entries
        )
        drawn = draw(replace(begun, entries=tuple(entries)), 2)
        assert sum(len(table.entries) for table in drawn.tables) == 16 - left
    with pytest.raises(RuleViolation, match="can't all sit"):
        draw(pods(13, 3, seating="score", sizes=[4]), 1)


def test_the_fourth_engine_gives_the_tables_it_gave() -> None:
    assert sizes(pods(16, 4, ENGINES[3])) == [5, 5, 3, 3]
    assert sizes(pods(17, 4, ENGINES[3], seating="score")) == [5, 5, 4, 3]


def test_what_the_fourth_engine_began_goes_on_as_it_was_planned() -> None:
    before = planned(pods(16, 4, ENGINES[3]))

    assert planned(replace(pods(16, 4), engine=ENGINES[3])) == before
