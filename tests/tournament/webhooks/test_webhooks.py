"""Webhooks: every committed event that was asked for is told, signed, again until it arrives, and
seen by the owner.
"""

import base64
import hmac
import json
import socket
from concurrent.futures import wait
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from ledger.models import Event
from tests.conftest import OwnDatabase
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.playing import a_game, done, playing, told
from tests.tournament.helpers.running import PATIENCE
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.webhooks import hook_to
from tests.tournament.webhooks.receiving import Receiver, receiving
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Delivery, Mark, Progress, Salon, Webhook
from tournament.projections.background import catch_up, resume, waiting
from tournament.tasks import PROJECTIONS
from tournament.webhooks import delivery, safe_http
from tournament.webhooks.delivery import deliver_due, forget_old, serve, serve_salon
from tournament.webhooks.safe_http import Answer
from tournament.webhooks.sending import AT_ONCE, claim
from tournament.webhooks.signing import headers_of, new_secret, opened
from tournament.webhooks.subscriptions import EVENTS, tell_standings


@pytest.fixture
def salon(db: None, settings: Settings) -> Salon:
    settings.WEBHOOKS_WITHIN = True
    return opened_salon()


def caught_up(salon: Salon) -> None:
    catch_up(salon.log, PROJECTIONS)
    tell_standings()


def types(receiver: Receiver) -> list[str]:
    return [json.loads(body)["type"] for _headers, body in receiver.received]


