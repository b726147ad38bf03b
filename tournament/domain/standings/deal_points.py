"""Standing points of tables that play the same deals: by matchpoints, IMPs or victory points over
all who played a deal, in whatever round (F8).

A table's points in a round: of matchpoints the mean share of its deals, 0 to 100 with 50 for an
even result; of IMPs their sum against the datum of each deal; of victory points what that sum is
worth as a match over so many deals.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoring.errors import RuleViolation
from tournament.domain.standings import values
from tournament.domain.standings.duplicate import (
    DealResult,
    SmallGroups,
    TravellerLine,
    regulation,
    session,
)
from tournament.domain.standings.exact import Exact, divide, round_half_up
from tournament.domain.standings.imps import BRIDGE_BOUNDS, datum, imps, salon_bounds
from tournament.domain.standings.scales import points_of_round
from tournament.domain.standings.victory_points import victory_points

EVEN = Fraction(50)  # per cent
AWARDED_IMPS = {60: 3, 50: 0, 40: -3}  # for an artificial score of so many per cent

type Place = tuple[int, int]  # a table of a round
# Of a round, by its tables, in the order of the seats: exactly, and as they are shown.
type Points = Mapping[int, tuple[Exact, ...]]
type ShownPoints = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A deal at a table of a round, and what its entries got for it: per cent of the matchpoints,
    or IMPs; None where it doesn't count there. `regulation` is that by which a fouled one counts.
    `factored`: it was compared among so many results as if there were as many as the second number,
    by Neuberg's formula; () where it was not.
    """

    round: int
    table: values.SeatedTable
    board: values.BoardResult
    worth: tuple[Fraction, ...] | None
    regulation: SmallGroups = "neuberg"
    factored: tuple[int, ...] = ()

    @property
    def points(self) -> tuple[int, ...] | None:
        """The same in hundredths, as they are shown."""
        if self.worth is None:
            return None
        return _round_together([values.HUNDREDTHS * each for each in self.worth])


def counts_deals(stage: values.Stage) -> bool:
    """Whether tables are compared deal by deal."""
    return stage.plays_same_deals and stage.scale.kind in values.DEAL_SCALES


def count_deals(stage: values.Stage, table: values.SeatedTable) -> int:
    """Of how many deals a table's points are the mean; points that don't come from deals stand for
    all that were to be played there, or for one.
    """
    if not counts_deals(stage):
        return 1
    if _is_given(table) or not table.boards:
        return max(1, len(table.deals))
    return sum(bool(board.scores or board.awarded) for board in table.boards)


def points_of_rounds(tournament: values.Tournament) -> Sequence[Points]:
    """The standing points of every table that has its results, round by round, exactly."""
    found = [
        dict(points_of_round(tournament.stage_of(each).scale, each)) for each in tournament.rounds
    ]
    for number, stage in enumerate(tournament.stages or (tournament.stage,), start=1):
        if counts_deals(stage):
            for (round_number, table), points in _points_by_deals(
                _alone(tournament, number)
            ).items():
                found[round_number - 1][table] = points
    return found


def shown_points_of_rounds(tournament: values.Tournament) -> Sequence[ShownPoints]:
    """The same as they are shown, in whole hundredths."""
    exact = points_of_rounds(tournament)
    return [
        {
            table: _round_together(points)
            if counts_deals(tournament.stage_of(each))
            else tuple(map(round_half_up, points))
            for table, points in tables.items()
        }
        for each, tables in zip(tournament.rounds, exact, strict=True)
    ]


def _alone(tournament: values.Tournament, number: int) -> values.Tournament:
    """The tournament with nothing in the rounds of its other stages."""
    if not tournament.stages:
        return tournament
    return replace(
        tournament,
        stage=tournament.stages[number - 1],
        stages=(),
        rounds=tuple(
            each if each.stage == number else values.Round() for each in tournament.rounds
        ),
    )


