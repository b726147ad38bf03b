"""Movements in which every pair plays the same deals."""

from tests.tournament.helpers.evenings import does
from tests.tournament.helpers.playing import a_command
from tournament.domain.standings.values import Movement, Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Salon, Tournament
from tournament.recording.tournaments import open_tournament

STAGE = Stage(
    kind="movement",
    rounds=None,
    scale=Scale(kind="matchpoints", bye=5000),
    movement=Movement(movement="howell", deals_a_round=2),
)


def running(
    salon: Salon, stage: Stage = STAGE, pairs: int = 4, later: tuple[Stage, ...] = ()
) -> Tournament:
    """A movement with its first round published."""
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Pairs",
        game="precedence",
        stage=stage,
        later=later,
    )
    does(row, EnterPhase(phase="registration"))
    entries = (
        MakeEntry(players=(("1", f"Asha {number}"), ("2", f"Cato {number}")))
        for number in "ABCDEFGH"[:pairs]
    )
    does(row, *entries)
    does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    return row


def sends(row: Tournament, **fields: object) -> dict[str, str]:
    row.refresh_from_db()
    about = {"command": a_command(), "version": row.version}
    return {key: str(value) for key, value in (about | fields).items()}
