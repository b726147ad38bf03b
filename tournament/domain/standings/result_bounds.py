"""Bounds of the results of a table, a bye and the meetings of a stage.

A file's results and those typed at the desk are checked alike.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, product

from scoring.errors import sentence
from tournament.domain.standings import scales
from tournament.domain.standings.count_bounds import (
    COUNTED,
    LIMITS,
    Wrong,
    most_hands,
    wrong_counts,
)
from tournament.domain.standings.values import (
    Bye,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
)

MATCHPOINTS = 10_000


def wrong_with(
    scale: Scale, table: SeatedTable, leads: scales.Leads | None = None, *, game: str = ""
) -> Wrong | None:
    """The first thing that can't be in the result of a table of a game, None where all of it can
    be.

    `leads` are those of the whole round; without them points that follow from other tables are
    taken as they are.
    """
    if not table.results:
        return None
    checks = (
        _check_given_points(scale, table, leads),
        *(check(scale, table) for check in (_check_excuse, _below_nothing)),
        wrong_counts(game, table),
        *(check(scale, table) for check in (_chips, _points, _partners)),
    )
    return next((wrong for found in checks for wrong in found), None)


def _check_given_points(
    scale: Scale, table: SeatedTable, leads: scales.Leads | None
) -> Iterator[Wrong]:
    """Points that are given are those that the scale makes of what was reached; without that they
    are a win with a loss, or a draw.
    """
    given = [result.points for result in table.results]
    if (
        table.forfeit
        or all(points is None for points in given)
        or (leads is None and scale.kind == "matchpoints")
        or table.boards
    ):
        return
    if all(getattr(result, scales.NEEDED[scale.kind]) is not None for result in table.results):
        bare = replace(
            table, results=tuple(replace(result, points=None) for result in table.results)
        )
        for place, (points, right) in enumerate(
            zip(given, scales.round_standing_points(scale, bare, leads), strict=True)
        ):
            if points is not None and points != right:
                message = sentence(
                    "%(entry)s has %(points)s points, and its %(needed)s makes %(right)s",
                    entry=table.entries[place],
                    points=_points_text(points),
                    needed=scales.NEEDED[scale.kind],
                    right=_points_text(right),
                )
                yield Wrong("bad_total", message, place=place, field="points")
        return
    halves = sorted(points for points in given if points is not None)
    if (
        scale.kind == "match"
        and len(halves) == len(given) == 2
        and halves not in ([scale.loss, scale.win], [scale.draw, scale.draw])
    ):
        message = sentence(
            "%(higher)s and %(lower)s points are no win with a loss, and no draw",
            higher=_points_text(halves[1]),
            lower=_points_text(halves[0]),
        )
        yield Wrong("bad_total", message)


def _check_excuse(_scale: Scale, table: SeatedTable) -> Iterator[Wrong]:
    if table.excused:
        message = sentence(
            "table %(table)s is excused and has a result; it is one or the other", table=table.table
        )
        yield Wrong("bad_result", message, field="excused")


def _below_nothing(_scale: Scale, table: SeatedTable) -> Iterator[Wrong]:
    for place, result in enumerate(table.results):
        for field in COUNTED:
            if (getattr(result, field) or 0) < 0:
                message = sentence(
                    "%(entry)s can't have fewer than 0 %(field)s",
                    entry=table.entries[place],
                    field=field,
                )
                yield Wrong("bad_total", message, place=place, field=field)


def _chips(_scale: Scale, table: SeatedTable) -> Iterator[Wrong]:
    chips = [result.chips for result in table.results if result.chips is not None]
    if len(chips) == len(table.results) > 1 and sum(chips) != 0:
        message = sentence(
            "%(numbers)s chips are %(sum)s in all; what somebody gains others lose, so they "
            "add up to 0",
            numbers=" + ".join(map(str, chips)).replace("+ -", "− "),
            sum=sum(chips),
        )
        yield Wrong("bad_total", message, rule="Chips", place=len(chips) - 1, field="chips")


def _points(scale: Scale, table: SeatedTable) -> Iterator[Wrong]:
    """Points that are given are such as the scale can bring, and fit each other."""
    given = [result.points for result in table.results]
    for place, points in enumerate(given):
        least, most = _range(scale, table)
        if points is not None and (
            (least is not None and points < least) or (most is not None and points > most)
        ):
            message = sentence(
                "%(entry)s can't have %(points)s points; a table brings %(least)s to %(most)s",
                entry=table.entries[place],
                points=_points_text(points),
                least=_points_text(least or 0),
                most=_points_text(most or 0),
            )
            if most is None:
                message = sentence(
                    "%(entry)s can't have %(points)s points, less than 0",
                    entry=table.entries[place],
                    points=_points_text(points),
                )
            yield Wrong("bad_total", message, place=place, field="points")
    if None not in given:
        sides = given[:2] if table.partners else given
        yield from _together(scale, table, [points for points in sides if points is not None])


def _range(scale: Scale, table: SeatedTable) -> tuple[int | None, int | None]:
    """The fewest and the most points that one entry can get from a table; None: there is no
    bound.
    """
    match scale.kind:
        case "match":
            return min(0, scale.loss), scale.win
        case "margin" | "victory_points":
            return 0, 2 * scales.draw_points(scale)
        case "built":
            return 0, 100 * LIMITS["built"].each_hand * (most_hands(table) or 1)
        case "matchpoints":
            return 0, MATCHPOINTS
        case "imps":
            return None, None
        case _:
            return (0, None) if table.forfeit else (None, None)


def _together(scale: Scale, table: SeatedTable, points: Sequence[int]) -> Iterator[Wrong]:
    words, all_points = " : ".join(map(_points_text, points)), sum(points)
    if table.forfeit:
        most = {
            "match": scale.win + (len(points) - 1) * max(scale.loss, 0),
            "margin": len(points) * scales.draw_points(scale),
        }.get(scale.kind)
        if most is not None and len(table.entries) == 2 and all_points > most:
            message = sentence(
                "%(points)s for a forfeit: at most one entry wins it, and the others have a loss",
                points=words,
            )
            yield Wrong("bad_total", message, place=len(points) - 1, field="points")
    elif (
        scale.kind == "margin"
        and len(points) == 2
        and all_points != (shared := 2 * scales.draw_points(scale))
    ):
        message = sentence(
            "%(points)s are %(sum)s victory points; the two share %(all)s",
            points=words,
            sum=_points_text(all_points),
            all=_points_text(shared),
        )
        yield Wrong("bad_total", message, place=1, field="points")
    elif scale.kind == "chips" and len(points) > 1 and all_points and not scale.opponents:
        message = sentence(
            "%(points)s are %(sum)s chips in all; they add up to 0",
            points=words,
            sum=_points_text(all_points),
        )
        yield Wrong("bad_total", message, rule="Chips", place=len(points) - 1, field="points")
    elif (
        scale.kind == "match"
        and len(points) > 2
        and tuple(sorted(points)) not in _places(scale, len(points))
    ):
        message = sentence(
            "%(points)s points are no win with losses, and no draw of some with losses",
            points=words,
        )
        if scale.opponents:
            message = sentence(
                "%(points)s points aren't those of the places at a table of %(entries)s: with "
                "nobody level they are %(usual)s",
                points=words,
                entries=len(points),
                usual=" : ".join(
                    map(_points_text, reversed(_points_of(scale, range(len(points)))))
                ),
            )
        yield Wrong("bad_total", message, place=len(points) - 1, field="points")


@cache
def _places(scale: Scale, size: int) -> frozenset[tuple[int, ...]]:
    """The points that a table of so many can have, lowest first, whoever is level with whom."""
    return frozenset(
        tuple(sorted(_points_of(scale, list(accumulate(rises, initial=0)))))
        for rises in product((0, 1), repeat=size - 1)
    )


def _points_of(scale: Scale, scores: Sequence[int]) -> tuple[int, ...]:
    results = tuple(Result(score=score) for score in scores)
    entries = tuple(map(str, range(len(scores))))
    return scales.round_standing_points(
        scale, SeatedTable(table=1, entries=entries, results=results)
    )


def _partners(_scale: Scale, table: SeatedTable) -> Iterator[Wrong]:
    """Partners have the same score and the same points: they played together, where anybody did."""
    for place in (2, 3) if table.partners and not table.forfeit else ():
        for field in ("score", "points"):
            mine, theirs = (getattr(table.results[each], field) for each in (place, place - 2))
            if mine != theirs:
                message = sentence(
                    "%(one)s and %(two)s played together and have the same %(field)s",
                    one=table.entries[place - 2],
                    two=table.entries[place],
                    field=field,
                )
                yield Wrong("bad_total", message, place=place, field=field)


def wrong_with_byes(stage: Stage, byes: Sequence[Bye]) -> tuple[int, Wrong] | None:
    """The first bye, by its place, that can't be so, None where all can be."""
    for place, bye in enumerate(byes):
        most = _most_of_a_bye(stage, bye.kind)
        if bye.points is not None and (bye.points < 0 or (most is not None and bye.points > most)):
            message = sentence(
                "a %(kind)s bye of %(entry)s can't bring %(points)s points; it is 0 to %(most)s",
                kind=bye.kind,
                entry=bye.entry,
                points=_points_text(bye.points),
                most=_points_text(most or 0),
            )
            if bye.kind == "zero":
                message = sentence(
                    "a zero bye brings nothing, so not %(points)s to %(entry)s",
                    points=_points_text(bye.points),
                    entry=bye.entry,
                )
            elif most is None:
                message = sentence(
                    "a bye of %(entry)s can't bring %(points)s points, less than 0",
                    entry=bye.entry,
                    points=_points_text(bye.points),
                )
            return place, Wrong("bad_bye", message, field="points")
    odd = [place for place, bye in enumerate(byes) if bye.kind == "pairing"]
    if stage.kind == "swiss" and len(odd) > 1:
        message = sentence(
            "%(byes)s entries have a pairing bye; in a Swiss one sits out of an odd number, "
            "and nobody else",
            byes=len(odd),
        )
        return odd[1], Wrong("bad_bye", message, field="kind")
    return None


