"""The table of a season: every player's results added up, the worst left out by its rule."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tournament.domain.season.rules import BY_PLACE, SeasonRule
from tournament.domain.standings.exact import Exact, divide, round_half_up
from tournament.domain.standings.values import Entry, Scale

NOBODY = 1_000_000  # a rank that nobody has


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of an entry's points won for one of its players: `points` (hundredths,
    exactly) of `rounds` of the rounds it took part in.
    """

    player: str
    points: Exact
    rounds: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry of a tournament that is over: who it was, its rank (equal entries share one), its
    standing points in hundredths.

    Where somebody was replaced, `players` are those who take its rank, and `shares` what each who
    played for it won.
    """

    players: tuple[str, ...]
    rank: int
    points: Exact
    shares: tuple[Share, ...] = ()


def regulars(entry: Entry, rounds: int) -> tuple[str, ...]:
    """Return the players who take the rank of an entry after `rounds` rounds.

    Those who played for it in half or more of the rounds it took part in; of a team,
    all who ever sat down for it.
    """
    took_part = _took_part(entry, rounds)
    if entry.line_ups:
        seated = (player for _round, players in entry.line_ups for player in players)
        return tuple(dict.fromkeys(seated))
    if not entry.earlier or not took_part:
        return entry.players
    return tuple(
        player
        for player, times in _count_rounds_played(entry, took_part).items()
        if 2 * times >= len(took_part)
    )


def shares(entry: Entry, points: Mapping[int, Exact], rounds: int) -> tuple[Share, ...]:
    """Return the part of each player in an entry's points (hundredths) of each round;
    () if no one was replaced.

    Every round counts for those who sat in it, one before the entry joined for those it
    began with.
    """
    took_part = _took_part(entry, rounds)
    if not (entry.earlier or entry.line_ups) or not took_part:
        return ()
    won: defaultdict[str, Exact] = defaultdict(int)
    for number, amount in points.items():
        for player in entry.players_in(max(number, entry.joined_in)):
            won[player] += amount
    played = _count_rounds_played(entry, took_part)
    return tuple(
        Share(player=player, points=won[player], rounds=times, of=len(took_part))
        for player, times in played.items()
    )


def _took_part(entry: Entry, rounds: int) -> list[int]:
    return [number for number in range(1, rounds + 1) if entry.is_in(number)]


def _count_rounds_played(entry: Entry, numbers: Sequence[int]) -> Counter[str]:
    """In how many of these rounds each played for an entry."""
    return Counter(player for number in numbers for player in entry.players_in(number))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonResult:
    """The worth of one tournament to a player, in hundredths.

    `counts`: it was not left out. `rank` 0: the player missed it, or only `stood_in`
    for someone there, which is worth points and no place.
    """

    tournament: str
    rank: int
    points: int
    counts: bool
    stood_in: bool = False

    @property
    def missed(self) -> bool:
        """Whether the player wasn't there."""
        return not self.rank and not self.stood_in


