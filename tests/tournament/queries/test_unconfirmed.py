"""Standings say which of the results that count are not confirmed yet, and which are disputed."""

import pytest
from django.test import Client

from ledger import checkpoints
from tests.tournament.helpers.evenings import (
    after_round_1,
    does,
    in_round_1,
    result,
    start_first_table,
)
from tests.tournament.helpers.played import game_at
from tests.tournament.helpers.playing import called, played_to_the_end, say
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import owner_of, seated
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Salon, Tournament
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS


@pytest.fixture
def cup(salon: Salon) -> Tournament:
    """Round 1: a game recorded at table 1 and called after a hand, and a result typed for
    table 2.
    """
    row = in_round_1(salon)
    game = start_first_table(salon, row)
    called(played_to_the_end(game, [("S", 7, 6)]))
    row = does(row, result(2, 262, 187))
    catch_up(salon.log, PROJECTIONS)
    return row


def standings(row: Tournament) -> str:
    return words(Client().get(f"/tournaments/{row.pk}/standings/").text)


def test_a_result_that_nobody_confirmed_is_named_until_it_is(cup: Tournament) -> None:
    game = Game.objects.get()
    assert "One result that counts is not confirmed yet Round 1, table 1" in standings(cup)

    for seat in "NE":
        assert say(seated(game, seat), game, "confirmations").status_code == 303

    assert "not confirmed yet" not in standings(cup)
    assert "Every result from a game counted here is confirmed." in standings(cup)


def test_a_disputed_result_is_named_as_such_until_the_director_rules(
    cup: Tournament, salon: Salon
) -> None:
    game = Game.objects.get()
    say(seated(game, "E"), game, "disputes", number=1, reason="Six tricks")
    assert "Round 1, table 1 Disputed" in standings(cup)

    say(owner_of(salon), game, "dispute-rulings", number=1, reason="It stands.")
    assert "not confirmed yet" not in standings(cup)


def test_a_result_typed_in_the_place_of_a_games_has_nothing_to_confirm(cup: Tournament) -> None:
    does(cup, result(1, 200, 100))

    assert "not confirmed yet" not in standings(cup)


def test_an_event_without_games_says_nothing_of_confirmation(salon: Salon) -> None:
    row = after_round_1(salon)

    assert "confirmed" not in standings(row)


def test_printed_results_of_an_event_carry_the_checkpoint_that_covers_them(
    cup: Tournament, salon: Salon
) -> None:
    pages = [f"/tournaments/{cup.pk}/{page}" for page in ("standings/", "rounds/1/", "entries/1/")]
    assert all('class="printed"' not in Client().get(page).text for page in pages)

    checkpoints.make(salon.log, load_keyring(), now=1_700_000_000_000_000)
    for page in pages:
        assert "It covers this result." in Client().get(page).text
        assert 'class="qr"' in Client().get(page).text
    game_at(salon)
    assert all(
        "It covers this result." in Client().get(page).text for page in pages
    )  # what happens at other tables is no part of it
    does(cup, result(1, 200, 100))
    assert all(
        "The latest lines of this result came after it" in Client().get(page).text for page in pages
    )
