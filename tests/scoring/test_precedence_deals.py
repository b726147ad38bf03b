"""How a game and each of its hands begin: deal, variant, stakes, trump, misdeals (P1 to P5,
P25).
"""

import pytest

from scoring.commands import StartGame, Undo
from scoring.errors import Refusal
from scoring.events import ChipsMoved, GameClosed, HandMisdealt
from scoring.precedence.commands import CallMisdeal, Command
from scoring.precedence.decide import decide
from scoring.precedence.events import GameStarted, HandOpened
from scoring.precedence.legal import offer
from scoring.precedence.play import table
from scoring.precedence.rules import read_rules
from tests.scoring.table import (
    PLAYERS,
    accept_hand,
    after,
    bids,
    chips_of,
    dealt,
    decided,
    game,
    given,
    hand,
    meld,
    move_chips,
    record,
    refused,
    ruling,
    scored,
    totals,
    trick,
    when,
)

HAND: list[Command] = [dealt("N"), *bids("E", 3, 3, 3, 3), totals(7, 6)]
MISDEAL = {"misdeal": True}


def test_p1_the_dealer_of_the_next_hand_sits_left_of_the_last() -> None:
    result = scored(*[hand(7)] * 5, dealer="S")

    assert [each["dealer"] for each in result["hands"]] == ["S", "W", "N", "E", "S"]


def test_p1_another_dealer_is_refused() -> None:
    with refused("bad_dealer", rule="P1", path="dealer", says="East deals this hand, not South"):
        when(given(*HAND), dealt("S"))


def test_p1_the_first_hand_must_name_its_dealer() -> None:
    with refused("bad_record", rule="P1", path="dealer", says="names its dealer"):
        when(game(), dealt())


def test_p1_the_rotation_goes_on_from_an_excused_dealer() -> None:
    state = given(
        *HAND,
        dealt("S", accepted=(accept_hand("bad_dealer"),)),
        *bids("W", 3, 3, 3, 3),
        totals(7, 6),
        dealt(),
    )

    assert state.hand is not None
    assert state.hand.dealer == "W"


def test_p1_play_goes_clockwise_from_the_left_of_the_dealer() -> None:
    state = given(dealt("W", "V"), *bids("N", 3, 3, 3, 3))

    assert offer(table(state), [])["seat"] == "N"
    assert offer(table(state), ["2V"])["seat"] == "E"
    assert offer(table(state), ["2V", "3V", "4V"])["seat"] == "W"


@pytest.mark.parametrize(
    ("variant", "right", "wrong"),
    [("core", "Stellar", "Void"), ("frontier", "Void", "Stellar"), ("void", "Void", "Stellar")],
)
def test_p2_the_other_pilots_name_is_an_error(variant: str, right: str, wrong: str) -> None:
    suits = ("Border", "Core", "Frontier")
    named = [
        {
            "seat": "E",
            "kind": "triad",
            "cards": [f"{right}pilot of {suit}".replace("Stellarp", "StellarP") for suit in suits],
        }
    ]
    other = [
        {
            "seat": "E",
            "kind": "triad",
            "cards": [f"{wrong}pilot of {suit}".replace("Stellarp", "StellarP") for suit in suits],
        }
    ]

    assert scored(hand(7, melds=named), variant=variant)["hands"][0]["meld_points"] == {
        "NS": 0,
        "EW": 5,
    }
    with refused(
        "bad_record", rule="P2", path="hands[0].melds[0].cards[0]", says=f"the card is the {right}"
    ):
        decided(record(hand(7, melds=other), variant=variant))


@pytest.mark.parametrize("variant", ["core", "frontier", "void"])
def test_p2_the_code_p_is_right_in_every_variant(variant: str) -> None:
    melds = [{"seat": "E", "kind": "triad", "cards": ["PV", "PF", "PB"]}]

    assert scored(hand(7, melds=melds), variant=variant)["hands"][0]["meld_points"]["EW"] == 5


def test_p3_each_player_pays_the_accord_stake_at_the_start() -> None:
    assert chips_of(game()) == {"N": -5, "E": -5, "S": -5, "W": -5, "accord": 20}
    assert chips_of(game(accord_stake=8))["accord"] == 32
    assert chips_of(game(accord_stake=0)) == {}


def test_p4_each_player_pays_the_ante_at_the_start_of_each_hand() -> None:
    assert when(game(ante=2), dealt("N")) == [
        HandOpened(number=1, dealer="N", trump="V"),
        *[
            ChipsMoved(source=seat, target="hand", chips=2, why="ante", rule="P4")
            for seat in "NESW"
        ],
    ]
    assert when(game(ante=0), dealt("N")) == [HandOpened(number=1, dealer="N", trump="V")]


