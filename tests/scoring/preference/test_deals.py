"""The pack, the widow and the discards: counts, duplicates, cards held (R3, R5)."""

import pytest

from scoring.preference.commands import RecordDeal
from scoring.preference.state import State
from tests.scoring.preference.table import deal, given, hand, ready, refused, scored, trick, when

A = "7H 8H 9H TH JH QH KH AH 7D 8D"
B = "7S 8S 9S TS JS QS KS 9D TD JD"
C = "7C 8C 9C TC JC QC KC AC AS QD"
WIDOW = "KD AD"


def named(contract: str = "one", soloist: str = "A") -> State:
    return given(*ready(soloist, contract))


@pytest.mark.parametrize(
    ("act", "path", "says"),
    [
        (deal(A[:-3], B, C), "deal.A", "Seat A was dealt 9 cards"),
        (deal(A, B, C, "KD"), "widow", "the widow is 2 cards, not 1"),
        (deal(A, B.replace("9D", "7H"), C), "deal.B[7]", "7H is dealt twice"),
        (deal(A, B, C, "KD QD"), "widow[1]", "QD is dealt twice"),
    ],
)
def test_r3_every_card_is_dealt_once_ten_to_each_and_two_to_the_widow(
    act: RecordDeal, path: str, says: str
) -> None:
    with refused("bad_total", rule="R3", path=path, says=says):
        when(named(), act)


@pytest.mark.parametrize(
    ("contract", "discards", "path", "says"),
    [
        ("one_hand", "KD AD", "discards", "one hand is played without the widow"),
        ("one", "KD", "discards", "discards two different cards"),
        ("one", "KD KD", "discards", "discards two different cards"),
        ("one", "KD 7S", "discards[1]", "Seat A had no 7S to discard"),
    ],
)
def test_r5_the_soloist_discards_two_of_twelve_with_the_widow(
    contract: str, discards: str, path: str, says: str
) -> None:
    with refused("bad_discard", rule="R5", path=path, says=says):
        when(named(contract), deal(A, B, C, WIDOW, discards))


def test_r5_the_soloist_plays_the_cards_of_the_widow() -> None:
    state = given(*ready("A", "one"), deal(A, B, C, "", "7D 8D"))

    assert when(state, trick("AD 9D QD"))
    with refused(
        "card_not_held", rule="R3", path="plays[0][0]", says="Seat A doesn't hold 7D but KD AD 7H"
    ):
        when(state, trick("7D 9D QD"))


def test_r5_without_the_widow_nobody_plays_its_cards() -> None:
    with refused("card_not_held", rule="R3", path="plays[0][0]", says="Seat A doesn't hold AD"):
        when(given(*ready("A", "one_hand"), deal(A, B, C)), trick("AD 9D QD"))
    with refused(
        "card_not_held", rule="R3", path="plays[0][0]", says="it lay in the widow or was discarded"
    ):
        when(given(*ready("A", "one_hand"), RecordDeal(widow=("KD", "AD"))), trick("AD 9D QD"))


def test_r5_a_defender_never_holds_what_the_soloist_took_up() -> None:
    with refused("card_not_held", rule="R3", path="plays[0][1]", says="Seat B can't hold AD"):
        when(given(*ready("A", "one"), RecordDeal(widow=("KD", "AD"))), trick("7D AD QD"))


def test_r5_two_of_twelve_cards_may_be_anything_while_the_discards_are_unknown() -> None:
    """A revoke of the soloist shows only when more than two cards of the suit must have been thrown
    away.
    """
    two_clubs = deal("7H 8H 9H TH JH QH KH 7C 8C 7D", B, "AH 8D 9C TC JC QC KC AC AS QD", WIDOW)
    three_clubs = deal("7H 8H 9H TH JH QH KH 7C 8C 9C", B, "AH 8D 7D TC JC QC KC AC AS QD", WIDOW)

    assert when(given(*ready("A", "four"), two_clubs, trick("7H 7S AH")), trick("TC 8H 8S"))
    with refused(
        "revoke",
        rule="R11",
        path="plays[1][1]",
        says="Seat A can follow Clubs and must, so not 8H but 7C 8C 9C",
    ):
        when(given(*ready("A", "four"), three_clubs, trick("7H 7S AH")), trick("TC 8H 8S"))


def test_the_deal_is_written_down_once_and_before_the_first_trick() -> None:
    with refused("out_of_turn", rule="R3", path="deal", says="once, before the first trick"):
        when(given(*ready("A", "one"), deal(A, B, C)), deal(A, B, C))
    with refused("out_of_turn", rule="R3", path="deal", says="once, before the first trick"):
        when(given(*ready("A", "one"), trick("7D 9D QD")), deal(A, B, C))


def test_counts_come_before_cards_held_and_those_before_the_plays() -> None:
    holdings = dict(zip("ABC", (cards.split() for cards in (A, B, C)), strict=True))
    breach, foreign = ["7D", "7S", "QD"], ["9S", "8H", "7C"]

    with refused("bad_total", rule="R3", path="hands[0].plays[1][0]", says="QD is played twice"):
        scored(hand("A", "one_hand", "6 2 2", deal=holdings, plays=[breach, ["QD", "8H", "7C"]]))
    with refused(
        "card_not_held", rule="R3", path="hands[0].plays[1][0]", says="Seat C doesn't hold 9S"
    ):
        scored(hand("A", "one_hand", "6 2 2", deal=holdings, plays=[breach, foreign]))
    with refused(
        "revoke", rule="R11", path="hands[0].plays[0][1]", says="Seat B can follow Diamonds"
    ):
        scored(hand("A", "one_hand", "6 2 2", deal=holdings, plays=[breach, ["9C", "8H", "8S"]]))
