"""The rules of the patience, each as a sentence: the first King, foundations, waste and stock,
redeals, the result (O1 to O6).
"""

import pytest

from scoring.commands import AdjustPoints, EndGame, Undo
from scoring.errors import NotationError
from scoring.events import GameClosed, HandClosed
from scoring.patience.commands import BuildCard, WasteCard, WasteCards
from scoring.patience.decide import decide
from scoring.patience.events import CardBuilt, CardWasted, DealEnded, KingSet, WasteTurned
from tests.scoring.patience.table import (
    DIRECTOR,
    SORTED,
    WAITING,
    after,
    counted,
    ended,
    given,
    king,
    moved,
    opened,
    record,
    refused,
    scored,
    stacked,
    started,
    totals,
    turned_up,
)


def test_o1_the_first_king_of_the_stock_is_put_on_foundation_1_before_the_deal() -> None:
    state = given(opened("2S KH KD"), *moved("- -"))

    assert state.hand is not None
    assert (state.hand.deal.tops[0], state.hand.deal.waste) == ("KH", ("2S", "KD"))
    assert state.hand.deal.size == 103


def test_o1_of_an_unknown_stock_it_is_said_which_king_was_put_out() -> None:
    state = given(opened())

    assert decide(king("KD"), state) == [KingSet(card="KD")]
    with refused("out_of_turn", rule="O1", path="moves[0]", says="which King"):
        decide(WasteCard(card="2S"), state)
    with refused("bad_build", rule="O2", path="card", says="not the Queen of Hearts"):
        decide(king("QH"), state)
    with refused("out_of_turn", rule="O1", path="", says="no King"):
        decide(king(), after(state, king()))


def test_o1_first_available_starts_foundation_1_when_a_king_turns_up() -> None:
    state = given(opened("QS KH"), **WAITING)

    with refused(
        "bad_build",
        rule="O2",
        path="moves[0]",
        says="foundation 1 starts with a King, not the Queen of Spades",
    ):
        decide(BuildCard(foundation=1), state)
    assert decide(BuildCard(foundation=1), after(state, *moved("-"))) == [
        CardBuilt(card="KH", foundation=1)
    ]
    with refused("out_of_turn", rule="O1", path="", says="no King"):
        decide(king(), state)


@pytest.mark.parametrize(("foundation", "base"), list(enumerate("KQJT9876", 1)))
def test_o2_the_bases_are_king_to_6(foundation: int, base: str) -> None:
    others = [rank + "S" for rank in "KQJT9876"[: foundation - 1]]
    state = given(
        opened([*others, base + "H"]), *moved(" ".join(map(str, range(1, foundation)))), **WAITING
    )

    assert decide(BuildCard(foundation=foundation), state) == [
        CardBuilt(card=base + "H", foundation=foundation)
    ]
    for waiting in range(foundation + 1, 9):
        with refused(
            "bad_build", rule="O2", path=f"moves[{foundation - 1}]", says=f"foundation {waiting}"
        ):
            decide(BuildCard(foundation=waiting), state)


def test_o2_a_foundation_starts_only_when_the_one_to_its_left_has_started() -> None:
    state = given(opened("KS JH QH"))

    with refused(
        "bad_build",
        rule="O2",
        path="moves[0]",
        says="foundation 3 waits until foundation 2 has its first card",
    ):
        decide(BuildCard(foundation=3), state)
    assert decide(BuildCard(foundation=3, waste=True), after(state, *moved("- 2"))) == [
        CardBuilt(card="JH", foundation=3, waste=True)
    ]


def test_o3_a_foundation_is_built_down_whatever_the_suit() -> None:
    state = given(opened("KS QH JC 9D"), *moved("1 1"))

    with refused(
        "bad_build",
        rule="O3",
        path="moves[2]",
        says="foundation 1 takes a 10, not the 9 of Diamonds",
    ):
        decide(BuildCard(foundation=1), state)


def test_o3_a_king_goes_on_an_ace() -> None:
    queens = [*(f"{rank}S" for rank in "QJT98765432A"), "KH"]
    state = given(opened(["KS", *queens]), *moved("2 " * 12))

    assert decide(BuildCard(foundation=2), state) == [CardBuilt(card="KH", foundation=2)]


def test_o3_a_foundation_is_full_with_13_cards() -> None:
    state = given(opened(f"{rank}S" for rank in "KQJT98765432A"), *moved("1 " * 12))

    with refused(
        "bad_build", rule="O3", path="moves[12]", says="foundation 1 is full with 13 cards"
    ):
        decide(BuildCard(foundation=1), state)


def test_o4_a_card_of_the_stock_is_built_or_goes_to_the_waste() -> None:
    state = given(opened("KS QH 2D"))

    assert decide(BuildCard(foundation=1), state) == [CardBuilt(card="QH", foundation=1)]
    assert decide(WasteCard(), state) == [CardWasted(card="QH")]


