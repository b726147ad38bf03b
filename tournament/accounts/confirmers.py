"""Confirmers of recorded hands: the seat of one's own link, the seat of a PIN at
another's phone, or the director.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from scoring.attestations import DIRECTOR as DIRECTORS_WORD
from scoring.attestations import OWN_PHONE, SCORER, TABLE_PHONE
from scoring.confirmation import DIRECTOR
from scoring.errors import NotationError
from tournament.accounts import login_limits
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.accounts.seat_links import actor_for, links_of
from tournament.domain.house.confirmation import TAP
from tournament.models import Game
from tournament.streams.correction_period import house_of


class WrongPin(Exception):
    """The PIN is not that of the seat, or too many were tried; the message says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """The party a visitor confirms for: a seat (`DIRECTOR` for the director's own word),
    and the fields of the event: who sent it, and `how`, `pin` and `link` as in
    `ConfirmHands`.
    """

    seat: str
    actor: str
    how: str
    pin: bool = False
    link: bool = False


def speaker_for(
    visitor: Visitor, row: Game, value: Mapping[str, object], *, address: str
) -> Speaker:
    """The seat of this visitor's own link, or the `seat` given with its `pin` from this address,
    or, where the house lets a tap do and the visitor records at the table, without one; else the
    director.

    Raises WrongPin, NotationError, and PermissionDenied for who holds neither link nor PIN.
    """
    mine, seat, seats = visitor.seat_in(row), str(value.get("seat", "")), row.seats
    records = visitor.may(Permission.RECORD, table=row.table)
    if mine and (not records or seat in ("", mine) or seat not in seats):
        # Which a player holds who gave the own PIN there.
        at_table = visitor.role is Role.TABLE_LINK
        return Speaker(
            seat=mine,
            actor=visitor.actor,
            how=TABLE_PHONE if at_table else OWN_PHONE,
            pin=at_table,
            link=visitor.game == row.pk,
        )
    if visitor.role is Role.SEAT_LINK:
        raise PermissionDenied(_("This browser confirms hands of another game."))
    if visitor.role is Role.PLAYER:
        raise PermissionDenied(_("This account confirms hands of its own games."))
    how = TABLE_PHONE if visitor.role is Role.TABLE_LINK else SCORER
    if seat in seats and value.get("pin"):
        return _by_pin(row, seat, str(value["pin"]), address, how=how)
    if seat in seats and len(seats) > 1 and records and house_of(row.salon).confirming == TAP:
        return Speaker(seat=seat, actor=visitor.actor, how=how)
    if len(seats) == 1 and visitor.may(Permission.RULE):
        return Speaker(seat=DIRECTOR, actor=visitor.actor, how=DIRECTORS_WORD)
    raise NotationError(
        _("say for which seat, with its PIN"), path="pin" if seat in seats else "seat"
    )


def _by_pin(row: Game, seat: str, pin: str, address: str, *, how: str) -> Speaker:
    link = links_of(row, [seat])[seat]
    tried = login_limits.LoginAttempt(target=f"seat:{link.pk}", address=address)
    seconds = login_limits.seconds_to_wait(tried)
    if seconds:
        raise WrongPin(login_limits.too_many_tries(seconds))
    if not constant_time_compare(pin.strip(), link.pin):
        login_limits.note_wrong_try(tried)
        raise WrongPin(_("This is not the PIN of that seat."))
    login_limits.forget(tried)
    return Speaker(seat=seat, actor=actor_for(link), how=how, pin=True)
