"""The progress of the check of a log's chain while the server runs: every event hashed
again, every link followed.
"""

from collections.abc import Sequence

from ledger.chain import Stored, sealed
from ledger.models import Command, Log
from ledger.reading import command_at
from ledger.verify_chips import fetch_transfers
from tournament.projections.background import CannotPass, LogPosition, Projection, Write


def check(log: Log, place: LogPosition, events: Sequence[Stored]) -> Write:
    """Nothing to write: reaching a place is the result. Raises CannotPass at the first event that
    does not follow.
    """
    digests = _digests(log, first=events[0].position, last=events[-1].position)
    moved = fetch_transfers(log.pk, place.position, events[-1].position)
    previous = place
    for event in events:
        if event.position != previous.position + 1:
            raise CannotPass(previous.position + 1, f"Event {previous.position + 1} is missing.")
        if event.prev_hash != previous.hash:
            raise CannotPass(
                event.position, f"Event {event.position} does not follow event {previous.position}."
            )
        transfer = moved.get(event.position)
        posted = transfer.posted if transfer else None
        if (
            sealed(
                event, log_key=log.key, digest=digests.get(event.command, ""), posted=posted
            ).hash
            != event.hash
        ):
            raise CannotPass(
                event.position,
                f"Event {event.position} is not what was recorded: its hash does not match.",
            )
        previous = LogPosition(position=event.position, hash=event.hash)
    return lambda: None


CHECKED = Projection(name="checked", fold=check)


def _digests(log: Log, *, first: int, last: int) -> dict[str, str]:
    """The digest of each command behind these positions."""
    begun = command_at(log.pk, first)
    commands = Command.objects.filter(
        log=log,
        first_position__lte=last,
        first_position__gte=begun.first_position if begun else first,
    )
    return dict(commands.values_list("key", "digest"))
