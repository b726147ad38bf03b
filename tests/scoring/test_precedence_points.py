"""Points, Excess and audits of a hand, and why (P16 to P19)."""

from typing import Any

import pytest

from scoring.precedence.play import PRECEDENCE
from scoring.precedence.score import audit
from tests.scoring.table import (
    after,
    bids,
    dealt,
    decided,
    given,
    hand,
    record,
    ruling,
    scored,
    totals,
)

QUAD = {"seat": "N", "kind": "quad", "cards": ["EV", "EF", "EB", "EC"]}
RUN = {"seat": "S", "kind": "run", "cards": ["2B", "3B", "4B"]}
TRIAD = {"seat": "E", "kind": "triad", "cards": ["PV", "PF", "PB"]}
PAST_ONE_AUDIT = [hand(13, bid=(1, 0, 1, 0))]  # North–South: 11 Excess


def last(*hands: dict[str, Any], **options: object) -> dict[str, Any]:
    result: dict[str, Any] = scored(*hands, **options)["hands"][-1]
    return result


@pytest.mark.parametrize(
    ("bid", "tricks", "points"),
    [((4, 0, 3, 0), 7, 70), ((4, 0, 3, 0), 9, 72), ((0, 0, 0, 0), 4, 4), ((13, 0, 0, 0), 13, 130)],
)
def test_p16_a_made_contract_scores_10_a_trick_and_1_for_each_above(
    bid: tuple[int, int, int, int], tricks: int, points: int
) -> None:
    result = last(hand(tricks, bid=bid))

    assert result["met"]["NS"] is True
    assert result["points"]["NS"] == points


def test_p16_a_made_contract_scores_its_meld_points() -> None:
    result = last(hand(7, bid=(4, 0, 3, 0), melds=[QUAD, RUN]))

    assert (result["points"]["NS"], result["meld_points"]["NS"]) == (85, 15)


def test_p17_a_failed_contract_costs_10_a_trick() -> None:
    result = last(hand(6, bid=(4, 0, 3, 0)))

    assert result["met"]["NS"] is False
    assert result["points"] == {"NS": -70, "EW": 7}


def test_p17_the_meld_points_of_a_failed_team_are_added_then_halved_rounded_down() -> None:
    """Two runs of 3 are 6, halved 3, not 1 and 1; a quad and a run are 15, halved 7."""
    two_runs = [RUN, {**RUN, "seat": "N", "cards": ["2F", "3F", "4F"]}]

    assert last(hand(6, bid=(4, 3, 3, 3), melds=two_runs))["meld_points"]["NS"] == 3
    assert last(hand(6, bid=(4, 3, 3, 3), melds=[QUAD, RUN, TRIAD]))["meld_points"] == {
        "NS": 7,
        "EW": 5,
    }


def test_p18_each_trick_above_a_made_contract_is_one_excess() -> None:
    assert last(hand(9, bid=(4, 2, 3, 2)))["excess"] == {"NS": 2, "EW": 0}
    assert last(hand(9, bid=(4, 2, 3, 2)), hand(8, bid=(4, 2, 3, 1)))["excess"] == {
        "NS": 3,
        "EW": 2,
    }


def test_p18_a_failed_contract_brings_no_excess() -> None:
    assert last(hand(9, bid=(5, 0, 5, 4)))["excess"] == {"NS": 0, "EW": 0}


def test_p19_at_ten_excess_100_points_come_off_and_the_points_of_the_overtricks_stay() -> None:
    result = last(hand(12, bid=(1, 0, 1, 0)))

    assert (result["points"]["NS"], result["audits"]["NS"], result["score"]["NS"]) == (30, 1, -70)


@pytest.mark.parametrize(("tricks", "excess", "audits"), [(11, 9, 0), (12, 0, 1), (13, 0, 1)])
def test_p19_excess_returns_to_0_after_an_audit(tricks: int, excess: int, audits: int) -> None:
    result = last(hand(tricks, bid=(1, 0, 1, 0)), excess_reset="zero")

    assert (result["excess"]["NS"], result["audits"]["NS"]) == (excess, audits)


@pytest.mark.parametrize(("tricks", "excess", "audits"), [(11, 9, 0), (12, 0, 1), (13, 1, 1)])
def test_p19_under_carry_only_ten_are_taken_off(tricks: int, excess: int, audits: int) -> None:
    result = last(hand(tricks, bid=(1, 0, 1, 0)), excess_reset="carry")

    assert (result["excess"]["NS"], result["audits"]["NS"]) == (excess, audits)


@pytest.mark.parametrize(
    ("reset", "excess", "audits", "score"), [("zero", 0, 1, -78), ("carry", 2, 2, -178)]
)
def test_p19_under_carry_the_audit_repeats_while_ten_or_more_remain(
    reset: str, excess: int, audits: int, score: int
) -> None:
    """Nine Excess and thirteen more are twenty-two."""
    result = last(hand(9, bid=(0, 0, 0, 4)), hand(13, bid=(0, 0, 0, 0)), excess_reset=reset)

    assert (result["excess"]["NS"], result["audits"]["NS"], result["score"]["NS"]) == (
        excess,
        audits,
        score,
    )


@pytest.mark.parametrize(
    ("before", "carry", "expected"),
    [
        (0, True, (0, 0)),
        (9, True, (0, 9)),
        (10, True, (1, 0)),
        (22, True, (2, 2)),
        (9, False, (0, 9)),
        (22, False, (1, 0)),
    ],
)
def test_p19_audits_by_count(before: int, carry: bool, expected: tuple[int, int]) -> None:
    assert audit(before, carry=carry) == expected


def test_each_line_of_the_explanation_cites_its_rule_and_they_add_up() -> None:
    melds = [QUAD, TRIAD]
    rulings = [ruling("adjust_points", side="EW", points=-4)]
    read, _, state = decided(record(hand(12, bid=(1, 3, 1, 3), melds=melds, rulings=rulings)))
    told = read.game.hand_results(state, 0)[0]
    lines = {
        team: [(line["what"], line["rule"], line["points"]) for line in told["why"]["lines"][team]]
        for team in ("NS", "EW")
    }

    assert lines["NS"] == [
        ("contract_made", "P16", 20),
        ("overtricks", "P16", 10),
        ("melds", "P16", 12),
        ("audit", "P19", -100),
    ]
    assert lines["EW"] == [
        ("contract_failed", "P17", -60),
        ("melds_halved", "P17", 2),
        ("ruling", "Infractions", -4),
    ]
    assert {team: sum(points for *_, points in lines[team]) for team in lines} == told["result"][
        "score"
    ]
    assert told["why"]["pot"] == {
        "rule": "P20",
        "chips": 14,
        "to": "NS",
        "shares": [{"account": "S", "chips": 7}, {"account": "N", "chips": 7}],
    }


def test_both_teams_fail_only_at_bids_of_fifteen_or_more_and_make_only_at_thirteen_or_less() -> (
    None
):
    for contract in [(a, b) for a in range(14) for b in range(14)]:
        bidden = given(dealt("W"), *bids("N", contract[0], contract[1], 0, 0))
        for ns in range(14):
            met = PRECEDENCE.result(after(bidden, totals(ns, 13 - ns)))["hands"][-1]["met"]
            assert any(met.values()) or sum(contract) >= 15
            assert not all(met.values()) or sum(contract) <= 13
