"""The addresses that a salon tells what happens: added, given another secret, paused."""

from collections.abc import Collection
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.models import Salon, Webhook
from tournament.webhooks.messages import EVENTS
from tournament.webhooks.safe_http import BadAddress, place_of
from tournament.webhooks.signing import new_secret, sealed

MOST = 20  # addresses of a salon
LONGEST_ADDRESS = 500
OLD_SECRET_FOR = timedelta(hours=24)


def add(salon: Salon, *, address: str, events: Collection[str], actor: str) -> tuple[Webhook, str]:
    """An address that is told of these events from now on, and its secret, which is seen this once.

    Raises RuleViolation at `address` or `events`: an address that may not be told, no event, or one
    address too many.
    """
    chosen = [event for event in EVENTS if event in events]
    _check(salon, address, chosen)
    salon.log.refresh_from_db(fields=["position"])
    secret, head = new_secret(), salon.log.position
    told = {"events": chosen, "since": head, "standings_told": head, "made_by": actor}
    hook = Webhook.objects.create(salon=salon, address=address, secret=sealed(secret), **told)
    return hook, secret


def renew_secret(hook: Webhook) -> str:
    """A new secret for an address; the one before it signs too for a day."""
    secret = new_secret()
    old = {"old_secret": hook.secret, "old_secret_until": timezone.now() + OLD_SECRET_FOR}
    Webhook.objects.filter(pk=hook.pk).update(secret=sealed(secret), **old)
    hook.refresh_from_db()
    return secret


def pause(hook: Webhook) -> None:
    """Send nothing to an address until it is told to go on; one that is paused stays paused for the
    reason it has.
    """
    Webhook.objects.filter(pk=hook.pk, paused_why="").update(paused_why=_("Paused by the owner."))


def _check(salon: Salon, address: str, chosen: list[str]) -> None:
    if len(address) > LONGEST_ADDRESS:
        raise _refused("address", _("An address has %d characters at most.") % LONGEST_ADDRESS)
    try:
        place_of(address)
    except BadAddress as refused:
        raise _refused("address", str(refused)) from None
    if not chosen:
        raise _refused("events", _("Choose at least one kind of message."))
    if Webhook.objects.filter(salon=salon).count() >= MOST:
        words = _("A salon sends to %d addresses at most; remove one first.")
        raise _refused("address", words % MOST)


def _refused(path: str, words: str) -> RuleViolation:
    return RuleViolation("bad_webhook", words, path=path)
