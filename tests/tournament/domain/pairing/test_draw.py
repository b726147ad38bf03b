"""What a draw says and when there is none: seats, tables, dealers, reasons, the digest,
refusals.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from scoring.errors import RuleViolation
from scoring.games import GAMES
from tests.tournament.domain.pairing.generated import an_event, rounds_played
from tests.tournament.domain.standings.made import event
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Draw, Reason
from tournament.domain.standings.values import (
    Adjustment,
    Entry,
    Result,
    Round,
    SeatedTable,
    Stage,
    Tournament,
)


def pairs_of(drawn: Draw) -> set[frozenset[str]]:
    return {frozenset(table.entries) for table in drawn.tables}


def entered(count: int, **stage: Any) -> Tournament:
    entries = tuple(
        Entry(id=str(number), name=str(number), players=(str(number),)) for number in range(count)
    )
    return Tournament(
        id="x", name="x", game="precedence", seed=1, stage=Stage(**stage), entries=entries
    )


def test_winners_meet_winners() -> None:
    drawn = draw(event("a1-0b c1-0d", tie_breaks=()))

    assert pairs_of(drawn) == {frozenset("ac"), frozenset("bd")}
    assert set(drawn.tables[0].entries) == set("ac")
    why = [(reason.tier, reason.cost, reason.numbers) for reason in drawn.tables[0].why]
    assert why[:2] == [("rematch", 0, (0,)), ("score_difference", 0, (100, 100))]


def test_the_lowest_sits_out_and_nobody_twice_while_another_has_not() -> None:
    played = ["a1-0b c1-0d e+"]

    assert draw(event(*played)).byes in (("b",), ("d",))
    second = draw(event("a1-0b d1-0c e+", "a1-0d e1-0b c+"))
    assert second.byes == ("b",)
    assert second.byes_why[0][:2] == (
        Reason(tier="bye_again", cost=0),
        Reason(tier="bye_above", cost=0, numbers=(0,)),
    )


def test_when_all_have_sat_out_the_draw_says_that_somebody_does_again() -> None:
    drawn = draw(event("a1-0b c+", "c1-0a b+", "b1-0c a+"))

    assert {reason.tier: reason.cost for reason in drawn.broken} == {"rematch": 1, "bye_again": 1}
    assert drawn.byes_why[0][0] == Reason(tier="bye_again", cost=1)


def test_when_all_have_met_the_draw_says_that_it_broke_the_first_aim() -> None:
    drawn = draw(event("a1-0b c=d", "a=c b=d", "a=d b=c"))

    assert [(reason.tier, reason.cost) for reason in drawn.broken] == [("rematch", 2)]
    assert drawn.tables[0].why[0] == Reason(tier="rematch", cost=1, numbers=(1, 2))


def test_two_clubs_are_kept_apart_where_that_is_asked_for() -> None:
    entries = tuple(
        Entry(id=name, name=name, players=(name,), club=club)
        for name, club in (("a", "X"), ("b", "X"), ("c", "Y"), ("d", "Y"))
    )
    apart = replace(entered(0, clubs_apart=True), entries=entries)

    assert all(
        frozenset("ab") not in pairs_of(draw(replace(apart, seed=seed))) for seed in range(20)
    )
    together = [pairs_of(draw(replace(apart, seed=seed, stage=Stage()))) for seed in range(20)]
    assert any(frozenset("ab") in pairs for pairs in together)


def test_clubs_that_cannot_be_kept_apart_are_told() -> None:
    entries = tuple(Entry(id=name, name=name, players=(name,), club="X") for name in "abcd")
    drawn = draw(replace(entered(0, clubs_apart=True), entries=entries))

    assert [(reason.tier, reason.cost) for reason in drawn.broken] == [("same_club", 2)]
    assert Reason(tier="same_club", cost=1) in drawn.tables[0].why


def test_seats_come_in_turn() -> None:
    """Nobody sits more than twice oftener on one side, in ten rounds of 24 without absences."""
    tournament = entered(24)
    balance: Counter[str] = Counter()
    for number in range(10):
        drawn = draw(tournament)
        for table in drawn.tables:
            balance.update({table.entries[0]: 1, table.entries[1]: -1})
        won = [(100, 0) if (number * 7 + table.table) % 3 else (0, 100) for table in drawn.tables]
        tables = tuple(
            SeatedTable(
                table=table.table,
                entries=table.entries,
                results=tuple(Result(points=points) for points in each),
            )
            for table, each in zip(drawn.tables, won, strict=True)
        )
        tournament = replace(tournament, rounds=(*tournament.rounds, Round(tables=tables)))
    assert max(abs(each) for each in balance.values()) <= 2


@pytest.mark.parametrize("game", GAMES)
def test_the_first_dealer_is_a_seat_of_the_game_drawn_for_each_table(game: str) -> None:
    drawn = draw(replace(entered(60), game=game))

    assert {table.dealer for table in drawn.tables} == set(GAMES[game].seatings[0])


def test_the_same_input_and_seed_give_the_same_draw_and_digest() -> None:
    for tournament, drawn in rounds_played(an_event(11)):
        again = draw(replace(tournament, entries=tuple(reversed(tournament.entries))))
        assert draw(tournament) == drawn
        assert (again.tables, again.byes) == (drawn.tables, drawn.byes)


def test_another_seed_gives_another_draw_and_digest() -> None:
    drawn = [draw(replace(entered(20), seed=seed)) for seed in range(10)]

    assert len({each.digest for each in drawn}) == 10
    assert len({frozenset(pairs_of(each)) for each in drawn}) == 10


def test_the_digest_changes_with_whatever_the_draw_depends_on() -> None:
    base = event("a1-0b c1-0d")
    changed = [
        base,
        replace(base, seed=2),
        replace(base, stage=Stage(clubs_apart=True)),
        event("a1-0b c=d"),
        event("a1-0b c+-d"),
        replace(base, entries=tuple(replace(entry, club="X") for entry in base.entries)),
        replace(
            base,
            entries=tuple(replace(entry, away=(2,)) for entry in base.entries[:2])
            + base.entries[2:],
        ),
    ]

    assert len({draw(tournament).digest for tournament in changed}) == len(changed)
    assert draw(replace(base, name="Other")).digest == draw(base).digest


def test_tables_are_numbered_from_the_highest_score_down() -> None:
    drawn = draw(event("a1-0b c1-0d e1-0f g=h"))
    points = {"a": 2, "c": 2, "e": 2, "g": 1, "h": 1, "b": 0, "d": 0, "f": 0}

    assert [table.table for table in drawn.tables] == [1, 2, 3, 4]
    tops = [max(points[entry] for entry in table.entries) for table in drawn.tables]
    assert tops == sorted(tops, reverse=True)


def test_the_next_best_of_a_table_is_never_better() -> None:
    for _, drawn in rounds_played(an_event(5)):
        numbers = {table.table for table in drawn.tables}
        for table in drawn.tables:
            best = table.next_best
            if best is None:
                assert len(numbers) == 1
                assert not drawn.byes
                continue
            assert (best.more > 0) == (best.tier != "lots")
            assert best.other_table is None or best.other_table in numbers - {table.table}
            assert len(set(best.entries) & set(table.entries)) == 1


def test_a_draw_waits_for_every_result_or_its_excuse() -> None:
    waiting = event("a?b c=d")
    with pytest.raises(RuleViolation, match="table 1 of round 1 has no result") as refused:
        draw(waiting)
    assert (refused.value.code, refused.value.path) == (
        "result_missing",
        "rounds[0].tables[0].result",
    )

    first = waiting.rounds[0]
    excused = replace(first, tables=(replace(first.tables[0], excused=True), first.tables[1]))
    assert draw(replace(waiting, rounds=(excused,))).tables


def test_a_game_that_a_format_can_not_seat_is_refused() -> None:
    for kind, game in [
        ("pods", "precedence"),
        ("rotating", "preference"),
        ("movement", "order_of_precedence"),
        ("knockout", "contract_sabacc"),
    ]:
        with pytest.raises(RuleViolation) as refused:
            draw(replace(entered(8, kind=kind), game=game))
        assert (refused.value.code, refused.value.path) == ("no_format", "stage.kind")


def test_a_round_after_the_last_and_one_for_nobody_are_refused() -> None:
    with pytest.raises(RuleViolation, match="round 1 was the last") as over:
        draw(event("a1-0b", rounds=1))
    with pytest.raises(RuleViolation, match="two entries or more; 1 would play") as few:
        draw(entered(1))
    assert (over.value.code, few.value.code) == ("game_over", "too_few")


def test_late_entries_and_those_away_are_seated_when_they_are_there() -> None:
    tournament = event("a1-0b c=d", entries="abcdef")
    late = replace(tournament.entries[4], joined_in=3)
    away = replace(tournament.entries[5], away=(2,))
    tournament = replace(tournament, entries=(*tournament.entries[:4], late, away))

    assert {entry for table in draw(tournament).tables for entry in table.entries} == set("abcd")
    assert {entry for table in draw(tournament, 3).tables for entry in table.entries} == set(
        "abcdef"
    )


def test_a_penalty_of_a_later_round_changes_no_draw_before_it() -> None:
    cup = event("a1-0b c=d", "a1-0c b=d")
    late = Adjustment(entry="a", points=-50, reason="late", by="director", after_round=2)

    assert draw(replace(cup, adjustments=(late,)), 2) == draw(cup, 2)
    assert draw(replace(cup, adjustments=(late,)), 3).digest != draw(cup, 3).digest
