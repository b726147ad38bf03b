"""The tournaments that are on tonight: the round that is played, until when, and for a director
what it waits for.
"""

from dataclasses import dataclass

from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.tournament.counting import missing
from tournament.domain.tournament.todo import last_round
from tournament.models import Tournament
from tournament.queries.round_clocks import ShownClock, clock_of
from tournament.streams.game_results import outcomes_of
from tournament.streams.tournament_rows import state_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """A tournament that takes entries or runs: its published `round` of `rounds` (0: none yet) and
    that round's clock.

    `missing` counts the results that the round lacks; None for who doesn't direct.
    """

    row: Tournament
    round: int
    rounds: int
    clock: ShownClock | None
    missing: int | None


def tonight(visitor: Visitor) -> list[Tonight]:
    """The tournaments of the salon that are on, the latest first; practice is nobody's evening."""
    directs = visitor.may(Permission.DIRECT)
    rows = Tournament.objects.filter(
        salon=visitor.salon, phase__in=["registration", "running"], practice=False
    )
    return [
        _tournament_tonight(row, directs=directs)
        for row in rows.select_related("salon").order_by("-started_position")
    ]


def _tournament_tonight(row: Tournament, *, directs: bool) -> Tonight:
    state = state_of(row)
    played = state.last_published
    lacking = (
        missing(played, outcomes_of(row.salon, state), state.stage_in(played.number))
        if directs and played is not None
        else None
    )
    return Tonight(
        row=row,
        round=played.number if played is not None else 0,
        rounds=last_round(state),
        clock=clock_of(played),
        missing=len(lacking) if lacking is not None else None,
    )
