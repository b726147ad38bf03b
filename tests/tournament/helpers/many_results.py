"""A tournament of many tables whose results have come in round after round."""

from collections.abc import Sequence

from tests.tournament.helpers.evenings import SWISS, does, draft
from tournament.domain.standings.values import HUNDREDTHS, Result, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Salon, Tournament
from tournament.streams.tournament_rows import state_of

LOSER = 100


def of_pairs(salon: Salon, pairs: int, stage: Stage = SWISS) -> Tournament:
    """So many pairs, everybody here, and nothing drawn yet."""
    entries = [
        MakeEntry(players=(("1", f"Aster {number}"), ("2", f"Brio {number}")))
        for number in range(1, pairs + 1)
    ]
    return does(
        draft(salon, stage),
        EnterPhase(phase="registration"),
        *entries,
        CheckInAll(),
        EnterPhase(phase="running"),
    )


def drawn(row: Tournament) -> int:
    """The number of its next round, drawn and published."""
    number = len(state_of(row).rounds) + 1
    does(row, DrawRound(round=number), PublishRound(round=number))
    return number


def played(row: Tournament, margins: Sequence[int]) -> Tournament:
    """The same after a round whose tables were won by these margins, closed."""
    number = drawn(row)
    results = [
        EnterResult(
            round=number,
            table=table,
            results=(
                Result(score=HUNDREDTHS * (LOSER + margin)),
                Result(score=HUNDREDTHS * LOSER),
            ),
        )
        for table, margin in enumerate(margins, start=1)
    ]
    return does(row, *results, CloseRound(round=number))
