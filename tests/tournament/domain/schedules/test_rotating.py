"""Single players who change partners: what each size is promised holds when it is counted, for any
number of rounds.
"""

from collections import Counter
from math import comb

import pytest

from scoring.errors import NotationError, RuleViolation
from tournament.domain.schedules.rotating import MOST, build_rotating_plan, offers
from tournament.domain.schedules.values import Plan
from tournament.domain.schedules.verify import faults, prove

SIZES = range(4, 81)
WITHOUT_WHIST = {44, 57, 60, 69, 72, 77}  # of the sizes 4n and 4n + 1
PERFECT = [size for size in SIZES if size % 4 < 2 and size not in WITHOUT_WHIST]
NEAR_PERFECT = [10, 15, 18, 19, 22, 23, 26, 27, 30, 31, 34, 35, 38, 39, 58, 74]
ON_THE_LEFT = [5, 9, 13, 17, 25, 29, 37, 41, 45, 49, 53, 61, 65, 73]


@pytest.mark.parametrize("size", PERFECT)
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(size: int) -> None:
    plan = build_rotating_plan(size)
    proof = prove(plan)

    assert faults(plan) == []
    assert proof.partners == {1: comb(size, 2)}
    assert proof.opponents == {2: comb(size, 2)}
    assert proof.sit_outs == {size % 4: size}
    assert len(plan.rounds) == size - 1 + size % 4
    assert offers(size)[0].kind == "perfect"


@pytest.mark.parametrize("size", ON_THE_LEFT)
def test_by_bose_and_cameron_everybody_has_everybody_once_on_the_left(size: int) -> None:
    assert prove(build_rotating_plan(size)).left == {1: size * (size - 1)}


@pytest.mark.parametrize("size", NEAR_PERFECT)
def test_where_two_or_three_sit_out_all_but_a_few_pairs_meet_as_in_a_whist_tournament(
    size: int,
) -> None:
    """Of 4n + 2 each never meets one other, of 4n + 3 two."""
    plan = build_rotating_plan(size)
    proof = prove(plan)
    apart = Counter(player for pair in proof.never_met for player in pair)
    met = comb(size, 2) - len(proof.never_met)

    assert faults(plan) == []
    assert proof.partners == {0: len(proof.never_met), 1: met}
    assert proof.opponents == {0: len(proof.never_met), 2: met}
    assert proof.sit_outs == {size % 4: size}
    assert apart == dict.fromkeys(range(size), size % 4 - 1)
    assert offers(size)[0].kind == "near-perfect"


@pytest.mark.parametrize("size", [6, 7, 11, 14, 55, 63])
def test_short_ones_let_nobody_partner_anybody_twice_or_oppose_more_than_twice(size: int) -> None:
    plan = build_rotating_plan(size)
    proof = prove(plan)

    assert faults(plan) == []
    assert (max(proof.partners), max(proof.opponents)) == (1, 2)
    assert len(plan.rounds) == size
    assert proof.never_met == ()
    assert offers(size)[0].kind == "short"


@pytest.mark.parametrize("size", SIZES)
def test_with_three_games_a_sitting_nobody_meets_in_a_second_one_and_partners_are_each_of_the_three(
    size: int,
) -> None:
    plan = build_rotating_plan(size, games_a_sitting=3)
    met: Counter[frozenset[int]] = Counter()
    for one, two, three in zip(*(plan.rounds[game::3] for game in range(3)), strict=True):
        tables = [{frozenset(table.places) for table in each.tables} for each in (one, two, three)]
        assert tables[0] == tables[1] == tables[2]
        assert one.out == two.out == three.out
        met.update(frozenset({a, b}) for table in tables[0] for a in table for b in table - {a})
    proof = prove(plan)

    assert faults(plan) == []
    assert set(met.values()) == {2}  # both ways round
    assert proof.partners.get(1, 0) == proof.opponents.get(2, 0) == len(met)


@pytest.mark.parametrize("size", SIZES)
def test_of_those_who_sit_out_in_threes_nobody_does_it_for_a_second_sitting(size: int) -> None:
    plan = build_rotating_plan(size, games_a_sitting=3)

    assert {len(each.out) for each in plan.rounds} == {size % 4}
    assert max(prove(plan).sit_outs) <= 3


