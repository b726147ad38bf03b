"""A stage of tables by a plan goes on by the plan it began with, whatever plans are made since."""

from dataclasses import replace

import pytest

from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.reading import read_stage
from tournament.domain.standings.values import ENGINES, Entry, Round, SeatedTable, Tournament

SIZES = [(21, [4, 3]), (31, [5, 4]), (24, [4, 3]), (47, [5, 4, 3])]


def pods(entries: int, sizes: list[int], engine: str) -> Tournament:
    said = {"kind": "pods", "rounds": 3, "sizes": sizes, "scale": {"kind": "chips"}}
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


def after(tournament: Tournament, drawn: Draw, engine: str) -> Tournament:
    tables = tuple(
        SeatedTable(table=each.table, entries=each.entries, excused=True) for each in drawn.tables
    )
    return replace(tournament, rounds=(*tournament.rounds, Round(tables=tables)), engine=engine)


def seated(drawn: Draw) -> list[tuple[str, ...]]:
    return [table.entries for table in drawn.tables]


@pytest.mark.parametrize(("entries", "sizes"), SIZES)
def test_what_an_older_engine_began_the_newest_goes_on_with(entries: int, sizes: list[int]) -> None:
    old = pods(entries, sizes, ENGINES[1])
    first = draw(old, 1)

    by_old = draw(after(old, first, ENGINES[1]), 2)
    by_new = draw(after(old, first, ENGINES[-1]), 2)

    assert seated(by_new) == seated(by_old)
    assert by_new.construction == by_old.construction == first.construction
    assert by_new.counted == by_old.counted


@pytest.mark.parametrize(("entries", "sizes"), SIZES)
def test_the_same_engine_gives_the_same_round_again(entries: int, sizes: list[int]) -> None:
    for engine in ENGINES:
        field = pods(entries, sizes, engine)
        first = draw(field, 1)
        assert draw(field, 1) == first
        assert draw(after(field, first, engine), 2).construction == first.construction


def test_engines_before_the_third_give_the_draws_they_gave() -> None:
    drawn = [draw(pods(entries, sizes, ENGINES[1]), 1) for entries, sizes in SIZES]

    assert [(each.construction, seated(each)[0], each.digest[:16]) for each in drawn] == [
        ("shifts 6", ("10", "19", "6"), "2ea252d49d1bfa99"),
        ("ring 7", ("13", "27", "1", "2", "9"), "38753df5cc27d4f0"),
        ("shifts 6", ("12", "22", "1", "8"), "1c6062baa125344b"),
        ("shifts 10, then search", ("35", "30", "11", "38", "7"), "ca6422affe2748de"),
    ]
