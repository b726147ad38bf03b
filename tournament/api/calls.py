"""Calls for the director: made at tables, answered at the desk, listed with their waiting times."""

from collections.abc import Mapping
from typing import Annotated

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from msgspec import Meta, Struct
from rest_framework.request import Request

from tournament.accounts.access import table_or_404
from tournament.accounts.permissions import Permission
from tournament.api.history import Events, events_of
from tournament.api.http.exceptions import KeyProblem
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of, read_collection
from tournament.domain.calls.rules import AnswerCall, Keeping, ReopenCall, TakeBackCall, TakeUpCall
from tournament.domain.calls.waiting import seconds_between
from tournament.models import Call
from tournament.queries.table import game_at
from tournament.recording.calls import keep_call, make_call, open_call


class CallShown(Struct, frozen=True, kw_only=True):
    """A call: `reason` is card, result, rules, player, table or other, `ending` is answered,
    taken_back, lapsed (with its round or tournament), or "" while it waits.

    Times are microseconds UTC, null for what has not happened; `waited` are the whole seconds until
    it ended. `game` and `tournament` are ids, "" for none, `round` and `number` the table's place
    there.
    """

    id: str
    table: str
    reason: str
    game: str
    tournament: str
    round: int
    number: int
    made_at: int
    taken_up_at: int | None
    ended_at: int | None
    ending: str
    waited: int | None
    version: int
    started_position: int


class CallOfTable(Struct, frozen=True, kw_only=True):
    """The call of a table that waits, null where none does."""

    call: CallShown | None


class NewCall(Struct, frozen=True, kw_only=True):
    """Why the director is called: card, result, rules, player, table or other. `game` is the id of
    the one it is about, else the one that is played there.
    """

    reason: str
    game: str = ""


class CallQuery(PageQuery, frozen=True, kw_only=True):
    """Which calls: those that wait, those of one tournament; all by default."""

    waiting: Annotated[bool, Meta(description="Only those that wait.")] = False
    tournament: Annotated[str, Meta(max_length=32, description="The id of a tournament.")] = ""


class CallViewSet(ApiViewSet):
    """Calls for the director."""

    act = Permission.CALL

    @document_action(Permission.AUDIT, query=CallQuery)
    def list_calls(self, request: Request) -> Page[CallShown]:
        """The calls of the salon, the latest first."""
        query = self.query(CallQuery)
        rows = Call.objects.filter(salon=self.salon)
        if query.waiting:
            rows = rows.filter(ended_at=None)
        if query.tournament:
            rows = rows.filter(tournament=query.tournament)
        return page_of(request, rows).with_shape(_build_call)

    def read_table_call(self, request: Request, label: str) -> CallOfTable:
        """The call of a table that waits."""
        table_or_404(self.visitor, label)
        row = open_call(self.salon, label)
        return CallOfTable(call=_build_call(row) if row is not None else None)

    @document_action(body=NewCall)
    def call_director(self, request: Request, label: str) -> Answer[Done]:
        """Call the director to a table; the key of this write, without dashes, is the id of the
        call. While the table waits another one is refused with `called_already`, after twenty in an
        hour with `too_many_calls`.
        """
        table_or_404(self.visitor, label)
        new = self.body(NewCall)
        at = game_at(self.visitor, label, game=new.game)
        game = at.row.pk if at is not None else ""
        if new.game not in ("", game):
            words = _("This game is not at this table now. Nothing was recorded.")
            raise KeyProblem(words, status=409, code="moved", path="game")
        return answer_to_recording(make_call(self.salon, label, new.reason, game=game, **self.by))

    def take_call_back(self, request: Request, label: str, call: str) -> Answer[Done]:
        """Take the call of a table back; refused with `call_over` once it has ended."""
        row = get_object_or_404(Call, salon=self.salon, table=label, pk=call)
        return answer_to_recording(keep_call(self.salon, row.pk, TakeBackCall, **self.by))

    @document_action(Permission.READ_HISTORY)
    def read_call(self, request: Request, call: str) -> Answer[CallShown]:
        """A call. Its ETag begins with its version."""
        row = self.row(Call, call)
        return make_versioned_answer(_build_call(row), row.version)

    @document_action(Permission.DIRECT)
    def act_on_call(self, request: Request, call: str, collection: str) -> Answer[Done]:
        """Record what a director does about a call: `arrivals` (coming), `answers`, `reopenings`
        (no answer after all). It builds on whatever has become of the call by then.
        """
        row = self.row(Call, call)
        act = read_collection(ACTS, collection)
        return answer_to_recording(keep_call(self.salon, row.pk, act, **self.by))

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def list_call_events(self, request: Request, call: str) -> Answer[Events]:
        """Every event of a call in order; the cursor is a version of it."""
        return events_of(self, self.row(Call, call))


def _build_call(row: Call) -> CallShown:
    over = row.ended_at
    waited = seconds_between(row.made_at, over) if over is not None else None
    return build_struct(CallShown, row, waited=waited)


# The collection an act is sent to, and what it is.
ACTS: Mapping[str, type[Keeping]] = {
    "arrivals": TakeUpCall,
    "answers": AnswerCall,
    "reopenings": ReopenCall,
}
