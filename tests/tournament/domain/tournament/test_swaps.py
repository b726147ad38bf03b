"""Places changed by hand: explained by the same aims as a draw, against a count of our own; changed
back, as it was drawn.
"""

from random import Random

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.pairing.reference import Reference
from tests.tournament.domain.tournament.desk import (
    ROBIN,
    SWISS,
    Desk,
    drawn,
    played,
    result,
    running,
)
from tournament.domain.pairing.values import Reason
from tournament.domain.standings.values import Result, Stage
from tournament.domain.tournament.byes import AskBye
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult, ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.subjects import evolve
from tournament.domain.tournament.swaps import EntriesSwapped, SwapEntries

EVENTS = 300


def made(seed: int) -> Desk:
    """A tournament of 5 to 14 entries, some of one club, after one to four rounds of made up
    results, with the next one drawn.
    """
    chance = Random(seed)
    stage = Stage(
        kind="swiss", rounds=9, tie_breaks=("buchholz",), clubs_apart=chance.random() < 0.5
    )
    desk = Desk(stage)
    desk.does(EnterPhase(phase="registration"))
    for number in range(chance.randint(5, 14)):
        desk.does(
            MakeEntry(
                players=(("1", f"a{number}"), ("2", f"b{number}")),
                club=chance.choice(["Core", "Void", None]),
            )
        )
    desk.does(EnterPhase(phase="running"))
    for number in range(1, chance.randint(2, 5)):
        desk.does(DrawRound(round=number), PublishRound(round=number))
        for table in desk.now.rounds[-1].tables:
            desk.does(_outcome(chance, number, table.table, table.entries))
        desk.does(CloseRound(round=number))
    return desk.does(DrawRound(round=len(desk.now.rounds) + 1))


def _outcome(
    chance: Random, number: int, table: int, entries: tuple[str, ...]
) -> EnterResult | ForfeitTable:
    if chance.random() < 0.1:
        return ForfeitTable(round=number, table=table, absent=(chance.choice(entries),))
    one, two = chance.choice(((100, 0), (0, 100), (50, 50)))
    return EnterResult(round=number, table=table, results=(Result(points=one), Result(points=two)))


def cost_of(why: tuple[Reason, ...], tier: str) -> int:
    return next((each.cost for each in why if each.tier == tier), 0)


def check_round(desk: Desk) -> None:
    """The last round says of itself what a count from its rounds alone says."""
    each, reference = (
        desk.now.rounds[-1],
        Reference(field_of(desk.now, {}, before=len(desk.now.rounds))),
    )
    for table in each.tables:
        one, two = table.entries
        rematch, again, *_, floats, club, _seats = reference.pair(one, two)
        assert cost_of(table.why, "rematch") == rematch
        assert table.why[0].numbers[0] == rematch + again == len(table.why[0].numbers) - 1
        scores = next(why.numbers for why in table.why if why.tier == "score_difference")
        assert scores == (reference.points[one], reference.points[two])
        assert cost_of(table.why, "repeated_float") == floats
        assert cost_of(table.why, "same_club") == club
        seats = next(why.numbers for why in table.why if why.tier == "seat_balance")
        assert seats == (reference.balance[one], reference.balance[two])
    for bye, why in zip(each.byes, each.byes_why, strict=True):
        _, _, byes, above, below, *_ = reference.bye(bye.entry)
        assert (
            cost_of(why, "bye_again"),
            cost_of(why, "bye_above"),
            cost_of(why, "bye_place"),
        ) == (byes, above, below)
    costs = [reference.pair(*table.entries) for table in each.tables] + [
        reference.bye(bye.entry) for bye in each.byes
    ]
    total = tuple(map(sum, zip(*costs, strict=True)))
    told = {why.tier: why.cost for why in each.broken}
    assert told == {
        tier: cost
        for tier, cost in zip(("rematch", "rematch_again", "bye_again"), total, strict=False)
        if cost
    } | ({"same_club": total[7]} if total[7] else {})


def check_swaps(first: int, last: int) -> None:
    for seed in range(first, last):
        desk, chance = made(seed), Random(seed)
        check_round(desk)
        before = desk.now.rounds[-1]
        swaps = [chance.sample(list(before.seated), 2) for _ in range(chance.randint(1, 4))]
        for one, two in swaps:
            desk.does(SwapEntries(round=before.number, one=one, two=two, reason="Late"))
            check_round(desk)
        for one, two in reversed(swaps):
            desk.does(SwapEntries(round=before.number, one=two, two=one))
        assert desk.now.rounds[-1] == before


def test_a_swap_is_explained_as_a_draw_is_and_swapped_back_it_is_as_drawn() -> None:
    check_swaps(0, 40)


@pytest.mark.long
@pytest.mark.parametrize("first", range(40, EVENTS, 20))
def test_many_swaps_are_explained_and_undone(first: int) -> None:
    check_swaps(first, first + 20)


def round_of(desk: Desk) -> RoundState:
    assert desk.now.last is not None
    return desk.now.last


