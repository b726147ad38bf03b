"""House rules for all games: the correction period, and the address to which the salon
has moved.
"""

from msgspec import Struct
from rest_framework.request import Request

from scoring.shape import a_text
from tournament.accounts.permissions import Permission
from tournament.api.history import Events, events_of
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, PageQuery
from tournament.recording.house_rules import set_confirming, set_correction_hours
from tournament.streams.correction_period import house_of


class HouseRules(Struct, frozen=True, kw_only=True):
    """What holds: games become final so many hours after something was last recorded in them.
    `version` is 0 while nothing was laid down.

    `moved_to` is the address to which the salon has moved, "" while it records here; `confirming`
    is how a hand is confirmed at a table's phone, by the `pin` of a seat or by a `tap`.
    """

    version: int
    correction_hours: int
    moved_to: str
    confirming: str


class NewPeriod(Struct, frozen=True, kw_only=True):
    """Another correction period, and why."""

    hours: int
    reason: str


class NewConfirming(Struct, frozen=True, kw_only=True):
    """How a hand is confirmed at a table's phone from now on, by `pin` or `tap`, and why."""

    way: str
    reason: str


class HouseViewSet(ApiViewSet):
    """What the house lays down for all its games."""

    act = Permission.KEEP_HOUSE

    @document_action(Permission.SEE_SALON)
    def read_house(self, request: Request) -> Answer[HouseRules]:
        """What the house has laid down."""
        row = house_of(self.salon)
        return make_versioned_answer(build_struct(HouseRules, row), row.version)

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def list_house_events(self, request: Request) -> Answer[Events]:
        """Every event of the house in order; the cursor is a version of it."""
        return events_of(self, house_of(self.salon))

    @document_action(body=NewPeriod, version=True)
    def set_correction_period(self, request: Request) -> Answer[Done]:
        """Lay down another correction period, on top of the version that If-Match names."""
        new = self.body(NewPeriod)
        reason = a_text(" ".join(new.reason.split()), "reason", shortest=1)
        done = set_correction_hours(
            self.salon, new.hours, reason=reason, **self.by, version=self.version
        )
        return answer_to_recording(done)

    @document_action(body=NewConfirming, version=True)
    def set_way_of_confirming(self, request: Request) -> Answer[Done]:
        """Lay down how a hand is confirmed at a table's phone, on top of the version that If-Match
        names.
        """
        new = self.body(NewConfirming)
        reason = a_text(" ".join(new.reason.split()), "reason", shortest=1)
        done = set_confirming(self.salon, new.way, reason=reason, **self.by, version=self.version)
        return answer_to_recording(done)
