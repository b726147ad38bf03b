"""Send the notices that are due, each encrypted for its phone, through the guarded door that
webhooks use; again with growing pauses while they are worth telling.
"""

import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta

import structlog
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from django.utils import timezone, translation

from tournament.accounts.access import activate_visitor
from tournament.accounts.permissions import Role, Visitor
from tournament.models import Notice, PushSubscription, Salon, Tournament
from tournament.models.visibility import use_visibility
from tournament.projections.computed import NOT_THE_EVENTS
from tournament.pushes import subscriptions
from tournament.pushes.encryption import SALT, base64url, encrypt_notice, read_keys
from tournament.pushes.notification_text import TournamentForPhone, Words, seconds_worth, words_of
from tournament.pushes.notification_triggers import Kind, Matter
from tournament.pushes.subscriptions import phones_are_told
from tournament.pushes.vapid import authorization, key_of, public_key_of
from tournament.queries.tournament import load_tournament
from tournament.salons.public_names import Audience
from tournament.salons.time_zones import language_of
from tournament.webhooks.safe_http import Answer, BadAddress, NotReached, UnknownHost, post
from tournament.webhooks.sending import SECONDS_A_TURN, Senders, claim, spread

PAUSES = (10, 60, 300, 1800)  # seconds after each try that failed
LONGEST_PAUSE = 2 * 3600  # seconds, however much later a push service wants to be asked again
PHONES_AT_ONCE = 8  # of a salon
NOTICES_A_TURN = 64
DIGITS = 6  # of seconds; whoever asks for more wants very long, and may send digits without end
GONE = (404, 410)  # the push service knows this phone no more (RFC 8030, 7.3)
BUSY = 429
LONGEST_TROUBLE = 200  # characters that are kept of why
TOPIC = 24  # bytes of a topic: 32 characters, all that RFC 8030, 5.4 allows

log_line = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A notice as it goes out."""

    notice: Notice
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The reason that a phone was not reached; `for_good` if another try can't help."""

    why: str
    for_good: bool = False


def tell_due() -> None:
    """Begin to send what is due; wait for none."""
    due = Notice.objects.filter(due_at__lte=timezone.now())
    SENDERS.begin(set(due.values_list("subscription__link__salon", flat=True)))


def serve_salon(salon: int) -> None:
    """Send what is due to the phones of a salon until all is sent or its turn is over."""
    until = time.monotonic() + SECONDS_A_TURN
    row = Salon.objects.select_related("log").get(pk=salon)
    with use_visibility(None), translation.override(language_of(row)), timezone.override(None):
        activate_visitor(Visitor(salon=row, role=Role.ANYONE))
        while time.monotonic() < until and _serve(row):
            pass


SENDERS = Senders(serve_salon, "pushes")


def _serve(salon: Salon) -> int:
    """Send some notices, the oldest first and one to a phone; how many were taken up."""
    claimed = _claim_notices(salon)
    letters = list(_letters(salon, claimed))
    with ThreadPoolExecutor(max_workers=PHONES_AT_ONCE) as pool:
        for letter, came in zip(letters, pool.map(_post_letter, letters), strict=True):
            _note(letter.notice, came)
    return len(claimed)


def _claim_notices(salon: Salon) -> list[Notice]:
    now = timezone.now()
    due = (
        Notice.objects.filter(subscription__link__salon=salon, due_at__lte=now)
        .select_related("subscription__link")
        .order_by("due_at", "made_at")[:NOTICES_A_TURN]
    )
    of_a_phone: dict[str, Notice] = {}
    for notice in due:
        of_a_phone.setdefault(notice.subscription_id, notice)
    return [notice for notice in of_a_phone.values() if claim(notice)]


def _letters(salon: Salon, notices: Sequence[Notice]) -> Iterator[Letter]:
    """Yield the messages to send for these notices; notices that are over, or no longer
    worth sending, are closed.
    """
    visitor = Visitor(salon=salon, role=Role.ANYONE)
    shown: dict[str, TournamentForPhone | None] = {}
    key = public_key_of(salon)
    for notice in notices:
        phone, matter = notice.subscription, Matter.from_text(notice.matter)
        if phone.server_key != key:  # it listens to a key that the server had before
            phone.delete()
            continue
        if phone.link.tournament not in shown:
            try:
                shown[phone.link.tournament] = _tournament_for_phone(
                    salon, phone.link.tournament, visitor
                )
            except NOT_THE_EVENTS:
                raise
            except Exception as error:
                # It can't be folded: phones of all other tournaments are told.
                log_line.error(
                    "phones could not be told of a tournament",
                    tournament=phone.link.tournament,
                    error=f"{type(error).__name__}: {error}",
                )
                shown[phone.link.tournament] = None
        words = _words(shown[phone.link.tournament], notice, matter)
        if words is None:
            _over(notice)
        else:
            yield _letter(salon, notice, matter, words)


