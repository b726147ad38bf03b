"""Talon, aside and tricks (S2, S6, S7)."""

from itertools import pairwise

import pytest

from scoring.sabacc.cards import CARDS, SABACCS, card_name
from scoring.sabacc.commands import Command
from scoring.sabacc.sheet import read_card
from scoring.sabacc.tricks import winner_of
from tests.scoring.sabacc.table import (
    ONE_SUIT_EACH,
    TALON,
    accept_play,
    after,
    aside,
    contract,
    deal,
    dealt,
    given,
    hand,
    open_hand,
    play_out,
    points,
    refused,
    scored,
    strong_holdings,
    talon,
    trick,
    when,
)

WITHOUT: list[Command] = [dealt("D"), contract("B", "guard_without")]
TAKEN: list[Command] = [
    dealt("D"),
    contract("A", "take"),
    deal(ONE_SUIT_EACH),
    talon(" ".join(TALON)),
]
LOW_COINS = [f"{rank}C" for rank in range(1, 7)]


@pytest.mark.parametrize(
    "written",
    [
        *CARDS,
        "Master of coins",
        "Mistress of Flasks",
        "the Idiot",
        "Magician",
        "Sabacc -5",
        "10 of staves",
    ],
)
def test_a_card_is_read_as_code_and_in_full(written: str) -> None:
    card = read_card(written, "")

    assert card in CARDS
    assert read_card(card_name(card), "") == card


@pytest.mark.parametrize("written", ["", "15C", "0C", "14V", "-22", "--1", "1", "TC", None, 7])
def test_what_is_no_card_is_refused(written: object) -> None:
    with refused("bad_record", rule="", path="deal.A[0]", says="is no card"):
        read_card(written, "deal.A[0]")


def test_s7_the_strongest_sabacc_wins_else_the_highest_card_of_the_suit_led() -> None:
    assert winner_of(["2C", "9C", "14F", "5C"], "CBAD") == "B"
    assert winner_of(["14C", "-1", "13C", "-2"], "CBAD") == "D"
    assert winner_of(["-21", "-20", "0", "14C"], "CBAD") == "A"
    assert [winner_of([low, high, "14C", "13C"], "CBAD") for low, high in pairwise(SABACCS)] == [
        "B"
    ] * 21


def test_s7_the_player_at_the_dealers_right_leads_and_then_the_winner() -> None:
    state = given(*WITHOUT, trick("2C 9C 14F -3"))

    assert open_hand(given(*WITHOUT)).play.leader == "C"
    assert (open_hand(state).play.leader, open_hand(state).play.winners) == ("D", ("D",))


def test_s7_who_can_follow_must_follow() -> None:
    state = given(*WITHOUT, deal(ONE_SUIT_EACH))

    with refused(
        "revoke",
        rule="S7",
        path="plays[0][1]",
        says="B can follow Sabaccs and must, so not 1F but -6 -7 -8 -9",
    ):
        when(state, trick("-10 1F -2 -14"))


def test_s7_without_the_suit_a_sabacc_is_played() -> None:
    state = given(*WITHOUT, deal(ONE_SUIT_EACH))

    with refused(
        "must_trump",
        rule="S7",
        path="plays[0][1]",
        says="B has no sabres and must play a Sabacc, so not 1F but -6 -7 -8 -9",
    ):
        when(state, trick("1S 1F -2 -14"))
    assert open_hand(after(state, trick("1S -9 -2 -14"))).play.winners == ("D",)


def test_s7_with_neither_any_card_may_be_played() -> None:
    state = given(*WITHOUT, trick("1S 1F -2 -14"), trick("1T 2S 2F -3"))

    assert open_hand(state).play.winners == ("D", "A")


def test_s7_there_is_no_duty_to_beat() -> None:
    assert open_hand(given(*WITHOUT, deal(ONE_SUIT_EACH), trick("-13 -6 -2 -14"))).play.winners == (
        "D",
    )


def test_s7_a_revoke_shows_when_the_suit_is_played_later() -> None:
    state = given(*WITHOUT, trick("1S -9 -2 -14"))

    with refused(
        "revoke",
        rule="S7",
        path="plays[1][3]",
        says="A did not follow sabres in trick 1 and plays 3S now",
    ):
        when(state, trick("1T 5S 4F 3S"))


def test_s7_a_missing_sabacc_shows_when_one_is_played_later() -> None:
    state = given(*WITHOUT, trick("1S 1F -2 -14"))

    with refused(
        "must_trump",
        rule="S7",
        path="plays[1][2]",
        says="B had no sabres in trick 1, played no Sabacc, and plays -9 now",
    ):
        when(state, trick("1T 2T -9 3C"))


