"""Tricks: who leads, what must be played, and how a breach shows (R10 to R13)."""

import pytest

from scoring.errors import Refusal
from scoring.preference.commands import Command
from scoring.preference.play import table
from scoring.preference.state import State
from tests.scoring.preference.table import (
    accept_play,
    deal,
    given,
    hand,
    open_hand,
    ready,
    refused,
    scored,
    totals,
    trick,
    when,
    winners,
)

# A holds all hearts and two diamonds, B most spades, C the clubs; two diamonds lie in the widow.
A = "7H 8H 9H TH JH QH KH AH 7D 8D"
B = "7S 8S 9S TS JS QS KS 9D TD JD"
C = "7C 8C 9C TC JC QC KC AC AS QD"
WIDOW = "KD AD"


def at_play(
    *acts: Command, soloist: str = "A", contract: str = "two_hand", **choices: str
) -> State:
    return given(*ready(soloist, contract, **choices), *acts)


def leader(soloist: str, contract: str, **choices: str) -> str:
    leads: str = table(at_play(soloist=soloist, contract=contract, **choices))["hand"]["leader"]
    return leads


def test_r10_the_soloist_leads_and_the_winner_leads_next() -> None:
    state = at_play(trick("7H 9H 8H"), contract="one")

    assert leader("B", "one") == "B"
    assert state.hand is not None
    assert state.hand.play.order == ("B", "C", "A")


def test_r10_in_no_trump_the_player_at_the_soloists_right_leads() -> None:
    assert leader("A", "no_trump") == "C"
    assert leader("A", "no_trump", C="out") == "B"
    assert leader("A", "no_trump", B="out") == "C"


def test_r9_who_keeps_out_is_passed_over() -> None:
    state = at_play(trick("7H 9H"), B="out", contract="one")

    assert state.hand is not None
    assert state.hand.play.order == ("C", "A")
    with refused("bad_total", rule="R9", path="plays[1]", says="a trick is 2 cards here, not 3"):
        when(state, trick("7S 8S 9S"))


@pytest.mark.parametrize(
    ("contract", "cards", "winner"),
    [
        ("one", "7H AH 9H", "B"),
        ("one", "AH 7C 8C", "C"),
        ("one", "AH 7S AS", "A"),
        ("misere", "7H AC 8H", "C"),
        ("no_trump", "7H AC 8H", "B"),
    ],
)
def test_r11_the_highest_trump_wins_else_the_highest_of_the_suit_led(
    contract: str, cards: str, winner: str
) -> None:
    assert open_hand(at_play(trick(cards), contract=contract)).play.winners == (winner,)


def test_r11_who_can_follow_must() -> None:
    state = at_play(deal(A, B, C, WIDOW))

    with refused(
        "revoke",
        rule="R11",
        path="plays[0][1]",
        says="Seat B can follow Diamonds and must, so not 7S but 9D TD JD",
    ):
        when(state, trick("7D 7S QD"))


def test_r11_who_cannot_follow_must_trump() -> None:
    state = at_play(deal(A, B, C, WIDOW))

    with refused(
        "must_trump",
        rule="R11",
        path="plays[0][2]",
        says="Seat C can trump and must, so not 7C but AS",
    ):
        when(state, trick("7H 7S 7C"))


def test_r11_a_trump_heads_the_trick_if_able() -> None:
    holdings = deal(A, "7S 8S AS TS JS QS KS TC TD JD", "7C 8C 9C 9D JC QC KC 9S AC QD", WIDOW)
    state = given(*ready("C", "two_hand"), holdings)

    with refused(
        "must_head",
        rule="R11",
        path="plays[0][2]",
        says="Seat B can head the trick and must, so not 7S but TS JS QS KS AS",
    ):
        when(state, trick("9S 7H 7S"))
    assert when(state, trick("9S 7H TS"))


