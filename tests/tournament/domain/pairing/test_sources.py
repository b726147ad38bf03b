"""A stage that takes entries of several earlier ones: laws over standings in every order, and what
can't be had.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.errors import NotationError, RuleViolation
from tests.tournament.domain.pairing.cups import by_points, played_on, several
from tournament.domain.pairing.redraw import redrawn
from tournament.domain.pairing.stages import draw_next, is_over
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.stages import (
    cut_of,
    of_stage,
    play_offs_at,
    stage_standings,
    whole_standings,
    with_cuts,
)
from tournament.domain.standings.values import (
    BY_LOTS,
    BY_PLAY_OFF,
    BY_TIE_BREAKS,
    Movement,
    PlayOff,
    Stage,
    Takes,
    Tournament,
)
from tournament.domain.standings.writing import write_tournament

FIRST = Stage(kind="swiss", rounds=2, tie_breaks=("buchholz", "score_difference"))
EVENTS = 10


def play_in(ties: str = BY_TIE_BREAKS) -> Stage:
    return Stage(kind="knockout", takes=Takes(first=5, top=8, ties=ties))


def final(ties: str = BY_TIE_BREAKS) -> Stage:
    return Stage(kind="knockout", takes=Takes(top=4, ties=ties), also=(Takes(from_stage=2, top=4),))


def played_off(tournament: Tournament, number: int, chance: Random) -> Tournament:
    """The same after everybody who had to play off before a stage did, by chance."""
    asked = [each for each in play_offs_at(tournament, number) if not each.order]
    while asked:
        order = list(asked[0].entries)
        chance.shuffle(order)
        found = PlayOff(stage=asked[0].stage, order=tuple(order))
        tournament = replace(tournament, play_offs=(*tournament.play_offs, found))
        asked = [each for each in play_offs_at(tournament, number) if not each.order]
    return tournament


def whole(seed: int, ties: str = BY_TIE_BREAKS) -> Tournament:
    """A Swiss, a play-in of its places 5 to 12, and a final of its first four and four of the
    play-in, played to the end.
    """
    chance = Random(seed)
    tournament = several(chance.randrange(12, 18), FIRST, play_in(ties), final(ties), seed=seed)
    for number in (1, 2, 3):
        while not is_over(of_stage(tournament, number)):
            tournament = played_on(tournament, chance)
        if number < 3:
            tournament = played_off(tournament, number + 1, chance)
    return with_cuts(tournament)


@pytest.mark.parametrize("ties", [BY_TIE_BREAKS, BY_LOTS, BY_PLAY_OFF])
@pytest.mark.parametrize("seed", range(EVENTS))
def test_fields_of_sources_are_disjoint_and_as_large_as_they_say(seed: int, ties: str) -> None:
    played = whole(seed, ties)
    below, cut = cut_of(played, 2), cut_of(played, 3)
    direct, won = cut.parts

    assert [len(below.entries), len(direct.entries), len(won.entries)] == [8, 4, 4]
    assert not set(direct.entries) & set(below.entries)
    assert set(won.entries) < set(below.entries)
    assert cut.entries == (*direct.entries, *won.entries)
    points = {row.entry: row.points or 0 for row in stage_standings(played, 1).rows}
    assert min(points[each] for each in direct.entries) >= max(
        points[each] for each in below.entries
    )
    left = set(points) - set(direct.entries) - set(below.entries)
    assert all(points[each] <= min(points[one] for one in below.entries) for each in left)


@pytest.mark.parametrize("seed", range(EVENTS))
def test_the_whole_ranks_who_waits_above_the_play_in(seed: int) -> None:
    played = whole(seed)
    waiting = set(cut_of(played, 3).parts[0].entries)
    before = sum(each.stage < 3 for each in played.rounds)
    rows = whole_standings(played, after_round=before).rows

    assert {row.entry for row in rows[:4]} == waiting
    assert {row.entry for row in rows[4:12]} == set(cut_of(played, 2).entries)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    end = whole_standings(played).rows
    assert {row.entry for row in end[:8]} == set(cut_of(played, 3).entries)
    assert sorted(row.entry for row in end) == sorted(entry.id for entry in played.entries)


@pytest.mark.parametrize("ties", [BY_TIE_BREAKS, BY_PLAY_OFF])
@pytest.mark.parametrize("seed", range(EVENTS))
def test_a_file_with_several_sources_is_read_back_and_drawn_the_same(seed: int, ties: str) -> None:
    played = whole(seed, ties)

    assert read_tournament(write_tournament(played)) == played
    assert all(each.same for each in redrawn(played))
    first = [each for each in played.rounds if each.stage == 1]
    early = replace(played, rounds=tuple(first), cuts=(), stage=FIRST)
    again = read_tournament(write_tournament(early))
    assert draw_next(again) == draw_next(early)


@pytest.mark.parametrize("ties", [BY_TIE_BREAKS, BY_LOTS])
@pytest.mark.parametrize("seed", range(EVENTS))
def test_places_side_by_side_part_the_standings_however_they_are_shuffled(
    seed: int, ties: str
) -> None:
    """Places 1 to 3, 4 to 6 and 7 to 9 are everybody among the first nine, once, whatever ties."""
    chance = Random(seed)
    points = [100 * chance.randrange(4) for _ in range(12)]
    thirds = [Takes(first=first, top=3, ties=ties) for first in (1, 4, 7)]
    stages = [
        Stage(kind="round_robin", takes=takes, also=tuple(also))
        for takes, *also in ([thirds[0]], [thirds[1]], thirds)
    ]
    base = by_points(*points)
    tournament = replace(base, stages=(base.stages[0], *stages), seed=seed)
    parts = [cut_of(tournament, number).entries for number in (2, 3)]
    together = cut_of(tournament, 4)

    assert [each.entries for each in together.parts[:2]] == parts
    assert len(set(together.entries)) == 9
    reached = {str(place): each for place, each in enumerate(points, start=1)}
    order = [reached[entry] for entry in together.entries]
    assert order == sorted(points, reverse=True)[:9]


def test_who_qualifies_twice_is_in_by_the_first_source_and_the_next_moves_up() -> None:
    base = by_points(600, 500, 400, 300, 200, 100)
    second = Stage(kind="swiss", rounds=1, takes=Takes(top=2))
    third = Stage(
        kind="round_robin", takes=Takes(from_stage=2, top=1), also=(Takes(from_stage=1, top=3),)
    )
    tournament = replace(base, stages=(base.stages[0], second, third))
    tournament = played_on(tournament, Random(1))
    cut = cut_of(tournament, 3)
    winner = stage_standings(tournament, 2).rows[0].entry

    assert cut.entries[0] == winner
    assert set(cut.entries) == {"1", "2", "3", "4"}
    assert cut.parts[1].doubled == (winner,)
    assert (cut.parts[1].made, cut.parts[1].missed) == ("4", "5")


def test_who_has_withdrawn_is_passed_over_and_places_move_up() -> None:
    base = by_points(600, 500, 400, 300, 200, 100)
    tournament = replace(
        base,
        stages=(base.stages[0], Stage(kind="round_robin", takes=Takes(first=3, top=2))),
        entries=(replace(base.entries[0], withdrawn_after=1), *base.entries[1:]),
    )
    cut = cut_of(tournament, 2)

    assert cut.entries == ("4", "5")
    assert (cut.above, cut.above_criterion, cut.above_values) == ("3", "points", (400, 300))
    assert (cut.missed, cut.criterion, cut.values) == ("6", "points", (200, 100))


def test_a_stage_waits_until_those_who_are_level_have_played_it_off() -> None:
    base = by_points(600, 500, 300, 300, 300, 100, tie_breaks=("lots",))
    takes = Stage(kind="round_robin", takes=Takes(top=4, ties=BY_PLAY_OFF))
    tournament = replace(base, stages=(base.stages[0], takes))

    with pytest.raises(RuleViolation, match="play off for 2 of the places from place 3") as refusal:
        cut_of(tournament, 2)
    assert refusal.value.code == "play_off_missing"
    (level,) = play_offs_at(tournament, 2)
    assert (set(level.entries), level.first, level.places) == ({"3", "4", "5"}, 3, 2)
    decided = replace(tournament, play_offs=(PlayOff(stage=1, order=("5", "3", "4")),))
    cut = cut_of(decided, 2)
    assert cut.entries == ("1", "2", "5", "3")
    assert (cut.made, cut.missed, cut.criterion, cut.values) == (
        *("3", "4", "play_off"),
        (200, 300),
    )


def test_where_points_differ_at_the_edge_nobody_plays_off() -> None:
    base = by_points(600, 500, 400, 300, 200, 100)
    takes = Stage(kind="round_robin", takes=Takes(top=4, ties=BY_PLAY_OFF))

    assert play_offs_at(replace(base, stages=(base.stages[0], takes)), 2) == ()


def test_a_play_off_of_fewer_than_are_level_by_now_decides_nothing() -> None:
    base = by_points(600, 500, 300, 300, 300, 100)
    takes = Stage(kind="round_robin", takes=Takes(top=4, ties=BY_PLAY_OFF))
    early = PlayOff(stage=1, order=("4", "3"))

    with pytest.raises(RuleViolation, match="play off for 2"):
        cut_of(replace(base, stages=(base.stages[0], takes), play_offs=(early,)), 2)


def test_each_direction_of_a_mitchell_plays_off_for_itself() -> None:
    mitchell = Stage(kind="movement", movement=Movement(movement="mitchell", winners=2))
    takes = Stage(kind="knockout", takes=Takes(top=4, ties=BY_PLAY_OFF))
    for seed in range(EVENTS):
        chance, tournament = Random(seed), several(12, mitchell, takes, seed=seed)
        while not is_over(of_stage(tournament, 1)):
            tournament = played_on(tournament, chance)
        side = {row.entry: row.side for row in stage_standings(tournament, 1).rows}
        for level in play_offs_at(tournament, 2):
            assert len({side[entry] for entry in level.entries}) == 1
        cut = cut_of(played_off(tournament, 2, chance), 2)
        assert sorted(side[entry] for entry in cut.entries) == ["EW", "EW", "NS", "NS"]


def sources(*given: dict[str, Any], second: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """A Swiss, a stage of the first eight, and one with these sources."""
    return [
        {"kind": "swiss", "rounds": 1},
        {"kind": "knockout", "takes": second or {"from": 1, "top": 8}},
        {"kind": "knockout", "takes": list(given)},
    ]


@pytest.mark.parametrize(
    ("stages", "words", "path"),
    [
        (sources(), "a source or more", "stages[2].takes"),
        (sources({"from": 3, "top": 4}), "earlier stage, 1 to 2", "stages[2].takes.from"),
        (
            sources({"from": 1, "top": 4}, {"from": 1, "places": [4, 6]}),
            "place 4 of stage 1 is taken twice; take places from 5 on",
            "stages[2].takes[1].places",
        ),
        (
            sources({"from": 2, "top": 4}, {"from": 2, "places": [8, 5]}),
            "8",
            "stages[2].takes[1].places[1]",
        ),
        (
            sources({"from": 1, "places": [5]}, {"from": 2, "top": 4}),
            r"\[5, 12\]",
            "stages[2].takes[0].places",
        ),
        (
            sources({"from": 1, "top": 4, "places": [1, 4]}, {"from": 2, "top": 4}),
            "not both",
            "stages[2].takes[0].places",
        ),
        (
            sources(
                {"from": 1, "top": 4},
                {"from": 2, "top": 4},
                second={"from": 1, "places": [5, 12], "ties": "play_off"},
            ),
            "parted for stage 2 by play_off; say the same here",
            "stages[2].takes[0].ties",
        ),
    ],
)
def test_sources_that_can_not_be_are_refused_with_what_would_work(
    stages: list[dict[str, Any]], words: str, path: str
) -> None:
    written = write_tournament(several(14, FIRST))

    with pytest.raises(NotationError, match=words) as refusal:
        read_tournament(written | {"stages": stages})
    assert refusal.value.path == path


def test_places_beyond_the_field_are_refused_before_anything_is_drawn() -> None:
    draw_next(several(12, FIRST, play_in(), final()))

    with pytest.raises(RuleViolation, match="there are 9; take places up to 9") as refusal:
        draw_next(several(9, FIRST, play_in(), final()))
    assert refusal.value.path == "stages[1].takes.places"


def test_a_source_is_written_as_it_was_where_there_is_but_one() -> None:
    stages = write_tournament(several(14, FIRST, play_in(), final(BY_LOTS)))["stages"]

    assert stages[1]["takes"] == {"from": 1, "places": [5, 12]}
    assert stages[2]["takes"] == [{"from": 1, "top": 4, "ties": "lots"}, {"from": 2, "top": 4}]
    plain = write_tournament(several(14, FIRST, Stage(kind="knockout", takes=Takes(top=4))))
    assert plain["stages"][1]["takes"] == {"from": 1, "top": 4}
    assert "play_offs" not in plain


@pytest.mark.parametrize(
    ("play_off", "words", "path"),
    [
        ({"stage": 2, "order": ["1", "2"]}, "with a play-off", "play_offs[0].stage"),
        ({"stage": 1, "order": ["1"]}, "each once", "play_offs[0].order"),
        ({"stage": 1, "order": ["1", "1"]}, "each once", "play_offs[0].order"),
        ({"stage": 1, "order": ["1", "99"]}, "each once", "play_offs[0].order"),
    ],
)
def test_a_play_off_of_nobody_is_refused(play_off: dict[str, Any], words: str, path: str) -> None:
    takes = Stage(kind="round_robin", takes=Takes(top=4, ties=BY_PLAY_OFF))
    tournament = played_on(several(6, replace(FIRST, rounds=1), takes), Random(1))
    written = write_tournament(tournament)

    with pytest.raises(RuleViolation, match=words) as refusal:
        read_tournament(written | {"play_offs": [play_off]})
    assert (refusal.value.code, refusal.value.path) == ("bad_play_off", path)
