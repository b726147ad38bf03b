"""The addresses that a salon tells what happens: added, given another secret, paused; and what they
are told, and when: a reader of the log that leaves a message for every address that asked for an
event. Messages are made in the transaction that moves the reader on, so none is missed and none is
made twice; nothing is told of an entry before it is committed. A message holds ids, numbers and
addresses of pages; names stay in the salon.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import times
from ledger.chain import Stored
from ledger.models import Log
from scoring.errors import RuleViolation
from tournament.models import Delivery, Game, Reckoning, Salon, Tournament, Webhook
from tournament.projections.background import Place, Projection, Write
from tournament.projections.computed import generation_of
from tournament.projections.standings import STANDINGS
from tournament.webhooks.safe_http import BadAddress, place_of
from tournament.webhooks.signing import new_secret, sealed

STANDINGS_CHANGED = "standings.changed"
TYPES = {
    "hand.closed": "hand.closed",
    "game.closed": "game.closed",
    "hand.disputed": "hand.disputed",
    "tournament.round_published": "round.published",
}
EVENTS = (*TYPES.values(), STANDINGS_CHANGED)
MOST = 20  # addresses of a salon
LONGEST_ADDRESS = 500
OLD_SECRET_FOR = timedelta(hours=24)


def _fold(log: Log, _place: Place, events: Sequence[Stored]) -> Write:
    hooks = list(Webhook.objects.filter(salon__log=log).order_by("pk"))
    public = [event for event in events if event.type in TYPES]
    games = Game.objects.in_bulk({event.stream for event in public}) if hooks and public else {}
    messages = [
        _of_event(hook, event, games)
        for hook in hooks
        for event in public
        if event.position > hook.since and TYPES[event.type] in hook.events
    ]
    return lambda: _leave(messages)


def _of_event(hook: Webhook, event: Stored, games: Mapping[str, Game]) -> Delivery:
    about, happened = f"entry {event.position}", times.moment(event.recorded_at)
    return message(hook, about, TYPES[event.type], body_of(event, games), happened)


WEBHOOKS = Projection(name="webhooks", fold=_fold)


def body_of(event: Stored, games: Mapping[str, Game]) -> dict[str, object]:
    """What a message says of an entry: its place in the log, and what of its facts is public."""
    facts = json.loads(event.body)
    game = games.get(event.stream)
    said: dict[str, object] = {
        "entry": event.position,
        "stream": event.stream,
        "version": event.version,
        "hash": event.hash,
    }
    if game is None:
        return said | {"tournament": event.stream, "round": facts.get("round")}
    number = facts.get("number", facts.get("hand"))
    return (
        said
        | {"game": game.pk, "kind": game.kind, "table": game.table}
        | ({} if number is None else {"hand": number})
    )


def tell_standings() -> None:
    """Leave a message for every tournament whose standings were computed anew since an address was
    last told.
    """
    for hook in Webhook.objects.select_related("salon").order_by("pk"):
        if STANDINGS_CHANGED in hook.events:
            _tell_standings(hook)


def message(
    hook: Webhook, about: str, event: str, body: Mapping[str, object], happened: datetime
) -> Delivery:
    """A message to an address, not stored yet, due at once."""
    data, now = {"salon": hook.salon.slug} | dict(body), timezone.now()
    said = {"type": event, "timestamp": happened.isoformat(), "data": data}
    text = json.dumps(said, sort_keys=True)
    return Delivery(webhook=hook, about=about, event=event, body=text, made_at=now, due_at=now)


def _leave(messages: Iterable[Delivery]) -> None:
    Delivery.objects.bulk_create(messages, ignore_conflicts=True)


def _tell_standings(hook: Webhook) -> None:
    changed = _changed(hook)
    if not changed:
        return
    here = set(Tournament.objects.filter(salon=hook.salon).values_list("pk", flat=True))
    told = [({"tournament": each, "as_of": at}, f"standings {each} {at}") for each, at in changed]
    messages = [
        message(hook, about, STANDINGS_CHANGED, body, timezone.now())
        for body, about in told
        if body["tournament"] in here
    ]
    with transaction.atomic():
        _leave(messages)
        Webhook.objects.filter(pk=hook.pk).update(standings_told=changed[-1][1])


def _changed(hook: Webhook) -> list[tuple[str, int]]:
    """The tournaments whose standings are others than this address was told, each with the entry
    they count, in that order.
    """
    log = hook.salon.log_id
    generation = generation_of(log, STANDINGS.name)
    rows = Reckoning.objects.filter(
        log=log, projection=STANDINGS.name, generation=generation, position__gt=hook.standings_told
    )
    return list(rows.order_by("position", "subject").values_list("subject", "position"))


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
