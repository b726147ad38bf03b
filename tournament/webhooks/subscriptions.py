"""The addresses that a salon tells what happens: added, given another secret, paused; and what they
are told, and when: a reader of the log that leaves a message for every address that asked for an
event. Messages are made in the transaction that moves the reader on, so none is missed and none is
made twice; nothing is told of an entry before it is committed. A message holds ids, numbers and
addresses of pages; names stay in the salon.

An address for which no message can be made is parked with the reason, it alone, and goes on from
there once someone lets it try again.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger import times
from ledger.chain import Stored
from ledger.models import Log
from ledger.reading import read_log
from scoring.errors import RuleViolation
from tournament.models import (
    Delivery,
    Game,
    Mark,
    Progress,
    Reckoning,
    Salon,
    Tournament,
    Webhook,
)
from tournament.projections.background import LogPosition, Projection, Write
from tournament.projections.computed import (
    NOT_THE_EVENTS,
    end_mark,
    generation_of,
    in_words,
    write_marks,
)
from tournament.projections.standings import STANDINGS
from tournament.webhooks.safe_http import BadAddress, place_of
from tournament.webhooks.signing import new_secret, sealed

NAME = "webhooks"
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


def _fold(log: Log, _place: LogPosition, events: Sequence[Stored]) -> Write:
    hooks = list(Webhook.objects.filter(salon__log=log).order_by("pk"))
    public = _public(events) if hooks else []
    marked = set(Mark.objects.filter(log=log, projection=NAME).values_list("subject", flat=True))
    messages: list[Delivery] = []
    waiting: set[str] = set()
    for hook in hooks if public else ():
        try:
            made = _messages(hook, public)
        except NOT_THE_EVENTS:
            raise
        except Exception:
            waiting.add(hook.pk)  # _settle says why
            continue
        if made and hook.pk in marked:
            waiting.add(hook.pk)
        else:
            messages += made

    def write() -> None:
        _leave(messages)
        write_marks(log, NAME, waiting, events[0].position, events[-1].position)

    return write


def _settle(log: Log, _reached: Progress) -> Write | None:
    """Leave the messages of an address that waits, or park it."""
    marks = Mark.objects.filter(log=log, projection=NAME, error="")
    mark = marks.order_by("since", "subject").first()
    if mark is None:
        return None
    hook = Webhook.objects.filter(pk=mark.subject).first()
    try:
        messages = (
            _messages(hook, _public(_read_marked_events(log, mark))) if hook is not None else []
        )
    except NOT_THE_EVENTS:
        raise
    except Exception as error:
        why = in_words(error)
        return lambda: end_mark(mark, why)

    def write() -> None:
        with transaction.atomic():
            _leave(messages)
            end_mark(mark, "")

    return write


def _public(events: Iterable[Stored]) -> list[Stored]:
    return [event for event in events if event.type in TYPES]


def _read_marked_events(log: Log, mark: Mark) -> Iterator[Stored]:
    """The entries that an address waits to be told of."""
    return read_log(log.pk, after=mark.since - 1, until=mark.position)


def _messages(hook: Webhook, public: Sequence[Stored]) -> list[Delivery]:
    """The facts that an address is told of these entries."""
    told = [
        event
        for event in public
        if event.position > hook.since and TYPES[event.type] in hook.events
    ]
    games = Game.objects.in_bulk({event.stream for event in told}) if told else {}
    return [_of_event(hook, event, games) for event in told]


def _of_event(hook: Webhook, event: Stored, games: Mapping[str, Game]) -> Delivery:
    about, happened = f"entry {event.position}", times.moment(event.recorded_at)
    return message(hook, about, TYPES[event.type], body_of(event, games), happened)


WEBHOOKS = Projection(name=NAME, fold=_fold, settle=_settle)


def body_of(event: Stored, games: Mapping[str, Game]) -> dict[str, object]:
    """The message about an entry: its place in the log, and its facts that are public."""
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
    last told; one that can't be told of them is parked.
    """
    parked = Mark.objects.filter(projection=NAME).exclude(error="").values("subject")
    for hook in Webhook.objects.select_related("salon__log").exclude(pk__in=parked).order_by("pk"):
        try:
            if STANDINGS_CHANGED in hook.events:
                _tell_standings(hook)
        except NOT_THE_EVENTS:
            raise
        except Exception as error:
            _park(hook, in_words(error))


def _park(hook: Webhook, error: str) -> None:
    log = hook.salon.log
    here = {"since": log.position + 1, "position": log.position, "error": error}
    Mark.objects.update_or_create(
        log=log, projection=NAME, subject=hook.pk, defaults={"error": error}, create_defaults=here
    )


def remove(hook: Webhook) -> None:
    """Tell an address nothing any more."""
    Mark.objects.filter(projection=NAME, subject=hook.pk).delete()
    hook.delete()


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
    changed = _list_changed_standings(hook)
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


def _list_changed_standings(hook: Webhook) -> list[tuple[str, int]]:
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
