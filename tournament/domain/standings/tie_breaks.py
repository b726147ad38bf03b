"""The tie-breaks: one table with what each counts, in a sentence for people, and where its
definition comes from.

Sections are those of FIDE's Tie-Break Regulations, C.07 of the Handbook, as in force since 1 March
2026; the numbers of unplayed rounds are its article 16. All values are exact numbers of
hundredths.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from tournament.domain.standings.exact import Exact, divide, round_half_up, round_terms
from tournament.domain.standings.results_by_round import PLAYED, Field, Line, worth

OURS = "Accord"


class Term(NamedTuple):
    """The share of a round of an entry (None: no round) in a tie-break: `amount`, unless it is
    `left_out`; it comes from `of`, as the opponent's points, an own rating of theirs, a count.
    """

    amount: Exact
    line: Line | None = None
    of: Exact = 0
    left_out: bool = False


type Terms = Callable[[Field, str], Sequence[Term]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """One tie-break: its name in files, a title and a sentence for people, its source, and what it
    adds up.

    `terms` give hundredths for an entry; None for `direct_encounter`, which depends on who is tied.
    `fewest`: the lower value comes first.
    """

    name: str
    title: str
    meaning: str
    source: str = OURS
    terms: Terms | None
    fewest: bool = False


def sum_of(field: Field, terms: Iterable[Term]) -> Exact:
    """The value that terms come to."""
    total = sum(term.amount for term in terms if not term.left_out)
    return total if field.exact else round_half_up(total)


def _buchholz(field: Field, entry: str) -> list[Term]:
    return [
        Term(points, line, points)
        for line in field.courses[entry]
        for points in (worth(field, entry, line),)
    ]


def _buchholz_cut_1(field: Field, entry: str) -> list[Term]:
    return _without(_buchholz(field, entry), _least(field, _buchholz(field, entry)))


def _median_buchholz(field: Field, entry: str) -> list[Term]:
    terms = _buchholz(field, entry)
    least = _least(field, terms)
    others = [place for place in _cut_from(field, terms) if place not in least]
    most = sorted(others, key=lambda place: terms[place].amount)[-1:]
    return _without(terms, [*least, *most])


def _least(field: Field, terms: Sequence[Term]) -> list[int]:
    """The place of the least of the rounds that the entry chose not to play, if any, else of the
    least of all (16.5).
    """

    def height(place: int) -> tuple[bool, Exact]:
        line = terms[place].line
        return field.fixed or line is None or not line.voluntary, terms[place].amount

    return sorted(_cut_from(field, terms), key=height)[:1]


def _cut_from(field: Field, terms: Sequence[Term]) -> list[int]:
    """The places of what can be left out: where the pairings were fixed a round sat out has no
    opponent to leave out, and no round was chosen.
    """
    return [
        place
        for place, term in enumerate(terms)
        if not field.fixed or (term.line is not None and term.line.opponents)
    ]


def _without(terms: Sequence[Term], places: Collection[int]) -> list[Term]:
    return [term._replace(left_out=place in places) for place, term in enumerate(terms)]


def _sonneborn_berger(field: Field, entry: str) -> list[Term]:
    if not field.win:
        return []
    return [
        term._replace(amount=divide(term.line.points * term.amount, field.win))
        for term in _buchholz(field, entry)
        if term.line is not None
    ]


def _progressive(field: Field, entry: str) -> list[Term]:
    return [
        Term(line.points * (field.last + 1 - line.round), line, line.points)
        for line in field.courses[entry]
    ]


def _wins(field: Field, entry: str) -> list[Term]:
    return [Term(100 * line.won, line) for line in field.courses[entry]]


def _koya(field: Field, entry: str) -> list[Term]:
    """Half of the points that could be won over all rounds, and more, is what an opponent needs."""
    return [
        Term(
            line.points,
            line,
            line.points,
            left_out=not any(_has_half(field, opponent) for opponent in line.opponents),
        )
        for line in field.courses[entry]
        if line.opponents and (line.kind == PLAYED or field.fixed)
    ]


def _has_half(field: Field, entry: str) -> bool:
    """Whether it has half of what it could win; where the pairings were fixed, without the rounds
    in which it was to sit out.
    """
    if not field.fixed:
        return 2 * field.own[entry] >= field.win * field.height
    tables = [line for line in field.courses[entry] if line.opponents]
    number = sum(not each.left_out for each in field.entries.values())
    sat_out = (
        min(len(field.courses[entry]) - len(tables), -(-field.last // number)) if number % 2 else 0
    )
    return 2 * sum(line.points for line in tables) >= field.win * (field.last - sat_out)


def _score_difference(field: Field, entry: str) -> list[Term]:
    return [
        Term(line.score_difference, line)
        for line in field.courses[entry]
        if line.score_difference is not None
    ]


def _total_of(name: str, unit: int = 100) -> Terms:
    """Lists what all results of an entry say under this name, in units of so many hundredths."""

    said = attrgetter(name)

    def total(field: Field, entry: str) -> list[Term]:
        return [
            Term(unit * (said(line.result) or 0), line)
            for line in field.courses[entry]
            if line.result
        ]

    return total


def _average_opponent_rating(field: Field, entry: str) -> list[Term]:
    """Each rating adds its part of the mean, so that the parts add up to that as it is rounded."""
    rated = [
        (line, rating)
        for line in field.courses[entry]
        if line.kind == PLAYED
        for opponent in line.opponents
        if (rating := field.entries[opponent].rating) is not None
    ]
    parts = round_terms(Fraction(rating, len(rated)) for _line, rating in rated)
    return [
        Term(100 * part, line, 100 * rating)
        for part, (line, rating) in zip(parts, rated, strict=True)
    ]


def _lots(field: Field, entry: str) -> list[Term]:
    return [Term(100 * field.lots[entry])]


ALL: tuple[TieBreak, ...] = (
    TieBreak(
        name="buchholz",
        title="Buchholz",
        meaning="The points of all opponents, added up: who met stronger ones comes first.",
        source="FIDE C.07, 8.1",
        terms=_buchholz,
    ),
    TieBreak(
        name="buchholz_cut_1",
        title="Buchholz cut 1",
        meaning=(
            "The points of all opponents but the weakest; a round that was skipped is left "
            "out first."
        ),
        source="FIDE C.07, 8.1 with 14.1 and 16.5",
        terms=_buchholz_cut_1,
    ),
    TieBreak(
        name="median_buchholz",
        title="Median Buchholz",
        meaning="The points of all opponents but the weakest and the strongest.",
        source="FIDE C.07, 8.1 with 14.3 and 16.5",
        terms=_median_buchholz,
    ),
    TieBreak(
        name="sonneborn_berger",
        title="Sonneborn-Berger",
        meaning=(
            "The points of each opponent, as much of them as was won at that table: all for "
            "a win, half for a draw."
        ),
        source="FIDE C.07, 9.1",
        terms=_sonneborn_berger,
    ),
    TieBreak(
        name="progressive",
        title="Progressive score",
        meaning="The points after each round, added up: who scored early comes first.",
        source="FIDE C.07, 7.5",
        terms=_progressive,
    ),
    TieBreak(
        name="direct_encounter",
        title="Direct encounter",
        meaning="The points from the tables at which those who are tied met each other, "
        "the mean of several with the same opponent, when all of them have met; "
        "then again among those who are tied still.",
        source="FIDE C.07, 6",
        terms=None,
    ),
    TieBreak(
        name="wins",
        title="Wins",
        meaning="How many rounds brought as many points as a win, played or not.",
        source="FIDE C.07, 7.1",
        terms=_wins,
    ),
    TieBreak(
        name="koya",
        title="Koya",
        meaning="The points won against those who reached half of what could be reached.",
        source="FIDE C.07, 9.2",
        terms=_koya,
    ),
    TieBreak(
        name="score_difference",
        title="Score difference",
        meaning="The own scores of all games less those of the opponents.",
        terms=_score_difference,
    ),
    TieBreak(
        name="score_total",
        title="Score",
        meaning="The own scores of all games, added up.",
        terms=_total_of("score", unit=1),
    ),
    TieBreak(
        name="tricks",
        title="Tricks",
        meaning="The tricks taken in all games.",
        terms=_total_of("tricks"),
    ),
    TieBreak(
        name="fewest_audits",
        title="Fewest audits",
        meaning="The Imperial Audits suffered in all games; fewer are better.",
        source=f"{OURS}, P19",
        terms=_total_of("audits"),
        fewest=True,
    ),
    TieBreak(
        name="fewest_excess",
        title="Fewest Excess",
        meaning="The Excess gathered in all games; less is better.",
        source=f"{OURS}, P18",
        terms=_total_of("excess"),
        fewest=True,
    ),
    TieBreak(
        name="chips",
        title="Chips",
        meaning="The chips won less those lost in all games.",
        terms=_total_of("chips"),
    ),
    TieBreak(
        name="average_opponent_rating",
        title="Average rating of opponents",
        meaning="The mean rating of those met at a table, rounded.",
        source="FIDE C.07, 10.1",
        terms=_average_opponent_rating,
    ),
    TieBreak(
        name="lots",
        title="Lots",
        meaning="The place drawn by lot from the tournament's seed; 1 comes first.",
        source=f"{OURS}, the seed",
        terms=_lots,
        fewest=True,
    ),
)
TIE_BREAKS: Mapping[str, TieBreak] = {each.name: each for each in ALL}


def direct_encounter(field: Field, tied: Iterable[str]) -> dict[str, Exact]:
    """For each of those tied, the points from the tables at which they met each other; 0 for all
    while some have not met.
    """
    return {entry: sum_of(field, terms) for entry, terms in encounter_terms(field, tied).items()}


def encounter_terms(field: Field, tied: Iterable[str]) -> dict[str, list[Term]]:
    """For each of those tied, what each table at which they met each other adds; all of it left out
    while some have not met.

    Forfeits are no meetings, except where the pairings were fixed in advance (C.07, 6.1.1 and
    15.2). Who is first whatever the missing meetings would bring keeps the points (6.3). Two who
    met more than once have met, and nobody else for it: the mean of their tables counts (6.1.2).
    """
    group = set(tied)
    tables = {entry: _lines_by_opponents(field, entry, group) for entry in group}
    terms = {
        entry: [
            Term(divide(line.points, len(lines)), line, line.points)
            for lines in against.values()
            for line in lines
        ]
        for entry, against in tables.items()
    }
    met = {entry: frozenset[str]().union(*against) for entry, against in tables.items()}
    missing = {entry: len(group) - 1 - len(met[entry]) for entry in group}
    if not any(missing.values()):
        return terms
    points = {entry: sum_of(field, terms[entry]) for entry in group}
    return {
        entry: terms[entry]
        if _is_first_anyway(field, entry, points, missing)
        else [term._replace(left_out=True) for term in terms[entry]]
        for entry in group
    }


def _lines_by_opponents(
    field: Field, entry: str, group: Collection[str]
) -> dict[frozenset[str], list[Line]]:
    """The tables of an entry with others of a group, by who of them sat there."""
    found: dict[frozenset[str], list[Line]] = {}
    for line in field.courses[entry]:
        others = frozenset(line.opponents).intersection(group)
        if others and (line.kind == PLAYED or field.fixed):
            found.setdefault(others, []).append(line)
    return found


def _is_first_anyway(
    field: Field, entry: str, points: Mapping[str, Exact], missing: Mapping[str, int]
) -> bool:
    return all(
        points[entry] > points[other] + field.win * missing[other]
        for other in points
        if other != entry
    )
