"""For whom somebody speaks about recorded hands: the seat of the own link, that of a PIN at another's phone, or the director."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from scoring.confirmation import DIRECTOR
from scoring.errors import NotationError
from tournament.access import Act, Role, Visitor
from tournament.limits import forget, note_wrong_try, seconds_to_wait, too_many_tries
from tournament.models import Game
from tournament.seat_links import actor_for, links_of


class WrongPin(Exception):
    """The PIN is not that of the seat, or too many were tried; the message says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """For whom a visitor speaks: a seat (`DIRECTOR` for the director's own word), and what events carry."""

    seat: str
    actor: str


def speaker_for(visitor: Visitor, row: Game, value: Mapping[str, Any], *, address: str) -> Speaker:
    """The seat of this visitor's own link, or that of the `seat` and `pin` given from this address; else the director.

    Raises WrongPin, NotationError, and PermissionDenied for who holds neither link nor PIN.
    """
    mine = visitor.seat_in(row)
    if mine:
        return Speaker(seat=mine, actor=visitor.actor)
    if visitor.role is Role.SEAT_LINK:
        raise PermissionDenied(_("This browser confirms hands of another game."))
    if visitor.role is Role.PLAYER:
        raise PermissionDenied(_("This account confirms hands of its own games."))
    seat, seats = str(value.get("seat", "")), json.loads(row.seats)
    if seat in seats and (len(seats) > 1 or "pin" in value):
        return _by_pin(row, seat, str(value.get("pin", "")), address)
    if len(seats) == 1 and visitor.may(Act.RULE):
        return Speaker(seat=DIRECTOR, actor=visitor.actor)
    raise NotationError(_("say for which seat, with its PIN"), path="seat")


def _by_pin(row: Game, seat: str, pin: str, address: str) -> Speaker:
    link = links_of(row, [seat])[seat]
    tried, whence = f"seat:{link.pk}", f"address:{address}"
    seconds = seconds_to_wait(tried, whence)
    if seconds:
        raise WrongPin(too_many_tries(seconds))
    if not constant_time_compare(pin.strip(), link.pin):
        note_wrong_try(tried, whence)
        raise WrongPin(_("This is not the PIN of that seat."))
    forget(tried)
    return Speaker(seat=seat, actor=actor_for(link))
