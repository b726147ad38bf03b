"""Steps through the acts of a stream, and the moment that somebody asks for by its number, its time
or its entry.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404

from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest
from tournament.queries.game_as_of import CLOCKS, RECORDED
from tournament.streams.acts import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Step `number` of `of`, and the versions a step first, back, forth and last leads to (None: no
    way).

    A moment by the time played is no step, and its `number` is 0.
    """

    number: int
    of: int
    first: int | None
    back: int | None
    forth: int | None
    last: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedMoment:
    """The moment asked for as it was typed, by which clock, and what was wrong with it."""

    typed: str
    clock: str
    problem: NotationError | None = None


def read_asked_moment(request: SalonRequest) -> tuple[str, str]:
    """Read the typed moment and the clock it is meant by. Raises Http404 for an unknown
    clock.
    """
    clock = request.GET.get("clock", RECORDED)
    if clock not in CLOCKS:
        raise Http404
    return request.GET.get("as_of", ""), clock


def place_of(moments: Sequence[Moment], version: int | None) -> int:
    """Return the index of the act that version `version` of their stream belongs to, the
    last for None. Raises Http404 if there is none.
    """
    if not moments or (version or 1) > moments[-1].last.version:
        raise Http404
    if version is None:
        return len(moments) - 1
    return next(place for place, moment in enumerate(moments) if moment.last.version >= version)


def steps_to(moments: Sequence[Moment], version: int | None) -> Steps:
    """The steps from the act of this version, or from a moment that is none of them (None)."""
    return (
        steps_beside(moments) if version is None else steps_at(moments, place_of(moments, version))
    )


def steps_at(moments: Sequence[Moment], place: int) -> Steps:
    """The steps from the act at this place."""
    ends = [moment.last.version for moment in moments]
    is_last = place + 1 == len(ends)
    return Steps(
        number=place + 1,
        of=len(ends),
        first=ends[0] if place else None,
        back=ends[place - 1] if place else None,
        forth=None if is_last else ends[place + 1],
        last=None if is_last else ends[-1],
    )


def steps_beside(moments: Sequence[Moment]) -> Steps:
    """The steps from a moment that is none of these acts."""
    return Steps(
        number=0,
        of=len(moments),
        first=moments[0].last.version,
        back=None,
        forth=None,
        last=moments[-1].last.version,
    )
