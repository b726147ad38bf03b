"""Following suit, declared cards, revokes and detail of every kind (P13 to P15)."""

from typing import Any

import pytest

from scoring.precedence.commands import Command
from scoring.precedence.events import TrickPlayed, TrickTaken
from scoring.precedence.play import table
from scoring.precedence.state import State
from scoring.precedence.tricks import winner_of
from tests.scoring.table import (
    ONE_SUIT_EACH,
    accept_play,
    after,
    bids,
    deal,
    dealt,
    decided,
    given,
    hand,
    meld,
    record,
    refused,
    ruling,
    scored,
    totals,
    trick,
    tricks,
    when,
    winners,
)

BIDS = bids("E", 3, 3, 3, 3)
# East leads; East and West hold low Voids and no Border, North and South the other cards.
MIXED = {
    "N": "TV OV CV PV EV 2B 3B 4B 5B 6B 7B 8B 9B",
    "E": "2V 3V 4V 5V 2F 3F 4F 5F 6F 7F 8F 9F TF",
    "S": "OF CF PF EF TB OB CB PB EB 2C 3C 4C 5C",
    "W": "6V 7V 8V 9V 6C 7C 8C 9C TC OC CC PC EC",
}


def playing(*acts: Command, trump: str = "V") -> State:
    """Hand 1, dealt by North, bids made: East leads."""
    return given(dealt("N", trump), *BIDS, *acts, trump="declared")


@pytest.mark.parametrize(
    ("cards", "trump", "winner"),
    [
        ("2B EB TB 9B", "V", "S"),  # the highest card of the suit led
        ("2B EB TB 2V", "V", "N"),  # the lowest trump beats them all
        ("2B 3V TB 2V", "V", "S"),  # the higher trump
        ("2B EC EF EV", "V", "N"),
        ("2B EC EF PC", "V", "E"),  # nobody follows, nobody trumps
        ("9V TV OV CV", "V", "N"),  # trump led
        ("TB 9B OB CB", "C", "N"),  # T, O, C, P, E rise
        ("CB PB EB OB", "C", "W"),
    ],
)
def test_p13_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(
    cards: str, trump: str, winner: str
) -> None:
    assert winner_of(cards.split(), "E", trump) == winner


def test_p13_the_winner_leads_next() -> None:
    assert table(playing(trick("2B EB TB 9B")))["hand"]["leader"] == "S"
    assert table(playing(*winners("W")))["hand"]["leader"] == "W"


def test_p13_a_seat_that_can_follow_suit_must_follow_it() -> None:
    with refused(
        "revoke",
        rule="P13",
        path="plays[0][3]",
        says="North can follow Void and must, so not 2B but TV OV CV PV EV",
    ):
        when(playing(deal(**MIXED)), trick("2V OF 6V 2B"))
    assert when(playing(deal(**MIXED)), trick("2V OF 6V TV")) == [
        TrickPlayed(cards=("2V", "OF", "6V", "TV"))
    ]


def test_p13_a_seat_without_the_suit_may_play_any_card() -> None:
    for south in ("OF", "TB", "2C"):
        assert when(playing(deal(**MIXED)), trick(f"2V {south} 6V TV"))[0] == TrickPlayed(
            cards=("2V", south, "6V", "TV")
        )


def test_p13_without_a_deal_a_revoke_shows_in_what_is_played_later() -> None:
    state = playing(trick("2V 3V 2B 5V"))

    with refused(
        "revoke",
        rule="P13",
        path="plays[1][3]",
        says="West did not follow Void in trick 1 and plays 7V now",
    ):
        when(state, trick("6V EV PV 7V"))


def test_p13_a_card_is_played_once() -> None:
    with refused("bad_total", rule="P13", path="plays[1][0]", says="5V is played twice"):
        when(playing(trick("2V 3V 4V 5V")), trick("5V EV PV 7V"))
    with refused("bad_total", rule="P13", path="plays[0][2]", says="2V is played twice"):
        when(playing(), trick("2V 3V 2V 5V"))


def test_p13_a_card_that_was_dealt_to_another_cannot_be_played() -> None:
    with refused("card_not_held", rule="P13", path="plays[0][1]", says="South was not dealt 6V"):
        when(playing(deal(**MIXED)), trick("2V 6V 7V TV"))


def test_p10_a_card_that_another_has_shown_cannot_be_played() -> None:
    state = given(dealt("N"), meld("W", "run", "6V 7V 8V"), *BIDS)

    with refused(
        "card_not_held",
        rule="P10",
        path="plays[0][1]",
        says="South can't play 6V: West showed it in a meld",
    ):
        when(state, trick("2V 6V 7V TV"))


@pytest.mark.parametrize("cards", ["2V 3V 4V", "2V 3V 4V 5V 6V"])
def test_p13_a_trick_is_four_cards(cards: str) -> None:
    with refused("bad_total", rule="P13", path="plays[0]", says="a trick is 4 cards"):
        when(playing(), trick(cards))


