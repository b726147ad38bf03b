"""Card points, contract, bonus, the end of the game and rulings (S8 to S13, Infractions)."""

from typing import Any

import pytest

from scoring.events import ChipsMoved
from scoring.records import decide_record, read_record, write_record
from scoring.sabacc.cards import ALL_POINTS, SABACCS, WORTH
from scoring.sabacc.commands import Command, CountPile
from scoring.sabacc.play import table
from tests.scoring.sabacc.table import (
    NAMES,
    ONE_SUIT_EACH,
    STRONG,
    TALON,
    adjust_points,
    adjust_tricks,
    after,
    chips_of,
    contract,
    deal,
    dealt,
    game,
    given,
    hand,
    move_chips,
    open_hand,
    play_out,
    points,
    record,
    refused,
    scored,
    strong_holdings,
    talon,
    trick,
    void,
    when,
)
from tests.scoring.table import DIRECTOR

TAKE: list[Command] = [dealt("D"), contract("B", "take")]


def test_s8_the_pack_has_91_points() -> None:
    worth = {kind: {WORTH[card] / 2 for card in cards.split()} for kind, cards in KINDS.items()}

    assert worth == {
        "honour": {4.5},
        "mistress": {3.5},
        "commander": {2.5},
        "legate": {1.5},
        "other": {0.5},
    }
    assert sum(WORTH.values()) / 2 == ALL_POINTS / 2 == 91
    assert sum(worth == 1 for worth in WORTH.values()) == 59


KINDS = {
    "honour": "0 -1 -21 14C 14F 14S 14T",
    "mistress": "13C 13F 13S 13T",
    "commander": "12C 12F 12S 12T",
    "legate": "11C 11F 11S 11T",
    "other": "1C 10T -2 -20 5S",
}


def test_s8_a_pile_has_a_half_point_if_and_only_if_its_cards_are_odd() -> None:
    assert all(worth % 2 for worth in WORTH.values())


@pytest.mark.parametrize(
    ("players", "count", "fits"),
    [(4, 45.5, False), (4, 45, True), (3, 45.5, True), (5, 45.5, True), (5, 45, True)],
)
def test_s8_with_four_players_points_are_whole(players: int, count: float, fits: bool) -> None:
    state = given(dealt("C"), contract("B", "take"), players=players)
    if fits:
        assert after(state, points(count)).done[0].result.points == 2 * count
    else:
        with refused(
            "bad_total",
            rule="S8",
            path="points",
            says="with four players every pile has an even number of cards",
        ):
            when(state, points(count))


@pytest.mark.parametrize("count", [-0.5, 91.5, 92, 400])
def test_s8_points_are_0_to_91(count: float) -> None:
    with refused("bad_total", rule="S8", path="points", says="there are 91 in all"):
        when(given(*TAKE), points(count))


@pytest.mark.parametrize(("name", "count"), [("take", 2), ("guard_against", 89)])
def test_s8_talon_and_aside_are_worth_something(name: str, count: float) -> None:
    with refused("bad_total", rule="S8", path="points", says="no number of tricks comes to that"):
        when(given(dealt("D"), contract("B", name)), points(count))


@pytest.mark.parametrize("count", [40.25, "40", True, [], float("nan"), float("inf"), 10**400])
def test_s8_points_are_a_multiple_of_a_half(count: object) -> None:
    with refused("bad_record", rule="S8", path="hands[0].points", says="card points are a"):
        scored(hand(points=count))


@pytest.mark.parametrize(("name", "apart"), [("guard_without", 0), ("guard_against", 9)])
def test_s8_a_declarer_who_takes_every_trick_has_91_less_the_talon_in_guard_against(
    name: str, apart: float
) -> None:
    in_talon = ["13T", "12T", "11T", "10T", "9T", "8T"]
    holdings = strong_holdings([*STRONG, "-5"], talon=in_talon)
    result = scored(hand("A", name, plays=play_out(holdings, "D")))["hands"][0]

    assert (result["points"], result["made"], result["bonus"]) == (
        91 - apart,
        True,
        {"kind": "grand_slam", "seat": "A", "chips": 4},
    )


