"""What the house lays down for all its games, recorded through the one door for facts."""

from tournament.correction_period import house_stream
from tournament.house.rules import SetCorrectionPeriod
from tournament.kinds import HOUSE
from tournament.models import Salon
from tournament.recording import Order, Recorded, decided, record_acts, record_new
from tournament.shapes import encode


def set_correction_hours(salon: Salon, hours: int, *, reason: str, actor: str, command: str, version: int) -> Recorded:
    """Lay down the correction period on top of version `version` of the house (0: nothing laid down yet).

    The same command again gives the same answer. Raises Refusal, StreamMoved, CommandReused.
    """
    act, stream = SetCorrectionPeriod(hours=hours, reason=reason), house_stream(salon.log)
    if version:
        return record_acts(salon, stream, [act], actor=actor, command=command, version=version)
    order = Order(salon=salon, stream=stream, actor=actor, command=command, content=encode([stream, [type(act).__name__, act]]))
    return record_new(order, HOUSE, lambda prepare: decided(HOUSE, prepare(act), None))
