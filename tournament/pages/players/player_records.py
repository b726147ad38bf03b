"""What a player's page shows of all finished games together: records by game, and the rating from
tournament to tournament.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.games import GAMES
from tournament.domain.careers.career import Career, career_of
from tournament.domain.careers.played import PlayedGame
from tournament.models import Player, Tournament
from tournament.pages.players.rating_chart import one_decimal, rating_chart
from tournament.projections.background import as_of
from tournament.projections.careers import CAREERS
from tournament.projections.ratings import RatedAfter, rating_history


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
    """What `players/rating.html` shows; empty before the first rated tournament."""
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


def counted_up_to(person: Player) -> int:
    """Up to which entry of the log the records count."""
    return as_of(person.salon.log_id, CAREERS.name, "")


def _line(each: RatedAfter, names: dict[str, str]) -> Rated:
    return Rated(
        tournament=each.tournament,
        name=names.get(each.tournament, ""),
        mean=one_decimal(each.mean),
        deviation=one_decimal(each.deviation),
        tables=each.tables,
    )
