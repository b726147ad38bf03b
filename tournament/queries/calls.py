"""Calls for the director in words: those that wait, and an evening's or a tournament's with how
long each waited.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from ledger.reading import fetch_all
from tournament.domain.calls import rules
from tournament.domain.calls.waiting import Waiting, seconds_between, waiting
from tournament.models import Call, Salon, Tournament
from tournament.queries.history_lines import at_time

MICROSECOND = 1_000_000  # of a second
EVENING_BEGINS = time(6)  # what is called after midnight belongs to the evening before
MOST_IN_A_REPORT = 500
REASONS: Mapping[str, Promise] = {
    rules.CARD: gettext_lazy("A wrong card was played or shown"),
    rules.RESULT: gettext_lazy("We disagree about a result"),
    rules.RULES: gettext_lazy("We have a question about the rules"),
    rules.PLAYER: gettext_lazy("A player is missing"),
    rules.TABLE: gettext_lazy("Something is wrong with the table or the cards"),
    rules.OTHER: gettext_lazy("Something else"),
}

# Every look at a pad asks it.
_AROUND = """
SELECT EXISTS (SELECT 1 FROM tournament_tournamentgame WHERE game = g.id),
  c.id, c.version, c.taken_up_at, c.made_at
  FROM tournament_game g LEFT JOIN tournament_call c
    ON c.salon_id = g.salon_id AND c."table" = g."table" AND c.ended_at IS NULL
  WHERE g.id = %s"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLine:
    """A call in words. `event` is the name of its tournament, "" for none; times are in the salon's
    zone, None for what has not happened.

    `waits` are the seconds since it was made, `came` those until somebody said that they come,
    `waited` those until it ended.
    """

    row: Call
    reason: str
    event: str
    made_at: datetime
    taken_up_at: datetime | None
    ended_at: datetime | None
    waits: int
    came: int | None
    waited: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAtTable:
    """The call that waits at a table: its stream and version, when it was made and since when
    somebody is coming, in the salon's zone.
    """

    id: str
    version: int
    made_at: datetime
    taken_up_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """The calls that wait, the oldest first, for the desk of a tournament ("" of the salon);
    `shown` changes with everything that it says.
    """

    tournament: str
    lines: Sequence[CallLine]
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReport:
    """Calls in the order made, and how long those waited that were answered; `more` were made than
    are shown.
    """

    lines: Sequence[CallLine]
    waiting: Waiting
    more: bool


def around_game(game: str) -> tuple[bool, CallAtTable | None]:
    """Whether a game counts in a tournament, and the call that waits at its table: what every look
    at a pad asks, in one query.
    """
    ((linked, call, version, taken_up_at, made_at),) = fetch_all(_AROUND, [game])
    if call is None:
        return bool(linked), None
    coming = at_time(taken_up_at) if taken_up_at is not None else None
    waits = CallAtTable(id=call, version=version, made_at=at_time(made_at), taken_up_at=coming)
    return bool(linked), waits


def queue_of(salon: Salon, tournament: str) -> Queue:
    """The calls that wait at the desk of a tournament: its own, and those of tables in none. With
    "" all of the salon.
    """
    found = list(Call.objects.filter(salon=salon, ended_at=None).order_by("made_at", "pk"))
    if tournament:
        found = [row for row in found if row.tournament in (tournament, "")]
    return _queue(salon, tournament, found)


def no_queue(salon: Salon) -> Queue:
    """The queue of the whole salon where no call waits."""
    return _queue(salon, "", [])


def _queue(salon: Salon, tournament: str, found: Sequence[Call]) -> Queue:
    said = " ".join(f"{row.pk}-{row.version}" for row in found)
    return Queue(
        tournament=tournament,
        lines=lines_of(salon, found),
        shown=f'"{hashlib.sha256(said.encode()).hexdigest()[:16]}"',
    )


def calls_of_evening(salon: Salon, day: date) -> CallReport:
    """The calls of the evening that began on this day, in the salon's zone."""
    begins, ends = _begins(day), _begins(day + timedelta(days=1))
    return _report(salon, Call.objects.filter(salon=salon, made_at__gte=begins, made_at__lt=ends))


def calls_of_tournament(salon: Salon, tournament: str) -> CallReport:
    """The calls of a tournament, however many evenings it has."""
    return _report(salon, Call.objects.filter(salon=salon, tournament=tournament))


def find_evening(moment: datetime) -> date:
    """The day on which the evening of this time began."""
    local = timezone.localtime(moment)
    return local.date() - timedelta(days=1 if local.time() < EVENING_BEGINS else 0)


def find_evening_before(salon: Salon, day: date) -> date | None:
    """The last evening before this one on which somebody called."""
    rows = Call.objects.filter(salon=salon, made_at__lt=_begins(day))
    return _find_first_evening(rows.order_by("-made_at"))


def find_evening_after(salon: Salon, day: date) -> date | None:
    """The next evening after this one on which somebody called."""
    rows = Call.objects.filter(salon=salon, made_at__gte=_begins(day + timedelta(days=1)))
    return _find_first_evening(rows.order_by("made_at"))


def last_call(salon: Salon, label: str, within: timedelta) -> CallLine | None:
    """The call of a table that waits, else the one that ended there lately."""
    rows = Call.objects.filter(salon=salon, table=label)
    lately = _microseconds(timezone.now() - within)
    found = rows.filter(Q(ended_at=None) | Q(ended_at__gt=lately)).order_by("-made_at")[:2]
    shown = sorted(found, key=lambda row: row.ended_at is not None)[:1]
    return next(iter(lines_of(salon, shown)), None)


def lines_of(salon: Salon, rows: Collection[Call]) -> list[CallLine]:
    """These calls in words."""
    named = {row.tournament for row in rows if row.tournament}
    found = Tournament.objects.filter(salon=salon, pk__in=named).values_list("pk", "name")
    events = dict(found) if named else {}
    now = _microseconds(timezone.now())
    return [_line(row, events.get(row.tournament, ""), now) for row in rows]


def _line(row: Call, event: str, now: int) -> CallLine:
    return CallLine(
        row=row,
        reason=str(REASONS.get(row.reason, row.reason)),
        event=event,
        made_at=_moment(row.made_at),
        taken_up_at=_moment(row.taken_up_at) if row.taken_up_at is not None else None,
        ended_at=_moment(row.ended_at) if row.ended_at is not None else None,
        waits=max(seconds_between(row.made_at, now), 0),
        came=_since(row, row.taken_up_at),
        waited=_since(row, row.ended_at),
    )


def _report(salon: Salon, rows: QuerySet[Call]) -> CallReport:
    found = list(rows.order_by("made_at", "pk")[: MOST_IN_A_REPORT + 1])
    lines = lines_of(salon, found[:MOST_IN_A_REPORT])
    answered = [line.waited for line in lines if line.row.ending == rules.ANSWERED]
    waited = waiting([seconds for seconds in answered if seconds is not None])
    return CallReport(lines=lines, waiting=waited, more=len(found) > MOST_IN_A_REPORT)


def _since(row: Call, at: int | None) -> int | None:
    return seconds_between(row.made_at, at) if at is not None else None


def _begins(day: date) -> int:
    """When the evening of this day begins."""
    return _microseconds(timezone.make_aware(datetime.combine(day, EVENING_BEGINS)))


def _find_first_evening(rows: QuerySet[Call]) -> date | None:
    made_at = rows.values_list("made_at", flat=True).first()
    return find_evening(_moment(made_at)) if made_at is not None else None


def _moment(microseconds: int) -> datetime:
    return timezone.localtime(at_time(microseconds))


def _microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * MICROSECOND)
