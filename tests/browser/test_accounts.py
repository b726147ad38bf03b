"""The pages of accounts, people, settings and programs: axe finds nothing, by day on a phone and by
night on a desk.
"""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page

from tests.browser.conftest import visiting
from tests.browser.looking import DESK_BY_NIGHT, PHONE_BY_DAY, look
from tests.tournament.helpers.evenings import after_round_1
from tests.tournament.helpers.people import with_code
from tests.tournament.helpers.played import game_at
from tests.tournament.helpers.salons import member, owner_of
from tournament.accounts.access import as_member
from tournament.accounts.api_tokens import give_token
from tournament.accounts.event_links import open_link
from tournament.accounts.invitations import Invitee, invite
from tournament.accounts.permissions import Permission
from tournament.accounts.recovery_links import Purpose, hand_out
from tournament.accounts.verified_email import token_for
from tournament.models import (
    Membership,
    Player,
    Preset,
    Progress,
    RetentionRun,
    Salon,
    Table,
    Tournament,
    Webhook,
)
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS
from tournament.webhooks.delivery import ping

pytestmark = pytest.mark.browser


@pytest.fixture
def full(salon: Salon) -> Salon:
    """A salon with people of every role, invitations, house rules, work that stopped, a webhook
    with messages, a token, an event.
    """
    game_at(salon)
    after_round_1(salon)
    for role in ("director", "scorer", "auditor"):
        member(salon, role)
    player = Player.objects.get(name="Brass Otter")
    member(
        salon,
        "player",
        player,
        email="brass.otter.of.the.long.address@salon-at-border-gate.example.org",
    )
    for wanted in (
        Invitee(role="scorer"),
        Invitee(role="player", player=player, email="otter@example.org"),
    ):
        invite(salon, wanted, by=None)
    Preset.objects.create(
        salon=salon,
        game="precedence",
        name="Saturday, eight hands",
        options="game=precedence&options.hands_limit=8",
    )
    RetentionRun.objects.create(salon=salon, players=2)
    catch_up(salon.log, PROJECTIONS)
    Progress.objects.filter(projection="careers").update(
        error="KeyError: 'score'", error_position=3
    )
    hook = Webhook.objects.create(
        salon=salon,
        address="https://overlay.example.org/accord",
        events=["hand.closed"],
        secret="",
        since=0,
        standings_told=0,
        made_by="",
    )
    ping(hook)
    other = ping(hook)
    other.due_at, other.answer, other.status, other.tries = None, "<html>Bad gateway</html>", 502, 8
    other.save()
    Webhook.objects.update(paused_why="A message did not arrive in eight tries.")
    give_token(
        as_member(Membership.objects.get(salon=salon, role="owner")),
        name="Overlay",
        scopes=[Permission.SEE_SALON],
        days=7,
    )
    return salon


def test_axe_finds_nothing(browser: Browser, site: str, full: Salon) -> None:
    owner = owner_of(full)
    with_code(owner)
    for page in visiting(browser, site, owner):
        for number, address in enumerate(of_the_owner(full)):
            look(page, address, PHONE_BY_DAY, *([] if number % 2 else [DESK_BY_NIGHT]))
        invited(page)
    director = Client()
    director.force_login(User.objects.get(membership__role="director"))
    for page in visiting(browser, site, director):
        look(page, "/account/second-step/?next=/", PHONE_BY_DAY)
    stranger = Client()
    stranger.get("/")
    stranger.session.save()
    _made, token = invite(full, Invitee(role="scorer"), by=None)
    for page in visiting(browser, site, stranger):
        table = Table.objects.order_by("pk")[0].token
        for address in (
            "/sign-in/",
            "/account/password/forgotten/",
            f"/invitations/{token}/",
            f"/t/{table}/",
        ):
            look(page, address, PHONE_BY_DAY)
        for address in handed(full):
            look(page, address, PHONE_BY_DAY, DESK_BY_NIGHT)


def handed(salon: Salon) -> list[str]:
    """The pages behind links that an owner hands over, and behind one that went to an address."""
    director = Membership.objects.select_related("user").get(salon=salon, role="director")
    owner = Membership.objects.get(salon=salon, role="owner").user
    password, past = (
        hand_out(director, purpose, by=owner) for purpose in (Purpose.PASSWORD, Purpose.SECOND_STEP)
    )
    own = token_for(owner)
    return [
        f"/account/password/handed/{password}/",
        f"/account/second-step/handed/{past}/",
        f"/account/address/{own}/",
    ]


def of_the_owner(salon: Salon) -> list[str]:
    """The pages of an owner; every other one has colours that others have not."""
    player, hook = Player.objects.get(name="Brass Otter"), Webhook.objects.get()
    event = Tournament.objects.filter(phase__in=("registration", "running"))[0]
    open_link(event)
    return [
        "/account/",
        "/account/recovery-codes/",
        "/people/",
        "/account/password/again/?next=/account/second-step/new/",
        "/permissions/",
        "/account/password/",
        "/settings/",
        "/settings/tables/",
        "/salons/new/",
        f"/webhooks/{hook.pk}/",
        "/webhooks/",
        f"/players/{player.pk}/erasure/",
        f"/players/{player.pk}/held/",
        f"/tournaments/{event.pk}/desk/link/",
        "/api/tokens/",
    ]


def invited(page: Page) -> None:
    """The link of an invitation, just made."""
    page.goto("/people/")
    page.get_by_role("button", name="Invite").click()
    page.get_by_text("It is shown this once").wait_for()
