"""Who comes late may have half for each round missed: a bye asked for, to the standings and to
every tie-break.
"""

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import SWISS, Desk, drawn, played
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.results_by_round import courses
from tournament.domain.standings.values import Bye
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.byes import AskBye, DropBye
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.standings_view import field_of

LATE = MakeEntry(players=(("1", "late"), ("2", "later")), missed="half")


def after_two_rounds() -> Desk:
    desk = played(drawn(4, SWISS)).does(DrawRound(round=2), PublishRound(round=2))
    return played(desk)


def late_byes(desk: Desk) -> list[Bye]:
    return [bye for each in field_of(desk.now, {}).rounds for bye in each.byes if bye.entry == "5"]


def points_of(desk: Desk, entry: str) -> int:
    return next(
        row.points or 0 for row in standings(field_of(desk.now, {})).rows if row.entry == entry
    )


def test_a_late_entry_begins_with_half_for_each_round_missed() -> None:
    desk = after_two_rounds().does(LATE)

    assert late_byes(desk) == [Bye(entry="5", kind="half")] * 2
    assert points_of(desk, "5") == 100
    assert [type(event).__name__ for event in desk.events[-3:]] == [
        "EntryMade",
        "ByeAsked",
        "ByeAsked",
    ]
    assert [line.voluntary for line in courses(field_of(desk.now, {}))["5"]] == [True, True], (
        "it counts as asked for (C.07, 16.1)"
    )


def test_without_it_the_rounds_missed_count_nothing() -> None:
    desk = after_two_rounds().does(MakeEntry(players=LATE.players))

    assert late_byes(desk) == []
    assert points_of(desk, "5") == 0


def test_it_is_drawn_with_its_points() -> None:
    """After two rounds of four there are 2, 1, 1 and 0 points; with 1 the late entry meets one of
    those in the middle.
    """
    desk = after_two_rounds().does(LATE, DrawRound(round=3))

    met = {
        entry
        for table in desk.now.rounds[2].tables
        for entry in table.entries
        if "5" in table.entries
    } - {"5"}
    assert [points_of(desk, entry) for entry in met] in ([100], [200])
    assert field_of(desk.now, {}, before=3).rounds[0].byes == (Bye(entry="5", kind="half"),)


def test_it_is_given_and_taken_back_later_too() -> None:
    desk = after_two_rounds().does(LATE)
    before = desk.now

    desk.does(DropBye(entry="5", round=1))
    assert points_of(desk, "5") == 50
    desk.does(AskBye(entry="5", round=1, kind="half"))

    assert sorted(desk.now.entries[4].asked) == sorted(before.entries[4].asked)
    assert points_of(desk, "5") == 100


def test_a_round_before_it_joined_counts_half_or_nothing() -> None:
    desk = after_two_rounds().does(LATE)

    with pytest.raises(Refusal, match="counts nothing for it"):
        desk.does(AskBye(entry="5", round=1, kind="zero"))
    with pytest.raises(Refusal, match="is drawn already"):
        desk.does(AskBye(entry="1", round=1, kind="half"))


def test_a_file_says_it_by_byes_of_the_rounds_before() -> None:
    field = field_of(after_two_rounds().does(LATE).now, {})

    read = read_tournament(write_tournament(field))

    assert read == field
    assert standings(read) == standings(field)