@pytest.mark.parametrize(("count", "made"), [(45.5, False), (46, True), (80, True), (40, False)])
def test_s9_46_make_the_contract_and_45_and_a_half_fail(count: float, made: bool) -> None:
    result = scored(hand(points=count), players=5)["hands"][0]

    assert (result["points"], result["made"]) == (count, made)


def test_s10_made_the_declarer_takes_everything_wagered() -> None:
    assert scored(hand("B", "guard", points=50), ante=0)["hands"][0]["chips"] == {
        "A": -2,
        "B": 6,
        "C": -2,
        "D": -2,
    }


def test_s10_failed_the_defenders_share_it_and_the_rest_goes_to_the_ante_pot() -> None:
    result = scored(hand("B", "guard", points=40), ante=0)["hands"][0]

    assert result["chips"] == {"A": 2, "B": -8, "C": 2, "D": 2}
    assert result["ante_pot"] == 2
    assert scored(hand("B", "guard", points=40), ante=0, players=3, dealer="C")["hands"][0][
        "chips"
    ] == {"A": 3, "B": -6, "C": 3}


@pytest.mark.parametrize(
    ("kind", "count", "chips"),
    [("idiot", 60, 2), ("magician", 60, 4), ("slam", 80, 6), ("grand_slam", 91, 9)],
)
def test_s11_a_bonus_is_a_share_of_the_ante_pot_rounded_down(
    kind: str, count: float, chips: int
) -> None:
    result = scored(
        hand("B", "take", points=count, bonus={"kind": kind, "seat": "B"}),
        ante=3,
        players=3,
        dealer="C",
    )

    assert result["hands"][0]["bonus"] == {"kind": kind, "seat": "B", "chips": chips}
    assert result["pots"]["ante"] == 9 - chips


def test_s11_a_bonus_is_taken_from_the_pot_as_it_stood_after_the_antes() -> None:
    result = scored(hand("B", "guard", points=40, bonus={"kind": "magician", "seat": "C"}))[
        "hands"
    ][0]

    assert (result["bonus"]["chips"], result["ante_pot"]) == (2, 4 - 2 + 2)


def test_s11_a_bonus_belongs_to_a_player_whatever_the_side() -> None:
    result = scored(hand("B", "take", points=40, bonus={"kind": "idiot", "seat": "C"}), ante=4)[
        "hands"
    ][0]

    assert result["chips"] == {"A": -3, "B": -8, "C": -3 + 4, "D": -3}


@pytest.mark.parametrize(("last", "kind"), [("0", "idiot"), ("-1", "magician"), ("-2", None)])
def test_s11_who_wins_the_last_trick_with_idiot_or_magician_earns_it(
    last: str, kind: str | None
) -> None:
    own = ["1C", "2C", *(f"-{number}" for number in range(3, 18)), last]
    in_talon = [*(card for card in ("0", "-1", "-2") if card != last), "3C", "4C", "5C", "6C"]
    result = scored(hand("B", "guard_without", plays=played(strong_holdings(own, talon=in_talon))))[
        "hands"
    ][0]

    assert (result["bonus"] or {}).get("kind") == kind
    assert (result["bonus"] or {}).get("seat", "A") == "A"


@pytest.mark.parametrize(
    ("lost", "kind"), [(0, "grand_slam"), (1, "slam"), (2, "slam"), (3, "slam"), (4, None)]
)
def test_s11_all_tricks_but_one_to_three_are_a_slam(lost: int, kind: str | None) -> None:
    own = [*[*STRONG, "-5"][: 18 - lost], *(f"{rank}C" for rank in range(1, lost + 1))]
    others = [card for card in SABACCS if card not in own]
    plays = played(strong_holdings(own, talon=[*others, "1T", "2T", "3T", "4T", "5T", "6T"][:6]))
    result = scored(hand("B", "guard_without", plays=plays))["hands"][0]

    assert (result["bonus"] or {}).get("kind") == kind