def test_o4_only_the_top_of_the_waste_can_be_built() -> None:
    state = given(opened("KS QH 2D"))

    with refused("bad_build", rule="O4", path="moves[0]", says="the waste is empty"):
        decide(BuildCard(foundation=1, waste=True), state)
    with refused("bad_build", rule="O4", path="moves[2]", says="the 2 of Diamonds is on top"):
        decide(BuildCard(foundation=1, waste=True, card="QH"), after(state, *moved("- -")))


def test_o4_a_card_below_becomes_the_top_when_the_one_above_it_is_built() -> None:
    state = given(opened("KS JH QD"), *moved("- - w1"))

    assert decide(BuildCard(foundation=1, waste=True), state) == [
        CardBuilt(card="JH", foundation=1, waste=True)
    ]


def test_o4_the_next_card_is_the_one_that_the_stock_has() -> None:
    state = given(opened("KS QH"))

    with refused(
        "card_not_held",
        rule="O4",
        path="moves[0]",
        says="the next card of the stock is the Queen of Hearts",
    ):
        decide(WasteCard(card="QD"), state)


def test_o4_a_card_of_an_unknown_stock_has_to_be_named() -> None:
    with pytest.raises(NotationError, match="name the card"):
        decide(WasteCard(), given(opened(), king()))


def test_o4_several_cards_go_to_the_waste_at_once_only_where_they_are_known() -> None:
    state = given(opened("KS QH 2D"))

    assert decide(WasteCards(cards=2), state) == [CardWasted(card="QH"), CardWasted(card="2D")]
    with refused("bad_build", rule="O4", path="moves[0]", says="of the next cards 103 are known"):
        decide(WasteCards(cards=104), state)
    with refused("bad_build", rule="O4", path="moves[0]", says="of the next cards 0 are known"):
        decide(WasteCards(cards=1), given(opened(), king()))


def test_o4_there_are_two_of_each_card() -> None:
    state = given(opened(), king("KH"), *turned_up("2S KH 2S"))

    for card in ("2S", "KH"):
        with refused("bad_total", rule="O4", path="moves[3]", says="two packs have two"):
            decide(WasteCard(card=card), state)
    decide(WasteCard(card="KD"), state)


def test_o5_the_waste_is_turned_over_unshuffled() -> None:
    state = given(opened(SORTED), *moved("- " * 103), *moved("turn"))

    assert state.hand is not None
    assert state.hand.deal.stock == tuple(SORTED[:-8] + SORTED[-7:])
    assert (state.hand.deal.waste, state.hand.deal.passes, state.hand.deal.stock_left) == (
        (),
        2,
        103,
    )


def test_o5_the_second_pass_of_an_unknown_stock_is_known() -> None:
    state = given(opened(), king("KS"), *turned_up(" ".join(stacked("KS")[1:])), *moved("turn"))

    assert state.hand is not None
    assert state.hand.deal.next_card == "AS"
    with refused("card_not_held", rule="O4", path="moves[104]", says="Ace of Spades"):
        decide(WasteCard(card="2S"), state)


def test_o5_the_waste_is_turned_only_when_the_stock_is_used_up() -> None:
    state = given(opened(SORTED), *moved("- " * 102))

    with refused("bad_build", rule="O5", path="moves[102]", says="1 card is still in the stock"):
        decide(moved("turn")[0], state)
    assert decide(moved("turn")[0], after(state, *moved("-"))) == [WasteTurned()]


@pytest.mark.parametrize("redeals", [0, 1, 2, 5])
def test_o5_it_is_turned_over_as_often_as_the_redeals_say(redeals: int) -> None:
    through = "- " * 103
    state = given(opened(SORTED), *moved((through + "turn ") * redeals + through), redeals=redeals)

    with refused(
        "bad_build",
        rule="O5",
        path=f"moves[{104 * redeals + 103}]",
        says=f"pass {redeals + 1} is the last one",
    ):
        decide(moved("turn")[0], state)


def test_o5_nothing_is_dealt_from_a_stock_that_is_used_up() -> None:
    state = given(opened(SORTED), *moved("- " * 103))

    for act in (WasteCard(), WasteCard(card="AS"), BuildCard(foundation=1)):
        with refused("bad_build", rule="O5", path="moves[103]", says="the stock is used up"):
            decide(act, state)


def test_o6_a_deal_ends_with_an_empty_stock() -> None:
    state = given(opened(SORTED), *moved("- " * 102))

    with refused("bad_total", rule="O6", path="moves", says="1 card is still in the stock"):
        decide(ended(), state)
    assert decide(ended(767), after(state, *moved("-"))) == [
        DealEnded(seconds=767),
        HandClosed(number=1),
    ]


