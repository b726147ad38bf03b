"""What a tournament stored once is read for ever: a body of every fact's name and schema, exactly
as it lies in a log.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.domain.tournament.desk import drawn, played
from tournament.domain.pairing.values import NextBest, Reason
from tournament.domain.standings.formats import write_own
from tournament.domain.standings.values import Duplicate, Movement
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound, RoundDrawn
from tournament.domain.tournament.subject import Event
from tournament.domain.tournament.subjects import SHAPES, UPCASTERS, evolve
from tournament.streams.codec import decode, encode, find_stored_name

# One line for each fact: its stored name and schema, a space, its body. Lines are added, never
# changed: a changed shape is a new schema, with an upcaster from the old one where a default does
# not stand for what is new.
STORED = dict(
    line.split(" ", 1)
    for line in (Path(__file__).parent / "stored_bodies.txt").read_text().splitlines()
)
LATEST = {
    name: max(schema for other, schema in SHAPES if other == name) for name, _schema in SHAPES
}


def read(stored: str) -> Any:
    name, schema = stored.split("/")
    return decode(name, int(schema), STORED[stored])


def test_every_shape_has_a_body_written_out() -> None:
    assert {f"{name}/{schema}" for name, schema in SHAPES} == set(STORED)


@pytest.mark.parametrize("stored", STORED)
def test_a_stored_body_is_read_as_the_latest_shape_of_its_fact(stored: str) -> None:
    name, schema = stored.split("/")
    fact = read(stored)

    assert find_stored_name(fact) == (name, LATEST[name])
    if int(schema) == LATEST[name]:
        assert encode(fact).decode() == STORED[stored]


def test_reasons_stored_in_english_are_read_by_tier_and_cost() -> None:
    fact = read("tournament.round_drawn/1")

    assert isinstance(fact, RoundDrawn)
    assert fact.tables[0].why == (
        Reason(tier="rematch", cost=0),
        Reason(tier="score_difference", cost=1),
    )
    assert fact.tables[0].next_best == NextBest(
        entries=("1", "2"), other_table=None, tier="score_difference", more=4
    )
    assert fact.tables[1].next_best == NextBest(
        entries=("3", "6"), other_table=None, tier="lots", more=0
    )
    assert fact.tables[2].next_best is None
    assert fact.broken == (Reason(tier="rematch", cost=2),)


def test_a_tournament_opened_before_there_were_conditions_has_the_usual_ones() -> None:
    assert read("tournament.opened/1").conditions == Conditions()
    assert read("tournament.stage_changed/1").conditions == Conditions()


@pytest.mark.parametrize("schema", [4, 5])
@pytest.mark.parametrize("name", ["tournament.opened", "tournament.stage_changed"])
def test_a_stage_set_before_there_were_rovers_has_none_and_counts_fouled_deals_as_before(
    name: str, schema: int
) -> None:
    stage = read(f"{name}/{schema}").stage

    assert stage.movement == Movement(rover=False, small_groups="neuberg")
    assert stage.duplicate == Duplicate(small_groups="neuberg")
    assert write_own(replace(stage, kind="movement")) == {
        "movement": "mitchell",
        "deals_a_round": 2,
        "winners": 1,
    }


def test_a_log_of_older_shapes_folds_to_a_state() -> None:
    order = [stored for stored in STORED if stored.endswith("/1")]
    state = None
    for stored in order:
        state = evolve(state, read(stored))

    assert state is not None
    assert state.version == len(order)


def test_every_upcaster_leads_from_a_shape_to_the_next() -> None:
    assert all((name, schema + 1) in SHAPES for name, schema in UPCASTERS)


def test_what_a_draw_stores_is_read_back_the_same() -> None:
    facts: list[Event] = played(drawn(7)).does(DrawRound(round=2)).events

    assert [decode(*find_stored_name(fact), encode(fact)) for fact in facts] == facts
