"""What audits found, on pages: each finding leads to what it is about, runs are kept, and what is
parked can try again.
"""

import pytest
from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.evenings import after_round_1
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import flat
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.integrity import audit_runs
from tournament.models import (
    AuditRun,
    Game,
    House,
    Player,
    Progress,
    Salon,
    Stock,
    Tournament,
    TournamentRound,
)
from tournament.projections.background import catch_up
from tournament.recording import stocks
from tournament.recording.house_rules import set_correction_hours
from tournament.tasks import PROJECTIONS


@pytest.fixture
def salon(db: None) -> Salon:
    """A salon with a game, a tournament, a stock and a correction period, whose audits are run when
    a test says so.
    """
    place = opened_salon()
    record(game_at(place), *hand("N", (4, 3, 3, 4), (9, 4)))
    after_round_1(place)
    stocks.draw(place, name="Saturday", actor="user:1", command="a" * 32)
    set_correction_hours(place, 48, reason="why", actor="user:1", command="b" * 32, version=0)
    catch_up(place.log, PROJECTIONS)
    return place


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


def audited(salon: Salon, *, asked_by: str = "user:1") -> AuditRun:
    run = audit_runs.begin(salon, asked_by=asked_by)
    assert run is not None
    audit_runs.carry_out(run)
    run.refresh_from_db()
    return run


def test_a_finding_leads_to_the_page_of_what_it_is_about(browser: Client, salon: Salon) -> None:
    Tournament.objects.update(rounds=7)
    TournamentRound.objects.update(number=5)
    Stock.objects.update(drawn_on="2020-01-01")
    House.objects.update(correction_hours=1)
    Game.objects.update(finished=True)
    Progress.objects.filter(projection="standings").update(error="it broke", error_position=3)

    run = audited(salon)
    page = browser.get("/audit/").text

    assert {each["kind"] for each in run.findings} == {"row", "parked"}
    cup, stock, game = Tournament.objects.get().pk, Stock.objects.get().pk, Game.objects.get().pk
    for address in (
        f"/tournaments/{cup}/history/",
        f"/stocks/{stock}/",
        "/house/",
        f"/games/{game}/",
        "/audit/#work",
    ):
        assert f'<a class="btn" href="{address}">' in flat(page), address
    assert "The projection standings is parked at line 3: it broke" in words(page)
    for address in (
        f"/tournaments/{cup}/history/",
        f"/stocks/{stock}/",
        "/house/",
        f"/games/{game}/",
    ):
        assert browser.get(address).status_code == 200


def test_an_event_of_a_tournament_that_was_changed_leads_to_its_place_in_the_history(
    browser: Client, salon: Salon
) -> None:
    changed = Event.objects.filter(type="tournament.result_entered").order_by("position")[0]
    finding = {
        "kind": "hash",
        "table": "ledger_event",
        "row": changed.position,
        "column": None,
        "message": "It was changed.",
    }
    run = audited(salon)
    AuditRun.objects.filter(pk=run.pk).update(findings=[finding], count=1)

    assert (
        f'href="/tournaments/{changed.stream}/history/?at={changed.version}"'
        in browser.get("/audit/").text
    )


def test_a_player_who_is_not_there_leads_nowhere(browser: Client, salon: Salon) -> None:
    finding = {
        "kind": "player",
        "table": Player._meta.db_table,
        "row": "0" * 32,
        "column": None,
        "message": "Nobody.",
    }
    run = audited(salon)
    AuditRun.objects.filter(pk=run.pk).update(findings=[finding], count=1)

    page = browser.get("/audit/").text
    assert "Nobody." in page
    assert 'class="btn" href="/players/' not in flat(page)


def test_the_last_nights_audit_stays_in_sight_when_somebody_made_another(
    browser: Client, salon: Salon
) -> None:
    House.objects.update(correction_hours=1)
    night = audited(salon, asked_by="")
    assert "The last night's audit" not in words(browser.get("/audit/").text)
    House.objects.update(correction_hours=48)
    audited(salon)

    page = words(browser.get("/audit/").text)
    assert (
        "The last night&#x27;s audit 1 finding" in page
        or "The last night's audit 1 finding" in page
    )
    kept = words(browser.get(f"/audit/runs/{night.pk}/").text)
    assert "correction_hours is 1, its events say 48" in kept
    assert "by night" in kept


def test_all_findings_that_were_kept_stand_on_the_page_of_their_run(
    browser: Client, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = {"kind": "row", "table": "t", "row": "", "column": None}
    run = audited(salon)
    many = [finding | {"message": f"Finding {number}."} for number in range(250)]
    AuditRun.objects.filter(pk=run.pk).update(findings=many, count=250)

    assert "The first 100 of 250. All that were stored" in words(browser.get("/audit/").text)
    page = words(browser.get(f"/audit/runs/{run.pk}/").text)
    assert "Finding 249." in page
    assert "The first" not in page


def test_what_is_parked_is_said_and_tries_again_when_a_director_says_so(
    browser: Client, salon: Salon
) -> None:
    Progress.objects.filter(projection="standings").update(error="it broke", error_position=3)
    assert "Parked at line 3" in words(browser.get("/audit/").text)
    assert member(salon, "auditor").post("/audit/projections/standings/").status_code == 403

    page = browser.post("/audit/projections/standings/", follow=True)

    assert "It tries again from where it stopped." in page.content.decode()
    assert Progress.objects.get(projection="standings").error == ""
    assert browser.post("/audit/projections/sand/").status_code == 404


def test_a_run_of_another_salon_is_not_there(browser: Client, salon: Salon) -> None:
    other = opened_salon("Salon at Core Gate", "core@example.org")
    run = AuditRun.objects.create(salon=other, began_at=1, moved_at=1)

    assert browser.get(f"/audit/runs/{run.pk}/").status_code == 404


def test_what_the_last_audit_found_waits_for_those_who_can_look(
    browser: Client, salon: Salon
) -> None:
    audited(salon, asked_by="")
    assert "The last audit" not in words(browser.get("/").text)
    House.objects.update(correction_hours=1)
    run = audited(salon, asked_by="")

    assert "The last audit has 1 finding" in words(browser.get("/").text)
    assert f'href="/audit/runs/{run.pk}/"' in browser.get("/").text
    assert "The last audit" in words(member(salon, "auditor").get("/").text)
    for stranger in (Client(), member(salon, "scorer")):
        assert "The last audit" not in words(stranger.get("/").text)

    House.objects.update(correction_hours=48)
    audited(salon)
    assert "The last audit" not in words(browser.get("/").text)


def test_what_is_parked_waits_with_a_link_to_where_it_can_try_again(
    browser: Client, salon: Salon
) -> None:
    Progress.objects.filter(projection="ratings").update(error="it broke", error_position=3)

    page = browser.get("/").text
    assert "What is computed in the background stopped at line 3" in words(page)
    assert 'href="/audit/#work"' in page