def test_o6_the_result_is_the_cards_built() -> None:
    hand = totals(13, 13, 9, 7, 6, 4, 2, 0, seconds=767)

    assert scored(record(hand))["hands"] == [
        {
            "number": 1,
            "built": 54,
            "foundations": [13, 13, 9, 7, 6, 4, 2, 0],
            "passes": 3,
            "won": False,
            "seconds": 767,
        }
    ]


def test_o6_out_is_104_cards_and_the_score_adds_up_the_deals() -> None:
    result = scored(record(totals(*[13] * 8, passes=1), totals(1, 0, 0, 0, 0, 0, 0, 0)))

    assert [hand["won"] for hand in result["hands"]] == [True, False]
    assert result == {
        "id": "made",
        "game": "order_of_precedence",
        "hands": result["hands"],
        "score": 105,
    }


@pytest.mark.parametrize(
    ("lengths", "rule", "path", "says"),
    [
        ("14 0 0 0 0 0 0 0", "O3", "built[0]", "0 to 13 cards, not 14"),
        ("5 -1 0 0 0 0 0 0", "O3", "built[1]", "not -1"),
        ("5 0 1 0 0 0 0 0", "O2", "built[2]", "foundation 2 is empty"),
        ("0 0 0 0 0 0 0 0", "O1", "built[0]", "at least the King"),
    ],
)
def test_lengths_that_cannot_be_are_refused(lengths: str, rule: str, path: str, says: str) -> None:
    with refused("bad_total", rule=rule, path=path, says=says):
        decide(counted(lengths), given(opened()))


def test_no_card_built_at_all_is_possible_where_no_king_is_put_out() -> None:
    state = given(opened(), counted("0 0 0 0 0 0 0 0"), **WAITING)

    assert state.score == 0


@pytest.mark.parametrize("passes", [0, 4])
def test_passes_are_one_to_the_redeals_and_one(passes: int) -> None:
    with refused("bad_total", rule="O5", path="passes", says="1 to 3 passes"):
        decide(counted("1 0 0 0 0 0 0 0", passes), given(opened()))


def test_lengths_after_some_moves_cannot_be_less_than_those_moves() -> None:
    state = given(opened("KS QH"), *moved("1 " + "- " * 102 + "turn"))

    with refused("bad_total", rule="O3", path="built[0]", says="has 2 cards as recorded"):
        decide(counted("1 0 0 0 0 0 0 0"), state)
    with refused("bad_total", rule="O5", path="passes", says="pass 2 as recorded"):
        decide(counted("2 0 0 0 0 0 0 0", 1), state)
    assert after(state, counted("2 0 0 0 0 0 0 0", 2)).score == 2


def test_a_ruling_adds_points_to_the_score_and_leaves_the_cards_built_as_they_are() -> None:
    state = given(
        opened(), AdjustPoints(side="A", points=-4, **DIRECTOR), counted("9 0 0 0 0 0 0 0")
    )

    assert (state.score, state.done[0].result.built) == (5, 9)


def test_a_called_game_takes_no_further_deal() -> None:
    end = EndGame(kind="called", **DIRECTOR)
    with refused("out_of_turn", rule="Called games", path="ended", says="after a deal was played"):
        decide(end, started())
    with refused("out_of_turn", rule="Called games", path="ended", says="a deal is open"):
        decide(end, given(opened()))
    played = given(opened(), counted("9 0 0 0 0 0 0 0"))
    assert decide(end, played) == [GameClosed(kind="called", **DIRECTOR)]
    for act in (opened(), ended(), king()):
        with refused("game_over", rule="Called games", path="", says="the game is over"):
            decide(act, after(played, end))
    with refused("game_over", rule="Called games", path="ended", says="the game is over already"):
        decide(end, after(played, end))


def test_a_deal_is_opened_when_the_one_before_is_over() -> None:
    with refused("out_of_turn", rule="O4", path="", says="deal 1 is still open"):
        decide(opened(), given(opened()))
    with refused("out_of_turn", rule="O4", path="", says="no deal is open"):
        decide(WasteCard(), started())


def test_undo_takes_back_one_move_after_the_other_and_the_end_of_a_deal() -> None:
    before = given(opened(SORTED), *moved("- " * 103))
    closed = after(before, ended(60))
    undone = after(closed, Undo(version=before.version + 1))

    assert undone.hand == before.hand
    assert undone.score == 0
    again = after(undone, Undo(version=before.version))
    assert again.hand is not None
    assert again.hand.deal.stock_left == 1
    with refused("out_of_turn", rule="Corrections", path="version", says="only the last act"):
        decide(Undo(version=3), again)