def test_s7_an_accepted_play_is_taken_as_it_happened() -> None:
    state = given(*WITHOUT, deal(ONE_SUIT_EACH), accept_play(1, "B"), trick("1S 1F -2 -14"))

    assert open_hand(after(state, trick("1T -10 -6 -3"))).play.winners == ("D", "C")


def test_s7_no_ruling_makes_up_a_card() -> None:
    with refused("card_not_held", rule="S7", path="plays[0][1]", says="B doesn't hold 2S"):
        when(given(*WITHOUT, deal(ONE_SUIT_EACH), accept_play(1, "B")), trick("1S 2S -2 -14"))


def test_s7_a_card_is_played_once() -> None:
    state = given(*WITHOUT, trick("1S -9 -2 -14"))

    for cards, place in (("1T 2T 2T 3T", 2), ("1S 2T 3T 4T", 0)):
        with refused("bad_total", rule="S7", path=f"plays[1][{place}]", says="is played twice"):
            when(state, trick(cards))
    with refused("bad_total", rule="S7", path="plays[1]", says="a trick is 4 cards, not 3"):
        when(state, trick("1T 2T 3T"))


def test_s2_a_deal_gives_each_card_once() -> None:
    twice = {**ONE_SUIT_EACH, "B": ["1C", *ONE_SUIT_EACH["B"][1:]]}
    short = {**ONE_SUIT_EACH, "B": ONE_SUIT_EACH["B"][1:]}
    with refused("bad_total", rule="S2", path="deal.B[0]", says="1C is there twice"):
        when(given(*WITHOUT), deal(twice))
    with refused(
        "bad_total",
        rule="S2",
        path="deal.B",
        says="B was dealt 17 cards; with 4 players a holding has 18",
    ):
        when(given(*WITHOUT), deal(short))


def test_s2_the_talon_has_the_cards_that_were_not_dealt() -> None:
    with refused("bad_total", rule="S2", path="talon[5]", says="1C is there twice"):
        when(given(*WITHOUT, deal(ONE_SUIT_EACH)), talon("-18 -19 -20 -21 -1 1C"))
    with refused(
        "bad_total", rule="S2", path="talon", says="the talon has 6 cards with 4 players, not 5"
    ):
        when(given(*WITHOUT), talon("-18 -19 -20 -21 -1"))


def test_s6_a_talon_that_lies_unseen_is_played_by_nobody() -> None:
    with refused("bad_total", rule="S6", path="plays[0][0]", says="-18 lies in the talon"):
        when(given(*WITHOUT, talon(" ".join(TALON))), trick("-18 -9 -2 -14"))


def test_s6_what_the_declarer_took_up_is_played_by_nobody_else() -> None:
    state = given(dealt("D"), contract("A", "take"), talon(" ".join(TALON)))

    with refused(
        "card_not_held", rule="S6", path="plays[0][0]", says="A took it up with the talon"
    ):
        when(state, trick("-18 -9 -2 -14"))
    assert open_hand(after(state, trick("-10 -9 0 -14"))).play.winners == ("A",)


def test_s6_as_many_cards_are_set_aside_as_the_talon_had() -> None:
    with refused(
        "bad_discard",
        rule="S6",
        path="aside",
        says="as many cards are set aside as the talon had, 6, not 5",
    ):
        when(given(*TAKEN), aside("1C 2C 3C 4C 5C"))
    with refused("bad_total", rule="S6", path="aside[5]", says="5C is there twice"):
        when(given(*TAKEN), aside("1C 2C 3C 4C 5C 5C"))
    with refused(
        "bad_discard", rule="S6", path="aside", says="nothing is set aside in guard without"
    ):
        when(given(*WITHOUT), aside(" ".join(LOW_COINS)))


@pytest.mark.parametrize("card", ["14C", "0", "-1", "-21"])
def test_s6_no_master_and_no_honour_is_set_aside(card: str) -> None:
    with refused(
        "bad_discard", rule="S6", path="aside[5]", says=f"{card_name(card)} can't be set aside"
    ):
        when(given(*TAKEN), aside(f"1C 2C 3C 4C 5C {card}"))


def test_s6_a_sabacc_is_set_aside_only_when_nothing_else_is_left() -> None:
    with refused("bad_discard", rule="S6", path="aside", says="-2 can't be set aside"):
        when(given(*TAKEN), aside("1C 2C 3C 4C 5C -2"))
    masters = ["14C", "14F", "14S", "14T"]
    few = strong_holdings(
        ["1C", *masters, *(f"-{number}" for number in range(2, 15))],
        talon=["-15", "-16", "-17", "-18", "-19", "-20"],
    )
    state = given(dealt("D"), contract("A", "take"), deal(few))

    assert open_hand(after(state, aside("1C -2 -3 -4 -5 -6"))).aside == (
        "1C",
        "-2",
        "-3",
        "-4",
        "-5",
        "-6",
    )
    with refused("bad_discard", rule="S6", path="aside", says="-2 can't be set aside"):
        when(state, aside("-2 -3 -4 -5 -6 -7"))


