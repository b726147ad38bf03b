"""What may be shown, and what it costs and brings (P6 to P10)."""

import pytest

from scoring.events import ChipsMoved
from scoring.precedence.events import MeldDeclared
from tests.scoring.table import (
    ONE_SUIT_EACH,
    bids,
    deal,
    dealt,
    decided,
    given,
    hand,
    meld,
    record,
    refused,
    scored,
    when,
)

OPEN = dealt("N")


def points_of(*melds: tuple[str, str, str], ns: int = 7, **options: object) -> dict[str, int]:
    written = [{"seat": seat, "kind": kind, "cards": cards.split()} for seat, kind, cards in melds]
    points: dict[str, int] = scored(hand(ns, melds=written), **options)["hands"][0]["meld_points"]
    return points


@pytest.mark.parametrize("cards", ["2V 3V", "2V 3V 5V", "2V 3F 4V", "CV PV 2V", "PV EV 2V", ""])
def test_p6_a_run_is_three_or_more_cards_of_one_suit_in_sequence_without_wrap(cards: str) -> None:
    with refused("bad_meld", rule="P6", path="melds[0].cards", says="East shows"):
        when(given(OPEN), meld("E", "run", cards))


@pytest.mark.parametrize("cards", ["2V 3V 4V", "9V TV OV CV", "CV PV EV", "EV PV CV"])
def test_p6_a_run_goes_up_to_the_emperor_and_may_be_shown_in_any_order(cards: str) -> None:
    event = when(given(OPEN), meld("E", "run", cards))[0]

    assert isinstance(event, MeldDeclared)
    assert sorted(event.cards) == sorted(cards.split())


@pytest.mark.parametrize(
    ("kind", "cards"),
    [
        ("triad", "2V 2F"),
        ("triad", "2V 2F 3B"),
        ("triad", "2V 2F 2B 2C"),
        ("quad", "2V 2F 2B"),
        ("quad", "2V 2F 2B 3C"),
    ],
)
def test_p6_a_triad_is_three_and_a_quad_four_cards_of_one_rank(kind: str, cards: str) -> None:
    with refused("bad_meld", rule="P6", path="melds[0].cards", says="cards of one rank"):
        when(given(OPEN), meld("E", kind, cards))


@pytest.mark.parametrize(
    ("kind", "cards"), [("triad", "2V 2V 2F"), ("run", "2V 3V 3V 4V"), ("quad", "2V 2F 2B 2B")]
)
def test_p6_a_card_stands_once_in_a_meld(kind: str, cards: str) -> None:
    with refused("bad_meld", rule="P6", path="melds[0].cards", says="a card stands there twice"):
        when(given(OPEN), meld("E", kind, cards))


def test_p6_melds_are_declared_after_the_deal_and_before_the_bids() -> None:
    with refused("out_of_turn", rule="P4", path="", says="no hand is open"):
        when(given(), meld("E", "run", "2V 3V 4V"))
    with refused("bad_meld", rule="P6", path="melds[0]", says="before the bids"):
        when(given(OPEN, *bids("E", 1)), meld("S", "run", "2V 3V 4V"))


def test_p6_a_holding_has_no_more_than_thirteen_cards_to_show() -> None:
    shown = [
        meld("E", "run", " ".join(rank + suit for rank in ranks))
        for suit, ranks in zip("VFBC", ["234", "567", "89T", "OCP"], strict=True)
    ]

    with refused("bad_meld", rule="P6", path="melds[4]", says="East would show 15 cards"):
        when(given(OPEN, *shown), meld("E", "run", "6V 7V 8V"))


def test_p6_what_was_shown_must_have_been_dealt_there() -> None:
    with refused("card_not_held", rule="P6", path="melds[0].cards", says="East showed 2V"):
        when(
            given(OPEN, meld("E", "triad", "2F 2B 2V"), *bids("E", 3, 3, 3, 3)),
            deal(**ONE_SUIT_EACH),
        )


@pytest.mark.parametrize(
    ("kind", "cards", "points"),
    [
        ("run", "2V 3V 4V", 3),
        ("run", "2V 3V 4V 5V", 6),
        ("run", "2V 3V 4V 5V 6V 7V 8V", 6),
        ("triad", "2V 2F 2B", 5),
        ("quad", "2V 2F 2B 2C", 12),
    ],
)
def test_p7_a_run_of_three_is_3_a_longer_one_6_a_triad_5_a_quad_12(
    kind: str, cards: str, points: int
) -> None:
    assert points_of(("N", kind, cards)) == {"NS": points, "EW": 0}


