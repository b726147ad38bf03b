"""The link of a table and its PIN let a browser record at that table and no other."""

import pytest
from django.contrib.auth import get_user
from django.test import Client, RequestFactory

from tests.tournament.helpers.playing import flat
from tests.tournament.helpers.salons import opened_salon, owner_of, scorer_at
from tournament.accounts import access
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.models import Salon, Table
from tournament.server.environment import addresses


@pytest.fixture
def table(salon: Salon) -> Table:
    return Table.objects.get(salon=salon, label="4")


def visitor(client: Client) -> Visitor:
    """What this browser is to the salon."""
    request = RequestFactory().get("/")
    request.session = client.session
    request.user = get_user(request)
    return access.visitor_of(request)


def test_the_right_pin_leads_to_the_pad_of_the_table(client: Client, table: Table) -> None:
    assert "Record at table 4" in client.get(f"/t/{table.token}/").text

    answer = client.post(f"/t/{table.token}/", {"pin": f" {table.pin} "})

    assert answer["Location"] == "/tables/4/"
    assert client.get(f"/t/{table.token}/")["Location"] == "/tables/4/"


def test_a_scorer_may_record_at_this_table_and_at_no_other(salon: Salon, table: Table) -> None:
    scorer = visitor(scorer_at(salon, "4"))

    assert (scorer.role, scorer.table) == (Role.TABLE_LINK, "4")
    assert scorer.may(Permission.RECORD, table="4")
    assert not scorer.may(Permission.RECORD, table="5")
    assert not scorer.may(Permission.MANAGE_TABLES)


def test_events_name_the_link_without_giving_it_away(salon: Salon, table: Table) -> None:
    actor = visitor(scorer_at(salon, "4")).actor

    assert actor.startswith("table:")
    assert len(actor) == len("table:") + 32
    assert table.token not in actor
    assert actor != visitor(scorer_at(salon, "5")).actor
    assert visitor(owner_of(salon)).actor.startswith("user:")


def test_a_wrong_pin_leads_nowhere(client: Client, table: Table) -> None:
    wrong = f"{(int(table.pin) + 1) % 10_000:04}"

    answer = client.post(f"/t/{table.token}/", {"pin": wrong})

    assert answer.status_code == 422
    assert "This is not the PIN of table 4." in answer.text
    assert visitor(client).role is Role.ANYONE


def test_a_wrong_link_is_not_found(client: Client, table: Table) -> None:
    assert client.get(f"/t/{'0' * 32}/").status_code == 404


def test_after_five_wrong_pins_even_the_right_one_waits(client: Client, table: Table) -> None:
    for _ in range(5):
        client.post(f"/t/{table.token}/", {"pin": "x"})

    answer = client.post(f"/t/{table.token}/", {"pin": table.pin})

    assert "Too many wrong tries" in answer.text
    assert visitor(client).role is Role.ANYONE


def test_renewing_ends_the_old_link_the_old_pin_and_every_browser_that_used_them(
    salon: Salon, table: Table
) -> None:
    scorer, owner = scorer_at(salon, "4"), owner_of(salon)

    assert owner.post("/tables/4/link/")["Location"] == "/tables/4/link/"

    assert visitor(scorer).role is Role.ANYONE
    assert scorer.get(f"/t/{table.token}/").status_code == 404
    assert visitor(scorer_at(salon, "4")).role is Role.TABLE_LINK


def test_renewing_one_table_leaves_the_others(salon: Salon, table: Table) -> None:
    scorer = scorer_at(salon, "5")

    owner_of(salon).post("/tables/4/link/")

    assert visitor(scorer).table == "5"


def test_signing_out_ends_it(salon: Salon, table: Table) -> None:
    scorer = scorer_at(salon, "4")

    scorer.post("/sign-out/")

    assert visitor(scorer).role is Role.ANYONE


def test_a_session_stolen_before_the_pin_is_worth_nothing_after_it(
    client: Client, table: Table
) -> None:
    client.post(f"/t/{table.token}/", {"pin": "x"})
    before = client.session.session_key

    client.post(f"/t/{table.token}/", {"pin": table.pin})

    assert client.session.session_key != before


def test_the_slip_shows_link_code_and_pin(salon: Salon, table: Table) -> None:
    page = owner_of(salon).get("/tables/4/link/", headers={"Host": "salon.local:8000"}).text

    assert f"http://salon.local:8000/t/{table.token}/" in page
    assert f">{table.pin}</b>" in page
    assert '<svg viewBox="0 0 ' in flat(page)
    assert "style=" not in page


def test_all_slips_are_on_one_page_to_print(salon: Salon) -> None:
    page = owner_of(salon).get("/table-slips/").text

    assert all(f"/t/{table.token}/" in page for table in Table.objects.all())


def test_a_slip_never_says_localhost_when_there_is_a_network(
    salon: Salon, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "network_address", lambda: "192.0.2.7")

    page = owner_of(salon).get("/tables/4/link/", headers={"Host": "localhost:8000"}).text

    assert f"http://192.0.2.7:8000/t/{table.token}/" in page


def test_a_table_of_another_salon_does_not_exist(salon: Salon) -> None:
    other = opened_salon("Elsewhere", "nela@example.org")
    Table.objects.create(salon=other, label="Blue", pin="1234")

    assert owner_of(salon).get("/tables/Blue/link/").status_code == 404
    assert owner_of(other).get("/tables/Blue/link/").status_code == 200
