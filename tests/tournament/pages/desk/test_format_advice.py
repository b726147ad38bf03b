"""Which format? What fits so many people in so much time, and the form that opens with it."""

from html import unescape

import pytest
from django.test import Client

from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import member
from tests.tournament.helpers.singles import entered
from tournament.domain.pairing.advice import Occasion, advise
from tournament.models import Salon, Tournament


def kinds(game: str, players: int, rounds: int) -> list[str]:
    return [
        "/".join([offer.kind, *offer.own.values()])
        for offer in advise(Occasion(game=game, players=players, rounds=rounds))
    ]


def test_few_pairs_are_offered_a_howell_first_and_many_a_mitchell() -> None:
    assert kinds("precedence", 16, 9)[:2] == ["movement/howell/1", "movement/mitchell/1"]
    assert kinds("precedence", 40, 9)[0] == "movement/mitchell/1"


def test_single_players_move_after_three_games_where_there_are_rounds_enough() -> None:
    assert kinds("precedence", 13, 3)[0] == "rotating/3"
    assert kinds("precedence", 13, 9)[0] == "rotating/1"
    assert kinds("precedence", 36, 27)[-1].startswith("rotating")


def test_tables_where_each_plays_alone_are_offered_with_the_fewest_out_first() -> None:
    offers = advise(Occasion(game="contract_sabacc", players=22, rounds=5))

    assert [offer.kind for offer in offers] == ["pods"] * len(offers)
    planned = [offer.out_a_round for offer in offers if offer.own["seating"] == "planned"]
    assert planned == sorted(planned)
    assert offers[-1].own["seating"] == "score"


@pytest.mark.parametrize(
    "game", ["precedence", "preference", "contract_sabacc", "order_of_precedence"]
)
@pytest.mark.parametrize("rounds", [1, 4, 20])
def test_no_offer_has_more_rounds_than_there_is_time_for_or_than_it_has(
    game: str, rounds: int
) -> None:
    for players in range(2, 45):
        for offer in advise(Occasion(game=game, players=players, rounds=rounds)):
            assert 1 <= offer.rounds <= min(rounds, offer.possible or rounds), (players, offer)
            assert offer.entries * offer.people == players
            assert offer.again in (None, 0) or offer.kind == "movement", (players, offer)


def test_nothing_fits_without_time_or_players() -> None:
    assert kinds("preference", 2, 5) == []
    assert kinds("precedence", 16, 0) == []


def test_an_offer_opens_the_form_filled_in(owner: Client) -> None:
    page = owner.get(
        "/tournaments/advice/?game=preference&players=31&minutes=180&minutes_a_round=30"
    )

    assert "6 rounds of the 8 there are · 1 sits out each round · Nobody meets twice" in told(page)
    address = unescape(match_in(page.text, r'href="(/tournaments/new/\?[^"]+)"')[1])
    form = owner.get(address).text
    sent = fields_sent(form)
    assert (sent["game"], sent["format"], sent["rounds"]) == ("preference", "pods", "6")


def test_for_an_event_that_is_set_up_its_own_form_opens(owner: Client, salon: Salon) -> None:
    row = entered(salon, 13)

    page = owner.get(
        f"/tournaments/advice/?of={row.pk}&game=precedence&players=13&minutes=60&minutes_a_round=20"
    )

    address = unescape(
        match_in(page.text, rf'href="(/tournaments/{row.pk}/desk/stage/\?[^"]+)"')[1]
    )
    form = owner.get(address).text
    sent = fields_sent(form)
    assert (sent["format"], sent["rotating.games_a_sitting"]) == ("rotating", "3")
    assert "Lantern Night" in form
    assert Tournament.objects.get().version == row.version


@pytest.mark.parametrize("wrong", ["players=x", "players=251", "players=0", "game=whist&players=4"])
def test_what_cannot_be_read_is_said_beside_its_field(owner: Client, wrong: str) -> None:
    answer = owner.get(f"/tournaments/advice/?{wrong}")

    assert answer.status_code == 422
    assert 'class="hint bad"' in answer.text


def test_the_advice_is_for_those_who_direct(salon: Salon) -> None:
    assert member(salon, "scorer").get("/tournaments/advice/").status_code == 403
    assert member(salon, "director").get("/tournaments/advice/").status_code == 200