def test_r11_a_trump_that_cannot_head_is_still_due() -> None:
    holdings = deal(
        "7S 8H 9H TH JH QH KH AH 7D 8D",
        "8S 7H 9S TS JS QS KS AS TD JD",
        "7C 8C 9C TC JC QC KC AC 9D QD",
        WIDOW,
    )
    state = given(*ready("C", "two_hand"), holdings)

    assert when(state, trick("8C 7S 8S"))
    with refused("must_trump", rule="R11", path="plays[0][2]", says="Seat A can trump"):
        when(
            given(
                *ready("B", "four_hand"),
                deal(A, "7C 8C 9C TC JC QC KC AC TD JD", "7S 8S 9S TS JS QS KS AS 9D QD", WIDOW),
            ),
            trick("7C 7S 7D"),
        )


def test_r11_who_follows_must_head_if_able() -> None:
    holdings = deal(A, "7S 8S 9S TS JS QS KS 9D QD JD", "7C 8C 9C TC JC QC KC AC AS TD", WIDOW)

    with refused(
        "must_head",
        rule="R11",
        path="plays[0][2]",
        says="Seat B can head the trick and must, so not 9D but JD QD",
    ):
        when(given(*ready("C", "two_hand"), holdings), trick("TD 7D 9D"))


def test_r11_nobody_heads_a_suit_that_was_trumped() -> None:
    holdings = deal(A, "7S 8S 9S TS JS QS KS AS 7C KC", "8C 9C TC JC QC AC 9D TD JD QD", WIDOW)

    assert when(given(*ready("C", "four_hand"), holdings), trick("8C 7H 7C"))


def test_r11_in_a_misere_nothing_is_trump_and_nobody_has_to_head() -> None:
    state = at_play(deal(A, B, C, WIDOW), soloist="A", contract="misere_hand")

    assert when(state, trick("7D 9D QD"))
    assert when(state, trick("7H 7S 7C"))
    with refused("revoke", rule="R11", path="plays[0][1]", says="follow Diamonds"):
        when(state, trick("7D 7S QD"))


def test_r11_in_no_trump_nothing_is_trump_but_everybody_heads() -> None:
    state = at_play(deal(A, B, C, WIDOW), soloist="A", contract="no_trump")

    with refused("must_head", rule="R11", path="plays[0][2]", says="so not 9D but"):
        when(
            at_play(
                deal(A, "7S 8S 9S TS JS QS KS 9D TD QD", "7C 8C 9C TC JC QC KC AC AS JD", WIDOW),
                contract="no_trump",
            ),
            trick("JD 7D 9D"),
        )
    assert when(state, trick("7C 7H 7S"))


def test_r12_who_comes_next_after_the_soloists_lead_need_not_head_it() -> None:
    state = at_play(deal(A, B, C, WIDOW), soloist="A", contract="two_hand")

    assert when(state, trick("8D 9D QD"))
    lower = deal(
        "8H 9H TH JH QH KH AH 8D TD JD",
        "7S 8S 9S TS JS QS KS 7D QD 9D",
        "7C 8C 9C TC JC QC KC AC AS 7H",
        WIDOW,
    )
    assert when(at_play(lower, soloist="A"), trick("8D 7D AS"))


def test_r12_a_lone_defender_heads_the_soloists_lead_which_shows_from_what_is_played_later() -> (
    None
):
    state = given(*ready("A", "two_hand", C="out"), trick("8D 7D"))

    with refused(
        "must_head",
        rule="R12",
        path="plays[1][1]",
        says="Seat B did not head the trick in trick 1 with 7D and plays 9D now",
    ):
        when(state, trick("TD 9D"))
    assert when(state, trick("TD 7S"))


def test_r12_in_a_record_the_lone_defender_is_named_at_the_play_that_was_wrong() -> None:
    plays = [["8D", "7D"], ["TD", "9D"]]

    with refused(
        "must_head",
        rule="R12",
        path="hands[0].plays[0][1]",
        says="Seat B can head the trick and must, so not 7D but 9D",
    ):
        scored(hand("A", "two_hand", "6 4 0", defenders={"B": "along", "C": "out"}, plays=plays))


def test_r12_a_ruling_accepts_what_a_lone_defender_left() -> None:
    state = given(*ready("A", "two_hand", C="out"), trick("8D 7D"), accept_play(1, "B"))

    assert when(state, trick("TD 9D"))


def test_r12_a_lone_defender_whom_another_insisted_upon_may_leave_it() -> None:
    """Insisted or not, both play: there is somebody to leave it to."""
    state = given(*ready("A", "two_hand", C="insisted"), trick("8D 7D TD"))

    assert when(state, trick("JD 9D KD"))


