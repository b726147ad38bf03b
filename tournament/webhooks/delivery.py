"""Send what is due, and again with growing pauses until it arrives or the tries are used up.

A message whose worker died is due again when its claim runs out. So every message arrives at least
once: receivers tell repeats by its id.
"""

import time
from datetime import datetime, timedelta

from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Delivery, Webhook, new_id
from tournament.projections.computed import NOT_THE_EVENTS, in_words
from tournament.webhooks.safe_http import Answer, BadAddress, NotReached, UnknownHost, post
from tournament.webhooks.sending import SECONDS_A_TURN, SPREAD, Senders, claim, spread
from tournament.webhooks.signing import SecretIsLost, headers_of, opened
from tournament.webhooks.subscriptions import message

# Seconds after each try that failed: eight tries in 18 hours.
PAUSES = (10, 60, 300, 1800, 7200, 18_000, 36_000)
KEPT_FOR = timedelta(days=30)
MESSAGES_A_TURN = 50
GONE = 410  # the address says that it wants no more


def deliver_due() -> None:
    """Begin to send what is due; wait for none."""
    SENDERS.begin(set(_due_hooks().values_list("salon", flat=True)))


def build_due_filter() -> Q:
    """A filter for deliveries that are due; also for those that wait longer than any pause
    lasts, since a clock was ahead when they were put off.
    """
    now = timezone.now()
    return Q(due_at__lte=now) | Q(due_at__gt=now + timedelta(seconds=PAUSES[-1] * (1 + SPREAD)))


def serve_salon(salon: int) -> None:
    """Send what is due to the addresses of a salon, a message to each after the other, until all
    are sent or its turn is over.
    """
    until = time.monotonic() + SECONDS_A_TURN
    while sum(
        serve(hook, most=1) for hook in _list_longest_waiting(salon) if time.monotonic() < until
    ):
        pass


SENDERS = Senders(serve_salon, "webhooks")


def serve(hook: str, *, most: int = MESSAGES_A_TURN) -> int:
    """Send what is due to one address, the oldest first, until it is paused; how many were
    tried.
    """
    tried = 0
    due = Delivery.objects.filter(build_due_filter(), webhook=hook).order_by("due_at", "made_at")
    for delivery in due[:most]:
        row = Webhook.objects.filter(pk=hook, paused_why="").first()
        if row is None:
            break
        if claim(delivery):
            tried += 1
            _try_delivery(row, delivery)
    return tried


def again(delivery: Delivery) -> Delivery:
    """Have a message sent once more, as a try of its own that keeps the id by which receivers know
    it.
    """
    Delivery.objects.filter(pk=delivery.pk).update(due_at=timezone.now(), arrived_at=None, tries=0)
    delivery.refresh_from_db()
    return delivery


def go_on(hook: Webhook) -> None:
    """Send to a paused address again, what was given up meanwhile included."""
    Webhook.objects.filter(pk=hook.pk).update(paused_why="")
    given_up = Delivery.objects.filter(webhook=hook, arrived_at=None, due_at=None)
    given_up.update(due_at=F("made_at"), tries=0)


def ping(hook: Webhook) -> Delivery:
    """Leave a message that says nothing but that messages arrive."""
    now, about = timezone.now(), new_id()
    ping = message(hook, f"ping {about}", "ping", {}, now)
    ping.save(force_insert=True)
    return ping


def forget_old() -> None:
    """Let go of messages that are over and older than they are kept."""
    Delivery.objects.filter(due_at=None, made_at__lt=timezone.now() - KEPT_FOR).delete()


def _due_hooks() -> QuerySet[Webhook]:
    due = Delivery.objects.filter(build_due_filter())
    return Webhook.objects.filter(paused_why="", delivery__in=due)


def _list_longest_waiting(salon: int) -> list[str]:
    """The addresses of a salon for which something is due, the one that waits longest first."""
    oldest = _due_hooks().filter(salon=salon).annotate(oldest=Min("delivery__due_at"))
    return list(oldest.order_by("oldest", "pk").values_list("pk", flat=True))


def _try_delivery(hook: Webhook, delivery: Delivery) -> None:
    try:
        answer = _post_delivery(hook, delivery)
    except SecretIsLost:
        words = _("The secret can't be read: the server has another key. Make a new secret.")
        _note_failure(hook, delivery, None, words, for_good=True)
    except (NotReached, UnknownHost) as error:
        _note_failure(hook, delivery, None, str(error))
    except BadAddress as refused:
        _note_failure(hook, delivery, None, str(refused), for_good=True)
    except NOT_THE_EVENTS:
        raise
    except Exception as error:
        # Whatever is wrong with this one: the other addresses are told all the same.
        _note_failure(hook, delivery, None, in_words(error))
    else:
        if 200 <= answer.status < 300:
            _note(delivery, answer.status, answer.text, due_at=None, arrived_at=timezone.now())
        else:
            _note_failure(
                hook, delivery, answer.status, answer.text, for_good=answer.status == GONE
            )


def _post_delivery(hook: Webhook, delivery: Delivery) -> Answer:
    headers = headers_of(delivery.pk, int(time.time()), delivery.body, secrets_of(hook))
    return post(hook.address, delivery.body.encode(), headers)


def secrets_of(hook: Webhook) -> list[str]:
    """The secrets that sign now: the new one, and for a while the one before it."""
    until = hook.old_secret_until
    old = hook.old_secret and until is not None and until > timezone.now()
    return [opened(hook.secret), *([opened(hook.old_secret)] if old else [])]


def _note_failure(
    hook: Webhook, delivery: Delivery, status: int | None, answer: str, *, for_good: bool = False
) -> None:
    """Try again later; when no try is left, or none can help, keep the message and stop sending to
    this address.
    """
    if not for_good and delivery.tries <= len(PAUSES):
        pause = timedelta(seconds=spread(PAUSES[delivery.tries - 1]))
        _note(delivery, status, answer, due_at=timezone.now() + pause)
        return
    _note(delivery, status, answer, due_at=None)
    why = (
        _("It asked for no more messages.")
        if status == GONE
        else answer
        if for_good
        else _("A message did not arrive in eight tries.")
    )
    Webhook.objects.filter(pk=hook.pk, paused_why="").update(paused_why=why[:500])


def _note(
    delivery: Delivery,
    status: int | None,
    answer: str,
    *,
    due_at: datetime | None,
    arrived_at: datetime | None = None,
) -> None:
    """Write down how a try ended, unless somebody had the message sent again meanwhile."""
    mine = Delivery.objects.filter(pk=delivery.pk, tries=delivery.tries)
    mine.update(status=status, answer=answer, due_at=due_at, arrived_at=arrived_at)
