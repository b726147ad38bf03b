"""The pages about the API: what programs can do, and tokens given and ended there."""

import re

import pytest
from django.test import Client

from tests.tournament.api.calling import Caller, actions
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import owner_of
from tournament.models import ApiToken, Salon


def test_the_page_shows_every_operation_without_a_script(salon: Salon) -> None:
    page = Client().get("/api/docs/").text

    names = {operation.name for operation in actions()}
    assert names <= set(re.findall(r'<details class="api-op" id="(\w+)">', page))
    assert " style=" not in page
    assert "<script>" not in page


def test_the_document_is_there_for_programs(salon: Salon) -> None:
    answer = Client().get("/api/openapi.json")

    assert answer.json()["openapi"] == "3.1.0"
    assert answer["Content-Type"] == "application/vnd.oai.openapi+json"


def test_the_document_asks_for_no_token_not_even_a_right_one(salon: Salon) -> None:
    answer = Client().get("/api/openapi.json", headers={"Authorization": "Bearer nothing"})

    assert answer.status_code == 200


def test_a_token_given_on_the_page_opens_what_was_chosen_until_it_is_ended(salon: Salon) -> None:
    owner = owner_of(salon)

    page = owner.post(
        "/api/tokens/",
        {"name": "Overlay", "scopes": ["see the salon", "read the history"], "days": "7"},
    ).text
    program = Caller(salon=salon.slug, token=match_in(page, r"<code>(\w{64})</code>")[1])

    assert program.get("events/").status == 200
    assert program.get("ledger/").status == 403
    assert "Overlay" in owner.get("/api/tokens/").text
    owner.post(f"/api/tokens/{ApiToken.objects.get().identity}/end/")
    assert program.get("events/").status == 401


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"name": "", "scopes": ["see the salon"], "days": "7"}, "a text of 1 to 80 characters"),
        ({"name": "Overlay", "days": "7"}, "choose at least one thing"),
        (
            {"name": "Overlay", "scopes": ["see the salon"], "days": "x"},
            "a whole number is expected here",
        ),
        ({"name": "Overlay", "scopes": ["rob the bank"], "days": "7"}, "one of see the salon"),
    ],
)
def test_a_token_that_cannot_be_is_refused_at_its_field(
    salon: Salon, form: dict[str, object], words: str
) -> None:
    answer = owner_of(salon).post("/api/tokens/", form)

    assert answer.status_code == 422
    assert words in answer.text
    assert not ApiToken.objects.exists()
