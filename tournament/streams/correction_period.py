"""The period in which a game can still be corrected: as the house laid it down in the
log, and so the same for anyone who reads the log again.

A game becomes final after the number of hours since its last entry that the house
had laid down by that entry: a change holds for the games that go on after it, and
takes nothing from those that were over before.
"""

import uuid
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from ledger.models import Event, Log
from tournament.domain.house.confirmation import PIN
from tournament.domain.house.rules import HOURS_AT_FIRST, PERIOD_SET
from tournament.models import House, Salon
from tournament.streams.codec import decode
from tournament.streams.types import HOUSE

HOUR = 3_600_000_000  # microseconds


class Period(NamedTuple):
    """From the entry at `position` on games become final after `hours`."""

    position: int
    hours: int


def house_of(salon: Salon) -> House:
    """The policies of the house; if it has laid down nothing yet, the defaults (version
    0).
    """
    stream = house_stream(Log.objects.get(pk=salon.log_id))
    nothing = House(
        id=stream,
        salon=salon,
        correction_hours=HOURS_AT_FIRST,
        confirming=PIN,
        version=0,
        started_position=0,
    )
    return House.objects.filter(pk=stream).first() or nothing


def periods_of(log: Log) -> list[Period]:
    """Every correction period that a log lays down, in order, after the one that holds before the
    first.
    """
    name, schema = PERIOD_SET
    laid_down = Event.objects.filter(stream=house_stream(log), type=name, schema=schema).order_by(
        "version"
    )
    bodies = laid_down.values_list("position", "body")
    return [
        Period(0, HOURS_AT_FIRST),
        *(Period(position, decode(name, schema, body).hours) for position, body in bodies),
    ]


def hours_by(periods: Sequence[Period], position: int) -> int:
    """The correction period that was laid down by the entry at `position`."""
    return periods[bisect_right(periods, position, key=lambda period: period.position) - 1].hours


def house_stream(log: Log) -> str:
    """The one stream of a log in which the house lays down what holds for all its games."""
    return uuid.uuid5(uuid.UUID(log.key), HOUSE.name).hex