def test_a_rematch_made_by_hand_says_in_which_round_they_met() -> None:
    desk = played(drawn(4)).does(DrawRound(round=2))
    one, two = desk.now.rounds[0].tables[0].entries
    other = next(table for table in round_of(desk).tables if one in table.entries)
    (there,) = set(other.entries) - {one}
    desk.does(SwapEntries(round=2, one=there, two=two, reason="They asked for it."))

    again = next(table for table in round_of(desk).tables if set(table.entries) == {one, two})
    assert again.by_hand
    assert again.why[0] == Reason(tier="rematch", cost=1, numbers=(1, 1))
    assert round_of(desk).broken == (Reason(tier="rematch", cost=2),)
    assert [(swap.one, swap.two, swap.reason) for swap in round_of(desk).swaps] == [
        (there, two, "They asked for it.")
    ]


def test_a_second_bye_given_by_hand_is_told() -> None:
    desk = played(drawn(5)).does(DrawRound(round=2))
    (had,), (bye,) = desk.now.rounds[0].byes, round_of(desk).byes
    desk.does(SwapEntries(round=2, one=bye.entry, two=had.entry))

    assert round_of(desk).byes[0].entry == had.entry
    assert round_of(desk).byes_why[0][0] == Reason(tier="bye_again", cost=1)
    assert Reason(tier="bye_again", cost=1) in round_of(desk).broken


def test_a_swap_across_one_table_changes_who_sits_where() -> None:
    desk = drawn(4)
    one, two = round_of(desk).tables[0].entries
    before = round_of(desk)
    desk.does(SwapEntries(round=1, one=one, two=two))

    assert round_of(desk).tables[0].entries == (two, one)
    assert round_of(desk).tables[0].by_hand
    assert not round_of(desk).broken
    assert desk.does(SwapEntries(round=1, one=one, two=two)).now.rounds[-1] == before


def test_a_swap_in_a_round_robin_says_when_those_two_were_to_meet() -> None:
    desk = running(4, ROBIN).does(DrawRound(round=1), PublishRound(round=1))
    desk.does(SwapEntries(round=1, one="4", two="2"))

    assert [table.entries for table in round_of(desk).tables] == [("1", "2"), ("4", "3")]
    assert round_of(desk).tables[0].why[0] == Reason(tier="berger", cost=1, numbers=(1, 4, 1, 2, 2))
    assert round_of(desk).broken == (Reason(tier="berger", cost=2),)
    assert round_of(desk).tables[0].why[1] == Reason(tier="rematch", cost=0, numbers=(0,))


def test_a_swap_stored_before_swaps_had_reasons_is_undone_all_the_same() -> None:
    desk = drawn(6)
    before = round_of(desk)
    one, two = before.tables[0].entries[0], before.tables[1].entries[0]
    state = evolve(desk.now, EntriesSwapped(round=1, one=one, two=two))

    assert [table.why for table in state.rounds[0].tables[:2]] == [(), ()]
    assert state.rounds[0].tables[0].by_hand
    assert evolve(state, EntriesSwapped(round=1, one=two, two=one)).rounds[0] == before


def test_who_asked_not_to_play_keeps_its_bye_and_the_swap_is_explained_without_it() -> None:
    desk = running(7).does(AskBye(entry="7", round=1, kind="half"), DrawRound(round=1))
    one, two = round_of(desk).tables[0].entries[0], round_of(desk).tables[1].entries[0]
    desk.does(SwapEntries(round=1, one=one, two=two))

    assert round_of(desk).byes_why in ((), ((),))
    with pytest.raises(RuleViolation, match="asked not to play"):
        desk.does(SwapEntries(round=1, one=one, two="7"))


def test_other_lots_give_another_draw_for_a_reason_and_the_same_ones_always_the_same() -> None:
    desk = running(16).does(DrawRound(round=1))
    first = round_of(desk)
    with pytest.raises(RuleViolation, match="say why"):
        desk.does(DrawRound(round=1, other_lots=True))
    desk.does(DrawRound(round=1, other_lots=True, reason="A club asked for it."))
    second = round_of(desk)

    assert second.seed is not None
    assert second.digest != first.digest
    assert {frozenset(table.entries) for table in second.tables} != {
        frozenset(table.entries) for table in first.tables
    }
    assert round_of(desk.does(DrawRound(round=1))).tables == second.tables
    again = running(16).does(
        DrawRound(round=1), DrawRound(round=1, other_lots=True, reason="Another reason.")
    )
    assert round_of(again).tables == second.tables


def test_other_lots_are_for_a_swiss_that_is_drawn_and_has_not_begun() -> None:
    with pytest.raises(RuleViolation, match="draw round 1 first"):
        running(4).does(DrawRound(round=1, other_lots=True, reason="x"))
    with pytest.raises(RuleViolation, match="follows its list"):
        running(4, ROBIN).does(DrawRound(round=1), DrawRound(round=1, other_lots=True, reason="x"))
    with pytest.raises(RuleViolation, match="has begun"):
        drawn(4, SWISS).does(result(), DrawRound(round=1, other_lots=True, reason="x"))
