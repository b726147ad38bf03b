"""Who sits where in a hand: substitutes, and teams in each other's seats (`players` of a hand)."""

import pytest

from scoring.precedence.seating import accounts_of
from tests.scoring.table import PLAYERS, decided, hand, record, refused, ruling, scored

SWAPPED = {"N": "Brin", "E": "Asha", "S": "Dara", "W": "Cato"}


def accounts(**sitting: str) -> dict[str, str]:
    return accounts_of(PLAYERS, tuple(sitting.items()))


def test_a_substitute_plays_for_the_side_they_replace_and_has_their_own_chips() -> None:
    _, _, state = decided(record(hand(7, bid=(3, 3, 3, 3), players={"N": "Ezra"})))

    assert state.balances == {
        "N": -5,
        "E": -9,
        "S": -9 + 8,
        "W": -9,
        "N:Ezra": -4 + 8,
        "accord": 20,
        "hand": 0,
    }
    assert state.score == (61, 60)


def test_a_substitute_s_chips_stand_at_the_seat_they_kept() -> None:
    assert scored(hand(7, players={"N": "Ezra"})) == scored(hand(7))


def test_the_accord_pot_is_the_players_of_the_game() -> None:
    _, _, state = decided(record(hand(7, players={"N": "Ezra"}), hands_limit=1))

    assert state.balances["N"] == -5 + 10
    assert state.balances["N:Ezra"] == -4 + 8


def test_a_substitute_needs_a_buy_in_where_chips_are_given_out() -> None:
    with refused(
        "no_chips", rule="Chips", path="hands[0]", says="North has 0 chips and must pay 1"
    ):
        scored(hand(7, players={"N": "Ezra"}), opening_chips=100)
    bought = hand(7, players={"N": "Ezra"}, buy_ins={"N": 20})
    assert scored(bought, opening_chips=100)["chips"] == scored(hand(7))["chips"]


def test_teams_in_each_other_s_seats_score_for_themselves() -> None:
    """The players of North and South sit East and West, where they bid 7 and take 8 tricks."""
    melds = [{"seat": "E", "kind": "run", "cards": ["2V", "3V", "4V"]}]
    result = scored(hand(5, bid=(2, 4, 2, 3), players=SWAPPED, melds=melds))["hands"][0]

    assert result["contracts"] == {"NS": 7, "EW": 4}
    assert result["tricks"] == {"NS": 8, "EW": 5}
    assert result["meld_points"] == {"NS": 3, "EW": 0}
    assert result["points"] == {"NS": 74, "EW": 41}
    assert result["hand_pot"] == {"amount": 16, "to": "NS"}
    assert result["chips"] == {"N": 8 - 1 - 4 - 1, "E": -1 - 2, "S": 8 - 1 - 3, "W": -1 - 2}


def test_rulings_name_the_seats_of_the_hand() -> None:
    rulings = [
        ruling("adjust_tricks", source="NS", to="EW", tricks=1),
        ruling("adjust_points", side="EW", points=5),
        ruling("move_chips", source="E", to="hand", chips=2),
    ]
    result = scored(hand(6, bid=(2, 4, 2, 3), players=SWAPPED, rulings=rulings))["hands"][0]

    assert result["tricks"] == {"NS": 8, "EW": 5}
    assert result["points"] == {"NS": 71 + 5, "EW": 41}
    assert result["chips"]["N"] == 9 - 1 - 4 - 2


def test_the_odd_chip_of_swapped_teams_goes_by_the_seats_they_sat_at() -> None:
    """East leads, and Asha sits there: of 17 chips she gets 9."""
    _, _, state = decided(record(hand(6, bid=(3, 4, 3, 3), players=SWAPPED)))

    assert state.done[0].result is not None
    assert state.done[0].result.payouts == (("N", 9), ("S", 8))


@pytest.mark.parametrize(
    ("sitting", "expected"),
    [
        ({}, {"N": "N", "E": "E", "S": "S", "W": "W"}),
        ({"W": "Zoe"}, {"N": "N", "E": "E", "S": "S", "W": "W:Zoe"}),
        ({"N": "Cato", "S": "Asha"}, {"N": "S", "E": "E", "S": "N", "W": "W"}),
        ({**SWAPPED, "W": "Zoe"}, {"N": "E", "E": "N", "S": "W", "W": "S:Zoe"}),
        ({**SWAPPED, "E": "Yan", "W": "Zoe"}, {"N": "E", "E": "N:Yan", "S": "W", "W": "S:Zoe"}),
        (
            {"N": "Yan", "E": "Asha", "S": "Brin", "W": "Zoe"},
            {"N": "W:Yan", "E": "N", "S": "E", "W": "S:Zoe"},
        ),
        ({"N": "Cato", "S": "Zoe"}, {"N": "S", "E": "E", "S": "N:Zoe", "W": "W"}),
    ],
)
def test_a_substitute_plays_for_the_partner_of_whom_they_face(
    sitting: dict[str, str], expected: dict[str, str]
) -> None:
    assert accounts(**sitting) == expected


def test_no_player_sits_in_two_seats() -> None:
    with refused("bad_record", rule="", path="hands[0].players", says="two seats"):
        decided(record(hand(7, players={"N": "Brin"})))
    with refused("bad_record", rule="", path="hands[0].players", says="two seats"):
        decided(record(hand(7, players={"N": "Zoe", "S": "Zoe"})))


def test_partners_of_the_game_sit_opposite_each_other() -> None:
    with refused(
        "bad_record", rule="", path="hands[0].players", says="partners sit opposite each other"
    ):
        decided(record(hand(7, players={"N": "Brin", "E": "Asha"})))


def test_only_who_sat_elsewhere_is_kept_and_names_are_read_without_their_spaces() -> None:
    read, _, state = decided(record(hand(7, players={"N": " Asha ", "E": "Ezra"})))

    assert read.game.write_hands(state)[0]["players"] == {"E": "Ezra"}