def signature_by_hand(secret: str, headers: dict[str, str], body: bytes) -> str:
    """The signature as the specification has it, worked out without the library."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def verified(receiver: Receiver, secret: str) -> list[Any]:
    """What was received, checked by the library that receivers use, and by hand."""
    said = [Verifier(secret).verify(body, headers) for headers, body in receiver.received]
    for headers, body in receiver.received:
        signatures = headers["webhook-signature"].split(" ")
        assert signature_by_hand(secret, headers, body) in signatures
    return said


def test_the_example_of_standard_webhooks_is_signed_as_it_is_there() -> None:
    headers = headers_of(
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        '{"test": 2432232314}',
        ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    )

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_signature_of_two_secrets_covers_letters_of_any_language() -> None:
    secrets, body = [new_secret(), new_secret()], '{"name": "Ёлка, 夏"}'
    headers = headers_of("m1", 1_700_000_000, body, secrets)

    expected = [signature_by_hand(secret, headers, body.encode()) for secret in secrets]
    assert headers["webhook-signature"] == " ".join(expected)


def due_now(hook: Webhook) -> None:
    Delivery.objects.filter(webhook=hook, due_at__isnull=False).update(due_at=timezone.now())


def test_a_closed_hand_is_told_once_signed_and_without_names(salon: Salon) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address, "hand.closed")
        done(playing(salon), "totals", NS=8, EW=5)
        for _ in range(2):
            caught_up(salon)
            serve(hook.pk)

    (said,) = verified(receiver, opened(hook.secret))
    assert said["type"] == "hand.closed"
    assert (said["data"]["hand"], said["data"]["salon"], said["data"]["table"]) == (
        1,
        salon.slug,
        "4",
    )
    assert "Asha" not in json.dumps(said)
    assert said["data"]["entry"] == Event.objects.get(type="hand.closed").position


def test_nothing_is_told_of_what_was_before_the_address_or_what_it_did_not_ask_for(
    salon: Salon,
) -> None:
    with receiving() as receiver:
        done(playing(salon), "totals", NS=8, EW=5)
        hooks = [
            hook_to(salon, receiver.address, "hand.closed"),
            hook_to(salon, receiver.address, "game.closed"),
        ]
        done(a_game(salon, table="5"), "hands", dealer="S")
        caught_up(salon)
        for hook in hooks:
            serve(hook.pk)

    assert receiver.received == []


def test_a_published_round_and_standings_that_changed_are_told(salon: Salon) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address)
        row = after_round_1(salon)
        row = does(row, DrawRound(round=2), PublishRound(round=2))
        caught_up(salon)
        caught_up(salon)
        serve(hook.pk)

    assert sorted(types(receiver)) == ["round.published", "round.published", "standings.changed"]
    assert {json.loads(body)["data"]["tournament"] for _headers, body in receiver.received} == {
        row.pk
    }


def test_another_salon_is_told_nothing(salon: Salon) -> None:
    other = opened_salon("Salon at Low Bridge", "nils@example.org")
    with receiving() as receiver:
        hook = hook_to(other, receiver.address)
        after_round_1(salon)
        done(playing(salon), "totals", NS=8, EW=5)
        caught_up(salon)
        caught_up(other)
        serve(hook.pk)

    assert receiver.received == []


def test_a_message_that_failed_is_sent_again_later_and_later_under_its_id(salon: Salon) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address)
        row = delivery.ping(hook)
        receiver.statuses = [500, 429, 302]
        waits = []
        for _ in range(4):
            serve(hook.pk)
            row.refresh_from_db()
            waits.append(row.due_at - timezone.now() if row.due_at else None)
            assert serve(hook.pk) == 0
            due_now(hook)

    assert [wait is None for wait in waits] == [False, False, False, True]
    first, second, third = (wait for wait in waits if wait is not None)
    assert timedelta(seconds=7) < first < timedelta(seconds=13) < second < third
    assert {headers["webhook-id"] for headers, _body in receiver.received} == {row.pk}
    assert (row.state, row.tries, row.status) == ("arrived", 4, 204)


def test_an_address_that_never_answers_is_paused_and_nothing_is_lost(
    salon: Salon, owner: Client
) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address)
        first = delivery.ping(hook)
        receiver.statuses = [503] * 8
        for _ in range(9):
            serve(hook.pk)
            due_now(hook)
        hook.refresh_from_db()
        assert hook.paused_why
        assert "did not arrive in eight tries" in told(owner.get(f"/webhooks/{hook.pk}/"))
        second = delivery.ping(hook)
        assert serve(hook.pk) == 0

        owner.post(f"/webhooks/{hook.pk}/pauses/")
        serve(hook.pk)

    assert [headers["webhook-id"] for headers, _body in receiver.received[8:]] == [
        first.pk,
        second.pk,
    ]
    assert {row.state for row in Delivery.objects.all()} == {"arrived"}


def test_an_address_that_wants_no_more_gets_no_more(salon: Salon) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address)
        delivery.ping(hook)
        delivery.ping(hook)
        receiver.statuses = [410]
        serve(hook.pk)

    assert len(receiver.received) == 1
    hook.refresh_from_db()
    assert hook.paused_why


def test_two_workers_do_not_send_the_same_message_at_once(salon: Salon) -> None:
    hook = hook_to(salon, "http://localhost:1/")
    row = delivery.ping(hook)
    same = Delivery.objects.get(pk=row.pk)

    assert claim(row)
    assert not claim(same)


def test_an_address_that_became_one_inside_is_not_told(salon: Salon, settings: Settings) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address.replace("http", "https"))
        delivery.ping(hook)
        settings.WEBHOOKS_WITHIN = False
        serve(hook.pk)

    assert receiver.received == []
    hook.refresh_from_db()
    assert "inside this network" in hook.paused_why


def test_both_secrets_sign_for_a_day_after_a_new_one_was_made(salon: Salon, owner: Client) -> None:
    with receiving() as receiver:
        hook = hook_to(salon, receiver.address)
        old = opened(hook.secret)
        page = owner.post(f"/webhooks/{hook.pk}/secrets/")
        hook.refresh_from_db()
        new = opened(hook.secret)
        delivery.ping(hook)
        serve(hook.pk)
        assert new in told(page)
        assert new not in told(owner.get(f"/webhooks/{hook.pk}/"))
        assert len(verified(receiver, old)) == len(verified(receiver, new)) == 1

        Webhook.objects.update(old_secret_until=timezone.now())
        receiver.received.clear()
        delivery.ping(hook)
        serve(hook.pk)

    assert len(verified(receiver, new)) == 1
    with pytest.raises(WebhookVerificationError):
        verified(receiver, old)


def test_no_secret_is_stored_as_it_is(salon: Salon) -> None:
    hook = hook_to(salon, "http://localhost:1/")

    assert opened(hook.secret) not in json.dumps(list(Webhook.objects.values()), default=str)


def test_secrets_of_another_server_key_pause_the_address_and_say_what_to_do(
    salon: Salon, settings: Settings
) -> None:
    hook = hook_to(salon, "http://localhost:1/")
    delivery.ping(hook)
    settings.SECRET_KEY = "another"

    serve(hook.pk)

    hook.refresh_from_db()
    assert "Make a new secret" in hook.paused_why


def test_the_owner_adds_an_address_tries_it_repeats_a_message_and_removes_it(
    salon: Salon, owner: Client
) -> None:
    with receiving() as receiver:
        page = owner.post(
            "/webhooks/", {"address": receiver.address, "events": ["hand.closed", "hand.disputed"]}
        )
        hook = Webhook.objects.get()
        assert opened(hook.secret) in told(page)
        owner.post(f"/webhooks/{hook.pk}/pings/")
        serve(hook.pk)
        row = Delivery.objects.get()
        owner.post(f"/webhooks/{hook.pk}/deliveries/{row.pk}/repeats/")
        serve(hook.pk)

    assert types(receiver) == ["ping", "ping"]
    assert "A hand is closed, A hand is disputed" in told(owner.get("/webhooks/"))
    assert "answered 204" in told(owner.get(f"/webhooks/{hook.pk}/"))
    owner.post(f"/webhooks/{hook.pk}/removal/")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"address": "http://10.0.0.1/", "events": "hand.closed"}, "begins with https://"),
        ({"address": "https://10.0.0.1/", "events": "hand.closed"}, "inside this network"),
        ({"address": "https://10.0.0.1/" + "x" * 500, "events": "hand.closed"}, "500 characters"),
        ({"address": "", "events": "hand.closed"}, "begins with https://"),
        ({"address": "https://1.1.1.1/", "events": "everything"}, "at least one kind"),
    ],
)
def test_a_form_that_is_wrong_says_so_beside_the_field(
    salon: Salon, owner: Client, settings: Settings, form: dict[str, str], words: str
) -> None:
    settings.WEBHOOKS_WITHIN = False

    page = owner.post("/webhooks/", form)

    assert page.status_code == 422
    assert words in told(page)
    assert not Webhook.objects.exists()


def test_messages_that_are_over_are_let_go_after_a_month(salon: Salon) -> None:
    hook = hook_to(salon, "http://localhost:1/")
    old, waiting, fresh = (delivery.ping(hook) for _ in range(3))
    long_ago = timezone.now() - timedelta(days=31)
    Delivery.objects.exclude(pk=fresh.pk).update(made_at=long_ago)
    Delivery.objects.exclude(pk=waiting.pk).update(due_at=None, arrived_at=long_ago)

    forget_old()

    assert set(Delivery.objects.values_list("pk", flat=True)) == {waiting.pk, fresh.pk}
    assert not Delivery.objects.filter(pk=old.pk).exists()


def test_addresses_of_one_salon_that_dawdle_keep_no_other_salon_waiting(
    own_database: OwnDatabase, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many of them as there are senders, and each would hold one for as long as it likes."""
    for limit in ("SECONDS_TO_CONNECT", "SECONDS_TO_ANSWER", "SECONDS_IN_ALL"):
        monkeypatch.setattr(safe_http, limit, 2 * PATIENCE)
    settings.WEBHOOKS_WITHIN = True
    slow, honest = opened_salon(), opened_salon("Elsewhere", "nela@example.org")
    door = socket.create_server(("127.0.0.1", 0))
    dawdlers = [
        hook_to(slow, f"http://localhost:{door.getsockname()[1]}/{number}")
        for number in range(AT_ONCE)
    ]
    for hook in dawdlers:
        delivery.ping(hook)
    try:
        with receiving() as receiver:
            deliver_due()
            delivery.ping(hook_to(honest, receiver.address))
            deliver_due()
            delivery.SENDERS.serving[honest.pk].result(timeout=PATIENCE)
            assert types(receiver) == ["ping"]
            assert Delivery.objects.filter(webhook__in=dawdlers, tries__gt=0).count() <= 1
    finally:
        Webhook.objects.filter(salon=slow).update(paused_why="enough")
        door.close()  # nobody was let in: who waits for an answer is told that there is none
        wait(delivery.SENDERS.serving.values(), timeout=PATIENCE)


