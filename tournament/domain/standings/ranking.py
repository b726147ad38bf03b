"""The standings: every entry's points, tie-breaks and rank after the rounds that were played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tournament.domain.standings.exact import Exact, round_half_up
from tournament.domain.standings.knockout import ranks_of_knockout
from tournament.domain.standings.results_by_round import PLAYED, Field, field_of, without_leavers
from tournament.domain.standings.team_matches import part_tables
from tournament.domain.standings.tie_breaks import (
    TIE_BREAKS,
    Term,
    direct_encounter,
    encounter_terms,
    sum_of,
)
from tournament.domain.standings.values import DIRECTIONS, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An entry's place in the standings. `points` and the values of the tie-breaks are rounded
    hundredths; entries that are exactly equal share a rank. Where points are a mean of what was
    played, who has played nothing has None, and stands below all who have.

    `played` counts the tables it played at, byes and forfeits apart. With a winner in each
    direction `side` is NS or EW, and the rank that among those.
    """

    rank: int
    entry: str
    points: int | None
    tie_breaks: tuple[tuple[str, int], ...]
    played: int
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All standings, best first, after round `after_round`, the last with a result; tables that
    lack theirs in `missing`.
    """

    after_round: int
    rows: tuple[Standing, ...]
    missing: tuple[tuple[int, int], ...] = ()


def standings(
    tournament: Tournament, *, after_round: int | None = None, exact: bool = True
) -> Standings:
    """Return the standings after a round, the last by default; rounds in which nothing
    is recorded yet don't count.

    Everything is ranked by its exact value, and rounded in the rows; if not `exact`,
    each round is rounded before, as draws have always counted it.
    """
    counted = _cut_unbegun_rounds(tournament, after_round)
    field = field_of(counted, exact=exact)
    points = _points(counted, field)
    values = {name: _values(field, name) for name in counted.stage.tie_breaks}
    sides = _sides(tournament)
    ranked = (
        _by_places(ranks_of_knockout(counted), field, values)
        if counted.stage.kind == "knockout"
        else [
            each
            for side in sorted(set(sides.values()), reverse=True)
            for each in _with_leavers_last(
                [entry for entry in field.entries if sides[entry] == side], field, points, values
            )
        ]
    )
    return Standings(
        after_round=len(counted.rounds),
        rows=tuple(
            replace(_row(field, rank, entry, points, values), side=sides[entry])
            for rank, entry in ranked
        ),
        missing=_list_missing_results(without_leavers(counted).rounds),
    )


def tie_break_terms(tournament: Tournament, entry: str) -> tuple[Field, dict[str, list[Term]]]:
    """The terms of each tie-break of an entry after the last round, by the names of the tie-breaks,
    and the field that it is counted in.
    """
    counted = _cut_unbegun_rounds(tournament, None)
    field = field_of(counted)
    found: dict[str, list[Term]] = {}
    for name in counted.stage.tie_breaks:
        terms = TIE_BREAKS[name].terms
        found[name] = (
            [*terms(field, entry)]
            if terms
            else encounter_terms(field, _list_compared(counted, field, entry, name)).get(entry, [])
        )
    return field, found


def _list_compared(counted: Tournament, field: Field, entry: str, name: str) -> list[str]:
    """Those by whose tables with each other an entry has its value in a tie-break; [] where nobody
    is tied with it (C.07, 6).
    """
    names = counted.stage.tie_breaks
    fewer = replace(counted.stage, tie_breaks=names[: names.index(name)])
    rows = standings(replace(counted, stage=fewer)).rows
    own = next(row for row in rows if row.entry == entry)
    group = [row.entry for row in rows if (row.rank, row.side) == (own.rank, own.side)]
    if len(group) == 1:
        return []
    part = group
    while len(part) > 1:
        parts = _split(part, direct_encounter(field, part), fewest=False)
        if len(parts) == 1:
            break
        group, part = part, next(each for each in parts if entry in each)
    return group


def exact_points(tournament: Tournament) -> dict[str, Exact | None]:
    """Return the points of all entries as they are ranked; the rows of the standings
    have them rounded.
    """
    counted = _cut_unbegun_rounds(tournament, None)
    return _points(counted, field_of(counted))


def _cut_unbegun_rounds(tournament: Tournament, after_round: int | None) -> Tournament:
    """The tournament with its rounds up to the last in which something is recorded."""
    rounds = tournament.rounds[:after_round]
    while rounds and not _has_begun(rounds[-1]):
        rounds = rounds[:-1]
    return replace(tournament, rounds=rounds)


def _has_begun(tables: Round) -> bool:
    return not tables.tables or any(table.results for table in tables.tables)


def _list_missing_results(rounds: Sequence[Round]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (number, table.table)
        for number, tables in enumerate(rounds, start=1)
        for match in tables.tables
        if not match.results
        for table in part_tables([match])
        if not table.results
    )


def _points(tournament: Tournament, field: Field) -> dict[str, Exact | None]:
    """Points from the rounds and what the director gave or took; None for who has none."""
    points = dict(field.own)
    for adjustment in tournament.adjustments:
        if adjustment.after_round <= field.last:
            points[adjustment.entry] += adjustment.points
    return points | dict.fromkeys(field.unplayed)


def _values(field: Field, name: str) -> dict[str, Exact]:
    terms = TIE_BREAKS[name].terms
    return {entry: sum_of(field, terms(field, entry)) for entry in field.entries} if terms else {}


def _sides(tournament: Tournament) -> dict[str, str]:
    """The direction of every entry where each has a winner of its own: that of its first table, ""
    before that; "" everywhere else.
    """
    sides = {entry.id: "" for entry in tournament.entries}
    if not tournament.stage.has_two_winners:
        return sides
    for each in tournament.rounds:
        for table in each.tables:
            for entry, side in zip(table.entries, DIRECTIONS, strict=False):
                sides[entry] = sides[entry] or side
    return sides


def _with_leavers_last(
    entries: list[str],
    field: Field,
    points: Mapping[str, Exact | None],
    values: dict[str, dict[str, Exact]],
) -> list[tuple[int, str]]:
    """Those whose games count with their ranks, then those who left and whose games don't."""
    staying = [entry for entry in entries if not field.entries[entry].left_out]
    left = [entry for entry in entries if field.entries[entry].left_out]
    return [
        *_rank_entries(staying, field, points, values),
        *(
            (rank + len(staying), entry)
            for rank, entry in _rank_entries(left, field, points, values)
        ),
    ]


