"""All that is computed in the background from what counts now."""

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