def test_s6_a_sabacc_set_aside_beside_a_card_that_is_played_later_is_refused() -> None:
    few = strong_holdings(
        ["2C", *(f"-{number}" for number in range(2, 19))],
        talon=["1C", "3C", "4C", "5C", "6C", "7C"],
    )
    kept = {**few, "A": [*few["A"][:12], *(f"{rank}C" for rank in (1, 3, 4, 5, 6, 7))]}
    with refused("bad_discard", rule="S6", path="hands[0].aside", says="-13 can't be set aside"):
        scored(
            hand(
                "A",
                "take",
                aside=["-13", "-14", "-15", "-16", "-17", "-18"],
                plays=play_out(kept, "D"),
            )
        )


def test_s6_only_cards_the_declarer_holds_are_set_aside() -> None:
    with refused("card_not_held", rule="S6", path="aside[0]", says="A does not hold 1F"):
        when(given(*TAKEN), aside("1F 2C 3C 4C 5C 6C"))
    with refused("card_not_held", rule="S7", path="plays[0][2]", says="A doesn't hold 6C"):
        when(given(*TAKEN, aside(" ".join(LOW_COINS))), trick("10S -9 6C -14"))


def test_s6_a_declarer_who_may_have_set_the_suit_aside_is_not_accused() -> None:
    state = given(*TAKEN)

    assert open_hand(after(state, trick("1S -9 -2 -14"), trick("1T -10 -6 -3"))).play.trick == 3
    with refused(
        "must_trump", rule="S7", path="plays[0][2]", says="A has no sabres and must play a Sabacc"
    ):
        when(state, trick("1S -9 1C -14"))


def test_s6_an_aside_that_nobody_wrote_down_is_what_nobody_played() -> None:
    holdings = {
        **ONE_SUIT_EACH,
        "A": [card for card in ONE_SUIT_EACH["A"] + TALON if card not in LOW_COINS],
    }
    wrong = {
        **ONE_SUIT_EACH,
        "A": [card for card in ONE_SUIT_EACH["A"] + TALON if card not in ["14C", *LOW_COINS[1:]]],
    }
    shown = scored(hand("A", "take", plays=play_out(holdings, "D")))["hands"][0]

    assert (
        shown["points"]
        == scored(hand("A", "take", plays=play_out(holdings, "D"), aside=LOW_COINS))["hands"][0][
            "points"
        ]
    )
    with refused(
        "bad_discard",
        rule="S6",
        path="hands[0].plays",
        says="Master of coins was played by nobody, so it was set aside",
    ):
        scored(hand("A", "take", plays=play_out(wrong, "D")))


def test_s7_play_begins_after_the_bidding() -> None:
    acts: dict[str, Command] = {
        "plays": trick("1S -9 -2 -14"),
        "points": points(40),
        "aside": aside("1C 2C 3C 4C 5C 6C"),
    }
    for path, act in acts.items():
        with refused("out_of_turn", rule="S3", path=path, says="A calls first"):
            when(given(dealt("D")), act)


def test_the_order_of_checks_says_a_card_that_is_not_held_before_a_revoke() -> None:
    plays = [["1S", "1F", "-2", "-14"], ["1T", "-10", "2S", "-3"]]
    with refused("card_not_held", rule="S7", path="hands[0].plays[1][2]", says="doesn't hold 2S"):
        scored(hand("B", "guard_without", deal=ONE_SUIT_EACH, plays=plays, points=40))


def test_a_card_in_talon_and_play_is_there_twice() -> None:
    plays = [["1S", "-9", "-2", "-14"], ["-18", "3C", "2S", "2F"]]
    with refused("bad_total", rule="S7", path="hands[0].plays[1][0]", says="-18 is there twice"):
        scored(hand("B", "guard_without", talon=TALON, plays=plays, points=40))


@pytest.mark.parametrize(
    ("act", "path"),
    [
        (deal(ONE_SUIT_EACH), "deal"),
        (talon(" ".join(TALON)), "talon"),
        (aside("1C 2C 3C 4C 5C 6C"), "aside"),
    ],
)
def test_s6_deal_talon_and_aside_are_written_down_once_before_the_first_trick(
    act: Command, path: str
) -> None:
    taken: list[Command] = [dealt("D"), contract("A", "take")]
    for acts in ([*taken, act], [*taken, trick("1S -9 -2 -14")]):
        with refused(
            "out_of_turn", rule="S6", path=path, says="is written down once, before the first trick"
        ):
            when(given(*acts), act)