def test_p4_no_hand_is_opened_while_another_is_open() -> None:
    with refused("out_of_turn", rule="P4", path="", says="hand 1 is still open"):
        when(given(dealt("N")), dealt())


@pytest.mark.parametrize(("first", "expected"), [("V", "VFBCVF"), ("B", "BCVFBC")])
def test_p5_trumps_go_round_void_frontier_border_core(first: str, expected: str) -> None:
    result = scored(*[hand(7)] * 6, first_trump=first, target_score=1000)

    assert "".join(each["trump"] for each in result["hands"]) == expected


def test_p5_an_unexpected_trump_is_refused_under_rotation() -> None:
    assert scored(hand(7, trump="V"))["hands"][0]["trump"] == "V"
    with refused(
        "bad_trump",
        rule="P5",
        path="hands[1].trump",
        says="Frontier is trump in this hand, not Core",
    ):
        decided(record(hand(7), hand(7, trump="C")))


def test_p5_the_rotation_goes_on_from_an_excused_trump() -> None:
    excused = hand(7, trump="B", rulings=[ruling("accept_hand", excuses=["bad_trump"])])

    assert [each["trump"] for each in scored(hand(7), excused, hand(7))["hands"]] == ["V", "B", "C"]


def test_p5_a_declared_trump_must_be_named_by_each_hand() -> None:
    assert [
        each["trump"]
        for each in scored(hand(7, trump="C"), hand(7, trump="C"), trump="declared")["hands"]
    ] == ["C", "C"]
    with refused("bad_trump", rule="P5", path="hands[1].trump", says="V, F, B or C"):
        decided(record(hand(7, trump="C"), hand(7), trump="declared"))


def test_p25_a_misdeal_is_dealt_again_by_the_same_dealer_with_the_same_trump_and_no_number() -> (
    None
):
    result = scored(hand(7), MISDEAL, MISDEAL, hand(7), hand(7))

    assert [(each["number"], each["dealer"], each["trump"]) for each in result["hands"]] == [
        (1, "N", "V"),
        (2, "E", "F"),
        (3, "S", "B"),
    ]


@pytest.mark.parametrize(
    ("key", "value", "code", "says"),
    [("dealer", "S", "bad_dealer", "same dealer"), ("trump", "B", "bad_trump", "trump stays")],
)
def test_p25_another_dealer_or_trump_after_a_misdeal_is_refused(
    key: str, value: str, code: str, says: str
) -> None:
    with refused(code, rule="P25", path=f"hands[2].{key}", says=says):
        decided(record(hand(7), MISDEAL, hand(7) | {key: value}))


def test_p25_a_misdeal_keeps_its_trump_where_trumps_are_declared() -> None:
    assert scored(dict(MISDEAL, trump="B"), hand(7), trump="declared")["hands"][0]["trump"] == "B"
    with refused("bad_trump", rule="P25", path="hands[1].trump", says="Border is trump"):
        decided(record(dict(MISDEAL, trump="B"), hand(7, trump="V"), trump="declared"))


def test_p25_a_misdeal_that_named_no_trump_leaves_the_trump_to_the_next_deal() -> None:
    assert scored(MISDEAL, hand(7, trump="B"), trump="declared")["hands"][0]["trump"] == "B"
    with refused("bad_trump", rule="P5", path="hands[1].trump", says="names its trump"):
        decided(record(MISDEAL, hand(7), trump="declared"))


def test_p25_the_antes_of_a_misdeal_count_as_those_of_the_redealt_hand() -> None:
    plain = scored(hand(7), hand(7), ante=3)
    redealt = scored(MISDEAL, hand(7), MISDEAL, MISDEAL, hand(7), ante=3)

    assert redealt == plain
    assert redealt["hands"][0]["hand_pot"]["amount"] == 4 * 3 + 12


def test_p25_a_buy_in_of_a_misdeal_is_not_written_again_with_the_redealt_hand() -> None:
    read, _, state = decided(record(dict(MISDEAL, buy_ins={"E": 9}), hand(7), opening_chips=100))

    assert [each.get("buy_ins") for each in read.game.write_hands(state)] == [{"E": 9}, None]


def test_p25_the_antes_of_a_misdeal_are_refunded_with_those_of_the_redealt_hand() -> None:
    neither = hand(7, bid=(4, 4, 4, 3))

    assert scored(MISDEAL, neither, no_winner_pot="refund")["hands"][0]["chips"] == {
        "N": 0,
        "E": 0,
        "S": 0,
        "W": 0,
    }


