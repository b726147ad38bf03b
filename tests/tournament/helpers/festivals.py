"""Tournaments of several stages, and what a form says that sets one up."""

from tests.tournament.helpers.salons import opened_salon
from tournament.domain.standings.values import BY_PLAY_OFF, Result, Stage, Takes
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Tournament
from tournament.recording.tournaments import direct, open_tournament

FORM = {
    "name": "Festival",
    "game": "precedence",
    "format": "swiss",
    "rounds": "3",
    "scale": "usual",
    "usual": "yes",
    "players": "2",
    "minutes": "45",
    "stages.2.kind": "swiss",
    "stages.2.top": "12",
    "stages.2.rounds": "2",
    "stages.2.ties": "lots",
    "stages.3.kind": "knockout",
    "stages.3.top": "4",
}


def after_one_round() -> Tournament:
    """Four pairs played one round: two are level at either side of the edge."""
    row = open_tournament(
        opened_salon(),
        actor="d",
        command="c" * 32,
        name="Festival",
        game="precedence",
        stage=Stage(rounds=1, tie_breaks=("buchholz",)),
        later=(Stage(kind="knockout", takes=Takes(top=3, ties=BY_PLAY_OFF)),),
        seed=7,
    )
    pairs = [(("1", f"A{number}"), ("2", f"B{number}")) for number in range(1, 5)]
    does(row, EnterPhase(phase="registration"), *(MakeEntry(players=pair) for pair in pairs))
    does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    results = (Result(score=26200), Result(score=18700))
    does(row, *(EnterResult(round=1, table=table, results=results) for table in (1, 2)))
    does(row, CloseRound(round=1))
    return row


def does(row: Tournament, *acts: object) -> None:
    for act in acts:
        row.refresh_from_db()
        command = f"{row.version:032x}"
        direct(row.salon, row.pk, [act], actor="d", command=command, version=row.version)  # type: ignore[list-item]
    row.refresh_from_db()
