"""Webhooks: the addresses that are told what happens, their secrets, and every message with what
became of it.
"""

from typing import Literal

from django.shortcuts import get_object_or_404
from msgspec import Struct
from rest_framework.request import Request

from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import Delivery, Webhook
from tournament.webhooks import subscriptions
from tournament.webhooks.delivery import again, go_on, ping

SHOWN = 100  # messages


class WebhookLine(Struct, frozen=True, kw_only=True):
    """An address and the events it is told; `paused_why` is "" while messages are sent."""

    id: str
    address: str
    events: list[str]
    paused_why: str


class WebhookSecret(WebhookLine, frozen=True, kw_only=True):
    """An address with its secret, with which its messages are signed (Standard Webhooks). The
    secret is said this once.
    """

    secret: str


class NewWebhook(Struct, frozen=True, kw_only=True):
    """An address to be told: of `hand.closed`, `game.closed`, `hand.disputed`, `round.published`,
    `standings.changed`.
    """

    address: str
    events: list[str] = []


class DeliveryLine(Struct, frozen=True, kw_only=True):
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


class WebhookViewSet(ApiViewSet):
    """The addresses that are told what happens, and their messages."""

    act = Permission.ADMINISTER

    def list_webhooks(self, request: Request) -> list[WebhookLine]:
        """The addresses that are told what happens, in the order in which they were added."""
        return [
            _line(row) for row in Webhook.objects.filter(salon=self.salon).order_by("made_at", "pk")
        ]

    @document_action(body=NewWebhook)
    def add_webhook(self, request: Request) -> Answer[WebhookSecret]:
        """Tell an address what happens from now on."""
        new = self.body(NewWebhook)

        def keep_webhook() -> WebhookSecret:
            address = new.address.strip()
            return _with_secret(
                *subscriptions.add(
                    self.salon, address=address, events=new.events, actor=self.visitor.actor
                )
            )

        return answer_idempotently(self, ["webhook"], keep_webhook, unsaid="secret")

    def read_webhook(self, request: Request, hook: str) -> WebhookLine:
        """One address."""
        return _line(self.row(Webhook, hook))

    def remove_webhook(self, request: Request, hook: str) -> None:
        """Tell an address nothing any more."""
        subscriptions.remove(self.row(Webhook, hook))

    def renew_webhook_secret(self, request: Request, hook: str) -> Answer[WebhookSecret]:
        """Give an address a new secret; the one before it signs too for a day."""
        row = self.row(Webhook, hook)
        return answer_idempotently(
            self,
            ["webhook-secret", row.pk],
            lambda: _with_secret(row, subscriptions.renew_secret(row)),
            unsaid="secret",
        )

    def pause_webhook(self, request: Request, hook: str) -> Answer[WebhookLine]:
        """Send nothing to an address for now; what happens meanwhile waits for it."""
        row = self.row(Webhook, hook)

        def keep_pause() -> WebhookLine:
            subscriptions.pause(row)
            return _line(self.row(Webhook, hook))

        return answer_idempotently(self, ["webhook-pause", row.pk], keep_pause)

    def end_webhook_pause(self, request: Request, hook: str) -> None:
        """Send to an address again, what was given up meanwhile included."""
        go_on(self.row(Webhook, hook))

    def ping_webhook(self, request: Request, hook: str) -> Answer[DeliveryLine]:
        """Send an address a message that says nothing but that messages arrive."""
        row = self.row(Webhook, hook)
        return answer_idempotently(self, ["webhook-ping", row.pk], lambda: _delivery(ping(row)))

    def list_deliveries(self, request: Request, hook: str) -> list[DeliveryLine]:
        """The last hundred messages to an address, the latest first."""
        return [
            _delivery(row)
            for row in self.row(Webhook, hook).delivery_set.order_by("-made_at", "pk")[:SHOWN]
        ]

    def repeat_delivery(self, request: Request, hook: str, delivery: str) -> Answer[DeliveryLine]:
        """Send a message once more, under the same id."""
        row = get_object_or_404(Delivery, pk=delivery, webhook=self.row(Webhook, hook))
        return answer_idempotently(self, ["delivery", row.pk], lambda: _delivery(again(row)))


def _line(row: Webhook) -> WebhookLine:
    return build_struct(WebhookLine, row)


def _with_secret(row: Webhook, secret: str) -> WebhookSecret:
    return build_struct(WebhookSecret, row, secret=secret)


def _delivery(row: Delivery) -> DeliveryLine:
    return build_struct(
        DeliveryLine,
        row,
        made_at=row.made_at.isoformat(),
        due_at=row.due_at.isoformat() if row.due_at is not None else None,
    )
