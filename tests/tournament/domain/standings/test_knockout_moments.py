"""A knock-out as it was at every moment: who leaves later was there before, and who plays for third
place is third until that match is decided.
"""

from dataclasses import replace

import pytest

from tests.tournament.domain.standings.played_formats import FORMATS, an_event, rounds_of
from tournament.domain.brackets.values import Knockout
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.redraw import redrawn
from tournament.domain.season.rules import BY_PLACE, SeasonRule
from tournament.domain.season.table import Placed, season_table
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import (
    Entry,
    Result,
    Round,
    SeatedTable,
    Stage,
    Tournament,
)


def of_four(*rounds: Round) -> Tournament:
    stage = Stage(kind="knockout", knockout=Knockout(third_place=True))
    entries = tuple(Entry(id=each, name=each, players=(each,)) for each in "1234")
    return Tournament(
        id="k", name="K", game="precedence", seed=0, stage=stage, entries=entries, rounds=rounds
    )


def won(match: int, winner: str, loser: str, *, excused: bool = False) -> SeatedTable:
    results = () if excused else (Result(points=100), Result(points=0))
    return SeatedTable(
        table=match, entries=(winner, loser), match=match, results=results, excused=excused
    )


def ranks(event: Tournament) -> dict[str, int]:
    return {row.entry: row.rank for row in standings(event).rows}


SEMIS = Round(tables=(won(1, "1", "4"), won(2, "2", "3")))
FINAL = won(3, "1", "2")


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        ((), {"1": 1, "2": 1, "3": 1, "4": 1}),
        ((Round(tables=(won(1, "1", "4"),)),), {"1": 1, "2": 1, "3": 1, "4": 3}),
        ((SEMIS,), {"1": 1, "2": 1, "3": 3, "4": 3}),
        ((SEMIS, Round(tables=(FINAL,))), {"1": 1, "2": 2, "3": 3, "4": 3}),
        (
            (SEMIS, Round(tables=(FINAL, won(4, "3", "4", excused=True)))),
            {"1": 1, "2": 2, "3": 3, "4": 3},
        ),
        ((SEMIS, Round(tables=(won(4, "4", "3"),))), {"1": 1, "2": 1, "3": 4, "4": 3}),
        ((SEMIS, Round(tables=(FINAL, won(4, "4", "3")))), {"1": 1, "2": 2, "3": 4, "4": 3}),
    ],
)
def test_the_beaten_of_the_semi_finals_share_third_place_until_it_is_played(
    rounds: tuple[Round, ...], expected: dict[str, int]
) -> None:
    assert ranks(of_four(*rounds)) == expected


def test_a_season_gives_the_champion_the_points_of_the_first_place() -> None:
    rows = standings(of_four(SEMIS, Round(tables=(FINAL,)))).rows
    placed = [Placed(players=(row.entry,), rank=row.rank, points=row.points or 0) for row in rows]
    rule = SeasonRule(points=BY_PLACE, places=(1000, 600, 300, 100))
    table = season_table(rule, [("cup", placed)])
    assert {row.player: row.points for row in table.rows} == {
        "1": 1000,
        "2": 600,
        "3": 200,
        "4": 200,
    }


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_whoever_leaves_later_changes_nothing_in_earlier_rounds(name: str) -> None:
    scale = "built" if name == "duplicate" else "match"
    scale = "matchpoints" if name == "duplicate by matchpoints" else scale
    moments = [
        replace(each, entries=tuple(replace(one, withdrawn_after=None) for one in each.entries))
        for each in list(rounds_of(an_event(name, scale)))[:3]
    ]
    for number, before in enumerate(moments):
        for place, entry in enumerate(before.entries):
            entries = list(before.entries)
            entries[place] = replace(entry, withdrawn_after=number + 1)
            later = replace(before, entries=tuple(entries))
            assert standings(later) == standings(before)
            if number < len(moments) - 1:
                assert draw(later).digest == draw(before).digest
                assert draw(later).tables == draw(before).tables


@pytest.mark.parametrize("name", ["knockout", "double knockout"])
def test_a_whole_knock_out_with_one_who_left_is_drawn_again_as_it_was(name: str) -> None:
    for seed in range(4):
        *_before, played = rounds_of(an_event(name, "match", seed=seed))
        for each in redrawn(played):
            assert each.refused is None, each.refused
            assert each.same
