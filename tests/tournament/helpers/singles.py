"""Events of single players whose rounds are known ahead."""

from tests.tournament.helpers.evenings import does, here
from tests.tournament.helpers.playing import a_command
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Salon, Tournament
from tournament.recording.tournaments import open_tournament

ROTATING = Stage(kind="rotating", tie_breaks=("wins",))


def entered(
    salon: Salon, count: int, stage: Stage = ROTATING, game: str = "precedence"
) -> Tournament:
    """An event in registration with `count` single players, `Player 01` and so on."""
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Lantern Night",
        game=game,
        stage=stage,
        seed=7,
    )
    entries = [MakeEntry(players=(("1", f"Player {number:02}"),)) for number in range(1, count + 1)]
    return does(row, EnterPhase(phase="registration"), *entries)


def drawn(
    salon: Salon, count: int, stage: Stage = ROTATING, game: str = "precedence"
) -> Tournament:
    """The same with everybody here and round 1 drawn, not yet published."""
    row = entered(salon, count, stage, game)
    return does(row, *here(row), EnterPhase(phase="running"), DrawRound(round=1))


def published(
    salon: Salon, count: int, stage: Stage = ROTATING, game: str = "precedence"
) -> Tournament:
    """The same with round 1 published."""
    return does(drawn(salon, count, stage, game), PublishRound(round=1))
