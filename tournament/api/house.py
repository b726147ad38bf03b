"""What the house lays down for all its games: how long a game can still be corrected, and where the
salon went.
"""

from dataclasses import dataclass

from scoring.shape import a_text
from tournament.accounts.permissions import Act
from tournament.api.history import Events, events_of
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Asked, Done, recorded
from tournament.recording.house_rules import set_confirming, set_correction_hours
from tournament.streams.correction_period import house_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """What holds: games become final so many hours after their last entry. `version` is 0 while
    nothing was laid down.

    `moved_to` is the address to which the salon has moved, "" while it records here; `confirming`
    is how a hand is confirmed at a table's phone, by the `pin` of a seat or by a `tap`.
    """

    version: int
    correction_hours: int
    moved_to: str
    confirming: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPeriod:
    """Another correction period, and why."""

    hours: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewConfirming:
    """How a hand is confirmed at a table's phone from now on, by `pin` or `tap`, and why."""

    way: str
    reason: str


@operation(Act.SEE_SALON, answers=HouseRules)
def read_house(call: Call) -> Answer:
    """What the house has laid down."""
    row = house_of(call.visitor.salon)
    rules = HouseRules(
        version=row.version,
        correction_hours=row.correction_hours,
        moved_to=row.moved_to,
        confirming=row.confirming,
    )
    return Answer(value=rules, version=row.version)


@operation(Act.READ_HISTORY, answers=Events, query=Asked)
def list_house_events(call: Call) -> Answer:
    """Every event of the house in order; the cursor is a version of it."""
    return events_of(call, house_of(call.visitor.salon))


@operation(Act.KEEP_HOUSE, answers=Done, status=201, body=NewPeriod, on_version=True)
def set_correction_period(call: Call) -> Answer:
    """Lay down another correction period, on top of the version that If-Match names."""
    new: NewPeriod = call.body
    reason = a_text(" ".join(new.reason.split()), "reason", shortest=1)
    visitor = call.visitor
    done = set_correction_hours(
        visitor.salon,
        new.hours,
        reason=reason,
        actor=visitor.actor,
        command=call.command,
        version=call.version,
    )
    return recorded(done)


@operation(Act.KEEP_HOUSE, answers=Done, status=201, body=NewConfirming, on_version=True)
def set_way_of_confirming(call: Call) -> Answer:
    """Lay down how a hand is confirmed at a table's phone, on top of the version that If-Match
    names.
    """
    new: NewConfirming = call.body
    reason = a_text(" ".join(new.reason.split()), "reason", shortest=1)
    visitor = call.visitor
    done = set_confirming(
        visitor.salon,
        new.way,
        reason=reason,
        actor=visitor.actor,
        command=call.command,
        version=call.version,
    )
    return recorded(done)
