"""A table to practise at: the pad as it is, by the same rules, for everybody; nothing is stored."""

from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from scoring.games import GAMES
from tests.tournament.helpers.playing import about, told
from tournament.models import Salon


def rows() -> dict[str, int]:
    """How many rows each table has."""
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def act(client: Client, kind: str, collection: str, **fields: str) -> Any:
    """Tap on the practice pad as it stands; `bids__N` stands for `bids.N`."""
    page = client.get(f"/practice/{kind}/")
    named = {name.replace("__", ".").replace("-", ":"): text for name, text in fields.items()}
    return client.post(f"/practice/{kind}/{collection}/", about(page) | named, follow=True)


def test_a_hand_is_practised_by_anybody_and_nothing_is_stored(salon: Salon) -> None:
    client = Client()
    before = rows()

    act(client, "precedence", "hands", dealer="S")
    for seat, tricks in zip("WNES", "2433", strict=True):
        act(client, "precedence", "bids", seat=seat, **{"tricks:number": tricks})
    page = act(client, "precedence", "totals", fields="NS:number=8&EW:number=5")

    assert "Hand 1 is over" in told(page)
    assert "This is practice." in told(page)
    assert rows() == before


def test_an_act_is_taken_back_and_one_against_the_rules_is_refused(salon: Salon) -> None:
    client = Client()
    act(client, "precedence", "hands", dealer="S")

    page = act(client, "precedence", "bids", seat="N", **{"tricks:number": "4"})
    assert page.status_code == 422
    assert "West bids next, not North" in told(page)
    act(client, "precedence", "bids", seat="W", **{"tricks:number": "4"})
    shown = client.get("/practice/precedence/")
    assert "North bids" in told(shown)
    version = shown.context["table"]["undo"]["version"]
    page = act(client, "precedence", "retractions", **{"version:number": str(version)})

    assert "West bids" in told(page)


@pytest.mark.parametrize("kind", GAMES)
def test_every_game_has_a_practice_whose_links_lead_to_no_table(salon: Salon, kind: str) -> None:
    client = Client()

    pages = [client.get(f"/practice/{kind}/").text]
    pages.append(
        act(client, kind, "hands", dealer=next(iter(GAMES[kind].seat_names))).content.decode()
    )

    for page in pages:
        assert f'action="/practice/{kind}/' in page
        assert f"/tables/{kind}/" not in page
        assert "/games/practice/" not in page


def test_it_is_begun_again_and_each_browser_has_its_own(salon: Salon) -> None:
    client = Client()
    act(client, "precedence", "hands", dealer="S")
    assert "West bids" in told(client.get("/practice/precedence/"))
    assert "West bids" not in told(Client().get("/practice/precedence/"))

    client.post("/practice/precedence/")

    assert "West bids" not in told(client.get("/practice/precedence/"))


@pytest.mark.parametrize("cookie", ["", "x", "a:b:c", "%ff"])
def test_a_cookie_that_was_not_given_is_as_none(salon: Salon, cookie: str) -> None:
    client = Client()
    client.cookies["practice"] = cookie

    assert client.get("/practice/precedence/").status_code == 200


def test_a_practice_that_is_full_says_so(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pages.table.practice.MAX_ACTS", 1)
    client = Client()
    act(client, "precedence", "hands", dealer="S")

    page = act(client, "precedence", "bids", seat="W", **{"tricks:number": "4"})

    assert "This practice is full. Begin again to go on." in told(page)


def test_before_the_first_visit_the_pad_can_be_tried(db: None) -> None:
    client = Client()

    assert "A table to practise at" in told(client.get("/practice/"))
    assert client.get("/practice/precedence/").status_code == 200


def test_the_tables_lead_to_it(salon: Salon, owner: Client) -> None:
    assert 'href="/practice/"' in owner.get("/tables/").text
