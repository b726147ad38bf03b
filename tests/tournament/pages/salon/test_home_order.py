"""Home says first what presses: disputes and tables that play, then what can wait; one button is
filled.
"""

import re
import time

from django.test import Client

from scoring.commands import EndGame
from tests.tournament.helpers.evenings import does, in_round_1, result
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import a_command, say
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import owner_of, seated
from tournament.domain.tournament.clock import StartClock
from tournament.models import Game, Salon
from tournament.recording.door import record_acts
from tournament.recording.tables.salon_tables import add_tables

FILLED = re.compile(
    r'<(?:a|button)[^>]*class="[^"]*btn--act[^"]*"[^>]*>(.*?)</(?:a|button)>', re.DOTALL
)


def a_hand_at(salon: Salon, table: str) -> Game:
    """A game at this table, its first hand just closed."""
    game = game_at(salon, table)
    record(game, *hand("N", (3, 3, 3, 3), (7, 6)))
    return game


def end(salon: Salon, game: Game) -> None:
    act = EndGame(kind="called", by="Elder", reason="late")
    record_acts(
        salon,
        game.pk,
        [act],
        actor="user:1",
        command=a_command(),
        version=Game.objects.get(pk=game.pk).version,
    )


def clock(minutes: int) -> StartClock:
    return StartClock(round=1, at=time.time_ns() // 1000, seconds=60 * minutes)


def filled(page: str) -> list[str]:
    return [words(f"<main>{button}") for button in FILLED.findall(page)]


def test_disputes_and_live_tables_stand_before_old_unconfirmed_hands_and_passwords(
    salon: Salon,
) -> None:
    over, disputed = a_hand_at(salon, "1"), a_hand_at(salon, "2")
    end(salon, over)
    say(seated(disputed, "E"), disputed, "disputes", number=1, reason="Six tricks")

    page = words(owner_of(salon).get("/").text)

    inn = [
        page.index(said)
        for said in (
            "Hand 1 is disputed",
            "At the tables now",
            "When there is time",
            "One hand is not confirmed",
        )
    ]
    assert inn == sorted(inn)
    assert page.index("At the tables now") < page.index("Your password alone opens this salon")


def test_the_most_pressing_thing_alone_has_the_filled_button(salon: Salon) -> None:
    assert filled(owner_of(salon).get("/").text) == ["Start the first game"]

    game = a_hand_at(salon, "2")
    assert filled(owner_of(salon).get("/").text) == ["Continue table 2, hand 2"]

    say(seated(game, "E"), game, "disputes", number=1, reason="Six tricks")
    assert filled(owner_of(salon).get("/").text) == ["Look at it"]


def test_many_old_unconfirmed_games_are_one_line_that_opens(salon: Salon) -> None:
    for table in "1234567":
        end(salon, a_hand_at(salon, table))

    page = owner_of(salon).get("/").text

    assert "7 games have hands that nobody confirmed" in words(page)
    assert page.count("One hand is not confirmed") == 7
    assert page.index("<details") < page.index("One hand is not confirmed")


def test_a_director_sees_what_the_running_round_waits_for_and_the_way_to_the_desk(
    salon: Salon,
) -> None:
    row = in_round_1(salon)
    row = does(row, result(2, 262, 187))
    row = does(row, clock(50))

    page = owner_of(salon).get("/").text

    assert re.search(r"Round 1 of \d, until \d\d:\d\d. One result is missing.", words(page))
    assert f'href="/tournaments/{row.pk}/desk/"' in page
    assert filled(page) == ["Open the desk"]


def test_visitors_see_the_round_and_its_end_and_no_way_to_the_desk(salon: Salon) -> None:
    row = does(in_round_1(salon), clock(50))

    page = Client().get("/").text

    assert re.search(r"Round 1 of \d, until \d\d:\d\d", words(page))
    assert "missing" not in words(page)
    assert f"/tournaments/{row.pk}/desk/" not in page


def test_tables_that_play_stand_in_the_order_of_their_numbers(salon: Salon) -> None:
    add_tables(salon, ["10", "11"], actor="user:1", command=a_command())
    for label in ("10", "2", "11", "1"):
        game_at(salon, label)

    page = owner_of(salon).get("/").text

    numbers = re.findall(r'class="no">\s*<span class="vh">Table </span>(\d+)\s*</span>', page)
    assert numbers == ["1", "2", "10", "11"]
