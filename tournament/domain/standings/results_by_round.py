"""The course of an entry: what each round came to for it, and what that counts as when rounds went
unplayed (FIDE C.07, 16).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournament.domain.standings.deal_points import (
    Points,
    count_deals,
    points_of_rounds,
    shown_points_of_rounds,
)
from tournament.domain.standings.exact import Exact, divide, round_half_up
from tournament.domain.standings.lots import lot
from tournament.domain.standings.scales import bye_points, draw_points
from tournament.domain.standings.values import (
    DEAL_SCALES,
    MATCHPOINTS,
    Bye,
    Entry,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)

PLAYED, FORFEIT_WON, FORFEIT_LOST = "played", "forfeit_won", "forfeit_lost"
ASKED = ("half", "zero")  # byes that were asked for, or an absence
# Rounds without a game that are no fault of the entry's.
LET_OUT = ("pairing", "full", FORFEIT_WON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One round of one entry: `kind` is played, forfeit_won, forfeit_lost or the kind of its bye.

    `points` are standing points in hundredths, exactly; `won` says whether they are those of a win;
    `opponents` played against it and `partners` with it; `result` is its own result and
    `score_difference` its score (hundredths) before the mean of its opponents', where both are
    known. `deals` is how many deals the points are the mean of: 1 where none are compared, 0
    without a table.
    """

    round: int
    kind: str
    points: Exact
    won: bool
    opponents: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    result: Result | None = None
    score_difference: Exact | None = None
    deals: int = 0

    @property
    def has_played(self) -> bool:
        """Whether anything was played that its points come from."""
        return self.kind == PLAYED and self.deals > 0

    @property
    def voluntary(self) -> bool:
        """Whether the entry itself is why it didn't play (C.07, 16.1)."""
        return self.kind == FORFEIT_LOST or self.kind in ASKED


type Course = tuple[Line, ...]


def without_leavers(tournament: Tournament) -> Tournament:
    """The tournament without the games of those who are left out: their opponents sat out."""
    out = {entry.id for entry in tournament.entries if entry.left_out}
    if not out or tournament.stages:
        return tournament
    return replace(
        tournament, rounds=tuple(_round_without(each, out) for each in tournament.rounds)
    )


def with_leavers(tournament: Tournament) -> Tournament:
    """The tournament with every game: nobody is drawn otherwise because games don't count."""
    if not any(entry.left_out for entry in tournament.entries):
        return tournament
    entries = (replace(entry, left_out=()) for entry in tournament.entries)
    return replace(tournament, entries=tuple(entries))


def _round_without(each: Round, out: set[str]) -> Round:
    gone = [table for table in each.tables if out.intersection(table.entries)]
    sat_out = [entry for table in gone for entry in table.entries if entry not in out]
    byes = (bye for bye in each.byes if bye.entry not in out)
    return replace(
        each,
        tables=tuple(table for table in each.tables if table not in gone),
        byes=(*byes, *(Bye(entry=entry) for entry in sat_out)),
    )


def round_courses(tournament: Tournament) -> dict[str, Course]:
    """The courses with every round rounded, as draws have always counted them."""
    tournament = without_leavers(tournament)
    return {
        entry: tuple(
            line
            if line.score_difference is None
            else replace(line, score_difference=round_half_up(line.score_difference))
            for line in course
        )
        for entry, course in _courses(tournament, shown_points_of_rounds(tournament)).items()
    }


def courses(tournament: Tournament) -> dict[str, Course]:
    """The course of every entry up to the last round; a table without a result is no line yet."""
    tournament = without_leavers(tournament)
    return _courses(tournament, points_of_rounds(tournament))


def _courses(tournament: Tournament, points: Sequence[Points]) -> dict[str, Course]:
    lines: dict[str, list[Line]] = {entry.id: [] for entry in tournament.entries}
    for number, tables in enumerate(tournament.rounds, start=1):
        seen = set()
        for entry, line in _lines(tournament.stage, number, tables, points[number - 1]):
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
    stage: Stage, number: int, tables: Round, points: Points
) -> Iterator[tuple[str, Line | None]]:
    """Every entry that is in this round, with its line, or None while the result is missing."""
    scale = stage.scale
    for table in tables.tables:
        if not table.results:
            yield from ((entry, None) for entry in table.entries)
            continue
        for place, entry in enumerate(table.entries):
            yield entry, _make_line(stage, number, table, place, points[table.table])
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


def _make_line(
    stage: Stage, number: int, table: SeatedTable, place: int, points: tuple[Exact, ...]
) -> Line:
    others = table.opposite(place)
    won = _is_won(stage.scale, points[place], [points[other] for other in others])
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
        deals=count_deals(stage, table),
    )


def round_terms_of(scale: Scale, course: Course) -> list[Exact]:
    """The share of each round in the points of an entry, which are the sum.

    Per cents are a mean over the deals that were played: each round adds its part of that. IMPs and
    victory points of rounds are added up. By these three scales a round that an entry was let out
    of counts as the mean of those it played, so it neither wins nor loses by it; an absence, or
    half a bye, changes no percentage and counts as it stands in the two others (Law 12C2 has the
    same idea of what is owed to a side at no fault). By all other scales each round counts what it
    brought.
    """
    if scale.kind not in DEAL_SCALES:
        return [line.points for line in course]
    played = [line for line in course if line.has_played]
    if not played:
        return [0] * len(course)
    if scale.kind == MATCHPOINTS:
        counted = [line.deals if _has_own_points(line) else 0 for line in course]
        return [
            divide(line.points * deals, sum(counted))
            for line, deals in zip(course, counted, strict=True)
        ]
    mean = divide(sum(line.points for line in played), len(played))
    return [line.points if _has_own_points(line) or line.kind in ASKED else mean for line in course]