def test_s11_only_the_highest_bonus_of_the_hand_is_paid() -> None:
    holdings = strong_holdings(
        ["1C", *STRONG[1:], "0"], talon=["-1", "-2", "-3", "-4", "-5", "13T"]
    )
    plays = played(holdings)
    result = scored(hand("A", "guard_without", plays=plays))["hands"][0]

    assert "0" in plays[-1]
    assert result["bonus"] == {"kind": "slam", "seat": "A", "chips": 3}


def played(holdings: dict[str, list[str]]) -> list[list[str]]:
    """A hand that D dealt: A plays the first card it may, the others the last."""
    return play_out(holdings, "D", lambda seat, cards: cards[0 if seat == "A" else -1])


@pytest.mark.parametrize(
    ("kind", "seat", "count"),
    [("grand_slam", "B", 60), ("slam", "A", 80), ("slam", "B", 91), ("grand_slam", "A", 60)],
)
def test_s11_a_bonus_and_points_that_cannot_be_together_are_refused(
    kind: str, seat: str, count: float
) -> None:
    with refused("bad_total", rule="S8", path="points", says="no number of tricks comes to that"):
        when(given(*TAKE), points(count, kind, seat))


def test_s11_a_bonus_that_the_tricks_rule_out_is_refused() -> None:
    four = [trick(cards) for cards in ("1S 2S 3S 4S", "1T 2T 3T 4T", "8T 7T 6T 5T", "-5 -4 -3 -2")]
    state = given(*TAKE, *four)
    for kind in ("slam", "grand_slam"):
        with refused(
            "bad_total", rule="S11", path="bonus", says="of the tricks recorded, so it was no"
        ):
            when(state, points(40, kind, "B"))
    with refused(
        "bad_total", rule="S11", path="bonus", says="B can't have won the last trick with 0"
    ):
        when(given(*TAKE, trick("-2 -3 0 -5")), points(40, "idiot", "B"))
    with refused(
        "bad_total", rule="S11", path="bonus", says="C can't have won the last trick with -1"
    ):
        when(given(*TAKE, talon(" ".join(TALON))), points(40, "magician", "C"))


def test_s11_points_and_bonus_of_a_record_must_agree_with_its_plays() -> None:
    plays = play_out(
        strong_holdings([*STRONG, "-5"], talon=["13T", "12T", "11T", "10T", "9T", "8T"]), "D"
    )
    with refused(
        "bad_total",
        rule="S8",
        path="hands[0].points",
        says="A has 91 card points as played, not 90",
    ):
        scored(hand("A", "guard_without", plays=plays, points=90))
    with refused(
        "bad_total",
        rule="S11",
        path="hands[0].bonus",
        says="as the hand was played A earned grand_slam",
    ):
        scored(hand("A", "guard_without", plays=plays, bonus=None))
    assert scored(
        hand(
            "A", "guard_without", plays=plays, points=91, bonus={"kind": "grand_slam", "seat": "A"}
        )
    )


def test_a_claim_gives_no_side_less_than_it_had_won() -> None:
    state = given(*TAKE, deal(ONE_SUIT_EACH), trick("14S -9 -2 -14"), trick("14T -13 -6 -3"))

    assert open_hand(state).play.winners == ("D", "C")
    with refused(
        "bad_total", rule="S8", path="points", says="the defenders have 12 card points as recorded"
    ):
        when(state, points(82))
    won = given(*TAKE, trick("14S -20 -2 14T"))
    with refused(
        "bad_total",
        rule="S8",
        path="points",
        says="B has 10 card points as recorded, so not 8 in all",
    ):
        when(won, points(8))
    assert after(won, points(40)).done[0].result.made is False


