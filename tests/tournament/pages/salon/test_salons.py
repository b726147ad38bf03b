"""Several salons on one server: each has its own addresses, and nothing of one is seen or changed
from another.
"""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import Model
from django.test import Client
from django.urls import get_resolver, get_script_prefix, reverse
from pytest_django.fixtures import Settings

from ledger.models import Account, Event, Log, Transfer
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.full_salon import FullSalon, full_salon
from tests.tournament.helpers.reading import body
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tests.tournament.helpers.sweeping import addresses, browser, routes
from tournament.models import (
    AuditRun,
    Game,
    Hand,
    Membership,
    Player,
    Salon,
    SeatLink,
    Stock,
    StockSeed,
    Table,
    Text,
    Tournament,
)

FEW = ("scorer", "anyone")
MORE = ("owner", "director", "auditor", "player", "table link", "seat link")
KEPT: tuple[type[Model], ...] = (
    Game,
    Player,
    SeatLink,
    Stock,
    StockSeed,
    Table,
    Text,
    Tournament,
    Membership,
    AuditRun,
)


def kept(salon: Salon) -> list[object]:
    """Everything that is written down of a salon."""
    log = salon.log_id
    rows: list[object] = [
        list(model._default_manager.filter(salon=salon).order_by("pk").values()) for model in KEPT
    ]
    rows += [
        list(model._default_manager.filter(log=log).order_by("pk").values("pk"))
        for model in (Event, Account, Transfer)
    ]
    return [
        *rows,
        list(Hand.objects.filter(game__salon=salon).order_by("pk").values()),
        list(Log.objects.filter(pk=log).values()),
    ]


@pytest.fixture(scope="module")
def two_full_salons(stored_once: None) -> tuple[FullSalon, FullSalon]:
    return full_salon("Rosewater"), full_salon("Umberhall")


@pytest.mark.parametrize(
    "role", [*FEW, *(pytest.param(role, marks=pytest.mark.long) for role in MORE)]
)
def test_no_id_of_another_salon_is_found_anywhere(
    two_full_salons: tuple[FullSalon, FullSalon], undone: None, role: str
) -> None:
    own, other = two_full_salons
    client, before, ids = browser(own.salon, role), kept(other.salon), other.ids
    found = {name: keys[0] for name, keys in ids.items()}
    named = found | {
        "stock": found["stock"],
        "version": "1",
        "command": found["game"],
        "table": "4",
        "q": "Brass",
        "name": "x",
    }

    seen = []
    for address in addresses(ids):
        if is_elsewhere_tested(address):
            continue
        for answer in (
            client.get(f"/salons/{own.salon.slug}/{address}", named),
            client.post(f"/{address}", named),
        ):
            if other.mark in body(answer) or answer.status_code >= 500:
                seen.append(f"{address}: {answer.status_code}")

    assert seen == []
    assert kept(other.salon) == before


def is_elsewhere_tested(address: str) -> bool:
    """Whether this is a link of a table or seat, which says to everybody whose it is, the admin,
    the API, or the way out.
    """
    return address.startswith(("t/", "c/", "admin/", "api/", "sign-out/"))


def test_a_link_of_another_salon_is_not_found_below_this_ones_address(db: None) -> None:
    own, other = opened_salon(), full_salon("Umberhall")
    links = [f"t/{other.ids['token'][0]}/", f"c/{other.ids['token'][1]}/"]

    assert [Client().get(f"/salons/{own.slug}/{link}").status_code for link in links] == [404, 404]
    assert [Client().get(f"/salons/{other.salon.slug}/{link}").status_code for link in links] == [
        200,
        200,
    ]


@pytest.fixture
def two(db: None) -> tuple[Salon, Salon]:
    return opened_salon("Salon at Border Gate"), opened_salon("Harbour Salon", "nela@example.org")