def _rank_entries(
    entries: list[str],
    field: Field,
    points: Mapping[str, Exact | None],
    values: dict[str, dict[str, Exact]],
) -> list[tuple[int, str]]:
    """Every entry with its rank: groups of equals, split by one tie-break after the other. Fills in
    what depends on the groups.
    """
    with_points = {entry: had for entry in entries if (had := points[entry]) is not None}
    without = [entry for entry in entries if entry not in with_points]
    groups = [
        *(_split([*with_points], with_points, fewest=False) if with_points else ()),
        *([without] if without else ()),
    ]
    for name in values:
        if TIE_BREAKS[name].terms is None:
            groups = [
                part for group in groups for part in _by_encounters(field, group, values[name])
            ]
        else:
            groups = [
                part
                for group in groups
                for part in _split(group, values[name], fewest=TIE_BREAKS[name].fewest)
            ]
    ranked, rank = [], 1
    for group in groups:
        ranked += [(rank, entry) for entry in group]
        rank += len(group)
    return ranked


def _by_places(
    ranks: Mapping[str, int], field: Field, values: dict[str, dict[str, Exact]]
) -> list[tuple[int, str]]:
    """The entries of a knock-out by the places they have, or still can have, which no tie-break
    parts. Fills in what depends on who shares a place.
    """
    ranked = sorted(((rank, entry) for entry, rank in ranks.items()), key=lambda each: each[0])
    for name in values:
        for _rank, shared in groupby(ranked, key=lambda each: each[0]):
            if TIE_BREAKS[name].terms is None:
                _by_encounters(field, [entry for _rank, entry in shared], values[name])
    return ranked


def _by_encounters(field: Field, group: list[str], values: dict[str, Exact]) -> list[list[str]]:
    """A group by what its tables with each other came to, then again among those who are still tied
    (C.07, 6).

    Fills in the `values`: the points from the tables that decided, those of the fewest who were
    compared.
    """
    values |= direct_encounter(field, group) if len(group) > 1 else dict.fromkeys(group, 0)
    parts = _split(group, dict(values), fewest=False)
    if len(parts) == 1:
        return parts
    found = []
    for part in parts:
        inner: dict[str, Exact] = {}
        again = _by_encounters(field, part, inner)
        values |= inner if len(again) > 1 else {}
        found += again
    return found


def _split(group: list[str], values: Mapping[str, Exact], *, fewest: bool) -> list[list[str]]:
    """A group in groups of equal value, the best first; within one the order stays."""
    if len(group) == 1:
        return [group]
    sign = 1 if fewest else -1
    return [
        list(part)
        for _, part in groupby(
            sorted(group, key=lambda entry: sign * values[entry]), key=lambda entry: values[entry]
        )
    ]


def _row(
    field: Field,
    rank: int,
    entry: str,
    points: Mapping[str, Exact | None],
    values: Mapping[str, Mapping[str, Exact]],
) -> Standing:
    had = points[entry]
    return Standing(
        rank=rank,
        entry=entry,
        points=None if had is None else round_half_up(had),
        tie_breaks=tuple((name, round_half_up(values[name][entry])) for name in values),
        played=sum(line.kind == PLAYED for line in field.courses[entry]),
    )