def _tournament_for_phone(
    salon: Salon, tournament: str, visitor: Visitor
) -> TournamentForPhone | None:
    rows = Tournament.objects.select_related("salon").filter(salon=salon, pk=tournament)
    row = rows.first()
    if row is None or not phones_are_told(salon, row):
        return None
    return TournamentForPhone(load_tournament(row, Audience.SALON), visitor)


def _words(tournament: TournamentForPhone | None, notice: Notice, matter: Matter) -> Words | None:
    if tournament is None or _seconds_left(notice, matter.kind) <= 0:
        return None
    entry = tournament.at.state.entry(notice.subscription.link.entry)
    return words_of(tournament, entry, matter) if entry is not None else None


def _seconds_left(notice: Notice, kind: Kind) -> int:
    return seconds_worth(kind) - int((timezone.now() - notice.made_at).total_seconds())


def _letter(salon: Salon, notice: Notice, matter: Matter, words: Words) -> Letter:
    phone = notice.subscription
    said = {"title": words.title, "body": words.body, "tag": words.topic}
    keys, text = read_keys(phone.public_key, phone.secret), json.dumps(said, ensure_ascii=False)
    salt, own = os.urandom(SALT), generate_private_key(SECP256R1())
    body = encrypt_notice(text.encode(), keys, salt=salt, own=own)
    signed = authorization(
        phone.endpoint, key=key_of(salon), contact=phone.contact, seconds=int(time.time())
    )
    headers = {
        "Authorization": signed,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(_seconds_left(notice, matter.kind)),
        "Topic": _topic(words.topic),
        "Urgency": "high" if matter.kind in (Kind.SEAT, Kind.START) else "normal",
    }
    return Letter(notice=notice, body=body, headers=headers)


def _topic(topic: str) -> str:
    """A topic as push services take it: they read no more of it than that it is the same."""
    return base64url(hashlib.sha256(topic.encode()).digest()[:TOPIC])


def _post_letter(letter: Letter) -> Answer | Failed:
    """Return the outcome of one try; nothing is read or written in the database here, so
    that many can run at once.
    """
    phone = letter.notice.subscription
    try:
        return post(phone.endpoint, letter.body, letter.headers, within=subscriptions.WITHIN)
    except (NotReached, UnknownHost) as error:
        return Failed(why=str(error))
    except BadAddress as refused:
        return Failed(why=str(refused), for_good=True)


def _note(notice: Notice, came: Answer | Failed) -> None:
    """Write down how a try ended."""
    phone = PushSubscription.objects.filter(pk=notice.subscription_id)
    if isinstance(came, Failed):
        if came.for_good:
            phone.delete()
            return
        _again(notice, came.why)
    elif 200 <= came.status < 300:
        Notice.objects.filter(pk=notice.pk).update(due_at=None, sent_at=timezone.now())
        phone.update(trouble="")
    elif came.status in GONE:
        phone.delete()
    elif came.status == BUSY or came.status >= 500:
        _again(notice, f"{came.status} {came.text}", least=_parse_retry_after(came.retry_after))
    else:  # it would be refused once more: too long, or signed as this service doesn't like it
        _over(notice)
        _in_trouble(notice, f"{came.status} {came.text}")


def _again(notice: Notice, why: str, *, least: int = 0) -> None:
    """Try later, and not before `least` seconds; when that is worth nothing any more, never."""
    _in_trouble(notice, why)
    if notice.tries > len(PAUSES):
        _over(notice)
        return
    due = timezone.now() + timedelta(seconds=max(spread(PAUSES[notice.tries - 1]), least))
    Notice.objects.filter(pk=notice.pk, tries=notice.tries).update(due_at=due)


def _parse_retry_after(retry_after: str) -> int:
    """Return the seconds that a push service asks us to wait; 0 if it gives none, or a
    date.
    """
    if not (retry_after.isascii() and retry_after.isdecimal()):
        return 0
    return LONGEST_PAUSE if len(retry_after) > DIGITS else min(int(retry_after), LONGEST_PAUSE)


def _over(notice: Notice) -> None:
    Notice.objects.filter(pk=notice.pk).update(due_at=None)


def _in_trouble(notice: Notice, why: str) -> None:
    found = PushSubscription.objects.filter(pk=notice.subscription_id)
    found.update(trouble=" ".join(why.split())[:LONGEST_TROUBLE])
