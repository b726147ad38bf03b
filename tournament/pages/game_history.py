"""The history of one game: its acts, the board as of any of them, and why each hand scored what it scored."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger.chain import Stored
from tournament.access import Act, SalonRequest, game_or_404, needs
from tournament.models import Game as GameRow
from tournament.pages.glance import Glance, glances
from tournament.pages.history import checked, filters, is_of_kind, kept, number, wanted_of
from tournament.pages.told import Told, at_time, told
from tournament.telling import Moment, last_result, moments_of

SHOWN = 40
LATER_SHOWN = 4  # so many later entries stand above the one the board is shown as of


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The board as of one moment: its table as JSON values, and the versions a step first, back, forth and last leads to (None: no way)."""

    moment: Moment
    at: datetime
    table: dict[str, Any]
    number: int
    of: int
    first: int | None
    back: int | None
    forth: int | None
    last: int | None

    @property
    def sealed(self) -> list[Stored]:
        """The stored events of this act, as they were hashed."""
        entries = sorted((self.moment.entry, *self.moment.chips), key=lambda entry: entry.stored.version)
        return [entry.stored for entry in entries]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The hand last closed by then: its result, why it is so, and the acts behind it by event name, those taken back left out."""

    number: int
    result: dict[str, Any]
    why: dict[str, Any]
    acts: dict[str, list[Told]]


@require_GET
@needs(Act.READ_HISTORY)
def game_history(request: SalonRequest, game: str) -> HttpResponse:
    """The acts of a game with the board as of `?at=` (a version of its stream), without it as of now."""
    row = game_or_404(request.visitor, game)
    moments = moments_of(row.salon.log_id, row.pk)
    step = _step(moments, number(request, "at"))
    wanted = wanted_of(request)
    listed = [moment for moment in reversed(moments) if is_of_kind(moment, wanted.kind)]
    start = _start(listed, step, wanted.before)
    page = listed[start : start + SHOWN]
    context = {
        "here": "history",
        "game": row,
        "glance": _glance(row),
        "kind": step.moment.entry.game,
        "step": step,
        "explained": _explained(row, moments, step),
        "told": told(row.salon, {row.pk: row}, page),
        "here_at": step.moment.last.version,
        "here_before": next((moment.entry.stored.position for moment in page if moment.last.version <= step.moment.last.version), None),
        "earlier": page[-1].entry.stored.version if len(listed) > start + SHOWN else None,
        "later": _later(listed, start),
        "kinds": filters(request, wanted),
        "stepping": kept(request, "at", "before"),
        "kept": kept(request, "before"),
        "checked": checked(row.salon.log_id),
    }
    return render(request, "history/game.html", context)


def _glance(row: GameRow) -> Glance:
    return glances([row])[0]


def _step(moments: Sequence[Moment], version: int | None) -> Step:
    """The moment that version `version` belongs to. Raises Http404 for one that the game never had."""
    ends = [moment.last.version for moment in moments]
    if not ends or (version or 1) > ends[-1]:
        raise Http404
    place = len(ends) - 1 if version is None else next(place for place, end in enumerate(ends) if end >= version)
    moment = moments[place]
    return Step(
        moment=moment,
        at=at_time(moment.last.occurred_at),
        table=moment.after,
        number=place + 1,
        of=len(ends),
        first=ends[0] if place else None,
        back=ends[place - 1] if place else None,
        forth=ends[place + 1] if place + 1 < len(ends) else None,
        last=ends[-1] if place + 1 < len(ends) else None,
    )


def _start(listed: Sequence[Moment], step: Step, before: int | None) -> int:
    """Where the page begins in the list, newest first: below an entry, or a little above the one the board is shown as of."""
    if before is not None:
        return sum(moment.entry.stored.version >= before for moment in listed)
    later = sum(moment.last.version > step.moment.last.version for moment in listed)
    return max(0, later - LATER_SHOWN)


def _later(listed: Sequence[Moment], start: int) -> int | None:
    """The `before` of the page above this one; None where there is none."""
    if start == 0:
        return None
    top = max(0, start - SHOWN)
    return listed[top].entry.stored.version + 1


def _explained(row: GameRow, moments: Sequence[Moment], step: Step) -> Explained | None:
    """The hand last closed by then; None before the first."""
    state = step.moment.state
    closed = last_result(step.moment.entry.game, state)
    if closed is None:
        return None
    hand = state.played
    until = step.moment.last.version
    behind = [moment for moment in moments if moment.hand == hand and moment.last.version <= until and _stood(moment, until, moments)]
    acts: dict[str, list[Told]] = defaultdict(list)
    for each in told(row.salon, {row.pk: row}, behind):
        acts[each.moment.entry.name].append(each)
    return Explained(number=hand, result=closed["result"], why=closed["why"], acts=dict(acts))


def _stood(moment: Moment, until: int, moments: Sequence[Moment]) -> bool:
    """Whether the act had not been taken back by version `until`."""
    position = moment.entry.taken_back
    return position is None or all(other.entry.stored.position != position for other in moments if other.last.version <= until)