def test_p25_a_misdeal_does_not_count_for_the_limit_of_hands() -> None:
    result = scored(hand(7), MISDEAL, hand(7), hands_limit=2)

    assert result["finished"]
    assert len(result["hands"]) == 2


def test_p25_a_misdeal_called_after_melds_and_bids_gives_back_what_was_paid_but_the_antes() -> None:
    opened = given(dealt("N"))
    called = after(opened, meld("E", "triad", "2V 2F 2B"), *bids("E", 3, 4), CallMisdeal())

    assert called.hand is None
    assert called.balances == {**opened.balances, "accord": 20}
    assert opened.hand is not None
    assert called.done[0].hand.moves == opened.hand.moves
    assert (len(called.done[0].hand.melds), called.done[0].hand.bids) == (1, {"E": 3, "S": 4})
    assert when(after(opened, *bids("E", 2)), CallMisdeal()) == [
        HandMisdealt(),
        ChipsMoved(source="hand", target="E", chips=2, why="misdeal", rule="P25"),
    ]


def test_p25_a_misdeal_called_during_play_gives_the_same_game_as_one_recorded_as_such() -> None:
    before, ruled = bids("E", 3, 4, 3, 3), move_chips("N", "hand", 2)
    called = given(
        dealt("N"),
        *before,
        trick("2V 3V 4V 5V"),
        ruled,
        CallMisdeal(),
        dealt(),
        *bids("E", 3, 3, 3, 3),
        totals(7, 6),
    )
    written = given(
        dealt("N", misdealt=True),
        *before,
        ruled,
        CallMisdeal(),
        dealt(),
        *bids("E", 3, 3, 3, 3),
        totals(7, 6),
    )

    assert (called.score, called.balances, called.done) == (
        written.score,
        written.balances,
        written.done,
    )


def test_p25_a_misdeal_called_in_error_can_be_taken_back() -> None:
    before = given(dealt("N"), meld("E", "triad", "2V 2F 2B"), *bids("E", 3, 4))
    called = after(before, CallMisdeal())
    taken_back = after(called, Undo(version=before.version + 1))

    assert taken_back.hand == before.hand
    assert taken_back.balances == before.balances
    assert (
        after(taken_back, *bids("W", 3, 3), totals(7, 6)).score
        == after(before, *bids("W", 3, 3), totals(7, 6)).score
    )


def test_p25_a_misdeal_needs_an_open_hand() -> None:
    with refused("out_of_turn", rule="P4", path="", says="no hand is open"):
        when(game(), CallMisdeal())


def test_p25_a_misdeal_has_no_play_and_no_ruling_on_its_play() -> None:
    with refused("bad_record", rule="P25", path="hands[0].tricks", says="dealt again"):
        decided(record(dict(hand(7), **MISDEAL)))
    with refused("bad_record", rule="", path="hands[0].rulings[0].kind", says="accept_hand"):
        decided(record(dict(MISDEAL, rulings=[ruling("adjust_points", side="NS", points=5)])))


def test_p25_an_excused_dealer_of_a_misdeal_deals_again() -> None:
    excused = dict(MISDEAL, dealer="S", rulings=[ruling("accept_hand", excuses=["bad_dealer"])])

    assert [each["dealer"] for each in scored(hand(7), excused, hand(7), hand(7))["hands"]] == [
        "N",
        "S",
        "W",
    ]


def test_a_game_starts_once_with_four_different_players() -> None:
    start = StartGame(record="game-1", players=tuple(PLAYERS.items()), rules=read_rules({}))
    twice = StartGame(
        record="game-1", players=(*tuple(PLAYERS.items())[:3], ("W", "Asha")), rules=read_rules({})
    )
    three = StartGame(record="game-1", players=tuple(PLAYERS.items())[:3], rules=read_rules({}))

    assert isinstance(decide(start, None)[0], GameStarted)
    with refused("bad_record", rule="", path="players", says="two seats"):
        decide(twice, None)
    with refused("bad_record", rule="", path="players", says="four"):
        decide(three, None)
    with refused("out_of_turn", rule="P3", path="", says="started already"):
        decide(start, game())
    with refused("out_of_turn", rule="P3", path="", says="hasn't been started"):
        decide(dealt("N"), None)


def test_nothing_can_be_done_in_a_game_that_is_over() -> None:
    over = given(*HAND, hands_limit=1)

    assert isinstance(over.closed, GameClosed)
    acts: list[Command] = [
        dealt(),
        *HAND[1:2],
        totals(7, 6),
        meld("E", "triad", "2V 2F 2B"),
        CallMisdeal(),
    ]
    for act in acts:
        with pytest.raises(Refusal, match="game is over") as caught:
            decide(act, over)
        assert caught.value.code == "game_over"
