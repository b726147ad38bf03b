"""TRF16 out of Swiss events: read back by the reader of the material, it comes to the same
standings.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import NotationError, RuleViolation
from tests.material import files, text_of
from tests.tournament.domain.standings.events import TOURNAMENTS, swiss_event, tournament_of
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import (
    Bye,
    Entry,
    Result,
    Round,
    Scale,
    SeatedTable,
    Tournament,
)
from tournament.formats.list_files import check_text
from tournament.formats.trf import Header, trf_of
from tournament.formats.trf_reading import is_trf, read_trf

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

    for line, told in zip(players(ours), players(theirs), strict=True):
        assert line[:8] == told[:8]
        assert line[80:84] == told[80:84]
        for column in range(91, len(told.rstrip()), 10):
            cell, other = line[column : column + 8], told[column : column + 8].ljust(8)
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


def read_again(text: str) -> Tournament:
    return read_tournament(read_trf(text))


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_our_own_reader_has_the_same_rounds_as_the_other(path: Path) -> None:
    theirs, ours = swiss_event(text_of(path)), read_again(text_of(path))

    assert [_met(each) for each in ours.rounds] == [_met(each) for each in theirs.rounds]
    assert [entry.id for entry in ours.entries] == [entry.id for entry in theirs.entries]


def _met(each: Round) -> set[frozenset[tuple[str, int | None]]]:
    return {
        frozenset(zip(table.entries, (result.points for result in table.results), strict=True))
        for table in each.tables
    }


@st.composite
def generated_events(draw: st.DrawFn) -> Tournament:
    """Swiss events of all that can happen: wins, draws, forfeits, byes, absences, other scales."""
    names = [str(number) for number in range(1, draw(st.integers(2, 7)) + 1)]
    win, half, loss = draw(st.sampled_from([(100, 50, 0), (300, 100, 0), (200, 150, 100)]))
    scale = Scale(win=win, draw=half, loss=loss, bye=draw(st.sampled_from([win, half, 0])))
    rounds: list[Round] = []
    met = set[frozenset[str]]()
    for _number in range(draw(st.integers(1, 3))):
        order = draw(st.permutations(names))
        tables: list[SeatedTable] = []
        while len(order) > 1 and frozenset(order[:2]) not in met and draw(st.booleans()):
            met.add(frozenset(order[:2]))
            one, two = draw(st.sampled_from([(win, loss), (loss, win), (half, half)]))
            results = (Result(points=one), Result(points=two))
            tables.append(
                SeatedTable(table=len(tables) + 1, entries=tuple(order[:2]), results=results)
            )
            order = order[2:]
        if not tables:
            continue
        kinds = [None, "half", "zero", "full"]
        byes = [(entry, draw(st.sampled_from(kinds))) for entry in order]
        rounds.append(
            Round(
                tables=tuple(tables),
                byes=tuple(Bye(entry=entry, kind=kind) for entry, kind in byes if kind),
            )
        )
    event = tournament_of(rounds, names, scale=scale)
    return replace(event, stage=replace(event.stage, rounds=max(1, len(rounds))))


@settings(max_examples=60, deadline=None)
@given(generated_events())
def test_what_is_written_is_read_again_the_same(event: Tournament) -> None:
    written = report(event)

    again = read_again(written)

    def seen(each: Tournament) -> list[object]:
        return [
            (
                {(table.entries, table.results, table.forfeit) for table in one.tables},
                {(bye.entry, bye.kind) for bye in one.byes},
            )
            for one in each.rounds
        ]

    assert seen(again) == seen(event)
    assert again.stage.scale == event.stage.scale
    assert again.stage.rounds == event.stage.rounds
    assert standings(again).rows == standings(event).rows
    assert report(again) == written.replace(f"012 {event.name}", f"012 {again.name}")


PLAYER = "001    1      Casadei, Mara                     1510                             1.0    1"
OTHER = "001    2      Kit Two                                                            0.0    2"
CASES = [
    (
        f"{PLAYER}     2 w 1\n{OTHER.replace('0.0', '1.0')}     1 b 0",
        "line 2, column 81: the rounds of",
    ),
    (f"{PLAYER}     2 w 1\n{OTHER}     1 b =", "line 1, column 99: “1” here and “=” of player 2"),
    (f"{PLAYER}     2 w 1\n{OTHER}     1 w 0", "line 1, column 97: by the line of the opponent"),
    (f"{PLAYER}     3 w 1\n{OTHER}     1 b 0", "line 1, column 92: there is no player 3"),
    (f"{PLAYER}     2 w 1\n{OTHER}  0000 - Z", "line 1, column 92: in round 1 player 1 met 2"),
    (f"{PLAYER}     2 w X\n{OTHER}     1 b 0", "line 1, column 99: one of 1 = 0 +"),
    (f"{PLAYER}     2 w 1\n{PLAYER}     2 w 1", "line 2, column 5: the player in line 1 has"),
    (f"{PLAYER.replace('1.0', 'one')}\n", "line 1, column 81: points such as 3.5"),
    (f"{PLAYER}  0000 - U\n013 Team\n", "line 2, column 1: record 013 is of teams"),
    (f"{PLAYER}  0000 - =\n", "line 1, column 99: without an opponent"),
    ("012 Nobody\n", "a report has players"),
]


@pytest.mark.parametrize(("text", "words"), CASES)
def test_what_can_not_be_in_a_report_is_said_by_line_and_column(text: str, words: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_trf(text)

    assert words in str(refusal.value)


def test_records_of_trf26_are_read() -> None:
    text = (
        "### a comment\n012 Cup\n142 5\n162  W 3.0    D 1.0    P 1.0\n192 FIDE_DUTCH_2026\n"
        f"202 BH/C1, SB, ARO\n240 H   1    3\n299          -1.0    1    1\n"
        f"{PLAYER}     2 w 1\n{OTHER}     1 b 0\n{OTHER.replace('   2  ', '   3  ', 1)}\n"
    )

    event = read_again(text)

    assert event.stage.scale == Scale(win=300, draw=100, loss=0, bye=100)
    assert (event.stage.rounds, event.stage.tie_breaks) == (
        5,
        ("buchholz_cut_1", "sonneborn_berger"),
    )
    assert event.rounds[0].byes == (Bye(entry="3", kind="half"),)
    assert [entry.name for entry in event.entries][1:] == ["Kit Two", "Kit Two (3)"]
    assert [(each.entry, each.points) for each in event.adjustments] == [("1", -100)]


def test_a_report_is_a_list_of_its_players() -> None:
    text = f"012 Cup\n{PLAYER}\n{OTHER}\n"

    assert is_trf(text)
    assert check_text(text) == 'Name;Rating\n"Casadei, Mara";1510\n"Kit Two";'
    assert not is_trf("001 Asha\n002 Cato")


@given(st.text(max_size=400))
def test_any_text_is_a_report_or_a_refusal(text: str) -> None:
    for each in (text, f"{PLAYER}{text}"):
        try:
            read_trf(each)
        except NotationError:
            continue