def test_a_salon_sends_a_message_to_each_address_in_turn(salon: Salon) -> None:
    with receiving() as one, receiving() as other:
        hooks = [hook_to(salon, one.address), hook_to(salon, other.address)]
        for hook in [hooks[0]] * 3 + [hooks[1]]:
            delivery.ping(hook)
        serve_salon(salon.pk)

    assert (types(one), types(other)) == (["ping"] * 3, ["ping"])
    tried = Delivery.objects.order_by("arrived_at").values_list("webhook", flat=True)
    assert [hooks.index(Webhook.objects.get(pk=pk)) for pk in tried][:2] == [0, 1]


def test_a_turn_ends_though_messages_are_left(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "SECONDS_A_TURN", 0)
    with receiving() as receiver:
        delivery.ping(hook_to(salon, receiver.address))
        serve_salon(salon.pk)

    assert types(receiver) == []


def broken(hook: Webhook) -> None:
    """Nobody knows any more what this address asked for."""
    Webhook.objects.filter(pk=hook.pk).update(events=0)


def test_an_address_for_which_no_message_can_be_made_is_parked_alone(
    salon: Salon, owner: Client
) -> None:
    one, other = hook_to(salon, "https://one.test/"), hook_to(salon, "https://other.test/")
    broken(one)
    done(playing(salon), "totals", NS=8, EW=5)
    caught_up(salon)
    after_round_1(salon)
    caught_up(salon)

    assert Delivery.objects.filter(webhook=other).values_list("event", flat=True).distinct().count()
    assert not Delivery.objects.filter(webhook=one).exists()
    assert not Progress.objects.exclude(error="").exists()
    assert waiting(PROJECTIONS) == []
    for address in ("/audit/", "/settings/", f"/webhooks/{one.pk}/"):
        page = owner.get(address).text
        assert "https://one.test/" in page
        assert "TypeError" in page

    Webhook.objects.filter(pk=one.pk).update(events=list(EVENTS))
    resume(salon.log, "webhooks")
    caught_up(salon)
    told = [
        set(Delivery.objects.filter(webhook=hook).values_list("about", flat=True))
        for hook in (one, other)
    ]
    assert told[0] == told[1]


