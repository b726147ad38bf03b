"""A stage of tables by a plan goes on by the plan it began with, whatever plans are made since."""

from dataclasses import replace

import pytest

from tournament.domain.pairing import planned as planning
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Draw
from tournament.domain.schedules.pod_plan import NEWEST
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


@pytest.mark.parametrize("engine", ENGINES[1:3])
@pytest.mark.parametrize(("entries", "sizes"), SIZES)
def test_what_an_older_engine_began_the_newest_goes_on_with(
    entries: int, sizes: list[int], engine: str
) -> None:
    old = pods(entries, sizes, engine)
    first = draw(old, 1)

    by_old = draw(after(old, first, engine), 2)
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


def test_plans_that_begin_alike_are_told_apart_by_the_rounds_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    field = pods(31, [5, 4], ENGINES[2])
    first = draw(field, 1)
    second = draw(after(field, first, ENGINES[2]), 2)
    drawn = after(after(field, first, ENGINES[2]), second, ENGINES[2])
    third = draw(drawn, 3)
    asked = list[int]()
    whole = planning._of_edition

    def with_its_first_round(tournament: Tournament, edition: int) -> planning.Planned:
        """The newest edition begins as the one before, and goes on otherwise."""
        asked.append(edition)
        if edition != NEWEST:
            return whole(tournament, edition)
        before, newest = whole(tournament, NEWEST - 1), whole(tournament, NEWEST)
        rounds = (before.plan.rounds[0], *newest.plan.rounds[1:])
        return replace(newest, plan=replace(newest.plan, rounds=rounds), numbers=before.numbers)

    monkeypatch.setattr(planning, "_of_edition", with_its_first_round)
    assert seated(draw(replace(drawn, engine=ENGINES[-1]), 3)) == seated(third)
    assert asked[0] == NEWEST


def test_engines_before_the_third_give_the_draws_they_gave() -> None:
    drawn = [draw(pods(entries, sizes, ENGINES[1]), 1) for entries, sizes in SIZES]

    assert [(each.construction, seated(each)[0], each.digest[:16]) for each in drawn] == [
        ("shifts 6", ("10", "19", "6"), "2ea252d49d1bfa99"),
        ("ring 7", ("13", "27", "1", "2", "9"), "38753df5cc27d4f0"),
        ("shifts 6", ("12", "22", "1", "8"), "1c6062baa125344b"),
        ("shifts 10, then search", ("35", "30", "11", "38", "7"), "ca6422affe2748de"),
    ]


def test_the_third_engine_gives_the_draws_it_gave() -> None:
    drawn = [draw(pods(entries, sizes, ENGINES[2]), 1) for entries, sizes in SIZES]

    assert [(each.construction, seated(each)[0], each.digest[:16]) for each in drawn] == [
        ("shifts 6", ("18", "5", "6", "20"), "8f9aead522336137"),
        ("ring 7", ("13", "3", "9", "17"), "d8f14ddcc9fc4f2a"),
        ("shifts 6", ("12", "22", "1", "8"), "88f0ad6e9ce33af9"),
        ("starter 47", ("37", "32", "10", "38", "18"), "63e04d6e91d8e0b2"),
    ]
