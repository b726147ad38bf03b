"""Standing points of a table's game: the scales of tournaments.md. Points are
hundredths.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tournament.domain.standings.exact import Exact, divide, round_half_up
from tournament.domain.standings.values import (
    DEAL_SCALES,
    MATCHPOINTS,
    SCALE_KINDS,
    Bye,
    Result,
    Round,
    Scale,
    SeatedTable,
)

# Differences of score (in hundredths) that move one victory point each: 10–10 up to 20–0 in games
# to 250 points.
DEFAULT_STEPS = (500, 1500, 3000, 4500, 6500, 8500, 11000, 13500, 16500, 20000)


# By the size of a table and a place at it, in order.
type Leads = Mapping[tuple[int, int], Sequence[int]]


def points_of_round(scale: Scale, tables: Round) -> dict[int, tuple[Exact, ...]]:
    """The standing points of every table of a round that has its results, by table number."""
    leads = leads_of(scale, tables.tables)
    return {
        table.table: standing_points(scale, table, leads)
        for table in tables.tables
        if table.results
    }


def round_standing_points(
    scale: Scale, table: SeatedTable, leads: Leads | None = None
) -> tuple[int, ...]:
    """The points of `standing_points` as they are shown, whole hundredths."""
    return tuple(map(round_half_up, standing_points(scale, table, leads)))


def standing_points(
    scale: Scale, table: SeatedTable, leads: Leads | None = None
) -> tuple[Exact, ...]:
    """The points each entry of a table gets, in their order, exactly; given points stand as they
    are.

    `leads` are those of the whole round (for `matchpoints`). The results must be there and hold
    what the scale counts.
    """
    given = [result.points for result in table.results if result.points is not None]
    if len(given) == len(table.results):
        return tuple(given)
    counted = COUNT[scale.kind](scale, _two_sided(table), leads or {})
    each = counted * 2 if table.partners else counted
    if not given:
        return each
    return tuple(
        by_scale if result.points is None else result.points
        for result, by_scale in zip(table.results, each, strict=True)
    )


def _two_sided(table: SeatedTable) -> SeatedTable:
    """The table as its two sides, where four play two against two; partners have the same."""
    if not table.partners:
        return table
    return replace(table, entries=table.entries[:2], results=table.results[:2], partners=False)


def leads_of(scale: Scale, tables: Sequence[SeatedTable]) -> Leads:
    """Return the lead of each score over those of their table, by seats, if the scale
    compares seats with each other.
    """
    leads: dict[tuple[int, int], list[int]] = {}
    for table in map(_two_sided, tables) if scale.kind == "matchpoints" else ():
        if (
            table.results
            and not table.forfeit
            and all(result.score is not None for result in table.results)
        ):
            for place in range(len(table.results)):
                leads.setdefault((len(table.results), place), []).append(_lead(table, place))
    return {seats: sorted(each) for seats, each in leads.items()}


def bye_points(scale: Scale, kind: str) -> int:
    """Return the worth of a bye of this kind: `pairing` as the scale says, `full` a
    win, `half` a draw, `zero` nothing.
    """
    match kind:
        case "pairing":
            return scale.bye
        case "full":
            return scale.win if scale.kind == "match" else scale.bye
        case "half":
            return draw_points(scale)
        case _:
            return 0


def bye_worth(scale: Scale, bye: Bye) -> int | None:
    """The points of a bye; None where it counts as the mean of what its entry plays, or not at all
    (`round_terms_of`).
    """
    if scale.kind in DEAL_SCALES and (scale.kind == MATCHPOINTS or bye.kind in ("pairing", "full")):
        return None
    return bye_points(scale, bye.kind) if bye.points is None else bye.points


def draw_points(scale: Scale) -> int:
    """Return the worth of a draw, or the nearest to one if a scale has none: half of
    the bye, for chips nothing.
    """
    match scale.kind:
        case "match":
            return scale.draw
        case "margin":
            return 100 * len(scale.steps)
        case "matchpoints":
            return 5000
        case "victory_points":
            return 1000
        case "chips" | "imps":
            return 0
        case _:
            return scale.bye // 2


def counts(scale: Scale, result: Result) -> bool:
    """Whether a result holds what this scale turns into points."""
    return result.points is not None or getattr(result, NEEDED[scale.kind]) is not None


def _match(scale: Scale, table: SeatedTable, _leads: Leads) -> tuple[Exact, ...]:
    """The highest score alone wins, shared it is a draw, and every other is a loss; where tables
    are made the same, the share of the others left behind, a tie as half.
    """
    scores = [_score(result) for result in table.results]
    if scale.opponents:
        return tuple(_by_place(scale, scores, score) for score in scores)
    best = max(scores)
    top = scale.win if scores.count(best) == 1 else scale.draw
    return tuple([top if score == best else scale.loss for score in scores])


def _by_place(scale: Scale, scores: Sequence[int], score: int) -> Exact:
    behind = sum((other < score) * 2 + (other == score) for other in scores) - 1
    return scale.loss + divide((scale.win - scale.loss) * behind, 2 * (len(scores) - 1))


def _as_at_one_size(scale: Scale, table: SeatedTable, points: int) -> Exact:
    """Return the average won from each opponent, times the number of opponents that the
    scale counts for all.
    """
    others = len(table.results) - 1
    return divide(points * scale.opponents, others) if scale.opponents and others else points


def _margin(scale: Scale, table: SeatedTable, _leads: Leads) -> tuple[Exact, ...]:
    """Each step reached moves a point; at larger tables an entry's difference is that to the mean
    of the others.
    """
    scores = [_score(result) for result in table.results]
    others = len(scores) - 1
    return tuple(
        _victory_points(scale.steps, divide(score * others - (sum(scores) - score), others))
        for score in scores
    )


def _victory_points(steps: Sequence[int], difference: Exact) -> int:
    apart = difference if difference > 0 else -difference
    moved = sum(apart >= step for step in steps)
    return 100 * (len(steps) + (moved if difference > 0 else -moved))


def _points(scale: Scale, table: SeatedTable, _leads: Leads) -> tuple[Exact, ...]:
    return tuple(_as_at_one_size(scale, table, _score(result)) for result in table.results)


def _chips(scale: Scale, table: SeatedTable, _leads: Leads) -> tuple[Exact, ...]:
    return tuple(
        _as_at_one_size(scale, table, 100 * (result.chips or 0)) for result in table.results
    )


def _score_built(_scale: Scale, table: SeatedTable, _leads: Leads) -> tuple[Exact, ...]:
    return tuple(100 * (result.built or 0) for result in table.results)


def _matchpoints(_scale: Scale, table: SeatedTable, leads: Leads) -> tuple[Exact, ...]:
    """The share of those who held the same seats elsewhere that an entry beat, a tie as half: 0 to
    100, alone 50.
    """
    size = len(table.results)
    return tuple(_share(_lead(table, place), leads.get((size, place), ())) for place in range(size))


def _even(scale: Scale, table: SeatedTable, _leads: Leads) -> tuple[Exact, ...]:
    """Return the points of tables whose deals can't be compared (`deal_points` has
    those of the others).
    """
    return (draw_points(scale),) * len(table.results)


def _share(mine: int, everybody: Sequence[int]) -> Exact:
    """`everybody` is in order and has `mine` in it."""
    others = len(everybody) - 1
    if others < 1:
        return 5000
    beaten = bisect_left(everybody, mine)
    tied = bisect_right(everybody, mine) - bisect_left(everybody, mine) - 1
    return divide(5000 * (2 * beaten + tied), others)


def _lead(table: SeatedTable, place: int) -> int:
    """Return the lead of a score over the sum of the others of its table."""
    scores = [_score(result) for result in table.results]
    return 2 * scores[place] - sum(scores)


def _score(result: Result) -> int:
    return result.score or 0


type Count = Callable[[Scale, SeatedTable, Leads], tuple[Exact, ...]]
COUNT: Mapping[str, Count] = {
    "match": _match,
    "margin": _margin,
    "points": _points,
    "chips": _chips,
    "built": _score_built,
    "matchpoints": _matchpoints,
    "imps": _even,
    "victory_points": _even,
}
# What of a result each scale counts.
NEEDED = dict.fromkeys(SCALE_KINDS, "score") | {"chips": "chips", "built": "built"}