def _has_own_points(line: Line) -> bool:
    return line.has_played or line.kind == FORFEIT_LOST


def is_unplayed(scale: Scale, course: Course) -> bool:
    """Whether an entry has no points because it has played nothing whose mean they could be."""
    return scale.kind in DEAL_SCALES and not any(line.has_played for line in course)


def _is_won(scale: Scale, points: Exact, others: Sequence[Exact]) -> bool:
    """As many points as for a win (C.07, 7.1); where a scale has none, more than everybody else at
    the table.
    """
    if scale.kind == "match":
        return points >= scale.win
    return bool(others) and points > max(others)


def _difference(table: SeatedTable, place: int, others: Sequence[int]) -> Exact | None:
    own = table.results[place].score
    given = [score for other in others if (score := table.results[other].score) is not None]
    if own is None or not given or len(given) != len(others):
        return None
    return divide(own * len(given) - sum(given), len(given))


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """All courses, and what follows from them for every tie-break. Scores are hundredths.

    `own`: points from the rounds, without the director's adjustments; `seen`: the same as the
    tie-breaks of opponents see it (C.07, 16.3); `last` is the number of the last round; `height`:
    to how many rounds the points come up, 1 where they are a mean; `fixed`: the pairings were known
    in advance, so that forfeits count as games (C.07, 15.2) and 16.3, which is for Swiss systems,
    doesn't hold; `lots`: the place drawn for each entry; `unplayed` have no points. With `exact` a
    quotient stays a fraction.
    """

    entries: Mapping[str, Entry]
    courses: Mapping[str, Course]
    own: Mapping[str, Exact]
    seen: Mapping[str, Exact]
    last: int
    draw: int
    fixed: bool
    win: int
    lots: Mapping[str, int]
    height: int
    unplayed: frozenset[str] = frozenset()
    exact: bool = True

    def divide(self, total: Exact, count: Exact) -> Exact:
        """`total` / `count`, where this is `exact` as a fraction."""
        quotient = divide(total, count)
        return quotient if self.exact else round_half_up(quotient)


def field_of(tournament: Tournament, *, exact: bool = True) -> Field:
    """The results of a tournament's rounds for everybody: exactly, or as draws count it, which add
    up all rounds by every scale.
    """
    all_courses = courses(tournament) if exact else round_courses(tournament)
    scale = tournament.stage.scale
    draw = draw_points(scale)
    own = {
        entry: sum(round_terms_of(scale, course) if exact else (line.points for line in course))
        for entry, course in all_courses.items()
    }
    is_mean = exact and scale.kind == MATCHPOINTS
    fixed = tournament.stage.is_planned
    return Field(
        entries={entry.id: entry for entry in tournament.entries},
        courses=all_courses,
        own=own,
        seen=own
        if fixed or is_mean
        else {entry: _sum_for_opponents(course, draw) for entry, course in all_courses.items()},
        last=len(tournament.rounds),
        draw=draw,
        fixed=fixed,
        win=scale.win if scale.kind == "match" else 2 * draw,
        lots=_lots(tournament),
        height=1 if is_mean else len(tournament.rounds),
        unplayed=frozenset(
            entry for entry, course in all_courses.items() if is_unplayed(scale, course)
        )
        if exact
        else frozenset(),
        exact=exact,
    )


def _lots(tournament: Tournament) -> dict[str, int]:
    """The place drawn for each entry among all, the first 1."""
    drawn = sorted(
        (entry.id for entry in tournament.entries),
        key=lambda entry: lot(tournament.seed, "tie-break", entry),
    )
    return {entry: place for place, entry in enumerate(drawn, start=1)}


def _sum_for_opponents(course: Course, draw: int) -> Exact:
    """Byes asked for after which it was never there to play again count as draws (C.07, 16.2.5 and
    16.3).
    """
    total: Exact = 0
    gone = True
    for line in reversed(course):
        gone = gone and line.voluntary
        total += draw if gone and line.kind in ASKED else line.points
    return total


def worth(field: Field, entry: str, line: Line) -> Exact:
    """Return the worth of the opponent of a round: its score as seen, the mean of
    several, or a dummy's for an unplayed round.

    The dummy has the entry's own score, at most that of the opponent a forfeit was
    against, else a draw a round (C.07, 16.4). If the pairings were fixed, forfeits
    count as games and sitting out as nothing (15.2).
    """
    if line.opponents and (line.kind == PLAYED or field.fixed):
        return _mean_seen(field, line)
    if field.fixed:
        return 0
    return min(
        field.own[entry], _mean_seen(field, line) if line.opponents else field.draw * field.height
    )


def _mean_seen(field: Field, line: Line) -> Exact:
    if len(line.opponents) == 1:
        return field.seen[line.opponents[0]]
    seen = (field.seen[opponent] for opponent in line.opponents)
    return field.divide(sum(seen), len(line.opponents))
