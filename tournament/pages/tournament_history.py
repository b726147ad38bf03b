"""The history of a tournament: everything its director did, in plain words, and the standings as of any of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from ledger.models import Log
from scoring.errors import NotationError
from tournament.access import Act, SalonRequest, Visitor, needs
from tournament.pages.history import checked, number
from tournament.pages.stepping import Asked, Steps, asked_moment, place_of, steps_at, steps_beside
from tournament.pages.tournament import context_of
from tournament.queries.as_of import AsOf, read_as_of
from tournament.queries.directed import Directed, is_silent
from tournament.queries.picture import CLOCKS, PLAYED, began_in_words, recorded_by
from tournament.queries.public import public_or_404
from tournament.queries.told import at_time, told
from tournament.silence import silences
from tournament.standings.ranking import Standing, Standings
from tournament.standings_then import Then, played_then, position_by, recorded_then
from tournament.telling import Moment, moments_of

SHOWN = 60
LATER_SHOWN = 4  # so many later acts stand above the one the standings are shown as of


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The standings as of a moment beside those of now: `position` is the entry they count up to, 0 by the time played."""

    then: Standings
    now: Standings
    at: datetime
    position: int
    until: int
    hidden: bool

    @property
    def rows(self) -> Iterator[tuple[Standing, Standing | None]]:
        """Each entry as it stood then, and as it stands now."""
        today = {row.entry: row for row in self.now.rows}
        return ((row, today.get(row.entry)) for row in self.then.rows)

    @property
    def differing(self) -> int:
        """How many entries stand elsewhere, or with other points, now."""
        return sum(now is None or (row.rank, row.points) != (now.rank, now.points) for row, now in self.rows)


@require_GET
@needs(Act.READ_HISTORY)
def tournament_history(request: SalonRequest, tournament: str) -> HttpResponse:
    """The acts of a tournament with the standings as of `?at=` (a version) or `?as_of=` (a time or an entry), else as of now."""
    at = public_or_404(request.visitor, tournament)
    moments = moments_of(at.row.salon.log_id, at.row.pk)
    shown, step, asked = _asked(request, at, moments)
    before, listed = number(request, "before"), list(reversed(moments))
    start = _start(listed, shown.until, before)
    page = listed[start : start + SHOWN]
    context = context_of(request, at) | {
        "shown": shown,
        "step": step,
        "asked": asked,
        "clocks": CLOCKS.items(),
        "told": told(at.row.salon, {at.row.pk: at.row}, page, silences(request.visitor, [at.row.pk])),
        "here_before": next((moment.entry.stored.position for moment in page if moment.last.version <= shown.until), None),
        "earlier": page[-1].first.version if len(listed) > start + SHOWN else None,
        "later": start > 0,
        "checked": checked(at.row.salon.log_id),
        "may_audit": request.visitor.may(Act.AUDIT),
    }
    return render(request, "tournaments/history.html", context, status=400 if asked.problem else 200)


def _asked(request: SalonRequest, at: Directed, moments: Sequence[Moment]) -> tuple[Shown, Steps, Asked]:
    """The moment that the address asks for; now, and what was wrong, where it can't be read."""
    typed, clock = asked_moment(request)
    head = Log.objects.values_list("position", flat=True).get(pk=at.row.salon.log_id)
    last = len(moments) - 1
    version = number(request, "at")
    if not typed and version is not None:
        place = place_of(moments, version)
        shown = _recorded(request.visitor, at, moments, moments[place], moments[place].last.position)
        return shown, steps_at(moments, place), Asked(typed="", clock=clock)
    try:
        if typed:
            return *_typed(request.visitor, at, moments, typed, clock), Asked(typed=typed, clock=clock)
        problem = None
    except NotationError as refused:
        problem = refused
    shown = _recorded(request.visitor, at, moments, moments[last], head)
    return shown, steps_at(moments, last), Asked(typed=typed, clock=clock, problem=problem)


def _typed(visitor: Visitor, at: Directed, moments: Sequence[Moment], typed: str, clock: str) -> tuple[Shown, Steps]:
    """The moment that was typed. Raises NotationError for what can't be read or was before the tournament."""
    as_of = _read(at, moments, typed, clock)
    if clock == PLAYED and as_of.occurred_at is not None:
        then = played_then(at.row.salon, moments, as_of.occurred_at)
        until = max((moment.last.version for moment in moments if moment.last.occurred_at <= as_of.occurred_at), default=0)
        return _shown(visitor, at, moments, then, at_time(as_of.occurred_at), position=0, until=until), steps_beside(moments)
    found = recorded_by(moments, as_of)
    if found is None:
        message = _("Nothing of this tournament was recorded by then; it begins with entry %(entry)s at %(time)s.")
        raise NotationError(message % began_in_words(moments), path="as_of")
    position = as_of.position or position_by(at.row.salon, at.row.pk, found.state, as_of.occurred_at or 0)
    return _recorded(visitor, at, moments, found, position), steps_at(moments, place_of(moments, found.last.version))


def _read(at: Directed, moments: Sequence[Moment], typed: str, clock: str) -> AsOf:
    head = Log.objects.values_list("position", flat=True).get(pk=at.row.salon.log_id)
    times = [moment.last.occurred_at if clock == PLAYED else moment.last.recorded_at for moment in moments]
    found = read_as_of(typed, head=head, began=at_time(min(times)), ended=at_time(max(times)))
    return found or AsOf(position=head, occurred_at=None, words="")


def _recorded(visitor: Visitor, at: Directed, moments: Sequence[Moment], moment: Moment, position: int) -> Shown:
    then = recorded_then(at.row.salon, moment.state, position)
    return _shown(visitor, at, moments, then, at_time(moment.last.recorded_at), position=position, until=moment.last.version)


def _shown(visitor: Visitor, at: Directed, moments: Sequence[Moment], then: Then, time: datetime, *, position: int, until: int) -> Shown:
    """Silent rounds are hidden here as on every page."""
    begun = at.state.silent_from
    hidden = begun is not None and is_silent(at, visitor, begun)
    after_round = begun - 1 if begun is not None and hidden else None
    now = Then(state=at.state, outcomes=at.outcomes)
    return Shown(
        then=then.standings(after_round=after_round),
        now=now.standings(after_round=after_round),
        at=time,
        position=position,
        until=until,
        hidden=hidden,
    )


def _start(listed: Sequence[Moment], until: int, before: int | None) -> int:
    """Where the page begins in the list, newest first: below an act, or a little above the one the standings are shown as of."""
    if before is not None:
        return sum(moment.first.version >= before for moment in listed)
    return max(0, sum(moment.last.version > until for moment in listed) - LATER_SHOWN)
