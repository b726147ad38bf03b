"""What the house lays down for all its games, recorded through the one door for facts."""

from ledger.drafts import StreamMoved
from ledger.models import Event
from tournament.correction_period import house_stream
from tournament.house.confirming import SetConfirming
from tournament.house.rules import Command, MoveSalon, ReopenSalon, SetCorrectionPeriod
from tournament.kinds import HOUSE
from tournament.models import Salon
from tournament.recording import Order, Recorded, decided, record_acts, record_new
from tournament.shapes import encode


def set_correction_hours(salon: Salon, hours: int, *, reason: str, actor: str, command: str, version: int) -> Recorded:
    """Lay down the correction period on top of version `version` of the house (0: nothing laid down yet).

    The same command again gives the same answer. Raises Refusal, StreamMoved, CommandReused.
    """
    return _kept(salon, SetCorrectionPeriod(hours=hours, reason=reason), actor=actor, command=command, version=version)


def set_confirming(salon: Salon, way: str, *, reason: str, actor: str, command: str, version: int) -> Recorded:
    """Lay down how a hand is confirmed at a table's phone, by `pin` or `tap`; else as `set_correction_hours`."""
    return _kept(salon, SetConfirming(way=way, reason=reason), actor=actor, command=command, version=version)


def move_salon(salon: Salon, place: str, *, reason: str, actor: str, command: str, version: int) -> Recorded:
    """Record nothing more here, since the salon goes on at another place; else as `set_correction_hours`."""
    return _kept(salon, MoveSalon(place=place, reason=reason), actor=actor, command=command, version=version)


def reopen_salon(salon: Salon, *, reason: str, actor: str, command: str, version: int) -> Recorded:
    """Record here again, as if the salon had not moved, or had come; else as `set_correction_hours`."""
    return _kept(salon, ReopenSalon(reason=reason), actor=actor, command=command, version=version)


def _kept(salon: Salon, act: Command, *, actor: str, command: str, version: int) -> Recorded:
    stream = house_stream(salon.log)
    if version and not Event.objects.filter(log=salon.log_id, stream=stream).exists():
        raise StreamMoved(stream, expected=version, actual=0)
    if version:
        return record_acts(salon, stream, [act], actor=actor, command=command, version=version)
    order = Order(salon=salon, stream=stream, actor=actor, command=command, content=encode([stream, [type(act).__name__, act]]))
    return record_new(order, HOUSE, lambda prepare: decided(HOUSE, prepare(act), None))