def test_p8_each_declared_meld_costs_its_declarer_the_meld_stake() -> None:
    expected = ChipsMoved(source="E", target="hand", chips=3, why="meld", rule="P8")

    assert when(given(OPEN, meld_stake=3), meld("E", "run", "2V 3V 4V"))[1:] == [expected]
    assert when(
        given(OPEN, meld("E", "run", "2V 3V 4V"), meld_stake=3), meld("E", "triad", "EV EF EB")
    )[1:] == [expected]
    assert when(given(OPEN, meld_stake=0), meld("E", "run", "2V 3V 4V"))[1:] == []


def test_p9_a_card_belongs_to_one_meld_only() -> None:
    with refused(
        "bad_meld",
        rule="P9",
        path="melds[1].cards",
        says="2V is already in a run; a card belongs to one meld only",
    ):
        when(given(OPEN, meld("E", "run", "2V 3V 4V")), meld("E", "triad", "2V 2F 2B"))


def test_p9_with_meld_overlap_a_card_may_serve_once_in_a_run_and_once_in_a_triad_or_quad() -> None:
    assert (
        points_of(("E", "run", "2V 3V 4V"), ("E", "triad", "2V 2F 2B"), meld_overlap=True)["EW"]
        == 8
    )
    assert (
        points_of(("E", "quad", "2V 2F 2B 2C"), ("E", "run", "2V 3V 4V"), meld_overlap=True)["EW"]
        == 15
    )
    with refused(
        "bad_meld",
        rule="P9",
        path="melds[1].cards",
        says="once in a run and once in a triad or quad",
    ):
        when(
            given(OPEN, meld("E", "run", "2V 3V 4V"), meld_overlap=True),
            meld("E", "run", "4V 5V 6V"),
        )
    with refused("bad_meld", rule="P9", path="melds[1].cards", says="once in a run"):
        when(
            given(OPEN, meld("E", "triad", "2V 2F 2B"), meld_overlap=True),
            meld("E", "quad", "2V 2F 2B 2C"),
        )


@pytest.mark.parametrize(
    ("first", "second"),
    [("2V 3V 4V", "5V 6V 7V"), ("5V 6V 7V", "2V 3V 4V"), ("OV CV PV EV", "8V 9V TV")],
)
def test_p10_two_runs_that_join_end_to_end_are_one_run(first: str, second: str) -> None:
    with refused(
        "bad_meld",
        rule="P10",
        path="melds[1].cards",
        says="join end to end; declare them as one run",
    ):
        when(given(OPEN, meld("E", "run", first)), meld("E", "run", second))


def test_p10_runs_of_different_seats_or_suits_or_with_a_gap_stay_two() -> None:
    assert points_of(("E", "run", "2V 3V 4V"), ("W", "run", "5V 6V 7V"))["EW"] == 6
    assert points_of(("E", "run", "2V 3V 4V"), ("E", "run", "5F 6F 7F"))["EW"] == 6
    assert points_of(("E", "run", "2V 3V 4V"), ("E", "run", "6V 7V 8V"))["EW"] == 6


def test_p10_no_two_players_can_show_the_same_card() -> None:
    for overlap in (False, True):
        with refused(
            "bad_meld", rule="P10", path="melds[1].cards", says="East has already shown 2V"
        ):
            when(
                given(OPEN, meld("E", "run", "2V 3V 4V"), meld_overlap=overlap),
                meld("S", "triad", "2V 2F 2B"),
            )


def test_at_most_one_triad_or_quad_of_a_rank_exists_in_a_hand() -> None:
    with refused("bad_meld", rule="P10", path="melds[1].cards", says="no two players"):
        when(given(OPEN, meld("E", "triad", "2V 2F 2B")), meld("S", "triad", "2B 2C 2V"))
    with refused("bad_meld", rule="P10", path="hands[0].melds[1].cards", says="no two players"):
        first, second = (
            {"seat": seat, "kind": "quad", "cards": ["2V", "2F", "2B", "2C"]} for seat in "NE"
        )
        decided(record(hand(7, melds=[first, second]), meld_overlap=True))