def test_a_record_that_stops_without_points_is_refused() -> None:
    with refused(
        "bad_total", rule="S8", path="hands[0].points", says="1 tricks are written down; 18 are"
    ):
        scored(hand("B", "take", plays=[["1S", "-9", "-2", "-14"]]))
    with refused("bad_record", rule="S8", path="hands[0].points", says="card points are missing"):
        scored(hand("B", "take"))


def test_s12_the_deal_passes_to_the_right() -> None:
    results = scored(void(), void(), void(), void())["hands"]

    assert [result["dealer"] for result in results] == ["D", "C", "B", "A"]
    with refused(
        "bad_dealer",
        rule="S12",
        path="hands[1].dealer",
        says="C deals this hand, not A: the deal passes to the right",
    ):
        scored(void(), void(dealer="A"))


def test_s12_an_excused_dealer_goes_on_from_there() -> None:
    excused = void(
        dealer="A", rulings=[{"kind": "accept_hand", "excuses": ["bad_dealer"], **DIRECTOR}]
    )

    assert [result["dealer"] for result in scored(void(), excused, void())["hands"]] == [
        "D",
        "A",
        "D",
    ]


def test_s12_the_first_dealer_is_recorded() -> None:
    with refused("bad_record", rule="S12", path="dealer", says="the first hand names its dealer"):
        when(game(), dealt())


@pytest.mark.parametrize(("players", "hands", "last"), [(3, None, 3), (5, None, 5), (4, 8, 8)])
def test_s12_the_game_ends_after_its_hands(players: int, hands: int | None, last: int) -> None:
    voids = [void() for _ in range(last)]

    assert scored(*voids, players=players, dealer="A", hands=hands)["finished"]
    assert not scored(*voids[1:], players=players, dealer="A", hands=hands)["finished"]
    with refused("game_over", rule="S12", path=f"hands[{last}]", says="the game is over"):
        scored(*voids, void(), players=players, dealer="A", hands=hands)


def test_s12_the_number_of_hands_is_a_multiple_of_the_players() -> None:
    with refused(
        "bad_record",
        rule="S12",
        path="options.hands",
        says="a multiple of the number of players, 4, not 6",
    ):
        scored(hands=6)


THREE = [hand("B", "take", points=40), void(), void()]


def test_s13_the_ante_pot_is_shared_or_stays() -> None:
    split = scored(*THREE, players=3, dealer="C")
    left = scored(*THREE, players=3, dealer="C", ante_pot_end="leave")

    assert (split["pots"], left["pots"]) == ({"ante": 0}, {"ante": 10})
    assert (sum(split["chips"].values()), sum(left["chips"].values())) == (0, -10)
    assert (split["finished"], left["finished"]) == (True, True)


def test_s13_odd_chips_go_round_from_who_would_lead() -> None:
    split = scored(*THREE, players=3, dealer="C")["chips"]
    left = scored(*THREE, players=3, dealer="C", ante_pot_end="leave")["chips"]

    assert {seat: split[seat] - left[seat] for seat in "ABC"} == {"A": 3, "B": 3, "C": 4}


def test_s13_most_chips_wins_and_equal_chips_share_the_place() -> None:
    assert scored(hand("B", "take", points=50), void(), void(), players=3, dealer="C")[
        "winners"
    ] == ["B"]
    assert scored(void(), void(), void(), players=3, dealer="C")["winners"] == ["A", "B", "C"]
    assert scored(void(), players=3, dealer="C")["winners"] == []


def test_called_games_end_after_any_closed_hand() -> None:
    called = {"kind": "called", "by": "Director", "reason": "time is up"}
    result = scored(hand("B", "take", points=50), dealer="C", players=3, ended=called)

    assert (result["finished"], result["winners"], result["pots"]) == (True, ["B"], {"ante": 0})
    with refused("out_of_turn", rule="S12", path="ended", says="after a hand was played"):
        scored(ended=called)


