"""A movement is offered only when the verifier of movements finds nothing wrong with it."""

import time
from dataclasses import replace

import pytest

from scoring.errors import RuleViolation
from tournament.domain.pairing import planned as plans
from tournament.domain.pairing.planned import planned
from tournament.domain.pairing.schedule import schedule
from tournament.domain.schedules.movements import movement_plan
from tournament.domain.schedules.same_deals import plan_alone
from tournament.domain.schedules.values import Plan
from tournament.domain.standings.values import Duplicate, Entry, Movement, Stage, Tournament


def of_pairs(count: int, stage: Stage) -> Tournament:
    """A tournament of so many pairs before its first round."""
    entries = tuple(
        Entry(id=str(number), name=str(number), players=(f"p{number}", f"q{number}"))
        for number in range(count)
    )
    return Tournament(
        id="pairs", name="Pairs", game="precedence", seed=1, stage=stage, entries=entries
    )


@pytest.mark.parametrize("kind", ["mitchell", "howell"])
@pytest.mark.parametrize("rounds", [None, 3])
def test_every_movement_that_is_offered_is_sound(kind: str, rounds: int | None) -> None:
    for count in (6, 8, 9, 10, 12, 13):
        stage = Stage(kind="movement", rounds=rounds, movement=Movement(movement=kind))

        assert planned(of_pairs(count, stage)).plan.rounds


def test_a_movement_that_the_verifier_rejects_is_never_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unsound(*_given: object, **_options: object) -> Plan:
        """Every table of the last round plays deals that nobody else has."""
        plan = movement_plan(10, "mitchell", None, deals_a_round=1, winners=2)
        last = plan.rounds[-1]
        tables = tuple(replace(each, deals=(100 + each.table,)) for each in last.tables)
        return replace(plan, rounds=(*plan.rounds[:-1], replace(last, tables=tables)))

    plans._plan_with_proof.cache_clear()
    monkeypatch.setattr(plans, "movement_plan", unsound)

    with pytest.raises(AssertionError, match="one table only"):
        planned(of_pairs(10, Stage(kind="movement", movement=Movement(winners=2))))


def duplicate(deals: int, rounds: int | None = None) -> Stage:
    return Stage(
        kind="duplicate", rounds=rounds, duplicate=Duplicate(deals=deals, scoring="matchpoints")
    )


@pytest.mark.parametrize(
    ("pairs", "deals", "rounds", "construction", "a_round"),
    [
        (8, 14, None, "howell 8", 2),
        (8, 14, 5, "mitchell 8 switched", 3),
        (12, 24, None, "howell 12", 2),
        (12, 10, None, "mitchell 12 switched", 1),
        (16, 24, None, "mitchell 16 switched", 3),
        (18, 27, None, "mitchell 18 switched", 3),
        (4, 12, None, "howell 4", 2),
    ],
)
def test_pairs_that_play_the_same_deals_have_the_movement_that_fits(
    pairs: int, deals: int, rounds: int | None, construction: str, a_round: int
) -> None:
    plan = planned(of_pairs(pairs, duplicate(deals, rounds))).plan
    tables = [table for each in plan.rounds for table in each.tables]

    assert plan.construction == construction
    assert {len(table.deals) for table in tables} == {a_round}
    assert max(deal for table in tables for deal in table.deals) <= deals


def test_too_few_deals_for_a_movement_are_refused_with_what_it_needs() -> None:
    with pytest.raises(RuleViolation, match="4 deals are too few here: 6 are the least"):
        planned(of_pairs(4, duplicate(4)))


@pytest.mark.parametrize(
    ("count", "stage", "said"),
    [
        (251, Stage(kind="movement"), "up to 250 pairs, not for 251"),
        (
            240,
            Stage(kind="movement", rounds=9, movement=Movement(deals_a_round=40)),
            "120 tables play at most 16 deals each in a round, not 40",
        ),
        (240, Stage(kind="movement", rounds=99), "with 2 deals a round 120 tables have 83 rounds"),
        (129, Stage(kind="round_robin", double=True), "up to 128 entries, not for 129"),
        (5_000, Stage(kind="round_robin"), "up to 180 entries, not for 5000"),
    ],
)
def test_a_plan_larger_than_a_hall_is_refused_at_once_with_what_would_fit(
    count: int, stage: Stage, said: str
) -> None:
    began = time.process_time()

    with pytest.raises(RuleViolation, match=said):
        schedule(of_pairs(count, stage))
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("players", "deals", "rounds", "said"),
    [
        (250, 200, None, "at most 16 deals in a round, not 200"),
        (250, 160, 20, "at most 80 deals in all, not 160"),
    ],
)
def test_who_plays_alone_plays_no_more_deals_than_a_page_has_room_for(
    players: int, deals: int, rounds: int | None, said: str
) -> None:
    with pytest.raises(RuleViolation, match=said):
        plan_alone(players, deals, rounds)
