"""Webhooks: the addresses that are told what happens, their secrets, and every message with what
became of it.
"""

from dataclasses import dataclass, field
from typing import Literal

from django.shortcuts import get_object_or_404

from tournament.accounts.access import Act
from tournament.api.http.idempotency import once
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer
from tournament.models import Delivery, Webhook
from tournament.webhooks import subscriptions
from tournament.webhooks.delivery import again, go_on, ping

SHOWN = 100  # messages


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookLine:
    """An address and the events it is told; `paused_why` is "" while messages are sent."""

    id: str
    address: str
    events: list[str]
    paused_why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSecret:
    """An address with its secret, with which its messages are signed (Standard Webhooks). The
    secret is said this once.
    """

    id: str
    address: str
    events: list[str]
    paused_why: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhook:
    """An address to be told: of `hand.closed`, `game.closed`, `hand.disputed`, `round.published`,
    `standings.changed`.
    """

    address: str
    events: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryLine:
    """A message: what it says (`body`, JSON as text), how often it was tried, and what was answered
    last (`status` null: nothing).
    """

    id: str
    event: str
    state: Literal["arrived", "waiting", "given_up"]
    tries: int
    made_at: str
    due_at: str | None
    status: int | None
    answer: str
    body: str


@operation(Act.ADMINISTER, answers=list[WebhookLine])
def list_webhooks(call: Call) -> list[WebhookLine]:
    """The addresses that are told what happens, in the order in which they were added."""
    return [
        _line(row)
        for row in Webhook.objects.filter(salon=call.visitor.salon).order_by("made_at", "pk")
    ]


@operation(Act.ADMINISTER, answers=WebhookSecret, status=201, body=NewWebhook, keyed=True)
def add_webhook(call: Call) -> Answer:
    """Tell an address what happens from now on."""
    new, visitor = call.body, call.visitor

    def added() -> WebhookSecret:
        return _with_secret(
            *subscriptions.add(
                visitor.salon, address=new.address.strip(), events=new.events, actor=visitor.actor
            )
        )

    return once(call, ["webhook"], added, unsaid="secret")


@operation(Act.ADMINISTER, answers=WebhookLine)
def read_webhook(call: Call, hook: str) -> WebhookLine:
    """One address."""
    return _line(_hook(call, hook))


@operation(Act.ADMINISTER, answers=None, status=204)
def remove_webhook(call: Call, hook: str) -> None:
    """Tell an address nothing any more."""
    _hook(call, hook).delete()


@operation(Act.ADMINISTER, answers=WebhookSecret, status=201, keyed=True)
def renew_webhook_secret(call: Call, hook: str) -> Answer:
    """Give an address a new secret; the one before it signs too for a day."""
    row = _hook(call, hook)
    return once(
        call,
        ["webhook-secret", row.pk],
        lambda: _with_secret(row, subscriptions.renew_secret(row)),
        unsaid="secret",
    )


@operation(Act.ADMINISTER, answers=WebhookLine, status=201, keyed=True)
def pause_webhook(call: Call, hook: str) -> Answer:
    """Send nothing to an address for now; what happens meanwhile waits for it."""
    row = _hook(call, hook)

    def paused() -> WebhookLine:
        subscriptions.pause(row)
        return _line(_hook(call, hook))

    return once(call, ["webhook-pause", row.pk], paused)


@operation(Act.ADMINISTER, answers=None, status=204)
def end_webhook_pause(call: Call, hook: str) -> None:
    """Send to an address again, what was given up meanwhile included."""
    go_on(_hook(call, hook))


@operation(Act.ADMINISTER, answers=DeliveryLine, status=201, keyed=True)
def ping_webhook(call: Call, hook: str) -> Answer:
    """Send an address a message that says nothing but that messages arrive."""
    row = _hook(call, hook)
    return once(call, ["webhook-ping", row.pk], lambda: _delivery(ping(row)))


@operation(Act.ADMINISTER, answers=list[DeliveryLine])
def list_deliveries(call: Call, hook: str) -> list[DeliveryLine]:
    """The last hundred messages to an address, the latest first."""
    return [
        _delivery(row) for row in _hook(call, hook).delivery_set.order_by("-made_at", "pk")[:SHOWN]
    ]


@operation(Act.ADMINISTER, answers=DeliveryLine, status=201, keyed=True)
def repeat_delivery(call: Call, hook: str, delivery: str) -> Answer:
    """Send a message once more, under the same id."""
    row = get_object_or_404(Delivery, pk=delivery, webhook=_hook(call, hook))
    return once(call, ["delivery", row.pk], lambda: _delivery(again(row)))


def _hook(call: Call, hook: str) -> Webhook:
    return get_object_or_404(
        Webhook.objects.select_related("salon"), pk=hook, salon=call.visitor.salon
    )


def _line(row: Webhook) -> WebhookLine:
    return WebhookLine(id=row.pk, address=row.address, events=row.events, paused_why=row.paused_why)


def _with_secret(row: Webhook, secret: str) -> WebhookSecret:
    line = _line(row)
    return WebhookSecret(
        id=line.id,
        address=line.address,
        events=line.events,
        paused_why=line.paused_why,
        secret=secret,
    )


def _delivery(row: Delivery) -> DeliveryLine:
    return DeliveryLine(
        id=row.pk,
        event=row.event,
        state=row.state,  # type: ignore[arg-type]  # one of the three
        tries=row.tries,
        made_at=row.made_at.isoformat(),
        due_at=row.due_at.isoformat() if row.due_at is not None else None,
        status=row.status,
        answer=row.answer,
        body=row.body,
    )