def test_p13_the_deal_is_the_whole_pack_thirteen_cards_each() -> None:
    with refused("bad_total", rule="P13", path="deal.S", says="South was dealt 12 cards"):
        when(playing(), deal(**{**ONE_SUIT_EACH, "S": ONE_SUIT_EACH["S"][3:]}))
    with refused("bad_total", rule="P13", path="deal.S[12]", says="EV is dealt twice"):
        when(playing(), deal(**{**ONE_SUIT_EACH, "S": ONE_SUIT_EACH["S"].replace("EB", "EV")}))


def test_p13_of_a_deal_of_fifty_one_cards_the_one_that_nobody_has_is_named() -> None:
    first, *others = ONE_SUIT_EACH["S"].split()

    with refused(
        "bad_total", rule="P13", path="deal.S", says=f"has 13, and nobody was dealt {first}"
    ):
        when(playing(), deal(**{**ONE_SUIT_EACH, "S": " ".join(others)}))
    with refused("bad_total", rule="P13", path="deal.N", says="14 cards; a holding has 13"):
        short = {"S": " ".join(others), "N": ONE_SUIT_EACH["N"] + f" {first}"}
        when(playing(), deal(**{**ONE_SUIT_EACH, **short}))


def test_p13_the_deal_is_written_down_once_and_before_the_first_trick() -> None:
    for state in (playing(deal(**MIXED)), playing(trick("2V 3V 4V 5V"))):
        with refused("out_of_turn", rule="P13", path="deal", says="once, before the first trick"):
            when(state, deal(**MIXED))


def test_p14_following_suit_comes_before_declared_cards() -> None:
    state = given(dealt("N"), meld("S", "run", "2B 3B 4B"), meld("S", "run", "6V 7V 8V"), *BIDS)

    with refused(
        "revoke",
        rule="P13",
        path="plays[0][1]",
        says="South can follow Void and must, so not 2B but 6V 7V 8V",
    ):
        when(state, trick("2V 2B 4V 5V"))
    assert when(state, trick("2V 6V 4V 5V"))


def test_p14_a_card_outside_a_meld_may_follow_where_no_declared_card_can() -> None:
    state = given(dealt("N"), meld("S", "run", "2B 3B 4B"), *BIDS)

    assert when(state, trick("2V 9V 4V 5V"))


def test_p15_a_declared_card_goes_before_others_of_the_suit() -> None:
    state = given(dealt("N"), meld("S", "run", "6V 7V 8V"), *BIDS)

    with refused(
        "must_play_declared",
        rule="P15",
        path="plays[0][1]",
        says="South must play a declared card before EV: 6V 7V 8V",
    ):
        when(state, trick("2V EV 4V 5V"))


def test_p15_the_leader_leads_a_declared_card() -> None:
    state = given(dealt("N"), meld("E", "run", "6B 7B 8B"), *BIDS)

    with refused(
        "must_play_declared",
        rule="P15",
        path="plays[0][0]",
        says="East must play a declared card before 2V",
    ):
        when(state, trick("2V 3V 4V 5V"))
    assert when(state, trick("7B 3B 4B 5B"))


def test_p15_a_seat_that_cannot_follow_plays_a_declared_card() -> None:
    state = given(dealt("N"), meld("S", "run", "6B 7B 8B"), *BIDS)

    with refused(
        "must_play_declared",
        rule="P15",
        path="plays[0][1]",
        says="South must play a declared card before 2C",
    ):
        when(state, trick("2V 2C 4V 5V"))
    assert when(state, trick("2V 6B 4V 5V"))


def test_p15_declared_cards_that_were_played_bind_nobody() -> None:
    state = given(
        dealt("N"), meld("S", "run", "6V 7V 8V"), *BIDS, *tricks("2V 6V 3V 4V", "7V 9V TV OV")
    )

    assert table(state)["hand"]["cards"]["shown"] == (0, 0, 1 << 6, 0)
    assert when(after(state, trick("CV 8V 5V PV")), trick("2B 3B EV 4B"))


def test_accept_play_takes_a_revoke_as_it_happened() -> None:
    state = after(playing(deal(**MIXED)), accept_play(1, "N"))

    assert when(state, trick("2V OF 6V 2B"))[0] == TrickPlayed(cards=("2V", "OF", "6V", "2B"))
    with refused("revoke", rule="P13", path="plays[0][2]", says="West can follow Void"):
        when(state, trick("2V OF 6C TV"))


def test_accept_play_excuses_a_declared_card_held_back() -> None:
    state = given(dealt("N"), meld("S", "run", "6V 7V 8V"), *BIDS, accept_play(1, "S"))

    assert when(state, trick("2V EV 4V 5V"))
    with refused(
        "must_play_declared",
        rule="P15",
        path="plays[1][0]",
        says="South must play a declared card before 9B",
    ):
        when(after(state, trick("2V EV 4V 5V")), trick("9B 2B 3B 4B"))


def test_accept_play_of_an_earlier_trick_excuses_what_shows_later() -> None:
    state = playing(trick("2V 3V 2B 5V"))

    assert when(after(state, accept_play(1, "W")), trick("6V EV PV 7V"))


