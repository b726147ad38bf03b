"""TRF16 out of Swiss events: read back by the reader of the material, it comes to the same
standings.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from scoring.errors import RuleViolation
from tests.material import files, text_of
from tests.tournament.domain.standings.events import TOURNAMENTS, swiss_event, tournament_of
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import (
    Bye,
    Entry,
    Result,
    Round,
    Scale,
    SeatedTable,
    Tournament,
)
from tournament.formats.trf import Header, trf_of

EVENTS = files(TOURNAMENTS, "swiss/*.trf")
WON, LOST, HALF = Result(points=100), Result(points=0), Result(points=50)


def report(tournament: Tournament) -> str:
    names = {entry.id: entry.name for entry in tournament.entries}
    return trf_of(Header(name=tournament.name), tournament, standings(tournament), names)


def players(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("001")]


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_a_report_read_again_is_the_same_event(path: Path) -> None:
    event = swiss_event(text_of(path))

    again = swiss_event(report(event))

    assert standings(again).rows == standings(event).rows
    assert again.rounds == event.rounds


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_every_round_stands_in_the_columns_where_the_other_program_put_it(path: Path) -> None:
    """Numbers and results; who asks for no game is a zero bye here and blank there."""
    theirs = text_of(path)

    ours = report(swiss_event(theirs))

    for line, given in zip(players(ours), players(theirs), strict=True):
        assert line[:8] == given[:8]
        assert line[80:84] == given[80:84]
        for column in range(91, len(given.rstrip()), 10):
            cell, other = line[column : column + 8], given[column : column + 8].ljust(8)
            opponent = other[:4].strip()
            assert (
                (cell[:4], cell[7]) == (other[:4], other[7])
                if opponent not in ("", "0000")
                else cell[:4] == "0000"
            )


def test_byes_forfeits_and_absences_have_their_letters() -> None:
    rounds = [
        Round(
            tables=(SeatedTable(table=1, entries=("A", "B"), results=(WON, LOST), forfeit=True),),
            byes=(Bye(entry="C"),),
        ),
        Round(
            tables=(SeatedTable(table=1, entries=("C", "A"), results=(HALF, HALF)),),
            byes=(Bye(entry="B", kind="half"),),
        ),
        Round(tables=(SeatedTable(table=1, entries=("B", "C")),), byes=()),
    ]
    lines = players(report(tournament_of(rounds, ["A", "B", "C"])))

    assert [line[91:] for line in lines] == [
        "   2 w +     3 b =",
        "   1 b -  0000 - H",
        "0000 - U     1 w =",
    ]


def test_a_name_keeps_to_its_columns_and_its_line() -> None:
    event = tournament_of([], ["1"])
    event = replace(
        event,
        entries=(Entry(id="1", name="A" * 50 + "\nB", players=("A",), rating=1510, club="Core"),),
    )

    (line,) = players(report(event))

    assert line[14:47] == "A" * 33
    assert line[48:52] == "1510"


def test_an_event_of_another_scale_is_refused_and_told_why() -> None:
    event = tournament_of([], ["1"], scale=Scale(kind="margin", steps=(500,)))

    with pytest.raises(RuleViolation, match="the scale of this tournament has to be match"):
        report(event)
