"""An event that a newer version wrote stops nothing but what needs it, and that says so: history,
pages, API, start.
"""

import pytest
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse

from ledger.models import Event
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import everything, recorded, simple, unguard
from tournament.integrity.audit import audit
from tournament.models import Game, Salon
from tournament.recording.name_digests import cover_names

NEWER = ("precedence.newer", 99)


@pytest.fixture
def salon(db: None) -> Salon:
    place = opened_salon()
    recorded(place, everything())
    recorded(place, simple("second", table="4"))
    return place


def write_newer(record: str, *, at: int) -> Event:
    """Let the event at this version of a game be one that a newer version wrote."""
    unguard()
    event = Event.objects.get(stream=Game.objects.get(record=record).pk, version=at)
    Event.objects.filter(pk=event.pk).update(type=NEWER[0], schema=NEWER[1])
    return event


@pytest.mark.parametrize("at", [1, 2, 3, 9, 21])
def test_the_salons_history_tells_such_an_entry_and_all_others(owner: Client, at: int) -> None:
    event = write_newer("second", at=at)

    page = owner.get("/history/")
    assert page.status_code == 200
    assert (
        "This line can't be read here: precedence.newer, schema 99, was written by a "
        "newer version of Accord."
    ) in told(page)
    later = Event.objects.filter(stream=event.stream).count() - at
    assert (f"{later} later line" in told(page)) == bool(later)
    whole = told(owner.get(f"/history/?before={event.position}"))
    assert "Hand 1 closed" in whole


def test_the_api_tells_it_too_and_what_needs_it_is_a_problem_with_a_code(salon: Salon) -> None:
    event, caller = write_newer("second", at=9), owner_calls(salon)

    acts = caller.get("history/").value["items"]
    (line,) = [each for each in acts if each["type"] == NEWER[0]]
    assert "was written by a newer version of Accord" in line["words"]
    events = caller.get("events/", after=event.position - 1).value["items"]
    assert (events[0]["type"], events[0]["schema"]) == NEWER
    problem = caller.get(f"games/{event.stream}/history/")
    assert (problem.status, problem.headers["Content-Type"]) == (501, "application/problem+json")
    assert (problem.value["code"], "precedence.newer" in problem.value["detail"]) == (
        "unreadable",
        True,
    )


@pytest.mark.parametrize("at", [1, 9])
def test_every_page_of_the_game_answers_in_words(owner: Client, at: int) -> None:
    event = write_newer("second", at=at)

    pages = (
        "",
        "clock/",
        "history/",
        "history/?at=5",
        "comparison/?from=2&to=5",
        "numbers/score.NS/",
        "corrections/",
        "confirmation/",
    )
    answers = {page: owner.get(f"/games/{event.stream}/{page}") for page in (*pages, "log.jsonl")}
    assert {
        page for page, answer in answers.items() if answer.status_code not in {200, 404, 405, 501}
    } == set()
    in_words = "a newer version wrote it. Nothing is lost; update Accord, and it stands here again."
    assert {
        page: in_words in told(answer)
        for page, answer in answers.items()
        if answer.status_code == 501
    }.items() >= {
        ("history/", True),
        ("comparison/?from=2&to=5", True),
        ("numbers/score.NS/", True),
    }
    assert owner.get(f"/games/{event.stream}/").status_code == 200  # what its row keeps
    assert all(
        owner.get(path).status_code == 200 for path in ("/", "/tables/", "/ledger/", "/history/")
    )


def test_the_check_at_the_start_names_each_type_and_schema_that_cannot_be_read(
    salon: Salon,
) -> None:
    assert [each.id for each in run_checks(databases=["default"]) if not each.is_silenced()] == []

    write_newer("second", at=9)
    (found,) = [each for each in run_checks(databases=["default"]) if each.id == "accord.W001"]
    assert found.msg.startswith(
        "The database holds events precedence.newer, schema 99, which this version of "
        "Accord can't read"
    )


def test_an_entry_about_names_is_a_finding_of_the_audit_and_stops_no_page(
    salon: Salon, owner: Client
) -> None:
    cover_names(salon)
    unguard()
    event = Event.objects.get(type="house.names_covered")
    Event.objects.filter(pk=event.pk).update(schema=99)

    findings = [each.message for each in audit(salon).findings]

    assert any("schema 99" in message for message in findings)
    assert owner.get(reverse("audit")).status_code == 200
