"""A moment as somebody types it, to see a balance as of then: a time of day, a day with a time, or
the number of an entry.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from tournament.queries import number_format

_TIME = re.compile(r"(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}):(\d{2})(?::(\d{2}))?")
_LINE = re.compile(r"\d{1,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AsOf:
    """Up to and with the entry at `position`, or all that happened by `occurred_at` (microseconds
    UTC); one of the two is None.
    """

    position: int | None
    occurred_at: int | None
    words: str

    def covers(self, *, position: int, occurred_at: int) -> bool:
        """Whether an entry lies within it."""
        if self.position is not None:
            return position <= self.position
        return self.occurred_at is not None and occurred_at <= self.occurred_at


def read_as_of(typed: str, *, head: int, began: datetime, ended: datetime) -> AsOf | None:
    """What was typed, None for nothing. A time without a day is one between `began` and `ended`, as
    far as there is one.

    A time without seconds includes its whole minute. Raises NotationError for what can't be read or
    is beyond line `head`.
    """
    text = " ".join(typed.split())
    if not text:
        return None
    bare = text.replace(" ", "").replace(number_format.NARROW, "")
    if _LINE.fullmatch(bare):
        return _line(int(bare), head)
    found = _TIME.fullmatch(text)
    if found is None:
        raise NotationError(
            _("“%(typed)s” is neither a time like 19:41 nor a line like 4409.")
            % {"typed": text[:40]},
            path="as_of",
        )
    return _moment(found, text, began, ended)


def _line(position: int, head: int) -> AsOf:
    if not 1 <= position <= head:
        numbers = {"line": number_format.number(position), "head": number_format.number(head)}
        raise NotationError(
            _("There is no line %(line)s; the salon has lines 1 to %(head)s.") % numbers,
            path="as_of",
        )
    return AsOf(
        position=position,
        occurred_at=None,
        words=_("line %(line)s") % {"line": number_format.number(position)},
    )


def _moment(found: re.Match[str], text: str, began: datetime, ended: datetime) -> AsOf:
    day, hour, minute, second = found.groups()
    try:
        at = time(int(hour), int(minute), int(second or 59), 999_999)
        moment = _on(date.fromisoformat(day), at) if day else _between(at, began, ended)
    except ValueError:
        raise NotationError(
            _("There is no time %(typed)s; 0:00 to 23:59 are times.") % {"typed": text},
            path="as_of",
        ) from None
    return AsOf(
        position=None, occurred_at=int(moment.timestamp()) * 1_000_000 + 999_999, words=text
    )


def _between(at: time, began: datetime, ended: datetime) -> datetime:
    last = _on(timezone.localtime(ended).date(), at)
    before = last - timedelta(days=1)
    return before if last > ended and before >= began else last


def _on(day: date, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))
