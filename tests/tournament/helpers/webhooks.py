"""Webhooks of a salon."""

from tournament.models import Salon, Webhook
from tournament.webhooks.signing import new_secret, sealed
from tournament.webhooks.subscriptions import EVENTS


def hook_to(salon: Salon, address: str, *events: str) -> Webhook:
    salon.log.refresh_from_db()
    head = salon.log.position
    chosen = list(events or EVENTS)
    return Webhook.objects.create(
        salon=salon,
        address=address,
        events=chosen,
        secret=sealed(new_secret()),
        since=head,
        standings_told=head,
        made_by="user:1",
    )
