"""Tables of three to five by score: players of near scores, nobody together twice where it can be
had; looked for by exchanges in a fixed number of steps, the same from the same seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations, pairwise

from tournament.domain.pairing.values import Contender, same_club
from tournament.domain.schedules.annealer import draws, least_cost_tables
from tournament.domain.standings.lots import lot

STEPS = 160_000  # of the search at most, at about two microseconds
STEPS_A_PLAYER = 2_000
MENDING = 40_000  # more before, for repeats alone
SLACK = 100  # of nearness, given up at first
HEIGHTS = 255  # in so many parts points are measured
# What costs how much: more of one than of all after it together.
REPEAT, SHORT, ONE_CLUB = 1 << 46, 1 << 36, 1 << 26


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """A table drawn by score, the highest first, and what it costs.

    `repeats` are meetings that were there before, each time counted; `spread` is between the
    highest and the lowest points, in hundredths; `of_one_club` are the pairs of one club.
    """

    table: int
    entries: tuple[str, ...]
    repeats: int
    spread: int
    of_one_club: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSeating:
    """The tables of a round from the highest scores down, and who sits out."""

    tables: tuple[ScoreTable, ...]
    out: tuple[str, ...] = ()
    repeats: int = 0


def seat_by_score(
    contenders: Sequence[Contender],
    sizes: Sequence[int],
    *,
    seed: int,
    number: int,
    short: Mapping[str, int] | None = None,
    clubs_apart: bool = False,
) -> ScoreSeating:
    """Tables of these sizes for round `number`; whoever is too many sits out: who did so least
    often, of these the lowest.

    First as few repeats as are found, then short tables for those who were `short` least often,
    then, where asked for, as few pairs of one club as are found, then near scores. The sizes seat
    no more than there are.
    """
    assert sum(sizes) <= len(contenders)
    order = sorted(
        contenders, key=lambda player: (-player.points, lot(seed, "by score", number, player.entry))
    )
    out = _choose_sit_outs(order, len(order) - sum(sizes), seed=seed, number=number)
    players = [player for player in order if player not in out]
    drawn = _search_tables(players, sizes, short or {}, seed, number, clubs_apart=clubs_apart)
    tables = tuple(
        _table(place, table)
        for place, table in enumerate(_in_order(drawn, seed=seed, number=number), start=1)
    )
    return ScoreSeating(
        tables=tables,
        out=tuple(player.entry for player in out),
        repeats=sum(table.repeats for table in tables),
    )


def _choose_sit_outs(
    order: Sequence[Contender], count: int, *, seed: int, number: int
) -> list[Contender]:
    return sorted(
        order,
        key=lambda player: (player.byes, player.points, lot(seed, "out", number, player.entry)),
    )[:count]


def _search_tables(
    players: Sequence[Contender],
    sizes: Sequence[int],
    short: Mapping[str, int],
    seed: int,
    number: int,
    *,
    clubs_apart: bool,
) -> list[list[Contender]]:
    """Tables from those that follow each other by score: first without repeats, then as they cost
    least in all.
    """
    times = [short.get(player.entry, 0) for player in players]
    again = [each - min(times) for each in times] if times else []
    tables: Sequence[Sequence[int]] = _cut_into_tables(sizes, again)
    at_short = [SHORT * each for each in again]
    free = [0] * len(players)
    met = [[one.met.get(two.entry, 0) for two in players] for one in players]
    tables = least_cost_tables(
        tables, met, [free] * len(tables), draws(seed, "mend", number), steps=MENDING, slack=1
    )
    tables = least_cost_tables(
        tables,
        _costs(players, met, clubs_apart=clubs_apart),
        [at_short if len(table) < max(sizes) else free for table in tables],
        draws(seed, "near", number),
        steps=min(STEPS, STEPS_A_PLAYER * len(players)),
        slack=SLACK,
    )
    return [[players[place] for place in sorted(table)] for table in tables]


def _cut_into_tables(sizes: Sequence[int], again: Sequence[int]) -> list[range]:
    """Places in the order of scores cut into tables; the short ones stand where those who follow
    each other were at them least often, else at the end.
    """
    kinds = sorted(set(sizes), reverse=True)

    @cache
    def least(left: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Return the least cost of the tables left, and their sizes in that order."""
        if not any(left):
            return 0, ()
        start = len(again) - sum(size * count for size, count in zip(kinds, left, strict=True))
        found = []
        for kind, size in enumerate(kinds):
            if left[kind]:
                cost, rest = least(
                    tuple(count - (other == kind) for other, count in enumerate(left))
                )
                here = sum(again[start : start + size]) if size < kinds[0] else 0
                found.append((cost + here, kind, rest))
        cost, kind, rest = min(found)
        return cost, (kinds[kind], *rest)

    ends = [0, *accumulate(least(tuple(map(list(sizes).count, kinds)))[1])]
    return [range(start, end) for start, end in pairwise(ends)]


def _costs(
    players: Sequence[Contender], met: Sequence[Sequence[int]], *, clubs_apart: bool
) -> list[list[int]]:
    """Return the cost of seating every two together."""
    points = [player.points for player in players]
    widest = max(points, default=0) - min(points, default=0) or 1
    heights = [(each - min(points)) * HEIGHTS // widest for each in points]
    return [
        [
            REPEAT * met[one][two]
            + (ONE_CLUB if clubs_apart and one != two and same_club(player, other) else 0)
            + (heights[one] - heights[two]) ** 2
            for two, other in enumerate(players)
        ]
        for one, player in enumerate(players)
    ]


def _in_order(
    tables: Sequence[Sequence[Contender]], *, seed: int, number: int
) -> list[Sequence[Contender]]:
    """From the highest scores down, equal ones by lot."""
    return sorted(
        tables,
        key=lambda table: (
            [-player.points for player in table],
            lot(seed, "table", number, *sorted(player.entry for player in table)),
        ),
    )


def _table(number: int, players: Sequence[Contender]) -> ScoreTable:
    points = [player.points for player in players]
    pairs = list(combinations(players, 2))
    return ScoreTable(
        table=number,
        entries=tuple(player.entry for player in players),
        repeats=sum(one.met.get(two.entry, 0) for one, two in pairs),
        spread=max(points) - min(points),
        of_one_club=sum(same_club(one, two) for one, two in pairs),
    )
