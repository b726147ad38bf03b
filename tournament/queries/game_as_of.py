"""A game as of a moment: after one of its acts, by the time recorded, or by the time played; and a
moment as somebody types it: a time of day, a day with a time, or the number of an entry.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.chain import Stored
from scoring.errors import NotationError
from scoring.game import AnyGame
from scoring.shape import JsonObject
from tournament.queries import number_format
from tournament.queries.history_lines import at_time
from tournament.streams.acts import Moment, every_act, replay_until

_TIME = re.compile(r"(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}):(\d{2})(?::(\d{2}))?")
_LINE = re.compile(r"\d{1,15}")
RECORDED, PLAYED = "recorded", "played"
CLOCKS = {RECORDED: gettext_lazy("recorded by then"), PLAYED: gettext_lazy("played by then")}


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
    """Read the typed moment, None for nothing. A time without a day is one between `began`
    and `ended`, as far as there is one.

    A time without seconds includes its whole minute. Raises NotationError for what
    can't be read or is beyond line `head`.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A game in the state it had `at` a moment: after the act `moment`, or, where that is None,
    with all that was played by then.
    """

    game: AnyGame
    state: Any
    at: datetime
    moment: Moment | None

    @property
    def table(self) -> JsonObject:
        """The table as JSON values."""
        return self.game.table(self.state)

    @property
    def version(self) -> int | None:
        """The step of the game it shows; None where it is no step."""
        return self.moment.last.version if self.moment else None

    @property
    def position(self) -> int:
        """The entry of the log that was the last of its act, 0 where it is no step."""
        return self.moment.last.position if self.moment else 0

    @property
    def sealed(self) -> list[Stored]:
        """The stored events of its act, as they were hashed."""
        if self.moment is None:
            return []
        acts = every_act([self.moment])
        entries = sorted(
            (entry for act in acts for entry in (act.entry, *act.chips)),
            key=lambda entry: entry.stored.version,
        )
        return [entry.stored for entry in entries]


def after(moment: Moment) -> Picture:
    """The game after this act."""
    return Picture(
        game=moment.entry.game,
        state=moment.state,
        at=at_time(moment.last.occurred_at),
        moment=moment,
    )


def game_as_of(moments: Sequence[Moment], typed: str, clock: str, *, head: int) -> Picture:
    """The game as of what was typed: a time, or the number of an entry up to `head`; nothing typed
    is now.

    By the time recorded (or an entry) it is what the log held by then; by the time played, what is
    known today of the hands played by then. Raises NotationError for what can't be read, and for a
    moment before the game began.
    """
    as_of = read_moment(moments, typed, clock, head=head)
    if as_of is None:
        return after(moments[-1])
    if clock == PLAYED and as_of.occurred_at is not None:
        state, at = replay_until(moments, as_of.occurred_at)
        return Picture(game=moments[0].entry.game, state=state, at=at_time(at), moment=None)
    found = find_last_recorded(moments, as_of)
    if found is None:
        message = _(
            "Nothing of this game was recorded by then; it begins with line %(line)s at %(time)s."
        )
        raise NotationError(message % began_in_words(moments), path="as_of")
    return after(found)


def read_moment(moments: Sequence[Moment], typed: str, clock: str, *, head: int) -> AsOf | None:
    """Read the typed moment of this stream by the time recorded or played; None for
    nothing. Raises NotationError.
    """
    stored = [moment.last for moment in moments]
    times = [each.occurred_at if clock == PLAYED else each.recorded_at for each in stored]
    return read_as_of(typed, head=head, began=at_time(min(times)), ended=at_time(max(times)))


def find_last_recorded(moments: Sequence[Moment], as_of: AsOf) -> Moment | None:
    """The last act recorded by then: times of recording never decrease along the log, so what was
    there is a prefix of it.
    """
    by_then = [
        moment
        for moment in moments
        if as_of.covers(position=moment.first.position, occurred_at=moment.first.recorded_at)
    ]
    return by_then[-1] if by_then else None


def began_in_words(moments: Sequence[Moment]) -> dict[str, object]:
    """The entry and the time at which a stream begins, for what says that nothing was there yet."""
    first = moments[0].first
    return {
        "line": first.position,
        "time": f"{timezone.localtime(at_time(first.recorded_at)):%Y-%m-%d %H:%M}",
    }
