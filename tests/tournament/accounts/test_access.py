"""Every address of the salon against every role. A new address must be entered here, or the first
test fails.
"""

import html
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern, URLResolver

from ledger.models import Event, Log
from tests.tournament.helpers.guarded_pages import (
    FEW,
    GUARDED,
    HERE,
    OFTEN,
    ROLES,
    WITHOUT_A_ROLE,
    Page,
    browser,
)
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import member, opened_salon, owner_of, scorer_at
from tournament.accounts.permissions import GRANTS, Permission, Role
from tournament.models import (
    AuditRun,
    Membership,
    Player,
    Salon,
    SeatLink,
    Table,
)
from tournament.pages.salon.promises import PROMISES

BY_DEFAULT = [
    role if role in OFTEN else pytest.param(role, marks=pytest.mark.long) for role in ROLES
]
OTHER_TABLES = {"table link elsewhere", "event link"}  # than the one that is asked for
AT_A_TABLE = frozenset({Permission.START_GAME, Permission.RECORD, Permission.CALL})


EVERYBODY = frozenset(ROLES)
OWNER = frozenset({"owner"})
DIRECTORS = OWNER | {"director"}
SCORERS = DIRECTORS | {"scorer", "table link here", "table link elsewhere", "event link"}
WHO_MAY = {
    Permission.SEE_SALON: EVERYBODY,
    Permission.READ_HISTORY: SCORERS | {"auditor"},
    Permission.READ_LEDGER: DIRECTORS | {"auditor"},
    Permission.START_GAME: SCORERS - {"event link"},  # whose games the desk starts
    Permission.RECORD: SCORERS,
    Permission.END_GAME: DIRECTORS,
    Permission.CONFIRM: SCORERS | {"player", "seat link"},
    Permission.RULE: DIRECTORS,
    Permission.CORRECT: DIRECTORS,
    Permission.MANAGE_TABLES: DIRECTORS,
    Permission.DIRECT: DIRECTORS,
    Permission.CALL: SCORERS | {"player", "seat link"},
    Permission.AUDIT: DIRECTORS | {"auditor"},
    Permission.SIGN: OWNER,
    Permission.INVITE: DIRECTORS,
    Permission.CHOOSE_NAME: OWNER,
    Permission.ADMINISTER: OWNER,
    Permission.KEEP_HOUSE: OWNER,
    Permission.TAKE_ALONG: OWNER,
    Permission.READ_PERSON: OWNER,
    Permission.ERASE_PERSON: OWNER,
    Permission.GIVE_TOKENS: DIRECTORS,
}
ACCOUNT = {
    "address_links", "address_link", "new_password", "past_second_step",
    "account", "account_sessions", "account_session", "second_step", "mfa_authenticate",
    "mfa_activate_totp", "mfa_deactivate_totp",
    "mfa_reauthenticate", "mfa_index", "mfa_view_recovery_codes", "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes",
    "account_change_password", "account_set_password", "account_reauthenticate",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key", "account_reset_password_from_key_done", "account_inactive",
    "account_login",
}  # fmt: skip
OPEN = ACCOUNT | {
    "welcome",
    "event_join",
    "captain",
    "own_door",
    "own_page",
    "own_rounds",
    "own_calls",
    "own_phones",
    "short_event",
    "short_entry",
    "table_door",
    "new_salon",
    "invitation",
    "first_visit",
    "sign_in",
    "sign_out",
    "table_join",
    "seat_join",
    "healthz",
    "trust",
    "trust_file",
    "worker",
    "page_rules",
    "api_schema",
    "salons",
    "practice_tables",
    "practice_pad",
    "practice_act",
}


