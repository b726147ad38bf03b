"""Draws of planned stages and knock-outs whatever becomes of those who play: who is there is seated
once at a table of a size there is, and nobody else.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.errors import RuleViolation
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.formats import sizes_for
from tournament.domain.standings.knockout import knockout_so_far
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.values import (
    Bye,
    Entry,
    Result,
    Round,
    SeatedTable,
    Tournament,
)
from tournament.domain.standings.writing import write_tournament

PLANNED: dict[str, tuple[str, dict[str, Any]]] = {
    "threes": ("preference", {"kind": "pods", "rounds": 3}),
    "threes to fives": ("contract_sabacc", {"kind": "pods", "rounds": 3, "sizes": [4, 3, 5]}),
    "singles": ("precedence", {"kind": "rotating", "rounds": 3}),
    "three games a sitting": (
        "precedence",
        {"kind": "rotating", "rounds": 3, "games_a_sitting": 3},
    ),
    "Mitchell": ("precedence", {"kind": "movement", "rounds": 3}),
    "round robin": ("precedence", {"kind": "round_robin"}),
    "same patience": ("order_of_precedence", {"kind": "duplicate", "deals": 6, "rounds": 3}),
}
KNOCKOUTS: dict[str, dict[str, Any]] = {
    "single": {"third_place": True},
    "seeded anew": {"reseed": True},
    "best of three": {"best_of": 3},
    "double": {"elimination": "double"},
}
SEEDS = [
    range(6),
    *(pytest.param(range(one, one + 10), marks=pytest.mark.long) for one in range(6, 206, 10)),
]


def begun(game: str, said: dict[str, Any], size: int, seed: int) -> Tournament:
    scale = {"kind": "built" if game == "order_of_precedence" else "match"}
    stage = read_stage({"scale": scale, **said}, "stage", game)
    entries = tuple(
        Entry(id=str(number), name=str(number), players=(str(number),), rating=1500 + number)
        for number in range(1, size + 1)
    )
    return Tournament(id="made", name="made", game=game, seed=seed, stage=stage, entries=entries)


def with_others(tournament: Tournament, chance: Random, *, late: bool) -> Tournament:
    """Before the next round some come late, some leave, some return, and some are away."""
    number = len(tournament.rounds) + 1
    entries = [_changed(entry, chance, number) for entry in tournament.entries]
    first = len(entries) + 1
    coming = chance.choice((0, 0, 1, 2)) if late and number > 1 else 0
    entries += [
        Entry(id=str(key), name=str(key), players=(str(key),), joined_in=number)
        for key in range(first, first + coming)
    ]
    return replace(tournament, entries=tuple(entries))


def _changed(entry: Entry, chance: Random, number: int) -> Entry:
    left = entry.withdrawn_after
    if left is not None and chance.random() < 0.3 and number > 1:
        return replace(
            entry,
            withdrawn_after=None,
            away=tuple({*entry.away, *range(max(left + 1, entry.joined_in), number)}),
        )
    if left is None and number > 1 and chance.random() < 0.08:
        return replace(entry, withdrawn_after=number - 1)
    if entry.is_in(number) and chance.random() < 0.1:
        return replace(entry, away=(*entry.away, number))
    return entry


def played(tournament: Tournament, drawn: Draw, chance: Random) -> Tournament:
    """The tournament with a round more, its results made by chance."""
    kind, partners = tournament.stage.scale.kind, tournament.stage.kind == "rotating"
    tables = tuple(
        SeatedTable(
            table=table.table,
            entries=table.entries,
            results=_results(chance, len(table.entries), kind, partners=partners),
            partners=partners and len(table.entries) == 4,
            deals=table.deals,
            match=table.match,
            bracket=table.bracket,
            dealer=table.dealer,
        )
        for table in drawn.tables
    )
    added = Round(tables=tables, byes=tuple(Bye(entry=entry) for entry in drawn.byes))
    return replace(tournament, rounds=(*tournament.rounds, added))


def _results(chance: Random, size: int, kind: str, *, partners: bool) -> tuple[Result, ...]:
    told = [chance.randint(1, 6) for _ in range(2 if partners else size)]
    each = told * 2 if partners else told
    return tuple(Result(built=one) if kind == "built" else Result(score=100 * one) for one in each)


def rounds_of(
    tournament: Tournament, chance: Random, most: int, *, late: bool
) -> Iterator[tuple[Tournament, Draw]]:
    """Every round drawn, with the tournament that it was drawn for."""
    for _ in range(most):
        changed = with_others(tournament, chance, late=late)
        try:
            drawn = draw(changed)
        except RuleViolation as refusal:
            if refusal.code == "game_over":
                return
            if refusal.code != "too_few":
                raise
            tournament = replace(tournament, rounds=(*tournament.rounds, Round()))
            continue
        yield changed, drawn
        tournament = played(changed, drawn, chance)


def check_seated(tournament: Tournament, drawn: Draw) -> None:
    """Nobody is seated twice, nobody who isn't there, and no table has a number twice."""
    there = {entry.id for entry in tournament.entries if entry.plays_in(drawn.round)}
    seated = [entry for table in drawn.tables for entry in table.entries]
    assert len(seated) == len({*seated})
    assert {*seated} <= there
    assert {*drawn.byes} == (there - {*seated} if tournament.stage.kind != "knockout" else set())
    numbers = [table.table for table in drawn.tables]
    assert len(numbers) == len({*numbers})