def test_rulings_adjust_the_declarers_points_before_the_wagers_are_paid() -> None:
    state = given(*TAKE, adjust_points("B", 0.5), adjust_points("C", 20), points(45.5), players=5)

    assert (state.done[0].result.points, state.done[0].result.made) == (92, True)
    assert given(*TAKE, adjust_points("B", -1), points(46)).done[0].result.made is False


def test_rulings_adjust_tricks_for_the_slam_alone() -> None:
    holdings = strong_holdings(
        [*STRONG[:14], "1C", "2C", "3C", "4C"], talon=["-1", "-2", "-3", "-4", "-5", "-6"]
    )
    acts = [trick(" ".join(cards)) for cards in played(holdings)]

    assert given(*TAKE[:1], contract("B", "guard_without"), *acts).done[0].result.bonus is None
    ruled = (
        given(*TAKE[:1], contract("B", "guard_without"), adjust_tricks("B", "A", 1), *acts)
        .done[0]
        .result
    )
    assert ruled.bonus is not None
    assert (ruled.bonus.kind, ruled.bonus.seat) == ("slam", "A")
    with refused(
        "bad_total",
        rule="S11",
        path="rulings",
        says="leaves A with 32 tricks; a player has 0 to 18",
    ):
        given(*TAKE[:1], contract("B", "guard_without"), adjust_tricks(None, "A", 18), *acts)


def test_rulings_move_chips_between_seats_and_the_ante_pot() -> None:
    state = given(*TAKE, move_chips("A", "ante", 3))

    assert when(given(*TAKE), move_chips("A", "ante", 3))[1] == ChipsMoved(
        source="A", target="ante", chips=3, why="ruling", rule="Infractions"
    )
    assert chips_of(state)["ante"] == 7
    with refused(
        "no_chips", rule="Chips", path="rulings", says="ante has 4 chips, so 5 can't be moved"
    ):
        when(given(*TAKE), move_chips("ante", "A", 5))
    bonus = (
        after(given(*TAKE), move_chips("ante", "A", 4), points(60, "magician", "C"))
        .done[0]
        .result.bonus
    )
    assert bonus is not None
    assert bonus.chips == 0


def test_a_record_writes_rulings_as_they_were() -> None:
    said = [
        {"kind": "accept_hand", "excuses": ["no_chips"], **DIRECTOR},
        {"kind": "accept_play", "trick": 2, "seat": "A", **DIRECTOR},
        {"kind": "adjust_tricks", "to": "A", "tricks": 1, **DIRECTOR},
        {"kind": "adjust_points", "side": "B", "points": 1.5, **DIRECTOR},
        {"kind": "move_chips", "from": "A", "to": "ante", "chips": 2, **DIRECTOR},
    ]
    read = read_record(record(hand("B", "take", points=45, rulings=said)))
    written = write_record(read.game, decide_record(read)[1])

    assert written["hands"][0]["rulings"] == said
    assert read.game.result(decide_record(read)[1])["hands"][0]["points"] == 46.5


@pytest.mark.parametrize(
    ("key", "value", "path"),
    [
        ("declarer", "D", "declarer"),
        ("players", {"E": "Ezra"}, "players.E"),
        ("buy_ins", {"D": 3}, "buy_ins.D"),
        ("calls", [["D", "pass"]], "calls[0][0]"),
        ("bonus", {"kind": "idiot", "seat": "E"}, "bonus.seat"),
        ("deal", {"E": []}, "deal.E"),
        ("rulings", [{"kind": "adjust_points", "side": "E", "points": 1, **DIRECTOR}], "rulings"),
    ],
)
def test_a_seat_that_is_not_in_the_game_is_refused_before_any_rule(
    key: str, value: object, path: str
) -> None:
    against_a_rule = hand("B", "take", points=400)
    with refused("bad_record", rule="", path=f"hands[1].{path}", says="nobody sits at"):
        scored(
            against_a_rule,
            {**hand("B", "take", points=40), key: value},
            players=3,
            dealer="C",
            opening_chips=100,
        )