def test_an_address_that_is_removed_leaves_nothing_parked(salon: Salon, owner: Client) -> None:
    hook = hook_to(salon, "https://one.test/")
    broken(hook)
    done(playing(salon), "totals", NS=8, EW=5)
    caught_up(salon)
    assert Mark.objects.filter(subject=hook.pk).exists()

    owner.post(f"/webhooks/{hook.pk}/removal/")

    assert not Mark.objects.filter(subject=hook.pk).exists()


def test_an_address_that_cannot_be_told_of_standings_keeps_no_other_from_it(salon: Salon) -> None:
    one, other = hook_to(salon, "https://one.test/"), hook_to(salon, "https://other.test/")
    broken(one)
    after_round_1(salon)
    caught_up(salon)

    assert Delivery.objects.filter(webhook=other, event="standings.changed").exists()


def test_a_message_that_breaks_the_sender_waits_like_one_that_failed_and_the_rest_go_out(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiving() as receiver:
        hooks = [hook_to(salon, receiver.address, "hand.closed") for _ in range(2)]
        done(playing(salon), "totals", NS=8, EW=5)
        caught_up(salon)
        first = Delivery.objects.order_by("due_at", "made_at").first()
        assert first is not None
        send = delivery._post_delivery

        def sends(hook: Webhook, row: Delivery) -> Answer:
            if row.pk == first.pk:
                raise ZeroDivisionError
            return send(hook, row)

        monkeypatch.setattr(delivery, "_post_delivery", sends)
        serve_salon(salon.pk)

    first.refresh_from_db()
    assert (first.arrived_at, first.answer) == (None, "ZeroDivisionError: ")
    assert len(receiver.received) == len(hooks) - 1