@pytest.mark.parametrize("size", SIZES)
def test_every_size_has_an_answer_and_the_offer_is_what_counting_the_plan_comes_to(
    size: int,
) -> None:
    for offer in offers(size):
        plan = build_rotating_plan(size, games_a_sitting=offer.games_a_sitting)
        proof = prove(plan)
        assert offer.construction == plan.construction
        assert offer.construction.endswith(f" {size}")
        assert offer.rounds == len(plan.rounds)
        assert {offer.out_a_round} == {len(each.out) for each in plan.rounds} == {size % 4}
        assert offer.most_partnered == max(proof.partners) == 1
        assert offer.most_met == max(proof.opponents) == 2
        assert offer.never_met == proof.never_met
    assert [each.games_a_sitting for each in offers(size)] in ([1, 3], [3])


def test_only_sizes_without_a_construction_have_three_games_a_sitting_alone() -> None:
    alone = {size for size in SIZES if len(offers(size)) == 1}

    assert {size for size in alone if size % 4 < 2} == WITHOUT_WHIST
    assert all(offers(size)[0].kind == "sittings" for size in alone)
    assert all(
        build_rotating_plan(size) == build_rotating_plan(size, games_a_sitting=3) for size in alone
    )


def meets_in_bounds(plan: Plan, rounds: int) -> bool:
    return len(plan.rounds) == rounds and plan.most_partnered == 1 and faults(plan) == []


@pytest.mark.parametrize("size", range(4, 81, 7))
def test_any_number_of_rounds_keeps_to_one_game_as_partners_and_two_as_opponents(size: int) -> None:
    for games in (1, 3):
        most = len(build_rotating_plan(size, games_a_sitting=games).rounds)
        for rounds in {1, 2, 3, most // 3, most // 2, most - 1, most} - {0}:
            assert meets_in_bounds(build_rotating_plan(size, rounds, games_a_sitting=games), rounds)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_every_number_of_rounds_of_every_size_keeps_to_one_game_as_partners_and_two_as_opponents(
    size: int,
) -> None:
    for offer in offers(size):
        for rounds in range(1, offer.rounds + 1):
            plan = build_rotating_plan(size, rounds, games_a_sitting=offer.games_a_sitting)
            assert meets_in_bounds(plan, rounds)


@pytest.mark.parametrize("size", [12, 13, 20, 29, 33, 38, 40, 48])
def test_no_order_in_equal_steps_has_fewer_second_meetings_than_the_one_chosen(
    size: int,
) -> None:
    rounds = size // 3
    whole = build_rotating_plan(size)
    chosen = prove(build_rotating_plan(size, rounds)).opponents.get(2, 0)

    for step in range(1, len(whole.rounds)):
        order = dict.fromkeys(turn * step % len(whole.rounds) for turn in range(rounds))
        if len(order) == rounds:
            others = tuple(whole.rounds[number] for number in order)
            plan = Plan(size=size, construction="", rounds=others, partners=True)
            assert chosen <= prove(plan).opponents.get(2, 0)


@pytest.mark.parametrize(("size", "rounds"), [(16, 5), (28, 9), (40, 13), (64, 21), (48, 12)])
def test_where_sittings_can_be_taken_apart_the_first_games_of_all_of_them_come_first(
    size: int, rounds: int
) -> None:
    assert set(prove(build_rotating_plan(size, rounds)).opponents) == {0, 1}
    assert set(prove(build_rotating_plan(size, rounds)).meetings) <= {0, 1}


@pytest.mark.parametrize(
    ("size", "rounds", "games", "said"),
    [
        (13, 14, 1, "13 single players have 1 to 13 rounds without meeting too often, not 14"),
        (13, 0, 1, "1 to 13 rounds"),
        (12, 4, 3, "1 to 3 rounds with three games a sitting, not 4; with one game .* up to 11"),
        (12, 12, 3, "1 to 3 rounds without"),
        (44, 34, 1, "1 to 33 rounds"),
        (42, 28, 1, "1 to 27 rounds"),
    ],
)
def test_more_rounds_than_there_are_are_refused_with_how_many_there_are(
    size: int, rounds: int, games: int, said: str
) -> None:
    with pytest.raises(RuleViolation, match=said) as refused:
        build_rotating_plan(size, rounds, games_a_sitting=games)
    assert (refused.value.code, refused.value.path) == ("bad_rounds", "stage.rounds")


@pytest.mark.parametrize("size", [0, 3, MOST + 1])
def test_sizes_without_a_plan_are_refused_with_those_that_have_one(size: int) -> None:
    for ask in (build_rotating_plan, offers):
        with pytest.raises(RuleViolation, match="4 to 80 single players") as refused:
            ask(size)
        assert refused.value.code == "bad_size"


def test_a_sitting_has_one_game_or_three() -> None:
    with pytest.raises(NotationError, match="1 or 3 games a sitting, not 2"):
        build_rotating_plan(12, games_a_sitting=2)
