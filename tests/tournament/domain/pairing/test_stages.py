"""Several stages with a cut between them: laws over tournaments played by chance, and the cuts by
hand.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.errors import NotationError, RuleViolation
from tests.tournament.domain.pairing.cups import ROBIN, SWISS, by_points, played_on, several
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.stages import draw_next, is_over
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.stages import (
    courses_of_stages,
    cut_of,
    of_stage,
    stage_standings,
    whole_standings,
    with_cuts,
)
from tournament.domain.standings.values import (
    Movement,
    Result,
    Stage,
    Takes,
    Tournament,
)
from tournament.domain.standings.writing import write_tournament

FINAL = Stage(kind="knockout", takes=Takes(from_stage=2, top=2))
EVENTS = 12


def whole(seed: int, count: int | None = None) -> Tournament:
    """A Swiss, a round robin of its first four and a final of two, played to the end."""
    chance = Random(seed)
    tournament = several(count or chance.randrange(4, 14), SWISS, ROBIN, FINAL, seed=seed)
    while not (tournament.stage.kind == "knockout" and is_over(of_stage(tournament, 3))):
        tournament = played_on(tournament, chance)
    return tournament


@pytest.mark.parametrize("seed", range(EVENTS))
def test_the_first_stage_is_the_tournament_without_the_later_ones(seed: int) -> None:
    played = whole(seed)
    alone = replace(
        played,
        stage=SWISS,
        stages=(),
        rounds=tuple(each for each in played.rounds if each.stage == 1),
    )

    assert of_stage(played, 1) == alone
    assert stage_standings(played, 1) == standings(alone)


@pytest.mark.parametrize("seed", range(EVENTS))
def test_the_whole_ranks_every_entry_once_and_the_last_stage_first(seed: int) -> None:
    played = whole(seed)
    rows = whole_standings(played).rows

    assert sorted(row.entry for row in rows) == sorted(entry.id for entry in played.entries)
    assert {row.entry for row in rows[:2]} == {entry.id for entry in of_stage(played, 3).entries}
    assert {row.entry for row in rows[:4]} == {entry.id for entry in of_stage(played, 2).entries}
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    first = [row.entry for row in stage_standings(played, 1).rows]
    assert [row.entry for row in rows[4:]] == [
        each for each in first if each not in {row.entry for row in rows[:4]}
    ]


@pytest.mark.parametrize("seed", range(EVENTS))
def test_a_cut_is_the_top_of_the_standings_before_it(seed: int) -> None:
    played = whole(seed)
    rows = stage_standings(played, 1).rows
    cut = cut_of(played, 2)

    assert {row.rank for row in rows if row.entry in cut.entries} <= {1, 2, 3, 4}
    assert list(cut.entries) == [entry.id for entry in of_stage(played, 2).entries]
    if cut.missed is not None:
        found = {row.entry: row for row in rows}
        made, missed = found[cut.made], found[cut.missed]
        values: dict[str, Any] = {
            "points": (made.points, missed.points),
            "lots": (100, 200),
        }
        both = dict(made.tie_breaks), dict(missed.tie_breaks)
        assert cut.values == values.get(
            cut.criterion, tuple(each.get(cut.criterion) for each in both)
        )
        assert cut.values[0] != cut.values[1]


@pytest.mark.parametrize("seed", range(EVENTS))
def test_points_of_the_courses_are_the_points_of_the_stages(seed: int) -> None:
    played = whole(seed)
    courses = courses_of_stages(played)

    for entry, course in courses.items():
        assert [line.round for line in course] == sorted({line.round for line in course})
        row = next(row for row in whole_standings(played).rows if row.entry == entry)
        numbers = [
            number
            for number, each in enumerate(played.rounds, start=1)
            if each.stage == (1 if row.rank > 4 else 2 if row.rank > 2 else 3)
        ]
        assert row.points == sum(line.points for line in course if line.round in numbers)


@pytest.mark.parametrize("seed", range(EVENTS))
def test_a_file_of_several_stages_is_read_back_the_same(seed: int) -> None:
    played = whole(seed)

    assert read_tournament(write_tournament(played)) == played
    settled = with_cuts(played)
    assert read_tournament(write_tournament(settled)) == settled
    assert whole_standings(settled) == whole_standings(played)


def test_rounds_are_numbered_on_and_drawn_as_the_stage_alone_would_be() -> None:
    played = whole(3, count=9)
    second = next(place for place, each in enumerate(played.rounds) if each.stage == 2)
    before = replace(played, rounds=played.rounds[: second + 1], stage=ROBIN)
    drawn, alone = draw_next(before), draw(of_stage(before, 2))

    assert (drawn.round, alone.round) == (5, 2)
    assert [table.entries for table in drawn.tables] == [table.entries for table in alone.tables]
    assert alone.digest == drawn.digest


def test_points_decide_at_the_edge_where_they_differ() -> None:
    cut = cut_of(by_points(600, 500, 400, 300, 200, 100), 2)

    assert cut.entries == ("1", "2", "3", "4")
    assert (cut.made, cut.missed, cut.criterion, cut.values) == ("4", "5", "points", (300, 200))


def test_of_equal_points_the_first_tie_break_that_differs_decides() -> None:
    tournament = by_points(600, 500, 400, 300, 300, 100)
    table = replace(
        tournament.rounds[0].tables[2],
        results=(Result(points=0, score=300), Result(points=0, score=0)),
    )
    changed = replace(tournament.rounds[0], tables=(*tournament.rounds[0].tables[:2], table))
    cut = cut_of(replace(tournament, rounds=(changed,)), 2)

    assert cut.entries[-1] == "5"
    assert (cut.made, cut.missed, cut.criterion) == ("5", "4", "score_difference")
    assert cut.values == (300, 0)


def test_equals_in_everything_are_parted_by_a_lot_that_stays_the_same() -> None:
    tournament = by_points(600, 500, 400, 300, 300, 300)
    cuts = {cut_of(replace(tournament, seed=seed), 2).made for seed in range(40)}
    cut = cut_of(tournament, 2)

    assert cuts == {"4", "5", "6"}
    assert (cut.criterion, cut.values) == ("lots", (100, 200))
    assert cut_of(tournament, 2) == cut


def test_where_lots_alone_part_equals_no_tie_break_does() -> None:
    tournament = by_points(600, 500, 400, 300, 300, 100, tie_breaks=("lots",))
    takes = replace(ROBIN, takes=Takes(top=4, ties="lots"))
    made = {
        cut_of(replace(tournament, stages=(tournament.stages[0], takes), seed=seed), 2).made
        for seed in range(40)
    }

    assert made == {"4", "5"}


def test_who_has_withdrawn_is_passed_over_and_the_next_moves_up() -> None:
    tournament = by_points(600, 500, 400, 300, 200, 100)
    gone = replace(tournament.entries[1], withdrawn_after=1)
    cut = cut_of(
        replace(tournament, entries=(tournament.entries[0], gone, *tournament.entries[2:])), 2
    )

    assert cut.entries == ("1", "3", "4", "5")
    assert (cut.passed, cut.made, cut.missed) == (("2",), "5", "6")


def test_who_withdraws_in_a_later_stage_played_all_of_the_first() -> None:
    played = whole(3, count=9)
    first = of_stage(played, 1)
    left = played.entries[0]
    changed = replace(left, withdrawn_after=4)
    after = replace(played, cuts=with_cuts(played).cuts, entries=(changed, *played.entries[1:]))

    assert of_stage(after, 1) == first


def test_a_cut_larger_than_the_field_says_what_would_work() -> None:
    with pytest.raises(RuleViolation, match="take 2 to 3") as refusal:
        draw_next(several(3, SWISS, ROBIN))

    assert refusal.value.path == "stages[1].takes.top"


@pytest.mark.parametrize(
    ("change", "words", "path"),
    [
        ({"stages": []}, "a stage or more", "stages"),
        ({"stage": {"kind": "swiss"}}, "not both", "stages"),
        (
            {"stages": [{"kind": "swiss", "takes": {"top": 4}}]},
            "takes everybody",
            "stages[0].takes",
        ),
        (
            {"stages": [{"kind": "swiss"}, {"kind": "knockout"}]},
            "how many of the stage before",
            "stages[1].takes",
        ),
        (
            {"stages": [{"kind": "swiss"}, {"kind": "knockout", "takes": {"from": 2, "top": 4}}]},
            "from stage 1",
            "stages[1].takes.from",
        ),
        (
            {"stages": [{"kind": "swiss"}, {"kind": "knockout", "takes": {"top": 1}}]},
            "2",
            "stages[1].takes.top",
        ),
    ],
)
def test_stages_that_can_not_follow_each_other_are_refused(
    change: dict[str, object], words: str, path: str
) -> None:
    written = write_tournament(several(6, SWISS, ROBIN))
    with pytest.raises(NotationError, match=words) as refusal:
        read_tournament(written | change)

    assert refusal.value.path == path


def test_nobody_is_seated_in_a_stage_that_it_did_not_reach() -> None:
    played = whole(3, count=9)
    out = next(row.entry for row in whole_standings(played).rows[::-1])
    written = write_tournament(played)
    written["rounds"][3]["tables"][0]["entries"][0] = out
    result = written["rounds"][3]["tables"][0]["result"]
    result[out] = result.pop(next(iter(result)))

    with pytest.raises(RuleViolation) as refusal:
        read_tournament(written)
    assert refusal.value.code == "not_qualified"


def test_rounds_stand_in_the_order_of_their_stages() -> None:
    written = write_tournament(whole(3, count=9))
    written["rounds"][0]["stage"] = 2

    with pytest.raises(RuleViolation, match="stage 1"):
        read_tournament(written)


@pytest.mark.parametrize("seed", range(EVENTS))
def test_the_best_of_two_directions_meet_those_of_the_other_first(seed: int) -> None:
    mitchell = Stage(kind="movement", movement=Movement(movement="mitchell", winners=2))
    final = Stage(kind="knockout", takes=Takes(top=4))
    tournament, chance = several(10, mitchell, final, seed=seed), Random(seed)
    while tournament.stage.kind == "movement" and not is_over(of_stage(tournament, 1)):
        tournament = played_on(tournament, chance)
    side = {row.entry: row.side for row in standings(of_stage(tournament, 1)).rows}

    one, two, three, four = cut_of(tournament, 2).entries
    assert sorted(map(side.__getitem__, (one, two, three, four))) == ["EW", "EW", "NS", "NS"]
    assert side[one] != side[four]
    assert side[two] != side[three]