def test_a_substitute_pays_and_wins_for_the_seat_they_play_for() -> None:
    state = given(dealt("D", players=(("B", "Ezra"),)), contract("B", "take"), points(50))
    result = scored(hand("B", "take", points=50, players={"B": "Ezra"}))

    assert chips_of(state) == {"A": -2, "B:Ezra": -1 + 3, "C": -2, "D": -2, "ante": 4}
    assert result["chips"] == {"A": -2, "B": 2, "C": -2, "D": -2}


def test_two_players_in_each_others_seats_keep_their_own_chips() -> None:
    result = scored(hand("B", "take", points=50, players={"A": NAMES["B"], "B": NAMES["A"]}))[
        "hands"
    ][0]

    assert (result["declarer"], result["chips"]) == ("B", {"A": 2, "B": -2, "C": -2, "D": -2})


@pytest.mark.parametrize(
    ("pile", "count"),
    [
        (
            {
                "honours": 4,
                "mistresses": 3,
                "commanders": 2,
                "legates": 2,
                "others": 19,
                "tricks": 6,
            },
            46,
        ),
        ({"honours": 4, "mistresses": 3, "commanders": 2, "legates": 2, "others": 19}, 46),
        (
            {
                "honours": 7,
                "mistresses": 4,
                "commanders": 4,
                "legates": 4,
                "others": 59,
                "bonus": "grand_slam",
                "seat": "B",
            },
            91,
        ),
    ],
)
def test_s8_a_pile_counted_by_kinds_comes_to_its_points(pile: dict[str, Any], count: float) -> None:
    assert given(*TAKE, CountPile(**pile)).done[0].result.points == 2 * count


@pytest.mark.parametrize(
    ("pile", "path", "says"),
    [
        ({"honours": 8, "others": 22}, "honours", "the pack has 7 honours"),
        (
            {"honours": 4, "others": 20, "tricks": 6},
            "others",
            "6 tricks of 4 and 6 beside are 30 cards; 24 are counted",
        ),
        (
            {"honours": 4, "others": 21},
            "others",
            "25 cards are counted; a pile has whole tricks of 4",
        ),
        ({"others": -1}, "others", "can't have -1"),
    ],
)
def test_s8_a_pile_that_cannot_be_is_refused(pile: dict[str, Any], path: str, says: str) -> None:
    with refused("bad_total", rule="S8", path=path, says=says):
        when(given(*TAKE), CountPile(**pile))


def test_s6_in_guard_against_the_talon_is_no_part_of_the_declarers_pile() -> None:
    state = given(dealt("D"), contract("B", "guard_against"))

    assert after(state, CountPile(honours=4, others=20, tricks=6)).done[0].result.points == 2 * 28
    with refused(
        "bad_total", rule="S8", path="others", says="6 tricks of 4 are 24 cards; 30 are counted"
    ):
        when(state, CountPile(honours=4, others=26, tricks=6))


def test_the_table_shows_both_sides_points_so_far() -> None:
    state = given(
        dealt("D"),
        contract("A", "guard_against"),
        talon("13T 12T 11T 10T 9T 8T"),
        trick("14S -20 -21 14T"),
    )

    assert table(state)["hand"]["piles"] == {"declarer": 4.5 * 3 + 0.5, "defenders": 9}


def test_s8_points_fit_the_parity_of_the_tricks_that_a_bonus_says() -> None:
    state = given(dealt("C"), contract("B", "take"), players=3)

    assert after(state, points(6, "grand_slam", "A")).done[0].result.points == 12
    with refused("bad_total", rule="S8", path="points", says="no number of tricks comes to that"):
        when(state, points(6.5, "grand_slam", "A"))


def test_rulings_know_no_pot_but_the_ante_pot() -> None:
    ruling = {"kind": "move_chips", "from": "A", "to": "wager", "chips": 2, **DIRECTOR}
    with refused(
        "bad_record", rule="", path="hands[0].rulings[0].to", says="one of A, B, C, D, E, ante"
    ):
        scored(hand("B", "take", points=40, rulings=[ruling]))
