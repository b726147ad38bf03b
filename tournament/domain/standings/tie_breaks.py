"""The tie-breaks: one table with what each counts, in a sentence for people, and where its
definition comes from.

Sections are those of FIDE's Tie-Break Regulations, C.07 of the Handbook, as in force since 1 March
2026; the numbers of unplayed rounds are its article 16. All values are hundredths.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from operator import attrgetter

from tournament.domain.standings.results_by_round import PLAYED, Field, worth

OURS = "Accord"

type Count = Callable[[Field, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """One tie-break: its name in files, a title and a sentence for people, its source, and how it
    is counted.

    `count` gives hundredths for an entry; None for `direct_encounter`, which depends on who is
    tied. `fewest`: the lower value comes first.
    """

    name: str
    title: str
    meaning: str
    source: str = OURS
    count: Count | None
    fewest: bool = False


def _buchholz(field: Field, entry: str) -> int:
    return sum(worth(field, entry, line) for line in field.courses[entry])


def _buchholz_cut_1(field: Field, entry: str) -> int:
    return sum(_without_least(field, entry))


def _median_buchholz(field: Field, entry: str) -> int:
    left = _without_least(field, entry)
    return sum(left) - max(left, default=0)


def _without_least(field: Field, entry: str) -> list[int]:
    """The worth of each opponent but one: the least of the rounds it chose not to play, if any,
    else the least of all (16.5).

    Where the pairings were fixed a round sat out has no opponent to leave out, and no round was
    chosen.
    """
    if field.fixed:
        return sorted(worth(field, entry, line) for line in field.courses[entry] if line.opponents)[
            1:
        ]
    each = [(not line.voluntary, worth(field, entry, line)) for line in field.courses[entry]]
    return [value for _, value in sorted(each)[1:]]


def _sonneborn_berger(field: Field, entry: str) -> int:
    total = sum(line.points * worth(field, entry, line) for line in field.courses[entry])
    return (2 * total + field.win) // (2 * field.win) if field.win else 0


def _progressive(field: Field, entry: str) -> int:
    course = field.courses[entry]
    return sum(line.points * (field.last + 1 - line.round) for line in course)


def _wins(field: Field, entry: str) -> int:
    return 100 * sum(line.won for line in field.courses[entry])


def _koya(field: Field, entry: str) -> int:
    """Half of the points that could be won over all rounds, and more, is what an opponent needs."""
    return sum(
        line.points
        for line in field.courses[entry]
        if line.opponents
        and (line.kind == PLAYED or field.fixed)
        and any(_has_half(field, opponent) for opponent in line.opponents)
    )


def _has_half(field: Field, entry: str) -> bool:
    """Whether it has half of what it could win; where the pairings were fixed, without the rounds
    in which it was to sit out.
    """
    if not field.fixed:
        return 2 * field.own[entry] >= field.win * field.last
    tables = [line for line in field.courses[entry] if line.opponents]
    number = len(field.entries)
    sat_out = (
        min(len(field.courses[entry]) - len(tables), -(-field.last // number)) if number % 2 else 0
    )
    return 2 * sum(line.points for line in tables) >= field.win * (field.last - sat_out)


def _score_difference(field: Field, entry: str) -> int:
    return sum(line.score_difference or 0 for line in field.courses[entry])


def _total_of(name: str, unit: int = 100) -> Count:
    """Counts what all results of an entry say under this name, in units of so many hundredths."""

    said = attrgetter(name)

    def total(field: Field, entry: str) -> int:
        results = [line.result for line in field.courses[entry] if line.result]
        return unit * sum(said(result) or 0 for result in results)

    return total


def _average_opponent_rating(field: Field, entry: str) -> int:
    ratings = [
        rating
        for line in field.courses[entry]
        if line.kind == PLAYED
        for opponent in line.opponents
        if (rating := field.entries[opponent].rating) is not None
    ]
    return 100 * ((2 * sum(ratings) + len(ratings)) // (2 * len(ratings))) if ratings else 0


def _lots(field: Field, entry: str) -> int:
    return 100 * field.lots[entry]


ALL: tuple[TieBreak, ...] = (
    TieBreak(
        name="buchholz",
        title="Buchholz",
        meaning="The points of all opponents, added up: who met stronger ones comes first.",
        source="FIDE C.07, 8.1",
        count=_buchholz,
    ),
    TieBreak(
        name="buchholz_cut_1",
        title="Buchholz cut 1",
        meaning=(
            "The points of all opponents but the weakest; a round that was skipped is left "
            "out first."
        ),
        source="FIDE C.07, 8.1 with 14.1 and 16.5",
        count=_buchholz_cut_1,
    ),
    TieBreak(
        name="median_buchholz",
        title="Median Buchholz",
        meaning="The points of all opponents but the weakest and the strongest.",
        source="FIDE C.07, 8.1 with 14.3 and 16.5",
        count=_median_buchholz,
    ),
    TieBreak(
        name="sonneborn_berger",
        title="Sonneborn-Berger",
        meaning=(
            "The points of each opponent, as much of them as was won at that table: all for "
            "a win, half for a draw."
        ),
        source="FIDE C.07, 9.1",
        count=_sonneborn_berger,
    ),
    TieBreak(
        name="progressive",
        title="Progressive score",
        meaning="The points after each round, added up: who scored early comes first.",
        source="FIDE C.07, 7.5",
        count=_progressive,
    ),
    TieBreak(
        name="direct_encounter",
        title="Direct encounter",
        meaning="The points from the tables at which those who are tied met each other, "
        "the mean of several with the same opponent, when all of them have met; "
        "then again among those who are tied still.",
        source="FIDE C.07, 6",
        count=None,
    ),
    TieBreak(
        name="wins",
        title="Wins",
        meaning="How many rounds brought as many points as a win, played or not.",
        source="FIDE C.07, 7.1",
        count=_wins,
    ),
    TieBreak(
        name="koya",
        title="Koya",
        meaning="The points won against those who reached half of what could be reached.",
        source="FIDE C.07, 9.2",
        count=_koya,
    ),
    TieBreak(
        name="score_difference",
        title="Score difference",
        meaning="The own scores of all games less those of the opponents.",
        count=_score_difference,
    ),
    TieBreak(
        name="score_total",
        title="Score",
        meaning="The own scores of all games, added up.",
        count=_total_of("score", unit=1),
    ),
    TieBreak(
        name="tricks",
        title="Tricks",
        meaning="The tricks taken in all games.",
        count=_total_of("tricks"),
    ),
    TieBreak(
        name="fewest_audits",
        title="Fewest audits",
        meaning="The Imperial Audits suffered in all games; fewer are better.",
        source=f"{OURS}, P19",
        count=_total_of("audits"),
        fewest=True,
    ),
    TieBreak(
        name="fewest_excess",
        title="Fewest Excess",
        meaning="The Excess gathered in all games; less is better.",
        source=f"{OURS}, P18",
        count=_total_of("excess"),
        fewest=True,
    ),
    TieBreak(
        name="chips",
        title="Chips",
        meaning="The chips won less those lost in all games.",
        count=_total_of("chips"),
    ),
    TieBreak(
        name="average_opponent_rating",
        title="Average rating of opponents",
        meaning="The mean rating of those met at a table, rounded.",
        source="FIDE C.07, 10.1",
        count=_average_opponent_rating,
    ),
    TieBreak(
        name="lots",
        title="Lots",
        meaning="The place drawn by lot from the tournament's seed; 1 comes first.",
        source=f"{OURS}, the seed",
        count=_lots,
        fewest=True,
    ),
)
TIE_BREAKS: Mapping[str, TieBreak] = {each.name: each for each in ALL}


def direct_encounter(field: Field, tied: Iterable[str]) -> dict[str, int]:
    """For each of those tied, the points from the tables at which they met each other; 0 for all
    while some have not met.

    Forfeits are no meetings, except where the pairings were fixed in advance (C.07, 6.1.1 and
    15.2). Who is first whatever the missing meetings would bring keeps the points (6.3). Two who
    met more than once have met, and nobody else for it: the mean of their tables counts (6.1.2).
    """
    group = set(tied)
    tables = {entry: _points_by_opponents(field, entry, group) for entry in group}
    points = {
        entry: _rounded(sum(Fraction(sum(each), len(each)) for each in against.values()))
        for entry, against in tables.items()
    }
    met = {entry: frozenset[str]().union(*against) for entry, against in tables.items()}
    missing = {entry: len(group) - 1 - len(met[entry]) for entry in group}
    if not any(missing.values()):
        return points
    return {
        entry: points[entry] if _is_first_anyway(field, entry, points, missing) else 0
        for entry in group
    }


def _points_by_opponents(
    field: Field, entry: str, group: Collection[str]
) -> dict[frozenset[str], list[int]]:
    """The points of an entry from each table with others of a group, by who of them sat there."""
    found: dict[frozenset[str], list[int]] = {}
    for line in field.courses[entry]:
        others = frozenset(line.opponents).intersection(group)
        if others and (line.kind == PLAYED or field.fixed):
            found.setdefault(others, []).append(line.points)
    return found


def _rounded(points: Fraction | int) -> int:
    """Whole hundredths, a half upwards."""
    return floor(points + Fraction(1, 2))


def _is_first_anyway(
    field: Field, entry: str, points: Mapping[str, int], missing: Mapping[str, int]
) -> bool:
    return all(
        points[entry] > points[other] + field.win * missing[other]
        for other in points
        if other != entry
    )