def travellers(tournament: values.Tournament) -> dict[int, list[Played]]:
    """Every deal by its number: where it was played, and what it was worth there, the best result
    of N–S first, where it was not played last.
    """
    kind = tournament.stage.scale.kind
    worth = _matchpoints if kind not in ("imps", "victory_points") else _imps
    found: dict[int, list[Played]] = defaultdict(list)
    for played in worth(tournament):
        found[played.board.deal].append(played)
    return {
        deal: sorted(found[deal], key=lambda each: (not each.board.scores, -lead(each.board)))
        for deal in sorted(found)
    }


def bounds_of(tournament: values.Tournament) -> tuple[int, ...]:
    """The least differences of score (hundredths) that are worth 1, 2, … IMPs: as the stage says,
    else fitted to the results there are, and those of bridge where these lie too near each other.
    """
    if tournament.stage.scale.steps:
        return tournament.stage.scale.steps
    scores: dict[int, list[int]] = defaultdict(list)
    for _number, _table, board in _boards(tournament):
        if is_played(board):
            scores[board.deal].append(lead(board))
    try:
        return salon_bounds(scores.values())
    except RuleViolation:
        return tuple(values.HUNDREDTHS * bound for bound in BRIDGE_BOUNDS)


def is_played(board: values.BoardResult) -> bool:
    """Whether a deal has a result of its own at a table."""
    return bool(board.scores) and not board.awarded


def lead(board: values.BoardResult) -> int:
    """The score of N–S less that of E–W, or of who plays alone; 0 where there is none."""
    return board.scores[0] - sum(board.scores[1:]) if board.scores else 0


def _points_by_deals(tournament: values.Tournament) -> dict[Place, tuple[Exact, ...]]:
    """The points of tables whose deals say them; those given by hand, and of forfeits, stand."""
    of_table: dict[Place, list[tuple[Fraction, ...]]] = defaultdict(list)
    tables: dict[Place, values.SeatedTable] = {}
    for number, each in enumerate(tournament.rounds, start=1):
        for table in each.tables:
            if table.results and table.boards and not _is_given(table):
                tables[number, table.table] = table
    for played in (line for lines in travellers(tournament).values() for line in lines):
        if played.worth is not None:
            of_table[played.round, played.table.table].append(played.worth)
    total = TOTALS[tournament.stage.scale.kind]
    return {place: total(table, of_table[place]) for place, table in tables.items()}


def _is_given(table: values.SeatedTable) -> bool:
    return table.forfeit or any(result.points is not None for result in table.results)


def _boards(
    tournament: values.Tournament,
) -> Iterator[tuple[int, values.SeatedTable, values.BoardResult]]:
    for number, each in enumerate(tournament.rounds, start=1):
        for table in each.tables:
            yield from ((number, table, board) for board in _with_missing(table))


def _with_missing(table: values.SeatedTable) -> tuple[values.BoardResult, ...]:
    """Return the results of all deals of a table, those without a result as not played."""
    known = {board.deal for board in table.boards}
    missing = (values.BoardResult(deal=deal) for deal in table.deals if deal not in known)
    return (*table.boards, *missing)


def _matchpoints(tournament: values.Tournament) -> Iterator[Played]:
    """Every deal at every table in per cent of the matchpoints of a top."""
    places: dict[int, list[tuple[int, values.SeatedTable, values.BoardResult]]] = defaultdict(list)
    for number, table, board in _boards(tournament):
        places[board.deal].append((number, table, board))
    results = {
        deal: [_deal_result(table, board) for _number, table, board in each]
        for deal, each in places.items()
    }
    most = max(map(len, results.values()), default=1)
    small_groups = tournament.stage.small_groups
    counted = session(results, tables=most, small_groups=small_groups)
    for deal, each in places.items():
        left = list(counted.travellers[deal])
        forms = Counter(board.version for _number, _table, board in each if is_played(board))
        for number, table, board in each:
            played = _deal_result(table, board)
            line = next(one for one in left if _is_of(one, played))
            left.remove(line)
            worth = _shares(line, 2 * (most - 1), len(table.entries))
            fouled = len(forms) > 1 and is_played(board)
            group = forms[board.version]
            ruled = regulation(group, most, small_groups) if fouled else "neuberg"
            is_factored = is_played(board) and ruled == "neuberg" and group < most
            yield Played(
                round=number,
                table=table,
                board=board,
                worth=worth,
                regulation=ruled,
                factored=(group, most) if is_factored else (),
            )


