"""Tables of three to five and of four with partners: what counts there, whatever the size."""

from itertools import permutations
from typing import Any

import pytest

from scoring.errors import RuleViolation
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.results_by_round import courses
from tournament.domain.standings.scales import standing_points
from tournament.domain.standings.values import Result, Scale, SeatedTable
from tournament.domain.standings.writing import write_tournament


def a_file(kind: str, game: str, tables: list[dict[str, Any]], **stage: Any) -> dict[str, Any]:
    entries = [{"id": str(number), "players": [f"P{number}"]} for number in range(1, 10)]
    return {
        "format": "salon-tournament/1",
        "id": "many",
        "game": game,
        "stage": {"kind": kind, **stage},
        "entries": entries,
        "rounds": [{"tables": tables}],
    }


def of_scores(*scores: int) -> SeatedTable:
    return SeatedTable(
        table=1,
        entries=tuple(map(str, range(len(scores)))),
        results=tuple(Result(score=100 * score, chips=score) for score in scores),
    )


@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_places_of_a_table_are_worth_half_a_win_on_average_at_every_size(size: int) -> None:
    scale = Scale(kind="match", opponents=4)

    for scores in permutations(range(size)):
        points = standing_points(scale, of_scores(*scores))
        assert sum(points) == 50 * size
        assert max(points) == 100
        assert min(points) == 0


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_tie_at_a_table_of_many_is_half_of_what_lies_between(size: int) -> None:
    points = standing_points(Scale(kind="match", opponents=4), of_scores(*[7] * size))

    assert points == (50,) * size


@pytest.mark.parametrize("kind", ["chips", "points"])
def test_whoever_wins_the_same_from_each_opponent_counts_the_same_at_every_size(kind: str) -> None:
    scale = Scale(kind=kind, opponents=4)
    won = {
        size: standing_points(scale, of_scores(6 * (size - 1), *[-6] * (size - 1)))[0]
        for size in (3, 4, 5)
    }

    assert won == {3: 2400, 4: 2400, 5: 2400}


def test_a_file_of_pods_is_normalised_to_its_largest_table_and_written_so() -> None:
    tables = [
        {
            "table": 1,
            "entries": ["1", "2", "3"],
            "result": {"1": {"chips": 6}, "2": {"chips": -2}, "3": {"chips": -4}},
        }
    ]
    read = read_tournament(
        a_file(
            "pods", "contract_sabacc", tables, sizes=[5, 4, 3], rounds=3, scale={"kind": "chips"}
        )
    )

    assert read.stage.scale.opponents == 4
    assert read_tournament(write_tournament(read)) == read
    assert {row.entry: row.points for row in standings(read).rows}["1"] == 1200


def test_partners_at_a_table_of_single_players_count_together_and_are_no_opponents() -> None:
    result = {
        entry: {"score": 262 if entry in "13" else 187, "tricks": 8 if entry in "13" else 5}
        for entry in "1234"
    }
    read = read_tournament(
        a_file(
            "rotating",
            "precedence",
            [{"table": 1, "entries": ["1", "2", "3", "4"], "result": result, "hands": 1}],
            rounds=3,
        )
    )
    lines = {entry: course[0] for entry, course in courses(read).items()}

    assert [lines[entry].points for entry in "1234"] == [100, 0, 100, 0]
    assert lines["1"].opponents == ("2", "4")
    assert lines["1"].partners == ("3",)
    assert lines["1"].score_difference == 7500


def test_partners_can_not_have_different_scores() -> None:
    result = {"1": {"score": 9}, "2": {"score": 5}, "3": {"score": 8}, "4": {"score": 5}}

    with pytest.raises(RuleViolation, match="played together and have the same score"):
        read_tournament(
            a_file(
                "rotating",
                "precedence",
                [{"table": 1, "entries": ["1", "2", "3", "4"], "result": result}],
            )
        )


@pytest.mark.parametrize(
    ("kind", "game", "entries"),
    [("rotating", "precedence", ["1", "2"]), ("pods", "contract_sabacc", ["1", "2"])],
)
def test_a_table_with_the_wrong_number_of_entries_is_refused(
    kind: str, game: str, entries: list[str]
) -> None:
    with pytest.raises(RuleViolation, match="entries meet at a table of this stage, not 2"):
        read_tournament(a_file(kind, game, [{"table": 1, "entries": entries}], rounds=3))
