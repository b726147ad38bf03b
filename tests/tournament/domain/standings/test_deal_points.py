"""Tables that play the same deals are compared deal by deal: laws over whole movements with drawn
scores, and small ones by hand.
"""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from scoring.errors import NotationError, RuleViolation
from tournament.domain.pairing.draw import draw
from tournament.domain.standings.board_checks import totals
from tournament.domain.standings.deal_points import (
    bounds_of,
    is_played,
    lead,
    points_of_rounds,
    travellers,
)
from tournament.domain.standings.duplicate import SMALL_GROUPS, SmallGroups
from tournament.domain.standings.imps import BRIDGE_BOUNDS, imps
from tournament.domain.standings.ranking import exact_points, standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.stages import terms_of_rounds
from tournament.domain.standings.values import (
    BoardResult,
    Bye,
    Entry,
    Movement,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)
from tournament.domain.standings.writing import write_tournament


def session(
    seed: int,
    pairs: int,
    scale: str = "matchpoints",
    movement: str = "mitchell",
    missed: int = 0,
    winners: int = 1,
) -> Tournament:
    """A whole movement with drawn scores; one deal in `missed` is not played, or has an artificial
    score.
    """
    chance = Random(seed)
    played = Tournament(
        id="deals",
        name="Deals",
        game="precedence",
        seed=seed,
        stage=Stage(
            kind="movement",
            scale=Scale(kind=scale),
            movement=Movement(movement=movement, deals_a_round=2, winners=winners),
        ),
        entries=tuple(
            Entry(id=str(one), name=str(one), players=(f"a{one}", f"b{one}"))
            for one in range(1, pairs + 1)
        ),
    )
    while True:
        try:
            drawn = draw(played)
        except RuleViolation:
            return played
        tables = tuple(
            SeatedTable(table=each.table, entries=each.entries, deals=each.deals)
            for each in drawn.tables
        )
        scored = tuple(with_scores(table, chance, missed) for table in tables)
        byes = tuple(Bye(entry=entry) for entry in drawn.byes)
        played = replace(played, rounds=(*played.rounds, Round(tables=scored, byes=byes)))


def with_scores(table: SeatedTable, chance: Random, missed: int) -> SeatedTable:
    """The table with scores of its deals; some of the last have none, or an artificial one."""
    boards = [
        BoardResult(deal=deal, scores=tuple(100 * chance.randint(-40, 90) for _side in "ab"))
        for deal in table.deals
    ]
    if missed and not chance.randrange(missed):
        last = boards.pop()
        awarded = chance.choice([(), (60, 40), (40, 60), (60, 60), (50, 50)])
        boards += [BoardResult(deal=last.deal, awarded=awarded)] if awarded else []
    return replace(table, boards=tuple(boards), results=totals(tuple(boards), 2))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("movement", ["mitchell", "howell"])
def test_the_two_sides_of_a_table_share_a_hundred(seed: int, movement: str) -> None:
    played = session(seed, 6 + seed, movement=movement)

    for points in points_of_rounds(played):
        assert {sum(each) for each in points.values()} == {10_000}


@pytest.mark.parametrize("seed", range(6))
def test_every_deal_gives_the_same_share_to_all_who_played_it_together(seed: int) -> None:
    """Each side is compared with those of its own direction, who share half of all there is."""
    played = session(seed, 8)

    for lines in travellers(played).values():
        north_south = [line.worth[0] for line in lines if line.worth]
        assert sum(north_south) == 50 * len(north_south)


@pytest.mark.parametrize("seed", range(6))
def test_a_better_score_of_a_deal_is_never_worth_less(seed: int) -> None:
    for scale in ("matchpoints", "imps"):
        for lines in travellers(session(seed, 9, scale, missed=7)).values():
            worth = [line.worth[0] for line in lines if is_played(line.board) and line.worth]
            assert worth == sorted(worth, reverse=True)