def may(role: str, page: Page) -> bool:
    """Whether this role may do what the page is for; a link lets record at the own tables only."""
    away = OTHER_TABLES | ({"player"} if page.act is Permission.CALL else set())  # who sits nowhere
    elsewhere = role in away and page.table and page.act in AT_A_TABLE
    return role in WHO_MAY[page.act] and not elsewhere


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all addresses but the admin's and the API's, which have tests of their own."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if not str(pattern.pattern).startswith(("admin/", "api/")):
                yield from names(list(pattern.url_patterns))
        elif not str(pattern.pattern).startswith("admin/"):
            yield pattern.name or str(pattern.pattern)


def everything_kept() -> list[object]:
    """What no refused request may change."""
    return [
        list(Log.objects.order_by("pk").values_list("pk", "position")),
        list(Table.objects.order_by("pk").values_list("token", "pin")),
        list(SeatLink.objects.order_by("pk").values_list("token", "pin")),
        list(Membership.objects.order_by("pk").values_list("user", "salon", "role")),
        AuditRun.objects.count(),
    ]


def wrong_answers(
    client: Client, role: str, allowed: Callable[[Page], bool], prefix: str
) -> Iterator[str]:
    """Each page and method that answered this browser otherwise than the table of permissions has
    it, first those that refuse it; and whether one of these changed something.
    """
    kept = everything_kept()
    for name, page in sorted(GUARDED.items(), key=lambda named: allowed(named[1])):
        if allowed(page) and kept:
            if everything_kept() != kept:
                yield f"{role}: {prefix}: a request was refused and changed something"
            kept = []
        for method in page.methods:
            answer = getattr(client, method)(
                prefix + reverse(name, kwargs=page.arguments)[1:], page.sent
            )
            asked = answer.status_code == 302 and answer["Location"].startswith(f"{prefix}sign-in/")
            if allowed(page):
                right = answer.status_code in {200, 302, 404, 422} and not asked
            else:
                asks = method == "get" and role in WITHOUT_A_ROLE
                right = asked if asks else answer.status_code == 403
            if not right:
                yield f"{role}: {method} {prefix} {name}: {answer.status_code}"


def test_every_act_is_in_the_table() -> None:
    assert WHO_MAY.keys() == set(Permission)


def test_every_address_is_in_the_table() -> None:
    assert set(names(get_resolver().url_patterns)) == GUARDED.keys() | OPEN


@pytest.mark.parametrize("role", BY_DEFAULT)
def test_every_page_lets_in_whom_the_grants_name_and_nobody_else(salon: Salon, role: str) -> None:
    client = browser(salon, role)

    assert list(wrong_answers(client, role, lambda page: may(role, page), "/")) == []


@pytest.mark.parametrize(
    "role",
    [
        "table link here",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("owner", "anyone")),
    ],
)
def test_an_address_with_the_salon_in_it_lets_in_the_same(salon: Salon, role: str) -> None:
    client = browser(salon, role)

    assert (
        list(wrong_answers(client, role, lambda page: may(role, page), f"/salons/{salon.slug}/"))
        == []
    )


@pytest.mark.parametrize(
    "role", [role if role in FEW else pytest.param(role, marks=pytest.mark.long) for role in ROLES]
)
def test_in_another_salon_everybody_is_anyone(salon: Salon, role: str) -> None:
    other = opened_salon("Elsewhere", "nela@example.org")
    client = browser(salon, role)

    assert (
        list(
            wrong_answers(
                client, "anyone", lambda page: may("anyone", page), f"/salons/{other.slug}/"
            )
        )
        == []
    )


def test_the_page_of_permissions_says_what_the_table_says(salon: Salon) -> None:
    page = Client().get("/permissions/").text

    for act in Permission:
        line = page.split(f">{act.value}</th>")[1].split("</tr>")[0]
        cells = [re.sub(r"<[^>]+>", "", cell).strip("– \n") for cell in line.split("<td>")[1:]]
        assert [cell != "no" for cell in cells] == [role in GRANTS[act] for role in Role]
    assert "own games" in page
    assert "own tables" in page


