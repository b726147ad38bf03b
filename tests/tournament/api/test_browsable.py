"""The API in a browser: pages to read for people who have signed in, JSON for everybody else."""

import re
from typing import Any

from django.contrib.staticfiles import finders
from django.test import Client

from tests.tournament.api.calling import a_game, owner_calls
from tests.tournament.helpers.salons import owner_of
from tournament.models import Salon

AS_A_BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def asked(client: Client, salon: Salon, place: str, **headers: str) -> Any:
    return client.get(f"/api/v1/salons/{salon.slug}/{place}", headers=AS_A_BROWSER | headers)


def test_who_has_signed_in_reads_the_api_on_pages(salon: Salon) -> None:
    game = a_game(owner_calls(salon))

    answer = asked(owner_of(salon), salon, f"games/{game}/")

    assert (answer.status_code, answer["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "Ilse Marrow" in answer.text
    assert "Accept" in answer["Vary"]
    assert "No Such Address" not in answer.text
    assert "<form" not in re.sub(r'<form id="get-form".*?</form>', "", answer.text, flags=re.DOTALL)


def test_a_page_of_the_api_keeps_to_what_pages_may_load(salon: Salon) -> None:
    answer = asked(owner_of(salon), salon, "house/")

    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert re.findall(r"<style| style=| on\w+=|<script>", answer.text) == []
    files = re.findall(r'(?:src|stylesheet" href)="/static/([^"]+)"', answer.text)
    assert len(files) > 5
    assert [each for each in files if finders.find(each) is None] == []


def test_a_refusal_is_a_page_too_with_its_status(salon: Salon) -> None:
    answer = asked(owner_of(salon), salon, "stocks/" + "0" * 32 + "/")

    assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such thing in this salon." in answer.text


def test_programs_and_who_has_not_signed_in_get_json(salon: Salon) -> None:
    token = owner_calls(salon).token

    anyone = asked(Client(), salon, "house/")
    program = asked(Client(), salon, "house/", Authorization=f"Bearer {token}")
    signed_in = owner_of(salon).get(f"/api/v1/salons/{salon.slug}/house/")

    answers = (anyone, program, signed_in)
    assert {each["Content-Type"] for each in answers} == {"application/json"}
    assert len({each.content for each in answers}) == 1
