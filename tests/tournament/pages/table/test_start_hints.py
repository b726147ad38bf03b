"""Starting a game: somebody who plays at another table is named, and nothing is refused; the tables
come before their administration.
"""

import re

from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.playing import SEATED, a_command, a_game, told
from tests.tournament.pages.table.sheets.tables import over, started
from tournament.models import Game, Salon

OTHERS = {"N": "Wren Tallow", "E": "Ilse Marrow", "S": "Bram Quill", "W": "Cato Liss"}


def form(**changes: str) -> dict[str, str]:
    seats = {f"players.{seat}": name for seat, name in OTHERS.items()}
    return (
        {"command": a_command(), "game": "precedence", "table": "5", "dealer": "E"}
        | seats
        | changes
    )


def test_who_plays_at_another_table_is_named_after_the_start(salon: Salon, owner: Client) -> None:
    a_game(salon)

    answer = owner.post("/games/new/", form(), follow=True)

    assert Game.objects.filter(table="5").count() == 1
    assert "Ilse Marrow and Cato Liss are at table 4 too." in told(answer)


def test_a_form_that_comes_back_says_it_beside_the_seat(salon: Salon, owner: Client) -> None:
    a_game(salon)

    page = owner.post("/games/new/", form(**{"players.N": ""})).text

    field = page[page.index('id="players.E"') :]
    assert "at table 4 now" in field[: field.index('id="players.S"')]
    assert page.count("at table 4 now") == 2


def test_the_list_of_names_says_it_too(salon: Salon, owner: Client) -> None:
    a_game(salon)

    found = owner.get("/players/?q=il&seat=W").text
    whole = owner.get("/players/?q=ilse+marrow&seat=W").text

    assert "at table 4 now" in found
    assert re.search(r"<li hidden data-note>[^<]*at table 4 now", whole)


def test_a_game_that_is_over_holds_nobody(salon: Salon, owner: Client) -> None:
    game = started(salon, "preference")
    sheet = {"dealer": "A", "soloist": None, "contract": None}
    owner_calls(salon).post(f"games/{game.pk}/hands/", sheet, version=game.version)
    game.refresh_from_db()
    over(game)

    assert "at table" not in owner.get("/players/?q=il&seat=W").text


def test_a_new_name_is_a_line_and_no_choice(owner: Client) -> None:
    page = owner.get("/players/?q=Zeno+Farr&seat=W").text

    assert 'role="option"' not in page
    assert "<li hidden data-note>New player</li>" in page


def test_the_api_starts_a_game_for_who_plays_elsewhere_and_answers_the_same_again(
    salon: Salon,
) -> None:
    """What is live elsewhere changes, and the same command is answered as it was the first time: it
    is no part of the answer.
    """
    a_game(salon)
    owner = owner_calls(salon)

    done = owner.post("games/", {"game": "precedence", "table": "5", "players": OTHERS})

    assert done.status == 201
    assert done.value.keys() == {"stream", "version"}


def test_enter_in_a_name_never_sends_what_stands_hidden_in_the_form(owner: Client) -> None:
    page = owner.get("/games/new/").text
    page = page[page.index('<form class="stack stack--l"') :]

    first = page[page.index("<button") :]
    assert "formaction" not in first[: first.index(">")]
    assert 'type="button"' not in first[: first.index(">")]


def test_on_tables_the_tables_come_first(salon: Salon, owner: Client) -> None:
    a_game(salon)
    page = owner.get("/tables/").text

    assert page.index("Asha Renn") < page.index("Duplicate stocks", page.index('<main id="main"'))
    assert SEATED["N"] in page


def test_the_first_game_is_started_above_the_three_steps(owner: Client) -> None:
    page = owner.get("/").text

    assert page.index("Start the first game") < page.index("Read the score")


def test_without_a_question_everybody_is_listed(salon: Salon, owner: Client) -> None:
    a_game(salon)

    page = owner.get("/players/").text

    assert "<h1>Players</h1>" in page
    names = re.findall(r'<li><a href="/players/[^"]+">([^<]+)</a></li>', page)
    assert names == sorted(names)
    assert set(SEATED.values()) <= set(names)