@dataclass(frozen=True, slots=True, kw_only=True)
class _ExactResult:
    """A `SeasonResult` before it is rounded."""

    tournament: str
    rank: int
    points: Exact
    counts: bool
    stood_in: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRow:
    """The place of a player in the season.

    Players with exactly as many points share a rank, and the sum is rounded once.
    `results` are in the order of the tournaments.
    """

    rank: int
    player: str
    points: int
    results: tuple[SeasonResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonTable:
    """All players of a season, the best first; `events` are the tournaments that are over,
    `waiting` those that are not.
    """

    events: tuple[str, ...]
    waiting: tuple[str, ...]
    rows: tuple[SeasonRow, ...]


def season_table(
    rule: SeasonRule, events: Sequence[tuple[str, Sequence[Placed]]], *, waiting: Sequence[str] = ()
) -> SeasonTable:
    """The table after these tournaments, each with all its entries.

    Equal sums are told apart by the best ranks in all tournaments: who was first oftener, then
    second oftener, and so on.
    """
    worth = {tournament: _worth(rule, placed) for tournament, placed in events}
    players = sorted({player for each in worth.values() for player in each})
    left = len(events) - results_to_count(rule, len(events))
    results = {player: _results(player, worth, left) for player in players}
    ordered = sorted(players, key=lambda player: _height(results[player]))
    rows: list[SeasonRow] = []
    for _, equals in groupby(ordered, key=lambda player: _height(results[player])):
        rank = len(rows) + 1
        rows += [
            SeasonRow(
                rank=rank,
                player=player,
                points=round_half_up(_sum(results[player])),
                results=tuple(map(_round_result, results[player])),
            )
            for player in equals
        ]
    return SeasonTable(events=tuple(worth), waiting=tuple(waiting), rows=tuple(rows))


def unit_of(scale: Scale) -> tuple[str, int]:
    """The unit of this scale's points: standing points can be added up where this is the same."""
    if scale.kind == "match":
        return scale.kind, scale.win
    return scale.kind, len(scale.steps) if scale.kind == "margin" else 0


def results_to_count(rule: SeasonRule, events: int) -> int:
    """Return the number of a player's results that count after `events` tournaments: at
    least one, if some are left out.
    """
    if rule.best is not None:
        return min(rule.best, events)
    return max(min(1, events), events - (rule.worst or 0))


def _round_result(result: _ExactResult) -> SeasonResult:
    return SeasonResult(
        tournament=result.tournament,
        rank=result.rank,
        points=round_half_up(result.points),
        counts=result.counts,
        stood_in=result.stood_in,
    )


def _worth(rule: SeasonRule, placed: Sequence[Placed]) -> dict[str, tuple[int, Exact]]:
    """Rank and points of each player in one tournament, rank 0 for who only stood in.

    Who played for two entries has the better one, and besides what was won while standing in.
    """
    shared = Counter(each.rank for each in placed)
    worth: dict[str, tuple[int, Exact]] = {}
    stood_in: defaultdict[str, Exact] = defaultdict(int)
    for each in sorted(placed, key=lambda each: -each.rank):
        points = (
            _of_places(rule.places, each.rank, shared[each.rank])
            if rule.points == BY_PLACE
            else each.points
        )
        worth |= dict.fromkeys(each.players, (each.rank, points))
        for share in each.shares:
            own = (
                divide(points * share.rounds, share.of) if rule.points == BY_PLACE else share.points
            )
            if share.player in each.players:
                worth[share.player] = each.rank, own
            else:
                stood_in[share.player] += own
    return worth | {
        player: (worth.get(player, (0, 0))[0], worth.get(player, (0, 0))[1] + own)
        for player, own in stood_in.items()
    }


def _of_places(places: Sequence[int], rank: int, shared: int) -> Exact:
    """The mean of the places that `shared` entries of this rank take."""
    return divide(sum(places[rank - 1 : rank - 1 + shared]), shared)


def _results(
    player: str, worth: Mapping[str, Mapping[str, tuple[int, Exact]]], left: int
) -> tuple[_ExactResult, ...]:
    """A player's results; the `left` worst are left out: missed ones first, then of equals the
    earlier ones.
    """
    reached = [
        (tournament, player in of, *of.get(player, (0, 0))) for tournament, of in worth.items()
    ]
    worst_first = sorted(
        range(len(reached)), key=lambda place: (reached[place][3], reached[place][1], place)
    )
    out = set(worst_first[:left])
    return tuple(
        _ExactResult(
            tournament=tournament,
            rank=rank,
            points=points,
            counts=place not in out,
            stood_in=was_there and not rank,
        )
        for place, (tournament, was_there, rank, points) in enumerate(reached)
    )


def _sum(results: Sequence[_ExactResult]) -> Exact:
    return sum(each.points for each in results if each.counts)


def _height(results: Sequence[_ExactResult]) -> tuple[Exact, tuple[int, ...]]:
    """Return the sort key of a row.

    After all ranks comes one below them all, because more results are better than
    fewer.
    """
    return -_sum(results), (*sorted(each.rank for each in results if each.rank), NOBODY)
