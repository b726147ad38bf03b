"""All that is computed in the background from what counts now."""

from ledger.models import Log
from tournament.projections.background import resume
from tournament.projections.careers import CAREERS
from tournament.projections.computed import ComputedProjection
from tournament.projections.ratings import RATINGS
from tournament.projections.standings import SEASONS, STANDINGS
from tournament.projections.standings_as_of import SNAPSHOTS

COMPUTED_PROJECTIONS: tuple[ComputedProjection, ...] = (
    STANDINGS,
    SNAPSHOTS,
    CAREERS,
    RATINGS,
    SEASONS,
)


def resume_all(log: Log) -> None:
    """Let everything that could not be computed be computed again: what stops the standings of a
    tournament is left out of ratings and seasons too.
    """
    for each in COMPUTED_PROJECTIONS:
        resume(log, each.name)