def test_every_link_of_a_page_stays_in_its_salon(two: tuple[Salon, Salon]) -> None:
    page = owner_of(two[1]).get("/salons/harbour-salon/tables/").text

    links = re.findall(r'(?:href|action|hx-get|hx-post)="(/[^"]*)"', page)
    assert "Harbour Salon" in page
    assert len(links) > 8
    assert all(link.startswith(("/salons/harbour-salon/", "/static/")) for link in links)


def test_the_salon_of_one_page_is_not_remembered_for_the_next(two: tuple[Salon, Salon]) -> None:
    Client().get("/salons/harbour-salon/")

    assert get_script_prefix() == "/"
    assert "Salon at Border Gate" in Client().get("/").text


def test_without_an_account_an_address_without_a_salon_means_the_first(
    two: tuple[Salon, Salon],
) -> None:
    assert "Salon at Border Gate" in Client().get("/tables/").text
    assert "Harbour Salon" in Client().get("/salons/harbour-salon/tables/").text
    assert Client().get("/salons/nowhere/tables/").status_code == 404


def test_an_account_is_in_its_own_salon_and_told_its_address(two: tuple[Salon, Salon]) -> None:
    owner = owner_of(two[1])

    assert "Harbour Salon" in owner.get("/tables/").text
    assert owner.get("/")["Location"] == "/salons/harbour-salon/"
    assert owner_of(two[0]).get("/").status_code == 200


def test_an_account_of_several_salons_is_asked_once_where_it_wants_to_be(
    two: tuple[Salon, Salon],
) -> None:
    client = owner_of(two[0])
    Membership.objects.create(
        salon=two[1], user=Membership.objects.get(salon=two[0]).user, role="scorer"
    )

    assert client.get("/")["Location"] == "/salons/"
    assert "Harbour Salon" in client.get("/salons/").text
    assert (
        client.post("/salons/", {"salon": "harbour-salon"})["Location"] == "/salons/harbour-salon/"
    )
    assert "Harbour Salon" in client.get("/tables/").text
    assert client.get("/table-slips/").status_code == 403
    assert client.get(f"/salons/{two[0].slug}/table-slips/").status_code == 200


def test_nobody_goes_to_a_salon_they_are_not_in(two: tuple[Salon, Salon]) -> None:
    assert owner_of(two[0]).post("/salons/", {"salon": "harbour-salon"}).status_code == 404
    assert Client().get("/salons/")["Location"] == "/sign-in/?next=/salons/"


def test_the_phone_of_a_table_records_in_its_own_salon_whoever_is_signed_in(
    two: tuple[Salon, Salon],
) -> None:
    table, client = Table.objects.get(salon=two[1], label="4"), owner_of(two[0])

    answer = client.post(f"/t/{table.token}/", {"pin": table.pin})

    assert answer["Location"] == "/salons/harbour-salon/tables/4/"
    assert client.get(answer["Location"]).context["visitor"].tables == {"4"}


def test_the_admin_shows_the_rows_of_one_salon(db: None) -> None:
    own, other = full_salon("Rosewater"), full_salon("Umberhall")
    owner = owner_of(own.salon)
    lists = [
        route
        for route in routes(get_resolver().url_patterns)
        if re.fullmatch(r"admin/\w+/\w+/", route)
    ]

    assert len(lists) > 20
    assert [route for route in lists if other.mark in owner.get("/" + route).text] == []
    assert (
        owner.get(reverse("admin:tournament_game_change", args=[other.ids["game"][0]])).status_code
        == 302
    )
    assert owner.get(f"/salons/{other.salon.slug}/admin/").status_code == 302
    assert member(own.salon, "director").get("/admin/").status_code == 302


def test_the_servers_owner_opens_one_more_salon_for_somebody_who_is_then_invited(
    two: tuple[Salon, Salon],
) -> None:
    answer = owner_of(two[0]).post(
        "/salons/new/", {"name": "Harbour Salon", "owner": "ida@example.org"}
    )

    link = re.search(r"http://[^/]+(/salons/harbour-salon-2/invitations/[^<]+/)<", answer.text)
    assert link is not None
    newcomer = {"name": "Ida Fenn", "email": "ida@example.org", "password": "velvet ladder comet"}
    assert Client().post(link[1], newcomer).status_code == 302
    opened = Salon.objects.get(slug="harbour-salon-2")
    assert Membership.objects.get(salon=opened).role == "owner"
    assert Table.objects.filter(salon=opened).count() == 8