def test_the_page_of_permissions_says_what_is_promised_and_what_not(salon: Salon) -> None:
    page = html.unescape(Client().get("/permissions/").text)

    said = [words for each in PROMISES for words in (each.against, each.holds, each.does_not)]
    assert [words for words in said if words not in page] == []


def test_a_player_sees_and_confirms_the_own_games_alone(salon: Salon) -> None:
    game = game_at(salon)
    version = record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    seats = game.seats
    player, stranger = (
        member(salon, "player", Player.objects.get(pk=seats["E"])),
        member(salon, "player", email="odo@example.org"),
    )
    said = {"command": "c" * 32, "game": game.pk, "version": version, "number:number": "1"}

    for client, status in ((player, 200), (stranger, 403)):
        assert client.get(reverse("game_history", args=[game.pk])).status_code == status
        assert client.get(reverse("game_ledger", args=[game.pk])).status_code == status
        assert client.get(reverse("player_statement", args=[seats["E"]])).status_code == status
        assert client.get(reverse("player_statement", args=[seats["N"]])).status_code == 403
        assert client.get(reverse("history")).status_code == 403
    confirm = reverse("attestations", args=[game.pk, "confirmations"])
    assert stranger.post(confirm, said).status_code == 403
    assert player.post(confirm, said).status_code == 303
    last = Event.objects.get(stream=game.pk, version=version + 1)
    assert (last.type, last.actor) == ("hand.confirmed", f"user:{player.session['_auth_user_id']}")


@pytest.mark.parametrize("name", ["table_link", "start"])
def test_a_fragment_is_refused_without_a_page_to_sign_in(salon: Salon, name: str) -> None:
    answer = Client().get(
        reverse(name, kwargs=GUARDED[name].arguments), headers={"HX-Request": "true"}
    )

    assert answer.status_code == 403


@pytest.mark.parametrize("role", ROLES)
def test_the_admin_is_the_owners(salon: Salon, role: str) -> None:
    answer = browser(salon, role).get("/admin/", follow=True)

    assert ("Site administration" in answer.text) == (role == "owner")


@pytest.mark.parametrize("role", ROLES)
def test_names_are_whole_for_whoever_has_an_account_or_a_link_in_the_salon(
    salon: Salon, role: str
) -> None:
    Salon.objects.filter(pk=salon.pk).update(names_shown="first")
    otter = Player.objects.create(salon=salon, name="Brass Otter")

    answer = browser(salon, role).get(reverse("player", args=[otter.pk]))

    assert "Brass" in answer.text
    assert ("Otter" in answer.text) == (role not in WITHOUT_A_ROLE)


def test_a_refusal_says_why(salon: Salon) -> None:
    assert (
        "Only the owner or a director of the salon can do that."
        in scorer_at(salon, HERE).get("/table-slips/").text
    )


def test_a_form_from_another_site_is_refused(salon: Salon) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = owner_of(salon).cookies
    before = Table.objects.get(label=HERE).token

    answer = careful.post("/tables/4/link/")

    assert answer.status_code == 403
    assert "This form is too old" in answer.text
    assert Table.objects.get(label=HERE).token == before


def test_a_page_that_is_not_there_says_so(salon: Salon) -> None:
    answer = Client().get("/no/such/page")

    assert answer.status_code == 404
    assert "There is no such page in this salon." in answer.text


def test_a_session_that_was_ended_or_has_expired_is_over(salon: Salon) -> None:
    owner, scorer = owner_of(salon), member(salon, "scorer")
    assert [client.get("/people/").status_code for client in (owner, scorer)] == [200, 403]

    Session.objects.filter(session_key=owner.session.session_key).update(
        expire_date=datetime.now(UTC) - timedelta(seconds=1)
    )
    Session.objects.filter(session_key=scorer.session.session_key).delete()

    assert [client.get("/people/").status_code for client in (owner, scorer)] == [302, 302]
