"""The table of a season: every player's results added up, the worst left out by its rule."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.seasons.rules import BY_PLACE, SeasonRule
from tournament.standings.scales import mean
from tournament.standings.values import Entry

NOBODY = 1_000_000  # a rank that nobody has


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry of a tournament that is over: who it was, its rank (equal entries share one), its standing points in hundredths."""

    players: tuple[str, ...]
    rank: int
    points: int


def regulars(entry: Entry, rounds: int) -> tuple[str, ...]:
    """Whom a tournament of so many rounds counts for: those who played for an entry in half or more of the rounds it took part in."""
    took_part = [number for number in range(1, rounds + 1) if entry.is_in(number)]
    if not entry.earlier or not took_part:
        return entry.players
    played = Counter(player for number in took_part for player in entry.players_in(number))
    return tuple(player for player, times in played.items() if 2 * times >= len(took_part))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonResult:
    """What one tournament is worth to a player, in hundredths; `rank` 0: the player missed it. `counts`: it was not left out."""

    tournament: str
    rank: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """Where a player stands in the season; equal players share a rank. `results` are in the order of the tournaments."""

    rank: int
    player: str
    points: int
    results: tuple[SeasonResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTable:
    """All players of a season, the best first; `events` are the tournaments that are over, `waiting` those that are not."""

    events: tuple[str, ...]
    waiting: tuple[str, ...]
    rows: tuple[SeasonRow, ...]


def season_table(rule: SeasonRule, events: Sequence[tuple[str, Sequence[Placed]]], *, waiting: Sequence[str] = ()) -> SeasonTable:
    """The table after these tournaments, each with all its entries.

    Equal sums are told apart by the best ranks in all tournaments: who was first oftener, then second oftener, and so on.
    """
    worth = {tournament: _worth(rule, placed) for tournament, placed in events}
    players = sorted({player for each in worth.values() for player in each})
    left = len(events) - counted(rule, len(events))
    results = {player: _results(player, worth, left) for player in players}
    ordered = sorted(players, key=lambda player: _height(results[player]))
    rows: list[SeasonRow] = []
    for _, equals in groupby(ordered, key=lambda player: _height(results[player])):
        rank = len(rows) + 1
        rows += [SeasonRow(rank=rank, player=player, points=_sum(results[player]), results=results[player]) for player in equals]
    return SeasonTable(events=tuple(worth), waiting=tuple(waiting), rows=tuple(rows))


def counted(rule: SeasonRule, events: int) -> int:
    """How many results of a player count after so many tournaments: where some are left out, one at least."""
    if rule.best is not None:
        return min(rule.best, events)
    return max(min(1, events), events - (rule.worst or 0))


def _worth(rule: SeasonRule, placed: Sequence[Placed]) -> dict[str, tuple[int, int]]:
    """Rank and points of each player in one tournament; who played for two entries has the better one."""
    shared = {rank: sum(each.rank == rank for each in placed) for rank in {each.rank for each in placed}}
    worth: dict[str, tuple[int, int]] = {}
    for each in sorted(placed, key=lambda each: -each.rank):
        points = _of_places(rule.places, each.rank, shared[each.rank]) if rule.points == BY_PLACE else each.points
        worth |= dict.fromkeys(each.players, (each.rank, points))
    return worth


def _of_places(places: Sequence[int], rank: int, shared: int) -> int:
    """The mean of the places that `shared` entries of this rank take."""
    return mean(sum(places[rank - 1 : rank - 1 + shared]), shared)


def _results(player: str, worth: Mapping[str, Mapping[str, tuple[int, int]]], left: int) -> tuple[SeasonResult, ...]:
    """A player's results; the `left` worst are left out: missed ones first, then of equals the earlier ones."""
    reached = [(tournament, *of.get(player, (0, 0))) for tournament, of in worth.items()]
    worst_first = sorted(range(len(reached)), key=lambda place: (reached[place][2], reached[place][1] > 0, place))
    out = set(worst_first[:left])
    return tuple(
        SeasonResult(tournament=tournament, rank=rank, points=points, counts=place not in out)
        for place, (tournament, rank, points) in enumerate(reached)
    )


def _sum(results: Sequence[SeasonResult]) -> int:
    return sum(each.points for each in results if each.counts)


def _height(results: Sequence[SeasonResult]) -> tuple[int, tuple[int, ...]]:
    """What the rows are ordered by; after all ranks comes one below them all, for more results are better than fewer."""
    return -_sum(results), (*sorted(each.rank for each in results if each.rank), NOBODY)