@pytest.mark.parametrize("seed", range(4))
def test_imps_of_a_table_add_up_to_nothing_and_victory_points_to_twenty(seed: int) -> None:
    for scale, whole in (("imps", 0), ("victory_points", 2000)):
        for points in points_of_rounds(session(seed, 10, scale)):
            assert {sum(each) for each in points.values()} == {whole}


def test_the_salons_scale_makes_the_median_difference_six_imps() -> None:
    played = session(3, 12, "imps")
    leads = {
        deal: [lead(line.board) for line in lines] for deal, lines in travellers(played).items()
    }
    apart = sorted(
        abs(one - other)
        for scores in leads.values()
        for place, one in enumerate(scores)
        for other in scores[place + 1 :]
    )

    assert imps(apart[(len(apart) - 1) // 2], bounds_of(played)) == 6


def test_a_scale_that_is_published_is_kept_to() -> None:
    played = session(3, 12, "imps")
    steps = tuple(100 * bound for bound in BRIDGE_BOUNDS)
    fixed = replace(played, stage=replace(played.stage, scale=Scale(kind="imps", steps=steps)))

    assert bounds_of(fixed) == steps
    assert bounds_of(played) != steps


@pytest.mark.parametrize("scale", ["matchpoints", "imps", "victory_points"])
@pytest.mark.parametrize("seed", range(4))
def test_a_session_read_from_its_file_is_the_same_with_the_same_standings(
    scale: str, seed: int
) -> None:
    played = session(seed, 7 + seed, scale, missed=9)
    again = read_tournament(json.loads(json.dumps(write_tournament(played))))

    assert write_tournament(again) == write_tournament(played)
    assert standings(again) == standings(played)


def test_a_side_at_no_fault_has_at_least_its_own_mean() -> None:
    played = session(2, 8)
    table = played.rounds[0].tables[0]
    deal = table.deals[0]
    boards = tuple(
        replace(board, awarded=(60, 40)) if board.deal == deal else board for board in table.boards
    )
    awarded = with_table(played, replace(table, boards=boards))
    line = next(each for each in travellers(awarded)[deal] if each.table.table == table.table)
    assert line.worth is not None
    mine = [
        each.worth[each.table.entries.index(table.entries[0])]
        for lines in travellers(awarded).values()
        for each in lines
        if table.entries[0] in each.table.entries and not each.board.awarded and each.worth
    ]

    assert line.worth == (max(Fraction(60), sum(mine, Fraction()) / len(mine)), Fraction(40))


def fouled(played: Tournament, seed: int) -> Tournament:
    """The session with some of its deals dealt otherwise at some tables."""
    chance = Random(seed)
    return replace(
        played,
        rounds=tuple(
            replace(
                each,
                tables=tuple(
                    replace(
                        table,
                        boards=tuple(
                            replace(board, version=chance.choice([1, 1, 2]))
                            for board in table.boards
                        ),
                    )
                    for table in each.tables
                ),
            )
            for each in played.rounds
        ),
    )


def ruled(played: Tournament, small_groups: SmallGroups) -> Tournament:
    """The session with this regulation for small groups."""
    movement = replace(played.stage.movement, small_groups=small_groups)
    return replace(played, stage=replace(played.stage, movement=movement))


@pytest.mark.parametrize("small_groups", SMALL_GROUPS)
@pytest.mark.parametrize("seed", range(4))
def test_a_regulation_for_small_groups_is_read_from_the_file_with_the_same_standings(
    small_groups: SmallGroups, seed: int
) -> None:
    played = ruled(fouled(session(seed, 9 + seed, missed=9), seed), small_groups)
    again = read_tournament(json.loads(json.dumps(write_tournament(played))))

    assert again.stage.small_groups == small_groups
    assert standings(again) == standings(played)


@pytest.mark.parametrize("small_groups", SMALL_GROUPS)
@pytest.mark.parametrize("seed", range(6))
def test_a_regulation_counts_where_a_form_of_a_fouled_deal_has_three_results_or_fewer(
    small_groups: SmallGroups, seed: int
) -> None:
    played = fouled(session(seed, 13, missed=9), seed)
    usual, otherwise = travellers(played), travellers(ruled(played, small_groups))
    most = max(map(len, usual.values()))

    for deal, lines in usual.items():
        groups = Counter(line.board.version for line in lines if is_played(line.board))
        for before, after in zip(lines, otherwise[deal], strict=True):
            group = groups[before.board.version]
            if len(groups) == 1 or group > 3 or not is_played(before.board):
                assert before.board.awarded or after.worth == before.worth
            elif small_groups == "averages":
                assert after.worth is not None
                assert min(after.worth) >= 60
            elif small_groups == "spread" and 3 * group <= most:
                assert after.worth is not None
                assert sum(after.worth) == 120
                assert max(after.worth) <= 70


def with_table(played: Tournament, table: SeatedTable) -> Tournament:
    """The session with another first table of round 1."""
    first = played.rounds[0]
    rounds = (replace(first, tables=(table, *first.tables[1:])), *played.rounds[1:])
    return replace(played, rounds=rounds)


def refused(played: Tournament, table: SeatedTable) -> RuleViolation:
    with pytest.raises(RuleViolation) as refusal:
        read_tournament(write_tournament(with_table(played, table)))
    return refusal.value


def test_scores_that_are_impossible_are_refused() -> None:
    played = session(1, 8)
    table = played.rounds[0].tables[0]
    first, second = table.boards

    assert refused(played, replace(table, boards=(first, first))).code == "bad_boards"
    assert refused(played, replace(table, boards=(first, replace(second, deal=99)))).code == (
        "bad_boards"
    )
    assert refused(played, replace(table, boards=(first,))).code == "bad_total"
    strange = replace(second, awarded=(70, 30))
    assert refused(played, replace(table, boards=(first, strange))).path.endswith("awarded")
    assert "deal by deal are missing" in str(refused(played, replace(table, boards=())).sentence)


def test_a_scale_other_than_that_of_the_deals_is_refused() -> None:
    file = write_tournament(session(1, 8))
    file["stage"] = {
        "kind": "duplicate",
        "deals": 14,
        "scoring": "matchpoints",
        "scale": {"kind": "points"},
    }

    with pytest.raises(NotationError, match="compared by matchpoints"):
        read_tournament(file)


@pytest.mark.parametrize("pairs", [9, 10])
def test_with_two_winners_each_direction_is_ranked_for_itself(pairs: int) -> None:
    played = session(5, pairs, winners=2)
    rows = standings(played).rows
    tables = [table for each in played.rounds for table in each.tables]

    for place, side in enumerate(("NS", "EW")):
        mine = [row for row in rows if row.side == side]
        assert {row.entry for row in mine} == {table.entries[place] for table in tables}
        assert mine[0].rank == 1
        assert [row.points for row in mine] == sorted(
            (row.points or 0 for row in mine), reverse=True
        )
    assert len(rows) == pairs


def percentages_by_hand(played: Tournament) -> dict[str, Fraction | None]:
    """The mean of the deals that each pair has played, every two scores of a deal compared; a deal
    with fewer results by Neuberg's formula, awards by Law 12C2(c).
    """
    lines = [
        (board, table.entries)
        for each in played.rounds
        for table in each.tables
        for board in table.boards
    ]
    counted = [deal for each in played.rounds for table in each.tables for deal in table.deals]
    most = max(Counter(counted).values())
    own: dict[str, list[Fraction]] = {entry.id: [] for entry in played.entries}
    for board, entries in lines:
        if board.awarded:
            continue
        others = [one for one, _entries in lines if one.deal == board.deal and not one.awarded]
        mine = board.scores[0] - board.scores[1]
        leads = [one.scores[0] - one.scores[1] for one in others]
        beaten = sum(2 * (mine > lead) + (mine == lead) for lead in leads) - 1
        for entry, points in zip(entries, (beaten, 2 * (len(leads) - 1) - beaten), strict=True):
            full = Fraction((points + 1) * most, len(leads)) - 1
            own[entry].append(full * 50 / (most - 1) if most > 1 else Fraction(50))
    means = {entry: sum(each, Fraction()) / len(each) for entry, each in own.items() if each}
    for board, entries in lines:
        for entry, given in zip(entries, board.awarded, strict=False):
            mean = means.get(entry, Fraction(given))
            limits = {60: max(Fraction(60), mean), 50: Fraction(50), 40: min(Fraction(40), mean)}
            own[entry].append(limits[given])
    return {
        entry: sum(each, Fraction()) / len(each) if each else None for entry, each in own.items()
    }


@pytest.mark.parametrize("movement", ["mitchell", "howell"])
@pytest.mark.parametrize("seed", range(8))
def test_a_percentage_is_the_mean_of_the_deals_that_a_pair_has_played(
    movement: str, seed: int
) -> None:
    played = session(seed, 6 + seed, movement=movement, missed=4)
    for rounds in (played.rounds[:1], played.rounds):
        now = replace(played, rounds=rounds)
        right = percentages_by_hand(now)
        assert exact_points(now) == {
            entry: None if mean is None else 100 * mean for entry, mean in right.items()
        }
        rows = standings(now).rows
        assert [row.rank for row in rows] == sorted(row.rank for row in rows)
        for row in rows:
            mine = right[row.entry]
            assert row.rank == 1 + sum(
                mean is not None and (mine is None or mean > mine) for mean in right.values()
            )


def test_who_has_played_nothing_has_no_percentage_and_stands_below_all_who_have() -> None:
    played = session(4, 9, movement="howell")
    (out,) = (bye.entry for bye in played.rounds[0].byes)
    after_one = replace(played, rounds=played.rounds[:1])

    for scale in ("matchpoints", "imps", "victory_points"):
        stage = replace(played.stage, scale=Scale(kind=scale))
        rows = standings(replace(after_one, stage=stage)).rows
        assert (rows[-1].entry, rows[-1].rank, rows[-1].points) == (out, 9, None)
        assert None not in {row.points for row in rows[:-1]}


@pytest.mark.parametrize("scale", ["imps", "victory_points"])
def test_a_round_sat_out_is_worth_the_mean_of_those_that_were_played(scale: str) -> None:
    played = session(6, 9, scale, movement="howell")
    points = points_of_rounds(played)
    exact = exact_points(played)

    for entry in played.entries:
        won = [
            points[number][table.table][table.entries.index(entry.id)]
            for number, each in enumerate(played.rounds)
            for table in each.tables
            if entry.id in table.entries
        ]
        assert len(won) == len(played.rounds) - 1
        assert exact[entry.id] == Fraction(sum(won)) / len(won) * len(played.rounds)


@pytest.mark.parametrize("scale", ["matchpoints", "imps", "victory_points"])
def test_the_terms_of_the_rounds_add_up_to_the_points(scale: str) -> None:
    for seed in range(4):
        played = session(seed, 9, scale, movement="howell", missed=5)
        terms = terms_of_rounds(played)
        for entry, points in exact_points(played).items():
            assert sum(terms[entry].values()) == (points or 0)


def test_a_traveller_says_where_neubergs_formula_was_applied() -> None:
    played = session(1, 8, missed=4)
    lines = travellers(played)
    most = max(map(len, lines.values()))
    said = 0
    for each in lines.values():
        results = sum(is_played(line.board) for line in each)
        for line in each:
            is_short = is_played(line.board) and results < most
            assert line.factored == ((results, most) if is_short else ())
            said += is_short
    assert said
