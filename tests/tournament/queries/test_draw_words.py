"""Every aim of a draw has words, whatever it came to."""

import pytest

from tournament.domain.pairing.costs import TIERS
from tournament.domain.pairing.explain import RULES
from tournament.domain.pairing.values import NextBest, Reason
from tournament.queries.draw_reasons import broken_words, next_best_words, reason_words


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason(tier="rematch", cost=0, numbers=(0,)), "they have not met yet"),
        (Reason(tier="rematch", cost=1, numbers=(1,)), "they have met once before"),
        (Reason(tier="rematch", cost=1, numbers=(3,)), "they have met 3 times before"),
        (Reason(tier="score_difference", cost=0, numbers=(150, 150)), "the same score, 1.5"),
        (
            Reason(tier="score_difference", cost=1, numbers=(150, 100)),
            "0.5 apart in score: one has 1.5, the other 1",
        ),
        (
            Reason(tier="score_difference", cost=1, numbers=(150, 100, 0, 100)),
            "0.5 apart in score: one has 1.5, the other 1; 1 of one is lent by acceleration, for "
            "this draw alone",
        ),
        (
            Reason(tier="score_difference", cost=0, numbers=(150, 150, 50, 50)),
            "the same score, 1.5; 0.5 of each is lent by acceleration, for this draw alone",
        ),
        (
            Reason(tier="repeated_float", cost=2),
            "both meet a higher score, or a lower one, two rounds running",
        ),
        (
            Reason(tier="seat_balance", cost=0, numbers=(1, -1)),
            "how much oftener they sat in the first seats than in the second: +1 and \u22121",
        ),
        (Reason(tier="rematch", cost=1, numbers=(1, 2)), "they met in round 2"),
        (Reason(tier="rematch", cost=1, numbers=(2, 1, 3)), "they met 2 times, in rounds 1, 3"),
        (Reason(tier="bye_place", cost=0, numbers=(0,)), "nobody with the same score stands lower"),
        (Reason(tier="bye_place", cost=1, numbers=(1,)), "1 with the same score stands lower"),
        (
            Reason(tier="repeated_float", cost=1, numbers=(-1,)),
            "met a lower score or sat out in the last round, too",
        ),
        (
            Reason(tier="berger", cost=1, numbers=(1, 4, 1, 2, 3)),
            "by the Berger tables number 1 meets number 2 in round 3, not in this one",
        ),
        (Reason(tier="bye_above", cost=2, numbers=(3,)), "3 have a lower score"),
        (
            Reason(tier="berger", cost=0, numbers=(2, 5, 3, 1)),
            "round 2 of the Berger tables for 5: number 3 meets number 1",
        ),
    ],
)
def test_a_reason_says_what_its_aim_came_to(reason: Reason, words: str) -> None:
    assert reason_words(reason) == words


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            Reason(tier="score_difference", cost=1, numbers=(100, 150)),
            "scores before the round: Otto 1, Gus 1.5",
        ),
        (
            Reason(tier="score_difference", cost=1, numbers=(100, 150, 0, 100)),
            "scores before the round: Otto 1, Gus 1.5; 1 of Gus is lent by acceleration, for this "
            "draw alone",
        ),
        (Reason(tier="score_difference", cost=0, numbers=(100, 100)), "the same score, 1"),
        (
            Reason(tier="repeated_float", cost=1, numbers=(0, -1)),
            "Gus: a lower score opposite for the second round running",
        ),
        (
            Reason(tier="repeated_float", cost=2, numbers=(1, -1)),
            (
                "Otto: a higher score opposite for the second round running; Gus: a lower score "
                "opposite for the second round running"
            ),
        ),
        (
            Reason(tier="seat_balance", cost=0, numbers=(2, 0)),
            "seats until now: Otto 2 times more at N\u2013S; Gus equally often on either side",
        ),
        (
            Reason(tier="seat_balance", cost=0, numbers=(-1, 1)),
            "seats until now: Otto once more at E\u2013W; Gus once more at N\u2013S",
        ),
        (
            Reason(tier="seat_balance", cost=0, numbers=(0, 0)),
            "both have sat on either side equally often",
        ),
    ],
)
def test_numbers_stand_with_the_names_they_belong_to(reason: Reason, words: str) -> None:
    assert reason_words(reason, ("Otto", "Gus"), ("N\u2013S", "E\u2013W")) == words


def test_what_is_as_good_says_what_the_whole_draw_comes_to() -> None:
    totals = (
        Reason(tier="rematch", cost=0),
        Reason(tier="score_difference", cost=3),
        Reason(tier="repeated_float", cost=1),
    )
    words = next_best_words(
        NextBest(entries=("1", "2"), other_table=2, tier="lots", more=0), totals
    )

    assert words == (
        "as good, so the lot decided. Either way the whole draw comes to: nobody meets again; "
        "3 in differences of scores at a table, each squared; 1 entry that meets a "
        "higher or a lower score two rounds running"
    )


@pytest.mark.parametrize(
    "tier",
    [
        "rematch",
        "score_difference",
        "repeated_float",
        "same_club",
        "seat_balance",
        "bye_again",
        "bye_above",
    ],
)
def test_a_reason_stored_without_its_numbers_has_words_too(tier: str) -> None:
    kept, broken = (reason_words(Reason(tier=tier, cost=cost)) for cost in (0, 1))

    assert kept != broken
    assert tier not in (kept, broken)


@pytest.mark.parametrize("tier", TIERS[:-1])
def test_every_aim_can_be_told_as_broken_and_as_next_best(tier: str) -> None:
    assert broken_words(Reason(tier=tier, cost=2)).startswith("2 ")
    assert tier not in next_best_words(
        NextBest(entries=("1", "2"), other_table=None, tier=tier, more=1)
    )
    assert set(RULES) <= set(TIERS)


def test_what_is_as_good_was_left_to_the_lot() -> None:
    assert (
        next_best_words(NextBest(entries=("1", "2"), other_table=2, tier="lots", more=0))
        == "as good; the lot decided"
    )
