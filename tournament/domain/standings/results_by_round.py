"""The course of an entry: what each round came to for it, and what that counts as when rounds went
unplayed (FIDE C.07, 16).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournament.domain.standings.deal_points import Points, points_of_rounds
from tournament.domain.standings.lots import lot
from tournament.domain.standings.scales import bye_points, draw_points, mean
from tournament.domain.standings.values import Entry, Result, Round, Scale, SeatedTable, Tournament

PLAYED, FORFEIT_WON, FORFEIT_LOST = "played", "forfeit_won", "forfeit_lost"
ASKED = ("half", "zero")  # byes that were asked for, or an absence


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One round of one entry: `kind` is played, forfeit_won, forfeit_lost or the kind of its bye.

    `points` are standing points in hundredths; `won` says whether they are those of a win;
    `opponents` played against it and `partners` with it; `result` is its own result and
    `score_difference` its score (hundredths) before the mean of its opponents', where both are
    known.
    """

    round: int
    kind: str
    points: int
    won: bool
    opponents: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    result: Result | None = None
    score_difference: int | None = None

    @property
    def voluntary(self) -> bool:
        """Whether the entry itself is why it didn't play (C.07, 16.1)."""
        return self.kind == FORFEIT_LOST or self.kind in ASKED


type Course = tuple[Line, ...]


def courses(tournament: Tournament) -> dict[str, Course]:
    """The course of every entry up to the last round; a table without a result is no line yet."""
    lines: dict[str, list[Line]] = {entry.id: [] for entry in tournament.entries}
    points = points_of_rounds(tournament)
    for number, tables in enumerate(tournament.rounds, start=1):
        seen = set()
        for entry, line in _lines(tournament.stage.scale, number, tables, points[number - 1]):
            seen.add(entry)
            if line is not None:
                lines[entry].append(line)
        for entry_without in tournament.entries:
            if entry_without.id not in seen:
                lines[entry_without.id].append(_absent(number))
    return {entry: tuple(course) for entry, course in lines.items()}


def _absent(number: int) -> Line:
    return Line(round=number, kind="zero", points=0, won=False)


def _lines(
    scale: Scale, number: int, tables: Round, points: Points
) -> Iterator[tuple[str, Line | None]]:
    """Every entry that is in this round, with its line, or None while the result is missing."""
    for table in tables.tables:
        if not table.results:
            yield from ((entry, None) for entry in table.entries)
            continue
        for place, entry in enumerate(table.entries):
            yield entry, _seated(scale, number, table, place, points[table.table])
    for bye in tables.byes:
        given = bye_points(scale, bye.kind) if bye.points is None else bye.points
        yield (
            bye.entry,
            Line(
                round=number,
                kind=bye.kind,
                points=given,
                won=scale.kind == "match" and given >= scale.win,
            ),
        )


def _seated(
    scale: Scale, number: int, table: SeatedTable, place: int, points: tuple[int, ...]
) -> Line:
    others = table.opposite(place)
    won = _won(scale, points[place], [points[other] for other in others])
    kind = (
        PLAYED
        if not table.forfeit
        else FORFEIT_WON
        if points[place] == max(points) and points[place] > min(points)
        else FORFEIT_LOST
    )
    return Line(
        round=number,
        kind=kind,
        points=points[place],
        won=won,
        opponents=tuple([table.entries[other] for other in others]),
        partners=table.partners_of(place) if table.partners else (),
        result=table.results[place],
        score_difference=None if table.forfeit else _difference(table, place, others),
    )


def _won(scale: Scale, points: int, others: Sequence[int]) -> bool:
    """As many points as for a win (C.07, 7.1); where a scale has none, more than everybody else at
    the table.
    """
    if scale.kind == "match":
        return points >= scale.win
    return bool(others) and points > max(others)


def _difference(table: SeatedTable, place: int, others: Sequence[int]) -> int | None:
    own = table.results[place].score
    given = [score for other in others if (score := table.results[other].score) is not None]
    if own is None or not given or len(given) != len(others):
        return None
    return mean(own * len(given) - sum(given), len(given))


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """All courses, and what follows from them for every tie-break. Scores are hundredths.

    `own`: points from the rounds, without the director's adjustments; `seen`: the same as the
    tie-breaks of opponents see it (C.07, 16.3); `last` is the number of the last round; `fixed`:
    the pairings were known in advance, so that forfeits count as games (C.07, 15.2) and 16.3, which
    is for Swiss systems, doesn't hold; `lots`: the place drawn for each entry.
    """

    entries: Mapping[str, Entry]
    courses: Mapping[str, Course]
    own: Mapping[str, int]
    seen: Mapping[str, int]
    last: int
    draw: int
    fixed: bool
    win: int
    lots: Mapping[str, int]


def field_of(tournament: Tournament) -> Field:
    """What the rounds of a tournament came to for everybody."""
    all_courses = courses(tournament)
    scale = tournament.stage.scale
    draw = draw_points(scale)
    own = {entry: sum(line.points for line in course) for entry, course in all_courses.items()}
    fixed = tournament.stage.is_planned
    return Field(
        entries={entry.id: entry for entry in tournament.entries},
        courses=all_courses,
        own=own,
        seen=own
        if fixed
        else {entry: _seen_by_opponents(course, draw) for entry, course in all_courses.items()},
        last=len(tournament.rounds),
        draw=draw,
        fixed=fixed,
        win=scale.win if scale.kind == "match" else 2 * draw,
        lots=_lots(tournament),
    )


def _lots(tournament: Tournament) -> dict[str, int]:
    """The place drawn for each entry among all, the first 1."""
    drawn = sorted(
        (entry.id for entry in tournament.entries),
        key=lambda entry: lot(tournament.seed, "tie-break", entry),
    )
    return {entry: place for place, entry in enumerate(drawn, start=1)}


def _seen_by_opponents(course: Course, draw: int) -> int:
    """Byes asked for after which it was never there to play again count as draws (C.07, 16.2.5 and
    16.3).
    """
    total, gone = 0, True
    for line in reversed(course):
        gone = gone and line.voluntary
        total += draw if gone and line.kind in ASKED else line.points
    return total


def worth(field: Field, entry: str, line: Line) -> int:
    """What the opponent of a round is worth: its score as seen, the mean of several, or a dummy's
    for an unplayed round.

    The dummy has the entry's own score, at most that of the opponent a forfeit was against, else a
    draw a round (C.07, 16.4). Where the pairings were fixed, forfeits count as games and sitting
    out as nothing (15.2).
    """
    if line.opponents and (line.kind == PLAYED or field.fixed):
        return _mean_seen(field, line)
    if field.fixed:
        return 0
    return min(
        field.own[entry], _mean_seen(field, line) if line.opponents else field.draw * field.last
    )


def _mean_seen(field: Field, line: Line) -> int:
    if len(line.opponents) == 1:
        return field.seen[line.opponents[0]]
    count = len(line.opponents)
    return (2 * sum(field.seen[opponent] for opponent in line.opponents) + count) // (2 * count)
