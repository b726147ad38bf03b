"""The board: what everybody in the room may see of a game, renewed by asking again."""

import pytest
from django.test import Client

from tests.tournament.helpers.playing import bidding, done, flat, playing, told
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.models import Game, Salon

AGAIN = {"HX-Request": "true"}


def closed_hands(game: Game, *tricks: int) -> Game:
    """The game after hands with the same bids, North–South winning these tricks."""
    for ns in tricks:
        game.refresh_from_db()
        if game.state["stage"] == "opening":
            done(game, "hands")
        while game.state["stage"] == "bids":
            bidder = game.state["hand"]["bidder"]
            done(game, "bids", seat=bidder, tricks={"N": 4, "E": 3, "S": 3, "W": 2}[bidder])
        done(game, "totals", NS=ns, EW=13 - ns)
    return game


def test_anybody_may_look_at_a_board(salon: Salon) -> None:
    game = playing(salon)

    page = told(Client().get(f"/games/{game.pk}/"))

    assert "Asha Renn & Cato Liss" in page
    assert "Void is trump Trick 1 of 13" in page
    assert "To the pad" not in page


def test_those_who_record_there_find_the_pad(salon: Salon) -> None:
    game = playing(salon)

    assert "To the pad" in told(owner_of(salon).get(f"/games/{game.pk}/"))
    assert "To the pad" in told(scorer_at(salon, "4").get(f"/games/{game.pk}/"))
    assert "To the pad" not in told(scorer_at(salon, "5").get(f"/games/{game.pk}/"))


def test_a_game_that_is_not_there_says_so(salon: Salon) -> None:
    assert Client().get(f"/games/{'0' * 32}/").status_code == 404


def test_hands_stand_with_tricks_contracts_points_and_audits(salon: Salon) -> None:
    game = closed_hands(bidding(salon), 13, 9, 8, 6)

    page = told(Client().get(f"/games/{game.pk}/"))

    assert "13 of 7 +76" in page
    assert "8 of 7 +71 −100 5 of 5 +50" not in page  # 6, 2 and 1 Excess are 9: no audit yet
    assert "6 of 7 −70" in page
    assert "hand 1: North–South 76, East–West −50" in page


def test_near_the_audit_the_board_warns(salon: Salon) -> None:
    game = closed_hands(bidding(salon), 13, 9)
    assert "Two from the audit" in told(Client().get(f"/games/{game.pk}/"))

    closed_hands(game, 8)

    assert "One from the audit" in told(Client().get(f"/games/{game.pk}/"))


def test_a_chosen_hand_is_explained(salon: Salon) -> None:
    game = closed_hands(bidding(salon), 8, 9)

    page = told(Client().get(f"/games/{game.pk}/?hand=1"))

    assert "Hand 1, explained" in page
    assert "Made 7 with 8 tricks P16 +70" in page
    assert "Hand 2, explained" not in page


@pytest.mark.parametrize("hand", ["9", "x", "", "1 "])
def test_a_hand_that_is_not_there_is_not_explained(salon: Salon, hand: str) -> None:
    game = closed_hands(bidding(salon), 8)

    assert "explained" not in told(Client().get(f"/games/{game.pk}/", {"hand": hand})).replace(
        "1 , explained", ""
    )


def test_asking_again_gives_the_board_alone_with_its_version(salon: Salon) -> None:
    game = playing(salon)

    answer = Client().get(f"/games/{game.pk}/", headers=AGAIN)

    assert flat(answer.text).lstrip().startswith('<div id="board"')
    assert (
        answer["ETag"] == f'"{game.version}p"'
    )  # as the public sees it: names are shown as the salon decided
    assert owner_of(salon).get(f"/games/{game.pk}/", headers=AGAIN)["ETag"] == f'"{game.version}"'
    assert "no-cache" in answer["Cache-Control"]


def test_asking_again_when_nothing_changed_is_answered_with_nothing(salon: Salon) -> None:
    game = playing(salon)
    etag = Client().get(f"/games/{game.pk}/", headers=AGAIN)["ETag"]

    unchanged = Client().get(f"/games/{game.pk}/", headers=AGAIN | {"If-None-Match": etag})
    done(game, "winners", seat="N")
    changed = Client().get(f"/games/{game.pk}/", headers=AGAIN | {"If-None-Match": etag})

    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert changed.status_code == 200
    assert "Trick 2 of 13" in told(changed)


def test_a_finished_game_asks_no_more(salon: Salon) -> None:
    game = bidding(salon, target_score=50)

    assert "every 2s" in Client().get(f"/games/{game.pk}/").text
    closed_hands(game, 8)

    answer = Client().get(f"/games/{game.pk}/")
    assert "every 2s" not in answer.text
    assert "Finished North–South win." in told(answer)


def test_tables_show_who_plays_where_and_what_is_free(salon: Salon) -> None:
    closed_hands(bidding(salon), 8)

    everybody, phone = told(Client().get("/tables/")), told(scorer_at(salon, "4").get("/tables/"))

    assert "Table 4 Asha Renn & Cato Liss 71 Ilse Marrow & Juno Dray 50" in everybody
    assert everybody.count("free") == 7
    assert "on the pad of table 4" in phone
    assert "on the pad of table 4" not in everybody
    assert "Start a game at table 5" not in phone


def test_every_rule_of_precedence_stands_at_its_number(salon: Salon) -> None:
    page = Client().get("/rules/precedence/").text

    for number in range(1, 26):
        assert f'<dt id="P{number}">P{number}</dt>' in flat(page)
    assert Client().get("/rules/bridge/").status_code == 404
