"""Links of seats that are made while a game goes on: each is told in the game's own history, which
shows who could confirm for whom.
"""

from ledger.drafts import StreamMoved
from scoring.attestations import DIRECTOR, SCORER, TABLE_PHONE
from scoring.confirmation import MakeSeatLink
from tournament.accounts.access_log import note
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.accounts.seat_links import renew_seat
from tournament.models import Game, SeatLink, new_id
from tournament.recording.confirmations import record_attestation

TRIES = 5  # while others record at the same table


def make_seat_link(visitor: Visitor, row: Game, link: SeatLink) -> None:
    """Tell that this visitor makes another link and PIN for a seat, then make them.

    Raises RuleViolation where the seat has confirmed by its link and the visitor is no director,
    StreamMoved while others record faster.
    """
    said, command = MakeSeatLink(seat=link.seat, place=_place_of(visitor)), new_id()
    for attempt in range(TRIES):
        try:
            record_attestation(
                row.salon,
                row.pk,
                said,
                actor=visitor.actor,
                command=command,
                version=row.version,
            )
        except StreamMoved:
            if attempt == TRIES - 1:
                raise
            row.refresh_from_db(fields=["version"])
        else:
            break
    renew_seat(link)
    note("seat_link_made", seat=link.pk, by=visitor.actor)


def _place_of(visitor: Visitor) -> str:
    """The place where a link is made, as `SeatLinkMade` has it."""
    if visitor.may(Permission.MANAGE_TABLES):
        return DIRECTOR
    return TABLE_PHONE if visitor.role is Role.TABLE_LINK else SCORER
