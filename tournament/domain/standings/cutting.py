"""A cut (formats.md F7): which places of the stages before go on, and what decided at the edges.

The order of a stage is settled edge by edge from the top down, once for all who take from it: at
each edge those who are level there, and not above an earlier edge, are parted as that edge says.
Places are counted among those who haven't withdrawn: the next one moves up. Who is in by an earlier
source of the same stage is passed over, and the next one of the later source moves up as well.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from tournament.domain.standings.exact import Exact
from tournament.domain.standings.ranking import Standing
from tournament.domain.standings.values import BY_LOTS, BY_PLAY_OFF, Takes

BY_POINTS, BY_PLACE, BY_LOT = "points", "place", "lots"
BY_LOT_VALUES = (100, 200)  # the first and the second of two that were drawn

type Criterion = tuple[str, tuple[int, ...]]  # a criterion, and what two have there, in hundredths
type Edge = tuple[int, str]  # after which place, and how equals are parted there


@dataclass(frozen=True, slots=True, kw_only=True)
class CutMade:
    """A cut and what decided it. `entries` go on, in the order of their seeds: from place `first`
    of stage `from_stage` on (0: of the stage before).

    `made` is the last who made it and `missed` the first who didn't, None where everybody goes on.
    `criterion` is what parted the two: `points`, a tie-break's name, `place` (of a knock-out),
    `lots` or `play_off`; `values` are what both had there, in hundredths. `passed` would have gone
    on and had withdrawn, `doubled` were in by an earlier source. `above` is who stands just above
    place `first`, and what parted it from who has that place. `parts` are what each source gave,
    where there are several.
    """

    entries: tuple[str, ...]
    made: str
    missed: str | None = None
    criterion: str = ""
    values: tuple[int, ...] = ()
    passed: tuple[str, ...] = ()
    from_stage: int = 0
    first: int = 1
    doubled: tuple[str, ...] = ()
    above: str | None = None
    above_criterion: str = ""
    above_values: tuple[int, ...] = ()
    parts: tuple["CutMade", ...] = ()

    @property
    def sources(self) -> tuple["CutMade", ...]:
        """The cuts of the sources, in order; itself if there is only one."""
        return self.parts or (self,)


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelAt:
    """Those who are level at an edge of stage `stage` and play it off for `places` of the places
    from `first` on, as they stand by the tie-breaks; `order` is how they came out, () before.
    """

    stage: int
    entries: tuple[str, ...]
    first: int
    places: int
    order: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRanking:
    """The standings of stage `stage` as its cuts see them: `rows` in order, equals by their lots.

    `gone` have withdrawn. `edges` are all that are made there, the highest first; `play_offs` the
    orders in which those who were level came out, `lots` everybody's. `parted_by` says which
    tie-break parts two of the same points.
    """

    stage: int
    rows: tuple[Standing, ...]
    is_knockout: bool
    gone: Set[str]
    edges: tuple[Edge, ...]
    lots: Mapping[str, int]
    parted_by: Callable[[str, str], Criterion]
    points: Mapping[str, Exact | None]
    play_offs: tuple[tuple[str, ...], ...] = ()

    def level(self, row: Standing) -> tuple[str, Exact | None]:
        """Return the value shared by rows that are equal before any tie-break.

        Points, in a knock-out the place; among rows of the same direction.
        """
        return row.side, row.rank if self.is_knockout else self.points[row.entry]


@dataclass(slots=True, kw_only=True)
class OpenOrder:
    """The order of a stage while it is settled; `fixed` stand above an edge that is."""

    rows: list[Standing]
    fixed: set[str] = field(default_factory=set)
    asked: list[LevelAt] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOrder:
    """The order of a stage as a source takes from it: those who can go on, and `asked`, the
    play-offs that it took; `before` have the places above the first that is taken.
    """

    before: tuple[Standing, ...]
    able: tuple[Standing, ...]
    rows: tuple[Standing, ...]
    asked: tuple[LevelAt, ...]

    @property
    def missing(self) -> tuple[LevelAt, ...]:
        """The play-offs whose results are not in."""
        return tuple(each for each in self.asked if not each.order)


def by_turns(ordered: Sequence[Standing]) -> tuple[Standing, ...]:
    """One of each direction after the other, where two were ranked apart: as many of both go on."""
    sides: dict[str, list[Standing]] = {}
    for row in ordered:
        sides.setdefault(row.side, []).append(row)
    turns = zip_longest(*sides.values())
    return tuple(row for turn in turns for row in turn if row is not None)


def settle_order(ranked: StageRanking, takes: Takes, already: Set[str]) -> SourceOrder:
    """The order of a stage as this source takes from it, `already` being in by earlier ones."""
    settling = OpenOrder(rows=list(ranked.rows))
    for place, ties in ranked.edges:
        if place < takes.last:
            _settle(ranked, settling, (place, ties), ranked.gone)
    staying = [row for row in settling.rows if row.entry not in ranked.gone]
    before = staying[: takes.first - 1]
    out = ranked.gone | (already - {row.entry for row in before})
    _settle(ranked, settling, (takes.last, takes.ties), out)
    able = tuple(row for row in settling.rows if row.entry not in out)[takes.first - 1 :]
    return SourceOrder(
        before=tuple(before), able=able, rows=tuple(settling.rows), asked=tuple(settling.asked)
    )


def make_cut(ranked: StageRanking, takes: Takes, already: Set[str]) -> CutMade:
    """Return the cut of a source, in the order of the standings.

    There have to be enough entries, and no play-off without its result.
    """
    order = settle_order(ranked, takes, already)
    chosen, rest = order.able[: takes.top], order.able[takes.top :]
    last = order.rows.index(chosen[-1])
    first = order.rows.index(order.before[-1]) + 1 if order.before else 0
    between = [row.entry for row in order.rows[first:last]]
    cut = CutMade(
        entries=tuple(row.entry for row in chosen),
        made=chosen[-1].entry,
        passed=tuple(entry for entry in between if entry in ranked.gone),
        from_stage=takes.from_stage,
        first=takes.first,
        doubled=tuple(entry for entry in between if entry in already - ranked.gone),
    )
    above = next((row for row in order.before[::-1] if row.side == chosen[0].side), None)
    if above is not None:
        name, values = _find_deciding_criterion(ranked, takes, order, above, chosen[0])
        cut = replace(cut, above=above.entry, above_criterion=name, above_values=values)
    missed = next((row for row in rest if row.side == chosen[-1].side), None)
    if missed is None:
        return cut
    name, values = _find_deciding_criterion(ranked, takes, order, chosen[-1], missed)
    return replace(cut, missed=missed.entry, criterion=name, values=values)


def _settle(ranked: StageRanking, settling: OpenOrder, edge: Edge, out: Set[str]) -> None:
    """Part those who are level at an edge, each direction for itself; who is `out` keeps its row
    and isn't counted.
    """
    place, ties = edge
    able = [row for row in settling.rows if row.entry not in out]
    above, below = able[:place], able[place:]
    for side in dict.fromkeys(row.side for row in above):
        here, after = _of(side, above), _of(side, below)
        if not after or ranked.level(here[-1]) != ranked.level(after[0]):
            continue
        level = [
            row
            for row in (*here, *after)
            if ranked.level(row) == ranked.level(after[0]) and row.entry not in settling.fixed
        ]
        entries = {row.entry for row in level}
        places = sum(row.entry in entries for row in here)
        asked = LevelAt(
            stage=ranked.stage,
            entries=tuple(row.entry for row in level),
            first=1 + len(here) - places,
            places=places,
        )
        _reorder(settling.rows, level, _in_order(ranked, settling, level, ties, asked))
    staying = [row.entry for row in settling.rows if row.entry not in out]
    settling.fixed |= set(staying[:place])


def _of(side: str, rows: Sequence[Standing]) -> list[Standing]:
    return [row for row in rows if row.side == side]


def _in_order(
    ranked: StageRanking, settling: OpenOrder, level: Sequence[Standing], ties: str, asked: LevelAt
) -> Sequence[Standing]:
    """Those who are level, parted as their edge says; before a play-off as they stand without."""
    if ties == BY_LOTS:
        return sorted(level, key=lambda row: ranked.lots[row.entry])
    by_rank = sorted(level, key=lambda row: (row.rank, ranked.lots[row.entry]))
    if ties != BY_PLAY_OFF:
        return by_rank
    standing = tuple(row.entry for row in by_rank)
    there = set(standing)
    order = next((each for each in reversed(ranked.play_offs) if there <= set(each)), ())
    came_out = tuple(entry for entry in order if entry in there)
    if not any(there <= set(each.entries) for each in settling.asked):
        settling.asked.append(replace(asked, entries=standing, order=came_out))
    return sorted(by_rank, key=lambda row: came_out.index(row.entry)) if came_out else by_rank


def _reorder(rows: list[Standing], level: Sequence[Standing], order: Sequence[Standing]) -> None:
    """Let those who are level stand in this order, in the rows that they had."""
    entries = {row.entry for row in level}
    places = [place for place, row in enumerate(rows) if row.entry in entries]
    for place, row in zip(places, order, strict=True):
        rows[place] = row


def _find_deciding_criterion(
    ranked: StageRanking, takes: Takes, order: SourceOrder, one: Standing, other: Standing
) -> Criterion:
    """Return the criterion that decided between two at an edge, the higher one first."""
    if ranked.level(one) != ranked.level(other):
        if ranked.is_knockout:
            return (BY_PLACE, (100 * one.rank, 100 * other.rank))
        return (BY_POINTS, (one.points or 0, other.points or 0))
    if takes.ties == BY_PLAY_OFF:
        both = {one.entry, other.entry}
        came_out = next(each.order for each in order.asked if both <= set(each.order))
        return BY_PLAY_OFF, tuple(
            100 * (came_out.index(each) + 1) for each in (one.entry, other.entry)
        )
    if takes.ties == BY_LOTS or one.rank == other.rank:
        return BY_LOT, BY_LOT_VALUES
    return ranked.parted_by(one.entry, other.entry)


def edges_of(sources: Iterator[Takes]) -> tuple[Edge, ...]:
    """The edges that these sources make in their stage, the highest first."""
    found = {place: takes.ties for takes in sources for place in takes.edges}
    return tuple(sorted(found.items()))
