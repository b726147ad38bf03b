"""Figures of all finished games on a player's page: records by game, and the rating
from tournament to tournament.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext

from scoring.games import GAMES
from tournament.domain.careers.career import Career, PlayedGame, career_of
from tournament.models import Player, Tournament
from tournament.projections.background import as_of
from tournament.projections.careers import CAREERS
from tournament.projections.ratings import THOUSANDTHS, RatedAfter, rating_history

ROOM = 0.12  # above and below what is drawn, of its height
STEPS = (1, 2, 5, 10, 20, 50)
MOST_LINES = 6
LABELS = 10  # more tournaments than this and only every second, fifth … is numbered
LAST = 96.0  # the last tournament stands here, so that its mark isn't cut off


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """A player's records in the games of one kind; `against`: somebody was against."""

    kind: str
    title: str
    career: Career
    against: bool
    counts_audits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A line of the rating's table, numbers as they are shown."""

    tournament: str
    name: str
    mean: str
    deviation: str
    tables: int


def records_of(games: Sequence[PlayedGame]) -> list[Records]:
    """The records by game, in the order of the table of games."""
    kinds = {each.kind for each in games}
    return [
        _records(kind, [each for each in games if each.kind == kind])
        for kind in GAMES
        if kind in kinds
    ]


def _records(kind: str, games: Sequence[PlayedGame]) -> Records:
    return Records(
        kind=kind,
        title=GAMES[kind].title,
        career=career_of(games),
        against=any(each.opponents for each in games),
        counts_audits=any(each.audits for each in games),
    )


def rating_of(person: Player) -> dict[str, object]:
    """Return the context of `players/rating.html`; empty before the first rated
    tournament.
    """
    history = rating_history(person.salon, person.pk)
    if not history:
        return {}
    names = dict(
        Tournament.objects.filter(pk__in={each.tournament for each in history}).values_list(
            "pk", "name"
        )
    )
    lines = [_line(each, names) for each in reversed(history)]
    return {"chart": rating_chart(history), "rating": lines[0], "rated": lines}


def find_counted_position(person: Player) -> int:
    """Return the log position up to which the records count."""
    return as_of(person.salon.log_id, CAREERS.name, "")


def _line(each: RatedAfter, names: dict[str, str]) -> Rated:
    return Rated(
        tournament=each.tournament,
        name=names.get(each.tournament, ""),
        mean=one_decimal(each.mean),
        deviation=one_decimal(each.deviation),
        tables=each.tables,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A tournament on the chart: `x`, `y` in per cent, `name` its number, "" where that is left
    out.
    """

    x: str
    y: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChart:
    """All that the chart draws. Paths are in a square of 100 by 100; `levels` are (y,
    label) pairs.
    """

    levels: tuple[tuple[str, str], ...]
    path: str
    band: str
    points: tuple[Point, ...]
    last: str
    summary: str


def rating_chart(history: Sequence[RatedAfter]) -> RatingChart:
    """The chart of at least one tournament: the mean as a line, and around it one deviation up and
    down.
    """
    low = min(each.mean - each.deviation for each in history) / THOUSANDTHS
    high = max(each.mean + each.deviation for each in history) / THOUSANDTHS
    room = (high - low) * ROOM
    top, bottom = high + room, low - room

    def y(value: float) -> float:
        return 100 * (top - value / THOUSANDTHS) / (top - bottom)

    def x(place: int) -> float:
        return LAST * (place + 1) / len(history)

    upper = [(x(place), y(each.mean + each.deviation)) for place, each in enumerate(history)]
    lower = [(x(place), y(each.mean - each.deviation)) for place, each in enumerate(history)]
    named = _choose_labelled_games(len(history))
    return RatingChart(
        levels=tuple(
            (_percent(y(level * THOUSANDTHS)), str(level)) for level in _levels(bottom, top)
        ),
        path=_path((x(place), y(each.mean)) for place, each in enumerate(history)),
        band=f"{_path([*upper, *reversed(lower)])}Z",
        points=tuple(
            Point(
                x=_percent(x(place)),
                y=_percent(y(each.mean)),
                name=str(place + 1) if place + 1 in named else "",
            )
            for place, each in enumerate(history)
        ),
        last=one_decimal(history[-1].mean),
        summary=_in_one_sentence(history),
    )


def one_decimal(thousandths: int) -> str:
    """A rating or its deviation as it is shown: `27.4`."""
    return f"{thousandths / THOUSANDTHS:.1f}"


def _path(places: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)


def _percent(value: float) -> str:
    return f"{value:.1f}%"


def _levels(bottom: float, top: float) -> range:
    step = next((size for size in STEPS if (top - bottom) / size <= MOST_LINES), 100)
    first = step * ceil(bottom / step)
    return range(first, int(top) + 1, step)


def _choose_labelled_games(count: int) -> range:
    step = next((size for size in (1, 2, 5, 10, 20, 50) if count / size <= LABELS), 100)
    return range(step, count + 1, step)


def _in_one_sentence(history: Sequence[RatedAfter]) -> str:
    """The same in one sentence, for those who don't see the picture."""
    sentence = gettext("after tournament %(number)d: %(rating)s")
    return "; ".join(
        sentence % {"number": place, "rating": one_decimal(each.mean)}
        for place, each in enumerate(history, 1)
    )