def test_r12_nobody_has_to_head_a_misere_alone() -> None:
    assert when(given(*ready("A", "misere_hand"), trick("8D 7D 7S")), trick("TD 9D 8S"))


def test_r12_after_a_lead_of_the_lone_defender_the_soloist_heads_by_r11() -> None:
    state = given(*ready("A", "two_hand", C="out"), trick("8D 9D"), trick("TD 7D"))

    with refused(
        "must_head",
        rule="R11",
        path="plays[2][1]",
        says="Seat A did not head the trick in trick 2 with 7D and plays JD now",
    ):
        when(state, trick("7S JD"))


def test_r12_a_lone_defender_whose_holding_is_known_must_head() -> None:
    lower = deal(
        "8H 9H TH JH QH KH AH 8D TD JD",
        "7S 8S 9S TS JS QS KS 7D QD 9D",
        "7C 8C 9C TC JC QC KC AC AS 7H",
        WIDOW,
    )
    state = given(*ready("A", "two_hand", C="out"), lower)

    with refused("must_head", rule="R12", path="plays[0][1]", says="so not 7D but 9D QD"):
        when(state, trick("8D 7D"))


def test_r12_the_third_player_heads_the_trick() -> None:
    with refused(
        "must_head",
        rule="R11",
        path="plays[1][1]",
        says="Seat B did not head the trick in trick 1 with 7H and plays AH now",
    ):
        when(at_play(trick("8H 9H 7H"), soloist="C"), trick("8D AH 7D"))


BREACHES = [
    (
        "8H 7S 9H",
        "7D 8D TH",
        "revoke",
        "Seat B did not follow Hearts in trick 1 with 7S and plays TH now",
        "follow Hearts and must, so not 7S but TH",
    ),
    (
        "8H 7S 9H",
        "7D 8D 7C",
        "must_trump",
        "Seat B did not trump in trick 1 with 7S and plays 7C now",
        "trump and must, so not 7S but 7C",
    ),
    (
        "8H 9C 8C",
        "7D AC 8D",
        "must_head",
        "Seat C did not head the trick in trick 1 with 8C and plays AC now",
        "head the trick and must, so not 8C but AC",
    ),
]


@pytest.mark.parametrize(("first", "second", "code", "later", "at_once"), BREACHES)
def test_r11_a_breach_shows_from_what_is_played_later(
    first: str, second: str, code: str, later: str, at_once: str
) -> None:
    with pytest.raises(Refusal, match=later) as caught:
        when(given(*ready("A", "one"), trick(first)), trick(second))
    assert (caught.value.code, caught.value.rule) == (code, "R11")
    assert caught.value.path.startswith("plays[1]")


@pytest.mark.parametrize(("first", "second", "code", "later", "at_once"), BREACHES)
def test_r11_in_a_record_the_first_wrong_play_is_named_with_what_it_should_have_been(
    first: str, second: str, code: str, later: str, at_once: str
) -> None:
    with pytest.raises(Refusal, match=at_once) as caught:
        scored(hand("A", "one", "4 3 3", plays=[first.split(), second.split()]))
    assert (caught.value.code, caught.value.rule) == (code, "R11")
    assert caught.value.path.startswith("hands[0].plays[0]")


def test_a_ruling_accepts_a_play_that_breaks_a_duty_as_it_happened() -> None:
    state = at_play(accept_play(1, "B"), trick("8H 7S 9H"), contract="one")

    assert when(state, trick("7D TD 8D"))
    assert when(
        given(*ready("A", "one"), trick("8H 7S 9H"), accept_play(1, "B")), trick("7D TH 8D")
    )
    with refused("bad_total", rule="R3", path="plays[1][0]", says="8H is played twice"):
        when(state, trick("8H TH 8D"))


@pytest.mark.parametrize(
    ("contract", "tricks", "made"),
    [
        ("one", "6 2 2", True),
        ("one", "5 3 2", False),
        ("misere", "0 5 5", True),
        ("misere", "1 5 4", False),
    ],
)
def test_r13_six_tricks_make_a_contract_and_none_a_misere(
    contract: str, tricks: str, made: bool
) -> None:
    assert scored(hand("A", contract, tricks))["hands"][0]["made"] is made


