"""What decides what the page of an entry's people shows, read in one look-up: the page stays right
while this stays the same.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from ledger.reading import fetched
from tournament.projections.standings import STANDINGS

# The entry's own games move with every act at its table, the rest of the tournament with its
# version and with the standings; of other tables' games the page tells nothing.
_STATE = """
SELECT l.id, t.version, t.phase, s.id, s.slug, s.time_zone, s.language,
 (SELECT max(position) FROM tournament_reckoning
   WHERE log_id = s.log_id AND projection = %s AND subject = t.id),
 (SELECT max(id) FROM tournament_erasure),
 (SELECT max(position) FROM tournament_game WHERE id IN ({games}))
  FROM tournament_personallink l
  JOIN tournament_tournament t ON t.id = l.tournament
  JOIN tournament_salon s ON s.id = l.salon_id
 WHERE l.token = %s AND NOT l.ended
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnState:
    """The version of the tournament, and an `etag` that changes with whatever the page shows."""

    version: int
    etag: str


def own_state(token: str, games: Sequence[str]) -> OwnState | None:
    """The state of the page behind this token, of an entry that plays these games; None where the
    link holds no longer.
    """
    asked = _STATE.format(games=", ".join(["%s"] * len(games)) or "NULL")
    rows = fetched(asked, [STANDINGS.name, *games, token])
    if not rows:
        return None
    digest = hashlib.sha256(repr(tuple(rows[0])).encode()).hexdigest()[:32]
    return OwnState(version=int(str(rows[0][1])), etag=f'"{digest}"')
