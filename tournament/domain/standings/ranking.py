"""The standings: every entry's points, tie-breaks and rank after the rounds that were played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tournament.domain.standings.knockout import ranks_of_knockout
from tournament.domain.standings.results_by_round import PLAYED, Field, field_of
from tournament.domain.standings.tie_breaks import TIE_BREAKS, direct_encounter
from tournament.domain.standings.values import DIRECTIONS, Round, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where an entry stands. `points` and the values of the tie-breaks are hundredths; equal
    entries share a rank.

    `played` counts the tables it played at, byes and forfeits apart. With a winner in each
    direction `side` is NS or EW, and the rank that among those.
    """

    rank: int
    entry: str
    points: int
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


def standings(tournament: Tournament, *, after_round: int | None = None) -> Standings:
    """Who stands where after a round, the last by default; rounds in which nothing is recorded yet
    don't count.
    """
    rounds = tournament.rounds[:after_round]
    while rounds and not _has_begun(rounds[-1]):
        rounds = rounds[:-1]
    counted = replace(tournament, rounds=rounds)
    field = field_of(counted)
    points = _points(counted, field)
    values = {name: _values(field, name) for name in counted.stage.tie_breaks}
    sides = _sides(tournament)
    ranked = (
        _by_places(ranks_of_knockout(counted))
        if counted.stage.kind == "knockout"
        else [
            each
            for side in sorted(set(sides.values()), reverse=True)
            for each in _ranked(
                [entry for entry in field.entries if sides[entry] == side],
                field,
                points,
                values,
                counted.stage.tie_breaks,
            )
        ]
    )
    return Standings(
        after_round=len(rounds),
        rows=tuple(
            replace(_row(field, rank, entry, points, values), side=sides[entry])
            for rank, entry in ranked
        ),
        missing=_missing(rounds),
    )


def _has_begun(tables: Round) -> bool:
    return not tables.tables or any(table.results for table in tables.tables)


def _missing(rounds: Sequence[Round]) -> tuple[tuple[int, int], ...]:
    return tuple(
        (number, table.table)
        for number, tables in enumerate(rounds, start=1)
        for table in tables.tables
        if not table.results
    )


def _points(tournament: Tournament, field: Field) -> dict[str, int]:
    """Points from the rounds and what the director gave or took."""
    points = dict(field.own)
    for adjustment in tournament.adjustments:
        if adjustment.after_round <= field.last:
            points[adjustment.entry] += adjustment.points
    return points


def _values(field: Field, name: str) -> dict[str, int]:
    count = TIE_BREAKS[name].count
    return {entry: count(field, entry) for entry in field.entries} if count else {}


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


def _ranked(
    entries: list[str],
    field: Field,
    points: Mapping[str, int],
    values: dict[str, dict[str, int]],
    names: Sequence[str],
) -> list[tuple[int, str]]:
    """Every entry with its rank: groups of equals, split by one tie-break after the other. Fills in
    what depends on the groups.
    """
    groups = _split(entries, points, fewest=False)
    for name in names:
        if TIE_BREAKS[name].count is None:
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


def _by_places(ranks: Mapping[str, int]) -> list[tuple[int, str]]:
    """The entries of a knock-out by the places they have, or still can have."""
    return sorted(((rank, entry) for entry, rank in ranks.items()), key=lambda each: each[0])


def _by_encounters(field: Field, group: list[str], values: dict[str, int]) -> list[list[str]]:
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
        inner: dict[str, int] = {}
        again = _by_encounters(field, part, inner)
        values |= inner if len(again) > 1 else {}
        found += again
    return found


def _split(group: list[str], values: Mapping[str, int], *, fewest: bool) -> list[list[str]]:
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
    points: Mapping[str, int],
    values: Mapping[str, Mapping[str, int]],
) -> Standing:
    return Standing(
        rank=rank,
        entry=entry,
        points=points[entry],
        tie_breaks=tuple((name, values[name][entry]) for name in values),
        played=sum(line.kind == PLAYED for line in field.courses[entry]),
    )
