"""Ratings by openskill: what each table says of its players, one table after the other.

The model is Plackett and Luce's for any number of sides of any size (Weng and Lin, 2011);
openskill's own constants are kept. A rating is a mean and how uncertain it is; both are
floating-point numbers, for they are shown and never stored as facts.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from openskill.models import PlackettLuce

from tournament.domain.standings.deal_points import points_of_rounds
from tournament.domain.standings.exact import Exact
from tournament.domain.standings.scales import standing_points
from tournament.domain.standings.values import SeatedTable, Tournament

MODEL = PlackettLuce()
SURE = 3  # so many deviations below the mean a player is nearly certain to be better


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A player's rating: the mean, its deviation, and after how many tables."""

    mean: float = MODEL.mu
    deviation: float = MODEL.sigma
    tables: int = 0

    @property
    def sure(self) -> float:
        """The rating that the player is nearly certain to exceed; players are listed by it."""
        return self.mean - SURE * self.deviation


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedTable:
    """A table that was played: the players of each side, and the place each side took, 1 the best,
    equal places shared.
    """

    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


def list_rated_tables(tournament: Tournament) -> Iterator[RatedTable]:
    """The tables of a tournament at which two sides or more really played, in the order of play,
    with those who sat there; each table of a match by itself, for other people play there.
    """
    entries = {entry.id: entry for entry in tournament.entries}
    all_points = points_of_rounds(tournament)
    for number, tables in enumerate(tournament.rounds, start=1):
        points = all_points[number - 1]
        scale = tournament.stage_of(tables).scale
        for match in sorted(tables.tables, key=lambda table: table.table):
            for place, table in enumerate(match.parts or (match,)):
                if _counts(table):
                    sides = tuple(
                        entries[entry].players_at(number, place, len(match.parts) or 1)
                        for entry in table.entries
                    )
                    came_to = standing_points(scale, table) if match.parts else points[table.table]
                    yield RatedTable(sides=sides, places=_places(came_to))


def _counts(table: SeatedTable) -> bool:
    return bool(table.results) and not table.forfeit and len(table.entries) > 1


def _places(points: tuple[Exact, ...]) -> tuple[int, ...]:
    return tuple(1 + sum(other > mine for other in points) for mine in points)


def rated(
    tables: Iterable[RatedTable], before: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """Everybody's rating after these tables, from the ratings before; who has none begins with
    openskill's.
    """
    ratings = dict(before or {})
    for table in tables:
        ratings |= after_table(table, ratings)
    return ratings


def after_table(table: RatedTable, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    """The ratings of those at one table after it."""
    before = [[ratings.get(player, Rating()) for player in side] for side in table.sides]
    teams = [[MODEL.rating(mu=each.mean, sigma=each.deviation) for each in side] for side in before]
    new = MODEL.rate(teams, ranks=[float(place) for place in table.places])
    return {
        player: Rating(mean=after.mu, deviation=after.sigma, tables=each.tables + 1)
        for side, were, are in zip(table.sides, before, new, strict=True)
        for player, each, after in zip(side, were, are, strict=True)
    }