def _most_of_a_bye(stage: Stage, kind: str) -> int | None:
    """The most points a bye of this kind can bring; None: there is no bound."""
    scale = stage.scale
    if kind == "zero":
        return 0
    if kind == "half":
        return scales.draw_points(scale) or None
    match scale.kind:
        case "match":
            return max(scale.win, scale.bye)
        case "margin":
            return 2 * scales.draw_points(scale)
        case "built":
            deals = stage.duplicate.deals if stage.kind == "duplicate" else 1
            return 100 * LIMITS["built"].each_hand * deals
        case "matchpoints":
            return MATCHPOINTS
        case _:
            return scales.bye_points(scale, "full") or None


def find_excess_meeting(stage: Stage, rounds: Iterable[Round]) -> tuple[int, int, Wrong] | None:
    """The first table, by round and place, whose two met more often than a round robin lets them,
    once more by a swap allowed.
    """
    most = (2 if stage.double else 1) + 1
    met: Counter[frozenset[str]] = Counter()
    for number, tables in enumerate(rounds if stage.kind == "round_robin" else (), start=1):
        for place, table in enumerate(tables.tables):
            pair = frozenset(table.entries)
            met[pair] += 1
            if len(pair) == 2 and met[pair] > most:
                one, two = table.entries
                message = sentence(
                    "%(one)s and %(two)s meet %(times)s times; in a round robin everybody "
                    "meets once",
                    one=one,
                    two=two,
                    times=met[pair],
                )
                if stage.double:
                    message = sentence(
                        "%(one)s and %(two)s meet %(times)s times; in a double round robin "
                        "everybody meets twice",
                        one=one,
                        two=two,
                        times=met[pair],
                    )
                return number, place, Wrong("bad_round", message)
    return None


def _points_text(hundredths: int) -> str:
    return f"{hundredths / 100:g}".replace("-", "−")
