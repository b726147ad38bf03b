"""Plans when entries come late and leave, in all formats and at each moment: proofs are those of a
recount, what is foreseen is what is drawn, and nobody waits while a place is free.
"""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.forecast import foreseen, recount_schedule
from tournament.domain.pairing.schedule import Schedule, schedule
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.reading import read_stage
from tournament.domain.standings.values import Bye, Entry, Result, Round, SeatedTable, Tournament

FORMATS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "threes": ("preference", 13, {"kind": "pods", "rounds": 5}),
    "three to five": ("contract_sabacc", 16, {"kind": "pods", "rounds": 4}),
    "fours and threes": ("contract_sabacc", 14, {"kind": "pods", "rounds": 4, "sizes": [4, 3]}),
    "singles": ("precedence", 14, {"kind": "rotating", "rounds": 5}),
    "Howell": ("precedence", 8, {"kind": "movement", "movement": "howell"}),
    "Howell, odd": ("precedence", 7, {"kind": "movement", "movement": "howell"}),
    "Mitchell": ("precedence", 9, {"kind": "movement", "rounds": 5}),
    "round robin": ("precedence", 7, {"kind": "round_robin"}),
    "same patience": ("order_of_precedence", 6, {"kind": "duplicate", "deals": 8, "rounds": 4}),
}
SEEDS = [
    range(2),
    *(pytest.param(range(one, one + 10), marks=pytest.mark.long) for one in range(2, 102, 10)),
]


def begun(name: str, size: int = 0, seed: int = 5) -> Tournament:
    game, usual, said = FORMATS[name]
    scale = {"kind": "built" if game == "order_of_precedence" else "match"}
    return Tournament(
        id="made",
        name="made",
        game=game,
        seed=seed,
        stage=read_stage({"scale": scale, **said}, "stage", game),
        entries=tuple(map(entry, range(1, (size or usual) + 1))),
    )


def entry(number: int, **more: Any) -> Entry:
    return Entry(id=str(number), name=str(number), players=(str(number),), **more)


def with_late(tournament: Tournament, joined_in: int) -> Tournament:
    late = entry(len(tournament.entries) + 1, joined_in=joined_in)
    return replace(tournament, entries=(*tournament.entries, late))


def without(tournament: Tournament, key: str, after: int) -> Tournament:
    entries = (
        replace(each, withdrawn_after=after) if each.id == key else each
        for each in tournament.entries
    )
    return replace(tournament, entries=tuple(entries))


def played(tournament: Tournament, drawn: Draw) -> Tournament:
    tables = tuple(
        SeatedTable(
            table=table.table,
            entries=table.entries,
            results=(Result(points=0),) * len(table.entries),
            partners=tournament.stage.kind == "rotating" and len(table.entries) == 4,
            deals=table.deals,
        )
        for table in drawn.tables
    )
    added = Round(tables=tables, byes=tuple(Bye(entry=each) for each in drawn.byes))
    return replace(tournament, rounds=(*tournament.rounds, added))


def played_to(tournament: Tournament, number: int) -> Tournament:
    while len(tournament.rounds) < number:
        tournament = played(tournament, draw(tournament))
    return tournament


def now(tournament: Tournament) -> Schedule:
    whole = schedule(replace(tournament, rounds=()))
    return recount_schedule(tournament, whole, tuple(foreseen(tournament, len(whole.rounds))))


def seats(tournament: Tournament, number: int) -> list[set[str]]:
    return [set(table.entries) for table in tournament.rounds[number - 1].tables]


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_foreseen_is_drawn_and_a_proof_is_a_recount(name: str, seeds: range) -> None:
    for seed in seeds:
        chance = Random(seed)
        tournament = played_to(begun(name, seed=seed), 1)
        last = len(schedule(begun(name, seed=seed)).rounds)
        for number in range(2, last + 1):
            there = sum(each.withdrawn_after is None for each in tournament.entries)
            if chance.random() < 0.5 and (name != "round robin" or there < 8):
                tournament = with_late(tournament, number)
            if chance.random() < 0.4:
                left = chance.choice([each.id for each in tournament.entries if each.is_in(number)])
                tournament = without(tournament, left, number - 1)
            whole = now(tournament)
            assert len(whole.rounds) == last
            drawn = draw(tournament)
            tables, out = whole.rounds[number - 1]
            assert [table.entries for table in tables] == [t.entries for t in drawn.tables]
            assert out == drawn.byes
            check_proof(whole)
            tournament = played(tournament, drawn)
            check_nobody_is_lost(tournament, number)


def check_proof(whole: Schedule) -> None:
    met: Counter[frozenset[str]] = Counter()
    out: Counter[str] = Counter()
    for tables, byes in whole.rounds:
        out.update(byes)
        for table in tables:
            met.update(map(frozenset, combinations(table.entries, 2)))
    pairs = [frozenset(pair) for pair in combinations(whole.numbers, 2)]
    if whole.counted.meetings:
        assert dict(whole.proof.meetings) == Counter(met[pair] for pair in pairs)
    assert dict(whole.proof.sit_outs) == Counter(out[key] for key in whole.numbers)


def check_nobody_is_lost(tournament: Tournament, number: int) -> None:
    each = tournament.rounds[number - 1]
    there = [key for table in each.tables for key in table.entries] + [b.entry for b in each.byes]
    assert sorted(there) == sorted(one.id for one in tournament.entries if one.plays_in(number))


@pytest.mark.parametrize("name", ["Howell", "threes", "singles", "Mitchell", "round robin"])
def test_who_sat_out_before_takes_the_place_of_who_leaves(name: str) -> None:
    tournament = played_to(begun(name, 8 if name == "round robin" else 0), 1)
    late = str(len(tournament.entries) + 1)
    tournament = played_to(with_late(tournament, 2), 2)
    playing_on = {entry for table in seats(played_to(tournament, 3), 3) for entry in table}
    left = min((seats(tournament, 2)[0] - {late}) & playing_on)

    tournament = played_to(without(tournament, left, 2), 3)

    assert any(late in table for table in seats(tournament, 3))


def test_a_late_entry_sits_out_in_turn_where_tables_of_three_are_full() -> None:
    tournament = played_to(begun("threes"), 1)

    tournament = played_to(with_late(tournament, 2), 5)

    out = Counter(bye.entry for each in tournament.rounds for bye in each.byes)
    assert out["14"] == 1
    assert max(out.values()) == 1
    assert {len(table.entries) for each in tournament.rounds for table in each.tables} == {3}


def test_an_eighth_takes_the_free_chair_of_a_round_robin_of_seven() -> None:
    tournament = played_to(begun("round robin"), 2)

    tournament = played_to(with_late(tournament, 3), 7)

    assert [len(each.byes) for each in tournament.rounds] == [1, 1, 0, 0, 0, 0, 0]
    met = [pair for number in range(1, 8) for pair in seats(tournament, number)]
    assert sum("8" in pair for pair in met) == 5
    assert len({frozenset(pair) for pair in met}) == len(met) == 26