def _deal_result(table: values.SeatedTable, board: values.BoardResult) -> DealResult:
    """The deal as it is compared; who plays alone has nobody opposite."""
    sides = (*table.entries, "", "")
    return DealResult(
        north_south=sides[0],
        east_west=sides[1],
        score=lead(board) if board.scores else None,
        version=board.version,
        awarded=(board.awarded[0], board.awarded[-1]) if board.awarded else None,
    )


def _is_of(line: TravellerLine, played: DealResult) -> bool:
    """Whether a line is of this result, which may have an average by the regulation instead."""
    there = line.result
    return (
        there.north_south == played.north_south
        and there.east_west == played.east_west
        and there.score == played.score
        and there.version == played.version
        and played.awarded in (None, there.awarded)
    )


def _shares(line: TravellerLine, top: int, entries: int) -> tuple[Fraction, ...] | None:
    """The share of the top of each entry; of a deal that nobody else was to play half, or what was
    awarded.
    """
    if line.matchpoints is None:
        return None
    if not top:
        return tuple(map(Fraction, line.result.awarded or (EVEN, EVEN)))[:entries]
    return tuple(100 * each / top for each in line.matchpoints)[:entries]


def _imps(tournament: values.Tournament) -> Iterator[Played]:
    """Every deal at every table in IMPs against the deal's datum."""
    bounds = bounds_of(tournament)
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for _number, _table, board in _boards(tournament):
        if is_played(board):
            groups[board.deal, board.version].append(lead(board))
    for number, table, board in _boards(tournament):
        group = groups[board.deal, board.version]
        yield Played(round=number, table=table, board=board, worth=_in_imps(board, group, bounds))


def _in_imps(
    board: values.BoardResult, group: Sequence[int], bounds: Sequence[int]
) -> tuple[Fraction, ...] | None:
    if board.awarded:
        return tuple(Fraction(AWARDED_IMPS[each]) for each in board.awarded)
    if not board.scores:
        return None
    won = Fraction(imps(lead(board) - datum(group), bounds))
    return (won, -won)[: len(board.scores)]


def _round_together(points: Sequence[Exact]) -> tuple[int, ...]:
    """A half upwards; two who share a whole number of points do so rounded, too."""
    shown, together = tuple(map(round_half_up, points)), sum(points)
    if len(points) == 2 and together % values.HUNDREDTHS == 0:
        return shown[0], int(together) - shown[0]
    return shown


def _mean(table: values.SeatedTable, deals: Sequence[tuple[Fraction, ...]]) -> tuple[Exact, ...]:
    if not deals:
        return (divide(values.HUNDREDTHS * EVEN, 1),) * len(table.entries)
    sums = _sums(table, deals)
    return tuple(divide(values.HUNDREDTHS * each, len(deals)) for each in sums)


def _sum(table: values.SeatedTable, deals: Sequence[tuple[Fraction, ...]]) -> tuple[Exact, ...]:
    return tuple(divide(values.HUNDREDTHS * each, 1) for each in _sums(table, deals))


def _as_match(
    table: values.SeatedTable, deals: Sequence[tuple[Fraction, ...]]
) -> tuple[Exact, ...]:
    """Each side's for its own IMPs; 10 each without a deal."""
    count = max(len(deals), 1)
    return tuple(victory_points(int(each), count)[0] for each in _sums(table, deals))


def _sums(table: values.SeatedTable, deals: Sequence[tuple[Fraction, ...]]) -> list[Fraction]:
    return [sum((each[place] for each in deals), Fraction()) for place in range(len(table.entries))]


TOTALS: Mapping[
    str, Callable[[values.SeatedTable, Sequence[tuple[Fraction, ...]]], tuple[Exact, ...]]
] = {
    "matchpoints": _mean,
    "imps": _sum,
    "victory_points": _as_match,
}