def sizes(tournament: Tournament) -> tuple[int, ...]:
    if tournament.stage.kind == "pods":
        return sizes_for(tournament.game)
    return {"rotating": (4,), "duplicate": (1,)}.get(tournament.stage.kind, (2,))


def fewest_out(there: int, possible: tuple[int, ...]) -> int:
    """How many can't be seated at tables of these sizes."""
    reached = {0}
    for seats in range(1, there + 1):
        if any(seats - size in reached for size in possible):
            reached.add(seats)
    return there - max(reached)


@pytest.mark.parametrize("name", PLANNED)
@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_whoever_comes_and_goes_a_plan_seats_all_who_can_be_at_tables_of_legal_sizes(
    name: str, seeds: Iterable[int]
) -> None:
    for tournament, drawn in (each for seed in seeds for each in rounds_by_chance(name, seed)):
        check_seated(tournament, drawn)
        assert {len(table.entries) for table in drawn.tables} <= {*sizes(tournament)}
        if tournament.stage.kind in ("pods", "rotating", "duplicate"):
            there = sum(entry.plays_in(drawn.round) for entry in tournament.entries)
            assert len(drawn.byes) == fewest_out(there, sizes(tournament))


def rounds_by_chance(name: str, seed: int) -> Iterator[tuple[Tournament, Draw]]:
    chance = Random(f"{name} {seed}")
    game, said = PLANNED[name]
    size = chance.randint(12, 25) if name == "three games a sitting" else chance.randint(9, 21)
    late = said["kind"] != "round_robin"
    return rounds_of(begun(game, said, size, seed), chance, 3, late=late)


@pytest.mark.parametrize("name", PLANNED)
@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_a_draw_is_the_same_from_the_file_that_the_tournament_is_written_to(
    name: str, seeds: Iterable[int]
) -> None:
    game, said = PLANNED[name]

    for seed in seeds:
        chance = Random(f"file {name} {seed}")
        for tournament, drawn in rounds_of(begun(game, said, 16, seed), chance, 3, late=True):
            assert draw(read_tournament(write_tournament(tournament))) == drawn


@pytest.mark.parametrize("name", KNOCKOUTS)
@pytest.mark.parametrize("seeds", SEEDS, ids=str)
def test_a_knock_out_seats_nobody_twice_and_ends_whoever_leaves_it(
    name: str, seeds: Iterable[int]
) -> None:
    for seed in seeds:
        check_knockout(name, seed)


def check_knockout(name: str, seed: int) -> None:
    """Everybody who isn't out plays in each round, until it is decided."""
    chance = Random(f"{name} {seed}")
    size = chance.randint(2, 20)
    tournament = begun("precedence", {"kind": "knockout", **KNOCKOUTS[name]}, size, seed)
    drawn_rounds = 0

    for _ in range(80):
        number = len(tournament.rounds) + 1
        tournament = _some_leave(tournament, chance, number)
        try:
            drawn = draw(tournament)
        except RuleViolation as refusal:
            if refusal.code == "game_over" or not _undecided(tournament):
                break
            if refusal.code != "too_few":
                raise
            tournament = replace(tournament, rounds=(*tournament.rounds, Round()))
            continue
        drawn_rounds += 1
        check_seated(tournament, drawn)
        assert draw(read_tournament(write_tournament(tournament))) == drawn
        assert len({table.match for table in drawn.tables}) == len(drawn.tables)
        tournament = played(tournament, drawn, chance)
    assert not _undecided(tournament)


def _some_leave(tournament: Tournament, chance: Random, number: int) -> Tournament:
    """Some leave for good, some are away for a round."""
    entries = []
    for entry in tournament.entries:
        if number > 1 and entry.withdrawn_after is None and chance.random() < 0.04:
            entries.append(replace(entry, withdrawn_after=number - 1))
        elif entry.is_in(number) and chance.random() < 0.08:
            entries.append(replace(entry, away=(*entry.away, number)))
        else:
            entries.append(entry)
    return replace(tournament, entries=tuple(entries))


def _undecided(tournament: Tournament) -> list[int]:
    return [
        state.match.number
        for state in knockout_so_far(tournament).states
        if state.status in ("ready", "waits")
    ]


def test_who_finds_no_place_at_full_tables_sits_with_some_of_them_at_a_table_of_their_own() -> None:
    said = {"kind": "pods", "rounds": 3, "sizes": [5, 4]}
    tournament = begun("contract_sabacc", said, 15, 1)
    tournament = played(tournament, draw(tournament), Random(1))
    late = Entry(id="16", name="16", players=("16",), joined_in=2)

    drawn = draw(replace(tournament, entries=(*tournament.entries, late)))

    assert sorted(len(table.entries) for table in drawn.tables) == [3, 4, 4, 5]
    assert drawn.byes == ()


def test_what_a_plan_or_a_tree_follows_is_in_the_digest_of_its_draw() -> None:
    tournament = begun("precedence", {"kind": "knockout"}, 8, 1)
    by_rating = begun("precedence", {"kind": "knockout", "seeds": "rating"}, 8, 1)

    assert draw(tournament).digest != draw(by_rating).digest