@pytest.mark.parametrize(
    ("row", "made"),
    [
        ("A A A A A A B B C C", True),
        ("B B A A A A A A C C", True),
        ("A A A A A B A A A A", False),
        ("A A A A A A A A A A", True),
    ],
)
def test_r13_no_trump_needs_six_tricks_in_a_row(row: str, made: bool) -> None:
    assert scored(hand("A", "no_trump", winners=row.split()))["hands"][0]["made"] is made


def test_r13_totals_say_whether_six_were_in_succession() -> None:
    assert scored(hand("A", "no_trump", "7 2 1", in_succession=True))["hands"][0]["made"] is True
    assert scored(hand("A", "no_trump", "7 2 1", in_succession=False))["hands"][0]["made"] is False
    with refused(
        "bad_record",
        rule="R13",
        path="hands[0].in_succession",
        says="in_succession is missing here",
    ):
        scored(hand("A", "no_trump", "7 2 1"))
    with refused("bad_record", rule="R13", path="hands[0].in_succession", says="in no_trump only"):
        scored(hand("A", "one", "7 2 1", in_succession=True))


@pytest.mark.parametrize(
    ("tricks", "won", "said"),
    [
        ("5 3 2", "", True),
        ("10 0 0", "", False),
        ("9 1 0", "A A A A A A", False),
        ("7 3 0", "A B A B B", True),
    ],
)
def test_r13_what_is_said_of_six_in_succession_must_be_possible(
    tricks: str, won: str, said: bool
) -> None:
    with refused("bad_total", rule="R13", path="hands[0].in_succession", says="six"):
        scored(hand("A", "no_trump", tricks, winners=won.split(), in_succession=said))


@pytest.mark.parametrize(
    ("tricks", "won"), [("9 1 0", ""), ("9 1 0", "A A A A A"), ("6 2 2", "A A")]
)
def test_r13_nine_tricks_need_not_hold_six_in_succession(tricks: str, won: str) -> None:
    result = scored(hand("A", "no_trump", tricks, winners=won.split(), in_succession=False))

    assert result["hands"][0]["made"] is False


def test_what_is_said_and_what_was_played_must_agree() -> None:
    row = ["A", "A", "A", "A", "A", "A", "B", "B", "C", "C"]

    with refused("bad_total", rule="R13", path="hands[0].in_succession", says="were won as played"):
        scored(hand("A", "no_trump", winners=row, in_succession=False))
    with refused(
        "bad_total",
        rule="R3",
        path="hands[0].tricks",
        says="the tricks were A 6, B 2, C 2 as played",
    ):
        scored(hand("A", "no_trump", "7 2 1", winners=row))
    with refused(
        "bad_total",
        rule="R10",
        path="hands[0].winners[0]",
        says="Seat B won trick 1 as it was played",
    ):
        scored(hand("A", "one", "6 2 2", plays=[["7H", "9H", "8H"]], winners=["A"]))


@pytest.mark.parametrize(("a", "b", "c"), [(6, 2, 3), (6, 2, 1), (-1, 6, 5), (11, 0, -1)])
def test_ten_tricks_are_ten(a: int, b: int, c: int) -> None:
    with refused("bad_total", rule="R3", path="tricks", says="a hand has 10"):
        when(at_play(), totals(a, b, c))


def test_nobody_has_fewer_tricks_than_were_recorded() -> None:
    with refused(
        "bad_total",
        rule="R3",
        path="tricks.B",
        says="Seat B won 2 tricks as recorded, so 1 in all can't be",
    ):
        when(at_play(*winners("B B")), totals(8, 1, 1))


def test_a_hand_of_nine_tricks_is_not_complete() -> None:
    with refused(
        "bad_total", rule="R3", path="hands[0].tricks", says="9 tricks are written down; 10 are"
    ):
        scored(hand("A", "one", winners=["A"] * 9))
    with refused(
        "bad_total", rule="R3", path="hands[0].winners", says="a hand has 10 tricks, not 11"
    ):
        scored(hand("A", "one", winners=["A"] * 11))
