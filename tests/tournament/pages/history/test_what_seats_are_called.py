"""Where everybody plays alone the history says players and no seats: who sat there then, by the
name that the visitor may read.
"""

from typing import Any

import pytest
from django.test import Client

from scoring.corrections import CorrectHand, Correction, CorrectOptions
from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.tables import recorded
from tournament.models import Game, NamesShown, Player, Salon
from tournament.privacy.erasure import erase
from tournament.recording.corrections import record_correction

PLAYERS = {"A": "Asha Renn", "B": "Ilse Marrow", "C": "Cato Liss"}
IN_SABACC = (
    {"dealer": "C", "declarer": "A", "contract": "guard", "points": 50},
    {"declarer": None, "contract": None},
)
IN_PREFERENCE = (
    {
        "dealer": "C",
        "soloist": "A",
        "contract": "three",
        "defenders": {"B": "along", "C": "out"},
        "tricks": {"A": 6, "B": 4, "C": 0},
    },
    {"calls": [["B", "pass"], ["C", "pass"], ["A", "pass"]], "soloist": None},
)
FIRST_SAID = {
    "contract_sabacc": "Asha Renn declared guard, 50 points, made",
    "preference": "Asha Renn played three",
}


@pytest.fixture(params=["contract_sabacc", "preference"])
def game(salon: Salon, request: pytest.FixtureRequest) -> Game:
    """Two hands; in the second Juno Dray sits in for Ilse Marrow."""
    first, second = IN_SABACC if request.param == "contract_sabacc" else IN_PREFERENCE
    hands = [first, second | {"players": {"B": "Juno Dray"}}]
    value = {
        "format": "salon-record/1",
        "id": "alone",
        "game": request.param,
        "players": PLAYERS,
        "table": "4",
        "hands": hands,
    }
    recorded(salon, value)
    return Game.objects.get(record="alone")


def corrected(game: Game, change: Any) -> None:
    game.refresh_from_db()
    told = Correction(change=change, by="Mara Ilves", reason="seen later")
    record_correction(
        game.salon, game.pk, told, actor="user:1", command=a_command(), version=game.version
    )


def another_result(game: Game) -> CorrectHand:
    hand = (
        IN_SABACC[0] | {"points": 40}
        if game.kind == "contract_sabacc"
        else IN_PREFERENCE[0] | {"tricks": {"A": 5, "B": 5, "C": 0}}
    )
    return CorrectHand(
        hand=1, sheet=GAMES[game.kind].read_sheet(hand, GAMES[game.kind].read_rules({}))
    )


def plain(page: str) -> str:
    """The words of a history but for the two places that say who sits where."""
    said = words(page)
    for seat, name in (*PLAYERS.items(), ("B", "Juno Dray")):
        for place in (
            f"eat {seat} {name}",
            f"{name} sits at Seat {seat}",
            f"{name} sits at seat {seat}",
        ):
            said = said.replace(place, "")
    return said


def test_the_history_of_a_game_says_the_players(owner: Client, game: Game) -> None:
    corrected(game, another_result(game))
    for address in (
        f"/games/{game.pk}/history/",
        "/history/",
        f"/games/{game.pk}/comparison/?one=3",
    ):
        said = plain(owner.get(address).text)
        assert not any(
            f"eat {seat} " in said or f"eat {seat}," in said or f"eat {seat}:" in said
            for seat in PLAYERS
        ), said
        assert "Asha Renn" in said


def test_who_sits_in_for_somebody_is_named_in_that_hand_alone(owner: Client, game: Game) -> None:
    said = words(owner.get(f"/games/{game.pk}/history/").text)

    assert (
        "Hand 2: Juno Dray deals" if game.kind == "contract_sabacc" else "Juno Dray: pass"
    ) in said
    assert (
        "Ilse Marrow −3" if game.kind == "contract_sabacc" else "Ilse Marrow goes along"
    ) in said
    board = said[said.index("As of") : said.index("Time or line")]
    assert "Ilse Marrow" in board
    assert "Juno Dray" not in board


def test_one_who_was_erased_is_named_nowhere(owner: Client, salon: Salon, game: Game) -> None:
    asha = Player.objects.get(salon=salon, name="Asha Renn")
    erase(asha, actor="user:1")

    said = words(owner.get(f"/games/{game.pk}/history/").text)

    assert "Asha" not in said
    assert f"erased {asha.pk[:12]}" in said


def test_a_hand_that_was_withdrawn_stands_on_the_public_board_by_public_names(
    salon: Salon, owner: Client, game: Game
) -> None:
    corrected(game, another_result(game))
    Salon.objects.filter(pk=salon.pk).update(names_shown=NamesShown.FIRST)

    told, public = (words(client.get(f"/games/{game.pk}/").text) for client in (owner, Client()))

    assert FIRST_SAID[game.kind] in told
    assert FIRST_SAID[game.kind].replace("Asha Renn", "Asha") in public
    assert "Renn" not in public


def test_a_surplus_hand_says_the_players(owner: Client, salon: Salon) -> None:
    third, fourth = (
        IN_SABACC[0] | {"dealer": "A"},
        IN_SABACC[0] | {"dealer": "C", "declarer": "B", "players": {"B": "Juno Dray"}},
    )
    hands = [IN_SABACC[0], IN_SABACC[1], third, fourth]
    value = {
        "format": "salon-record/1",
        "id": "long",
        "game": "contract_sabacc",
        "players": PLAYERS,
        "options": {"hands": 6},
        "hands": hands,
    }
    recorded(salon, value)
    long = Game.objects.get(record="long")
    corrected(long, CorrectOptions(rules=GAMES["contract_sabacc"].read_rules({"hands": 3})))

    assert "Juno Dray declared guard, 50 points, made" in words(
        owner.get(f"/games/{long.pk}/").text
    )

    Salon.objects.filter(pk=salon.pk).update(names_shown=NamesShown.FIRST)
    assert "Juno declared guard, 50 points, made" in words(Client().get(f"/games/{long.pk}/").text)
