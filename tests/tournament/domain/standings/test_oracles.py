"""Tie-breaks against those that others computed or published."""

from collections.abc import Mapping

import pytest

from tests.tournament.domain.standings.events import (
    TOURNAMENTS,
    carrom_event,
    round_robin_event,
    swiss_events,
)
from tournament.domain.standings.ranking import Standing, standings
from tournament.domain.standings.results_by_round import PLAYED, Course, courses
from tournament.domain.standings.values import Tournament


def rows_of(tournament: Tournament, *, after_round: int | None = None) -> dict[str, Standing]:
    return {row.entry: row for row in standings(tournament, after_round=after_round).rows}


def test_every_row_of_the_swiss_events_has_the_tie_breaks_of_the_tie_break_server() -> None:
    for tournament, expected in swiss_events(TOURNAMENTS / "swiss"):
        rows = rows_of(tournament)
        assert {
            entry: [row.points, *(value for _, value in row.tie_breaks)]
            for entry, row in rows.items()
        } == expected


def test_the_round_robin_has_its_published_points_sonneborn_berger_wins_and_koya() -> None:
    tournament, published = round_robin_event(TOURNAMENTS / "uzchess_cup.json")

    rows = rows_of(tournament)

    assert {
        entry: {"points": row.points, **dict(row.tie_breaks)} for entry, row in rows.items()
    } == published


# How many rows of each of the ten carrom events are touched by a round that somebody sat out.
TOUCHED: Mapping[str, int] = {
    "01": 7,
    "02": 0,
    "03": 3,
    "04": 2,
    "05": 7,
    "06": 7,
    "07": 5,
    "08": 0,
    "09": 7,
    "10": 0,
}


@pytest.mark.parametrize("number", TOUCHED)
def test_carrom_events_have_their_stored_points_net_score_and_buchholz_but_for_rounds_sat_out(
    number: str,
) -> None:
    """Their program counts a round sat out as an opponent without points, and who left by the
    points it had.

    FIDE puts a dummy into one's own unplayed rounds (C.07, 16.4) and counts the rounds after
    somebody left as draws for those who met them (16.3). So exactly these rows differ in Buchholz,
    each by that much. Event 02 was stored before it was ranked: nobody has points. The 25 points of
    score against a phantom are no score here.
    """
    tournament, ranked, stored = carrom_event(TOURNAMENTS / "carrom" / f"event_{number}.json")
    each = {entry: course[:ranked] for entry, course in courses(tournament).items()}
    draw = tournament.stage.scale.draw
    touched = 0
    for entry, row in rows_of(tournament, after_round=ranked).items():
        sat_out = sum(line.kind != PLAYED for line in each[entry])
        more = sat_out * min(row.points or 0, ranked * draw)
        more += sum(
            draw * rounds_after_leaving(each[opponent])
            for line in each[entry]
            for opponent in line.opponents
        )
        touched += more > 0
        assert row.points == stored[entry]["points"]
        assert dict(row.tie_breaks)["buchholz"] == stored[entry]["buchholz"] + more
        if not sat_out:
            assert dict(row.tie_breaks)["score_difference"] == (
                stored[entry]["score_difference"] if ranked else 0
            )
    assert touched == TOUCHED[number]


def rounds_after_leaving(course: Course) -> int:
    """How many rounds at the end somebody wasn't there for."""
    played = [line.round for line in course if line.kind not in ("half", "zero")]
    return len(course) - max(played, default=0)
