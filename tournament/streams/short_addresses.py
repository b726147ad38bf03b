"""Short addresses of tournaments: which one is whose, and a tournament by whatever somebody read or
copied.

Of several tournaments that came to the same address the first has it as it is, the second with
`.2`, and so on: as the log has them, so that none ever loses what was printed.
"""

import re
from collections.abc import Sequence
from functools import reduce
from operator import or_

from django.db.models import Q

from ledger.reading import events_in
from tournament.domain.tournament.short_addresses import short_name
from tournament.models import Salon, Tournament, TournamentAddress

NUMBERED = re.compile(r"(?P<address>.+)\.(?P<number>[1-9][0-9]{0,3})")


def short_address(row: Tournament) -> str:
    """The short address of a tournament as it is now; its id where it has none yet (before a
    rebuild).
    """
    latest = (
        TournamentAddress.objects.filter(stream=row.pk)
        .order_by("-since")
        .values_list("address", flat=True)
        .first()
    )
    if latest is None:
        return row.pk
    place = _holders(row.salon, latest).index(row.pk) + 1
    return latest if place == 1 else f"{latest}.{place}"


def at_address(salon: Salon, written: str) -> str | None:
    """The tournament (its stream) to which a short address leads, however it is capitalised and
    spaced; None for none.
    """
    numbered = NUMBERED.fullmatch(written.strip())
    address, number = (numbered["address"], int(numbered["number"])) if numbered else (written, 1)
    holders = _holders(salon, short_name(address))
    return holders[number - 1] if number <= len(holders) else None


def holder_of(salon: Salon, address: str) -> str | None:
    """The tournament that came to this address first."""
    return next(iter(_holders(salon, address)), None)


def tournament_named(salon: Salon, written: str) -> Tournament | None:
    """A tournament by its id in files, by the id in the address bar, or by its short address."""
    rows = Tournament.objects.filter(salon=salon)
    return (
        rows.filter(record=written).first()
        or rows.filter(pk=at_address(salon, written) or written).first()
    )


def _holders(salon: Salon, address: str) -> Sequence[str]:
    """The tournaments that have or had this address, in the order in which they came to it."""
    claims = TournamentAddress.objects.filter(stream__salon=salon, address=address).values_list(
        "stream_id", "since"
    )
    first: dict[str, int] = {}
    for stream, since in claims:
        first[stream] = min(since, first.get(stream, since))
    if len(first) < 2:
        return list(first)
    those = reduce(or_, (Q(stream=stream, version=since) for stream, since in first.items()))
    claimed = dict(events_in(salon.log_id, first).filter(those).values_list("stream", "position"))
    return sorted(first, key=lambda stream: claimed.get(stream, 0))