def test_nobody_but_the_servers_owner_opens_salons(two: tuple[Salon, Salon]) -> None:
    form = {"name": "Mine", "owner": "ida@example.org"}

    assert Client().post("/salons/new/", form).status_code == 302
    assert member(two[0], "director").post("/salons/new/", form).status_code == 403
    assert Salon.objects.count() == 2


def test_the_command_opens_one_more_salon_and_says_whose_it_is(
    two: tuple[Salon, Salon], capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "salon", "open", "New", "--owner", "NELA@example.org")

    opened, joins = ran.out.splitlines()
    assert opened == "New is open at /salons/new-2/."
    link = re.fullmatch(
        r"nela@example.org joins as its owner at "
        r"(/salons/new-2/invitations/[^/]+/) within a week, .*",
        joins,
    )
    assert link is not None
    nela = owner_of(two[1])
    assert "You are in New now" in nela.post(link[1], follow=True).text
    assert set(
        Membership.objects.filter(user__username="nela@example.org").values_list(
            "salon__slug", flat=True
        )
    ) == {
        "harbour-salon",
        "new-2",
    }


def ways_of_giving(
    two: tuple[Salon, Salon], capsys: pytest.CaptureFixture[str], address: str
) -> dict[str, Callable[[], str]]:
    """Every way by which an address is said to become something; what it says."""
    return {
        "open a salon on its page": lambda: (
            owner_of(two[0]).post("/salons/new/", {"name": "Corp", "owner": address}).text
        ),
        "open a salon by command": lambda: (
            run(capsys, "salon", "open", "Corp", "--owner", address).out
        ),
        "auditor": lambda: run(capsys, "auditor", address, "--salon", two[0].slug).out,
        "invite": lambda: (
            owner_of(two[0]).post("/people/", {"role": "owner", "email": address}).text
        ),
    }


@pytest.mark.parametrize(
    "way", ["open a salon on its page", "open a salon by command", "auditor", "invite"]
)
def test_an_address_alone_gives_nothing_to_the_account_that_has_it(
    two: tuple[Salon, Salon], capsys: pytest.CaptureFixture[str], way: str
) -> None:
    """Somebody may have registered an address that isn't theirs: only who gets the link accepts by
    it.
    """
    member(two[1], "scorer", email="bigboss@corp.example")

    said = ways_of_giving(two, capsys, "bigboss@corp.example")[way]()

    assert list(
        Membership.objects.filter(user__username="bigboss@corp.example").values_list(
            "salon", "role"
        )
    ) == [(two[1].pk, "scorer")]
    link = re.search(r"/salons/[^/]+/invitations/[^/]+/|/invitations/[^/]+/", said)
    assert link is not None
    theirs = Client()
    theirs.force_login(User.objects.get(username="bigboss@corp.example"))
    theirs.post(link[0])
    assert Membership.objects.filter(user__username="bigboss@corp.example").count() == 2


def test_who_opens_a_salon_for_the_own_account_owns_it_at_once(two: tuple[Salon, Salon]) -> None:
    answer = owner_of(two[0]).post(
        "/salons/new/", {"name": "Second House", "owner": "Mara@Example.org"}
    )

    assert "It has its owner already." in answer.text
    assert Membership.objects.get(salon__slug="second-house").user.username == "mara@example.org"


def test_an_owner_who_is_invited_to_a_new_salon_gets_the_link_by_mail(
    two: tuple[Salon, Salon], settings: Settings
) -> None:
    settings.MAIL_IS_SENT = True
    answer = owner_of(two[0]).post("/salons/new/", {"name": "Corp", "owner": "ida@example.org"})

    assert "It is on its way to ida@example.org." in answer.text
    assert "/invitations/" in mail.outbox[0].body