def test_accept_play_leaves_what_other_tricks_tell() -> None:
    """West didn't follow Void in tricks 1 and 2; a ruling on the first leaves the second."""
    state = playing(*tricks("2V 3V 2B 5V", "6V 7V 8V 3B"), accept_play(1, "W"))

    with refused(
        "revoke", rule="P13", path="plays[2][0]", says="West did not follow Void in trick 2"
    ):
        when(
            state._replace(
                hand=state.hand and state.hand._replace(play=state.hand.play._replace(leader="W"))
            ),
            trick("9V EV PV CV"),
        )


def test_accept_play_never_excuses_a_card_not_held_or_played_twice() -> None:
    state = after(playing(deal(**MIXED)), accept_play(1, "S"))

    with refused("card_not_held", rule="P13", path="plays[0][1]", says="South was not dealt 6V"):
        when(state, trick("2V 6V 7V TV"))
    with refused("bad_total", rule="P13", path="plays[0][1]", says="2V is played twice"):
        when(state, trick("2V 2V 7V TV"))


def test_a_table_may_write_down_the_winners_alone() -> None:
    assert when(playing(), *winners("W")) == [TrickTaken(seat="W")]
    assert scored(hand(winners=list("NNNNNNNEEEEEE")))["hands"][0]["tricks"] == {"NS": 7, "EW": 6}


def test_after_a_trick_of_which_only_the_winner_is_known_no_cards_can_come() -> None:
    with refused("out_of_turn", rule="P13", path="plays[1]", says="go on with winners"):
        when(playing(*winners("W")), trick("2V 3V 4V 5V"))
    assert when(playing(trick("2V 3V 4V 5V")), *winners("W")) == [TrickTaken(seat="W")]


def test_a_claim_counts_the_rest_and_no_side_has_fewer_than_it_won() -> None:
    state = playing(*winners("N N E N"))

    assert table(after(state, totals(7, 6)))["stage"] == "opening"
    with refused(
        "bad_total",
        rule="P13",
        path="tricks",
        says="North–South won 3 tricks as recorded, so they can't have 2",
    ):
        when(state, totals(2, 11))
    with refused("bad_total", rule="P13", path="tricks", says="East–West won 1 tricks"):
        when(state, totals(13, 0))


@pytest.mark.parametrize(("ns", "ew"), [(7, 7), (6, 6), (14, -1), (0, 0)])
def test_trick_totals_add_up_to_13(ns: int, ew: int) -> None:
    with refused("bad_total", rule="P13", path="tricks", says="a hand has 13"):
        when(playing(), totals(ns, ew))


def test_the_thirteenth_trick_closes_the_hand() -> None:
    state = playing(*winners("N " * 12))

    assert state.hand is not None
    assert after(state, *winners("E")).hand is None


def test_whatever_is_written_more_than_once_must_agree() -> None:
    claim: dict[str, Any] = {"plays": [["2V", "3V", "4V", "5V"]], "tricks": {"NS": 7, "EW": 6}}

    assert scored(hand(**claim, winners=["N"]))["hands"][0]["tricks"] == {"NS": 7, "EW": 6}
    with refused(
        "bad_total",
        rule="P13",
        path="hands[0].winners[0]",
        says="N won trick 1 as it was played, not E",
    ):
        decided(record(hand(**claim, winners=["E"])))
    with refused(
        "bad_total",
        rule="P13",
        path="hands[0].tricks",
        says="North–South won 7 and East–West 6 tricks",
    ):
        decided(record(hand(8, winners=list("NNNNNNNEEEEEE"))))


def test_an_unfinished_hand_needs_its_totals() -> None:
    with refused("bad_total", rule="P13", path="hands[0].tricks", says="1 tricks are written down"):
        decided(record(hand(winners=["N"])))


def test_a_card_that_is_not_held_is_found_before_an_earlier_break_of_the_rules_of_play() -> None:
    plays = [["2V", "OF", "6V", "2B"], ["2B", "3F", "OF", "6C"]]
    held = {seat: cards.split() for seat, cards in MIXED.items()}

    with refused("bad_total", rule="P13", path="hands[0].plays[1][0]", says="2B is played twice"):
        decided(record(hand(7, deal=held, plays=plays)))
    with refused(
        "card_not_held", rule="P13", path="hands[0].plays[1][3]", says="South was not dealt OV"
    ):
        decided(record(hand(7, deal=held, plays=[plays[0], ["7V", "TV", "3F", "OV"]])))
    with refused("revoke", rule="P13", path="hands[0].plays[0][3]", says="North can follow Void"):
        decided(record(hand(7, deal=held, plays=[plays[0]])))


def test_a_ruling_in_a_record_counts_from_before_the_first_trick() -> None:
    held = {seat: cards.split() for seat, cards in MIXED.items()}
    accepted = [ruling("accept_play", trick=1, seat="N")]

    assert (
        scored(hand(7, deal=held, plays=[["2V", "OF", "6V", "2B"]], rulings=accepted))["hands"][0][
            "tricks"
        ]["NS"]
        == 7
    )
