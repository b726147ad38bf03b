"""The admin: everything recorded can be looked at and nothing of it changed."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from ledger.models import Account, Event, Transfer
from scoring.commands import AdjustPoints, Undo
from scoring.confirmation import DisputeHand
from scoring.precedence.commands import OpenHand
from tests.ledger.signing import sign
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.accounts import personal_links
from tournament.accounts.captain_links import links_of as captains_of
from tournament.accounts.event_links import open_link
from tournament.accounts.invitations import Invitee, invite
from tournament.accounts.seat_links import links_of
from tournament.admin.read_only import Named, Recorded
from tournament.domain.season.rules import AddEvent, SeasonRule
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.subject import Command
from tournament.integrity.audit_runs import begin
from tournament.models import (
    Delivery,
    Erasure,
    Game,
    GameSeat,
    Hand,
    HandSide,
    Mark,
    Notice,
    Player,
    Preset,
    Progress,
    PushSubscription,
    RetentionRun,
    Salon,
    Standing,
    Tournament,
    TournamentGame,
    TournamentPlayer,
    TournamentRound,
    Webhook,
)
from tournament.projections.background import catch_up
from tournament.recording import stocks
from tournament.recording.calls import make_call
from tournament.recording.confirmations import record_attestation
from tournament.recording.door import start_game
from tournament.recording.house_rules import set_correction_hours
from tournament.recording.screens import add_screen
from tournament.recording.seasons import keep_season, open_season
from tournament.recording.tournaments import direct, open_tournament, start_linked_game
from tournament.tasks import PROJECTIONS
from tournament.webhooks.delivery import ping

OURS = [
    model for model in admin.site._registry if model._meta.app_label in {"ledger", "tournament"}
]
READ_ONLY = [model for model in OURS if isinstance(admin.site._registry[model], Recorded)]


@pytest.fixture
def salon(played: Salon, undone: None) -> Salon:
    return Salon.objects.get(pk=played.pk)


@pytest.fixture(scope="module")
def played(stored_once: None) -> Salon:
    """A salon in which a game has been played, corrected and ruled on."""
    salon = opened_salon()
    game = game_at(salon)
    version = record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(
        game,
        OpenHand(dealer="E"),
        AdjustPoints(side="NS", points=-10, by="The director", reason="A card was seen."),
    )
    record(game, Undo(version=version + 6))
    dispute = DisputeHand(seat="E", hand=1, reason="nine, not eight")
    record_attestation(
        salon, game.pk, dispute, actor="user:1", command="a" * 31 + "4", version=game.version
    )
    a_duplicate_deal(salon)
    a_tournament(salon)
    season = open_season(
        salon, name="Winter", rule=SeasonRule(), actor="user:1", command="a" * 31 + "2"
    )
    keep_season(
        salon,
        season.pk,
        AddEvent(tournament="d" * 32),
        actor="user:1",
        command="a" * 31 + "3",
        version=1,
    )
    add_screen(salon, name="Bar", address="", actor="user:1", command="a" * 31 + "7")
    make_call(salon, "5", "card", game="", actor="user:1", command="a" * 31 + "6")
    set_correction_hours(salon, 48, reason="", actor="user:1", command="a" * 31 + "1", version=0)
    catch_up(salon.log, PROJECTIONS)
    Mark.objects.create(log=salon.log, projection="standings", subject="", since=1, position=1)
    sign(salon.log_id)
    Preset.objects.create(
        salon=salon, game="precedence", name="Saturday", options="game=precedence"
    )
    RetentionRun.objects.create(salon=salon)
    invite(salon, Invitee(role="scorer"), by=None)
    open_link(Tournament.objects.get())
    captains_of(Tournament.objects.get(), ["1"])
    link = personal_links.links_of(Tournament.objects.get(), ["1"])["1"]
    phone = PushSubscription.objects.create(
        link=link, endpoint="https://push.example.net/send", told_until=0
    )
    Notice.objects.create(subscription=phone, matter="start 1 0 - 0 0")
    links_of(Game.objects.get(table="8"), ["A"])
    Erasure.objects.create(salon=salon, player="0" * 32, actor="user:0", texts=2, erased_at=1)
    assert begin(salon)
    ping(
        Webhook.objects.create(
            salon=salon,
            address="https://192.0.2.1/",
            events=[],
            secret="sealed",
            since=0,
            standings_told=0,
            made_by="user:1",
        )
    )
    return salon


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


def a_duplicate_deal(salon: Salon) -> None:
    """A patience whose first deal is open, from a duplicate stock."""
    stock = stocks.draw(salon, name="Saturday 1", actor="user:1", command="a" * 32)
    seats = {"A": Player.objects.order_by("name").values_list("name", flat=True)[0]}
    game = start_game(
        salon,
        actor="user:1",
        command="b" * 32,
        kind="order_of_precedence",
        players=seats,
        options={},
        table="8",
    )
    stocks.open_deal(salon, game, stock, actor="user:1", command="c" * 32, version=1)


def a_tournament(salon: Salon) -> None:
    """A tournament in its first round, a game linked to its table."""
    stage = Stage(kind="swiss", rounds=3)
    row = open_tournament(
        salon, actor="user:1", command="d" * 32, name="Spring Cup", game="precedence", stage=stage
    )
    one, two, three, four = Player.objects.order_by("pk").values_list("name", flat=True)[:4]
    entries = [
        MakeEntry(players=(("1", one), ("2", two))),
        MakeEntry(players=(("1", three), ("2", four))),
    ]
    acts: list[Command] = [
        EnterPhase(phase="registration"),
        *entries,
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    ]
    version = direct(salon, row.pk, acts, actor="user:1", command="e" * 32, version=1).version
    start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="7",
        actor="user:1",
        command="f" * 32,
        version=version,
    )


def address(model: type[Model], page: str, *arguments: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def named(model: type[Model]) -> str:
    return model.__name__


def test_every_model_of_ours_is_shown() -> None:
    assert {model.__name__ for model in OURS} == {
        "EventLink", "CaptainLink", "PersonalLink", "SeatLink", "PushSubscription", "Notice",
        "Invitation", "Preset", "RetentionRun", "Webhook", "Delivery",
        "Account", "Command", "Event", "Game", "GameSeat", "Hand", "HandSide", "House", "Log",
        "Membership", "Player", "Progress", "Salon", "Stock",
        "StockDeal", "Table", "Text", "Transfer",
        "Checkpoint", "Cosignature", "SigningKey", "Tile", "Witnessed", "AuditRun", "Erasure",
        "Tournament", "TournamentGame", "TournamentPlayer", "TournamentRound", "Season",
        "SeasonEvent", "Call", "Screen", "Standing", "Mark", "Reckoning", "Turn",
    }  # fmt: skip
    assert all(isinstance(admin.site._registry[model], Named) for model in OURS)
    assert {model.__name__ for model in OURS if model not in READ_ONLY} == {"Player", "Salon"}


@pytest.mark.parametrize("model", OURS, ids=named)
def test_rows_can_be_listed_and_looked_at(browser: Client, model: type[Model]) -> None:
    row = model._default_manager.first()

    assert browser.get(address(model, "changelist")).status_code == 200
    assert row is not None
    assert browser.get(address(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", OURS, ids=named)
def test_no_row_can_be_added_or_deleted(browser: Client, model: type[Model]) -> None:
    before = list(model._default_manager.order_by("pk").values())
    row = model._default_manager.first()

    assert browser.post(address(model, "add"), {}).status_code == 403
    assert row is not None
    assert browser.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    browser.post(
        address(model, "changelist"),
        {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"},
    )
    assert list(model._default_manager.order_by("pk").values()) == before


@pytest.mark.parametrize("model", READ_ONLY, ids=named)
def test_no_recorded_row_can_be_changed(browser: Client, model: type[Model]) -> None:
    row = model._default_manager.first()
    assert row is not None

    assert (
        browser.post(
            address(model, "change", row.pk), {"text": "other", "label": "9", "body": "{}"}
        ).status_code
        == 403
    )
    assert not re.search(
        r'type="submit"[^>]*name="_save"', browser.get(address(model, "change", row.pk)).text
    )


def test_a_players_name_can_be_changed_and_nothing_else_of_them(browser: Client) -> None:
    player = Player.objects.get(name="Brass Otter")

    answer = browser.post(
        address(Player, "change", player.pk), {"name": "Tin Otter", "id": "0" * 32}
    )

    assert answer.status_code == 302
    assert Player.objects.get(pk=player.pk).name == "Tin Otter"
    assert Player.objects.count() == 4


def test_an_event_is_shown_with_its_body_its_time_and_its_links(browser: Client) -> None:
    event = Event.objects.filter(type="precedence.bid_made").order_by("position").first()
    assert event is not None

    page = browser.get(address(Event, "change", event.pk)).text

    assert "&quot;seat&quot;: &quot;E&quot;,\n  &quot;tricks&quot;: 3" in page
    assert address(Game, "change", event.stream) in page
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", page)


def test_transfers_lead_to_their_event_and_accounts(browser: Client) -> None:
    transfer = Transfer.objects.first()
    assert transfer is not None

    page = browser.get(address(Transfer, "change", transfer.pk)).text

    assert address(Account, "change", transfer.source_id) in page
    assert address(Event, "change", Event.objects.get(position=transfer.position).pk) in page


def test_a_games_hands_can_be_listed(browser: Client) -> None:
    game = Game.objects.filter(kind="precedence").order_by("started_position")[0]

    page = browser.get(f"{address(Hand, 'changelist')}?game__id__exact={game.pk}")

    assert page.status_code == 200
    assert "1 hand" in page.text


@pytest.mark.parametrize(
    ("model", "query", "found"),
    [
        (Game, "?q=Paper+Comet", 2),
        (Game, "?q=nobody", 0),
        (Game, "?disputed__exact=1", 1),
        (Game, "?final__exact=0&not_played__exact=0", 3),
        (Game, "?final__exact=1", 0),
        (GameSeat, "?q=Paper+Comet", 2),
        (Hand, "?q=Paper+Comet", 1),
        (HandSide, "?q=Paper+Comet", 2),
        (HandSide, "?made__exact=1&side=NS", 1),
        (HandSide, "?made__exact=0", 1),
        (HandSide, "?audits=0&game__kind=precedence", 2),
        (HandSide, "?game__kind=preference", 0),
        (Tournament, "?q=Paper+Comet&practice__exact=0", 1),
        (Tournament, "?practice__exact=1", 0),
        (TournamentPlayer, "?q=Paper", 1),
        (TournamentRound, "?published__exact=1&closed__exact=0", 1),
        (TournamentRound, "?closed__exact=1", 0),
        (Standing, "?q=Spring&rank=1", 2),
        (Standing, "?rank=2", 0),
        (TournamentGame, "?silent__exact=0&q=Spring", 1),
    ],
)
def test_rows_are_found_by_who_sat_and_how_they_stand(
    browser: Client, model: type[Model], query: str, found: int
) -> None:
    page = browser.get(address(model, "changelist") + query)

    assert page.status_code == 200
    assert page.context["cl"].result_count == found


def test_a_seat_of_somebody_whose_row_is_lost_is_listed(browser: Client) -> None:
    GameSeat.objects.filter(seat="N").update(player="0" * 32)

    assert browser.get(address(GameSeat, "changelist")).text.count("0" * 32) >= 2


@pytest.mark.parametrize(
    ("query", "found"), [("?type=hand.closed", 1), ("?q=3", 1), ("?q=nobody", 0)]
)
def test_events_can_be_found(browser: Client, query: str, found: int) -> None:
    page = browser.get(address(Event, "changelist") + query).text

    assert page.count('name="_selected_action"') == 0
    assert page.count('class="field-position"') + page.count("field-position nowrap") == found


def test_pages_stay_within_the_content_policy(browser: Client) -> None:
    for page in (
        reverse("admin:index"),
        address(Event, "changelist"),
        address(Player, "changelist"),
    ):
        answer = browser.get(page)

        assert answer["Content-Security-Policy"].startswith("default-src 'self';")
        assert not re.search(r"\son[a-z]+=|javascript:|<style", answer.text)
        assert all(
            "src=" in tag or "application/json" in tag
            for tag in re.findall(r"<script[^>]*>", answer.text)
        )


def chosen(browser: Client, model: type[Model], action: str, *rows: Model) -> str:
    """What the list says after an action on these rows."""
    keys = [str(row.pk) for row in rows]
    return browser.post(
        address(model, "changelist"), {"action": action, "_selected_action": keys}, follow=True
    ).text


def test_what_stopped_is_listed_and_told_to_go_on(browser: Client) -> None:
    Progress.objects.filter(projection="standings").update(error="Trouble", error_position=1)
    row = Progress.objects.get(projection="standings")

    page = browser.get(address(Progress, "changelist") + "?parked=yes").text
    assert page.count('name="_selected_action"') == 1
    assert "One computation goes on." in chosen(browser, Progress, "go_on", row)

    row.refresh_from_db()
    assert row.error == ""


def test_a_message_is_sent_once_more(browser: Client) -> None:
    row = Delivery.objects.get()
    Delivery.objects.update(due_at=None, tries=8)

    assert "One message is sent once more." in chosen(browser, Delivery, "send_again", row)

    row.refresh_from_db()
    assert (row.state, row.tries) == ("waiting", 0)


def test_the_work_and_the_messages_of_another_salon_are_left_alone(salon: Salon) -> None:
    other = owner_of(opened_salon("Elsewhere", "pim@example.org"))
    Progress.objects.filter(log=salon.log_id).update(error="Trouble", error_position=1)
    Delivery.objects.update(due_at=None, tries=8)

    chosen(other, Progress, "go_on", *Progress.objects.all())
    chosen(other, Delivery, "send_again", *Delivery.objects.all())

    assert not Progress.objects.filter(log=salon.log_id, error="").exists()
    assert Delivery.objects.get().tries == 8


def test_no_secret_is_shown(browser: Client) -> None:
    hook = Webhook.objects.get()
    Webhook.objects.update(secret="sealed-secret", old_secret="older-secret")

    assert "-secret" not in browser.get(address(Webhook, "change", hook.pk)).text


def test_only_the_owner_gets_in(salon: Salon) -> None:
    member = User.objects.create_user("scorer@example.org")
    client = Client()
    client.force_login(member)

    assert client.get(address(Event, "changelist")).status_code == 302
    assert Client().get(address(Event, "changelist")).status_code == 302


def test_the_admin_s_plurals_are_words() -> None:
    made = re.compile(r"([^aeiou]ys|ss|eds)$")

    assert [
        str(model._meta.verbose_name_plural)
        for model in OURS
        if made.search(str(model._meta.verbose_name_plural).replace("progress", ""))
    ] == []
