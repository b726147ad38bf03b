"""Rounds drawn again: those that the engine drew come out the same, those of others are told table
by table, and cost at least as much.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.pairing.generated import an_event, rounds_played
from tests.tournament.domain.standings.events import TOURNAMENTS, carrom_event, swiss_events
from tests.tournament.domain.standings.made import event
from tournament.domain.pairing.costs import TIERS
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.redraw import redrawn
from tournament.domain.standings.lots import other_lots
from tournament.domain.standings.values import (
    ENGINES,
    Bye,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)


def finished(seed: int, **stage: Any) -> Tournament:
    begun = an_event(seed, most=40)
    begun = replace(begun, stage=replace(begun.stage, **stage))
    *_, (last, _drawn) = rounds_played(begun)
    return last


def check_that_nothing_differs(seed: int) -> None:
    for each in redrawn(finished(seed)):
        assert each.same, (seed, each)


@pytest.mark.parametrize("seed", range(8))
def test_an_event_that_the_engine_drew_differs_in_no_round_and_no_seat(seed: int) -> None:
    check_that_nothing_differs(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1_000, 2_000, 50))
def test_a_thousand_events_that_the_engine_drew_differ_in_no_round(first: int) -> None:
    for seed in range(first, first + 50):
        check_that_nothing_differs(seed)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("count", [4, 7, 10])
def test_a_round_robin_differs_in_no_round_though_some_left(count: int, double: bool) -> None:
    chance, seed = Random(count), count
    begun = an_event(seed, least=count, most=count)
    left = chance.choice(begun.entries)
    begun = replace(
        begun,
        stage=Stage(kind="round_robin", double=double, rounds=count - 1),
        entries=tuple(
            replace(entry, joined_in=1, away=(), withdrawn_after=2 if entry == left else None)
            for entry in begun.entries
        ),
    )
    *_, (last, _drawn) = rounds_played(begun)

    assert len(last.rounds) >= count - 2
    assert all(each.same for each in redrawn(last))


def test_two_who_changed_places_are_told_with_whom_the_engine_pairs_and_what_it_costs() -> None:
    second = event("a1-0b c1-0d", tie_breaks=())
    swapped = event("a1-0b c1-0d", "a1-0d c1-0b", tie_breaks=())
    drawn = draw(second)

    first, found = redrawn(swapped)

    assert first.refused is None
    assert {frozenset(table.entries) for table in found.played} == {
        frozenset("ad"),
        frozenset("cb"),
    }
    assert found.drawn == drawn.tables
    assert (found.byes_played, found.byes_drawn) == ((), ())
    first_aim = found.aims[0]
    assert (first_aim.tier, first_aim.played, first_aim.drawn) == ("score_difference", 2, 0)
    assert found.digest == drawn.digest


def test_another_bye_than_the_engines_is_told_with_the_aim_it_breaks() -> None:
    played = event("a1-0b c1-0d e+", "a1-0d b1-0c e+", tie_breaks=())

    found = list(redrawn(played))[1]

    assert found.byes_played == ("e",)
    assert found.byes_drawn in (("b",), ("d",))
    assert [aim.tier for aim in found.aims][:2] == ["bye_again", "bye_above"]
    assert all(aim.played > aim.drawn for aim in found.aims[:2])


def test_entries_that_met_in_other_seats_or_at_another_table_are_told_apart_from_others() -> None:
    tournament = finished(3)
    first = tournament.rounds[0]
    turned = replace(
        first.tables[0],
        entries=first.tables[0].entries[::-1],
        results=first.tables[0].results[::-1],
    )
    changed = replace(tournament, rounds=(replace(first, tables=(turned, *first.tables[1:])),))

    (found,) = redrawn(changed)

    assert (found.meets, found.same, found.moved) == (True, False, (turned,))


def test_a_round_that_was_drawn_with_other_lots_is_known_again() -> None:
    before = an_event(11, least=30, most=30)
    lots = other_lots(before.seed, 1)

    for seed, engine in ((lots, ENGINES[-1]), (before.seed, ENGINES[-1])):
        drawn = draw(replace(before, draw_seed=seed, engine=engine))
        tables = tuple(
            SeatedTable(
                table=table.table,
                entries=table.entries,
                results=(Result(points=100), Result(points=0)),
            )
            for table in drawn.tables
        )
        byes = tuple(Bye(entry=entry) for entry in drawn.byes)
        (found,) = redrawn(replace(before, rounds=(Round(tables=tables, byes=byes),)))
        assert (found.same, found.seed, found.engine) == (True, seed, engine)


@pytest.mark.parametrize("most", [4, pytest.param(None, marks=pytest.mark.long)])
def test_rounds_that_others_paired_never_cost_less_than_the_engines(most: int | None) -> None:
    """A law over the Swiss events of two other programs: the first aim in which the two differ is
    kept better by the engine.
    """
    events = [tournament for tournament, _ in swiss_events(TOURNAMENTS / "swiss")]
    events += [
        carrom_event(TOURNAMENTS / "carrom" / f"event_{number:02}.json")[0]
        for number in range(1, 11, 3)
    ]
    differing = 0
    events = sorted(events, key=lambda tournament: len(tournament.entries))[:most]
    for tournament in events:
        for each in redrawn(tournament):
            assert each.refused is None
            differing += not each.meets
            if each.aims:
                assert each.aims[0].tier in TIERS
                assert each.aims[0].played > each.aims[0].drawn
    assert differing > len(events)


def test_a_round_that_cannot_be_drawn_says_why() -> None:
    tournament = finished(5)
    (first, *_) = tournament.rounds
    missing = replace(first, tables=tuple(replace(each, results=()) for each in first.tables))
    later = replace(tournament, rounds=(missing, *tournament.rounds[1:2]))

    _, found = redrawn(later)

    assert isinstance(found.refused, RuleViolation)
    assert found.refused.code == "result_missing"
    assert not found.meets


def test_a_round_that_an_older_engine_drew_is_known_again() -> None:
    """The first engine let anybody of the lowest score sit out."""
    known: set[tuple[bool, str]] = set()
    for seed in range(30):
        if known:
            break  # one event in which the two draw other tables is enough
        *_, (last, _drawn) = rounds_played(an_event(seed, least=9, most=9))
        drawn = draw(replace(last, engine=ENGINES[0]))
        if {frozenset(table.entries) for table in draw(last).tables} == {
            frozenset(table.entries) for table in drawn.tables
        }:
            continue
        tables = tuple(SeatedTable(table=each.table, entries=each.entries) for each in drawn.tables)
        byes = tuple(Bye(entry=entry) for entry in drawn.byes)
        rounds = (*last.rounds, Round(tables=tables, byes=byes))
        *_, found = redrawn(replace(last, rounds=rounds))
        known.add((found.meets, found.engine))
    assert known == {(True, ENGINES[0])}


@pytest.mark.parametrize(
    ("kind", "game", "count"),
    [
        ("rotating", "precedence", 8),
        ("pods", "contract_sabacc", 13),
        ("movement", "precedence", 8),
        ("knockout", "precedence", 8),
    ],
)
def test_rounds_of_every_other_stage_that_can_be_drawn_are_drawn_again(
    kind: str, game: str, count: int
) -> None:
    begun = an_event(1, least=count, most=count)
    entries = tuple(replace(each, joined_in=1, withdrawn_after=None) for each in begun.entries)
    stage = Stage(
        kind=kind,
        rounds=None if kind in ("knockout", "movement") else 7,
        scale=Scale(kind="points"),
    )
    before = replace(
        begun, game=game, stage=stage, entries=tuple(replace(each, away=()) for each in entries)
    )
    first = draw(before)
    tables = tuple(SeatedTable(table=each.table, entries=each.entries) for each in first.tables)
    byes = tuple(Bye(entry=entry) for entry in first.byes)

    (found,) = redrawn(replace(before, rounds=(Round(tables=tables, byes=byes),)))
    assert found.same
    one, two = tables[0].entries, tables[1].entries
    swapped = (
        replace(tables[0], entries=(two[0], *one[1:])),
        replace(tables[1], entries=(one[0], *two[1:])),
        *tables[2:],
    )
    (other,) = redrawn(replace(before, rounds=(Round(tables=swapped, byes=byes),)))
    assert [table.table for table in other.played] == [1, 2]
