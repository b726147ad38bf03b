"""What webhooks are told, and when: a reader of the log that leaves a message for every address
that asked for an event.

Messages are made in the transaction that moves the reader on, so none is missed and none is made
twice; nothing is told of an entry before it is committed. A message holds ids, numbers and
addresses of pages; names stay in the salon.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from django.db import transaction
from django.utils import timezone

from ledger.chain import Stored
from ledger.models import Log
from tournament.models import Delivery, Game, Progress, Reckoning, Tournament, Webhook
from tournament.projections.background import Place, Projection, Write
from tournament.projections.standings import STANDINGS

STANDINGS_CHANGED = "standings.changed"
TYPES = {
    "hand.closed": "hand.closed",
    "game.closed": "game.closed",
    "hand.disputed": "hand.disputed",
    "tournament.round_published": "round.published",
}
EVENTS = (*TYPES.values(), STANDINGS_CHANGED)


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
    about, recorded = f"entry {event.position}", event.recorded_at / 1_000_000
    happened = datetime.fromtimestamp(recorded, UTC)
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
    progress = Progress.objects.filter(log=log, projection=STANDINGS.name)
    generation = progress.values_list("generation", flat=True).first() or 0
    rows = Reckoning.objects.filter(log=log, projection=STANDINGS.name, generation=generation)
    rows = rows.filter(position__gt=hook.standings_told)
    return list(rows.order_by("position", "subject").values_list("subject", "position"))
