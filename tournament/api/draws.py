"""Snapshots of the data each round was drawn from, so that anyone can repeat the draw;
and practice tournaments.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from django.http import Http404
from django.utils.translation import gettext as _
from msgspec import Meta, Struct
from rest_framework.request import Request

from scoring.shape import JsonObject
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_write,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.api.rounds import ByeLine, bye_lines
from tournament.demo.practice import open_practice
from tournament.domain.pairing.schedule import write_schedule
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.swaps import SwapEntries
from tournament.exchange.tournament_records import named
from tournament.models import Tournament
from tournament.projections.background import as_of
from tournament.projections.standings_as_of import SNAPSHOTS, digest_of, snapshot_of
from tournament.queries.plan_words import moves_words
from tournament.queries.plans import get_plan_or_404, whole_plan
from tournament.queries.round_reasons import preview_swap as seen_swap
from tournament.queries.tournament_visibility import draw_or_404, public_or_404
from tournament.server.http.problem_details import ProblemDetails

ONE = Meta(min_length=1, max_length=64, description="An entry of the round.")
TWO = Meta(min_length=1, max_length=64, description="The entry it would change places with.")


class DrawSnapshot(Struct, frozen=True, kw_only=True):
    """The tournament as the draw of a round saw it, of the form salon-tournament/1, and the digest
    that the round's event has of it.

    `right`: this very snapshot gives that digest. It counts every line of the log up to
    `counted_up_to`.
    """

    round: int
    engine: str
    digest: str
    right: bool
    counted_up_to: int
    tournament: JsonObject


class AskedSwap(Struct, frozen=True, kw_only=True):
    """Which two entries would change places."""

    one: Annotated[str, ONE]
    two: Annotated[str, TWO]


class SwappedTable(Struct, frozen=True, kw_only=True):
    """A table that a swap changes: who would meet there, in the order of the seats, and what every
    aim would come to.
    """

    table: int
    entries: Sequence[str]
    why: list[JsonObject]
    by_hand: bool


class PreviewedSwap(Struct, frozen=True, kw_only=True):
    """A round as a swap would leave it: the tables that change, all byes, the aims it breaks, and
    what the whole comes to.

    `as_drawn`: everybody would sit again where the draw had them.
    """

    version: int
    tables: list[SwappedTable]
    byes: list[ByeLine]
    broken: list[JsonObject]
    totals: list[JsonObject]
    as_drawn: bool


class PlannedSchedule(Struct, frozen=True, kw_only=True):
    """The whole plan of a tournament whose rounds are known ahead, as `manage.py schedule --json`
    prints it: each round's tables, their entries in the order of the seats, and who sits out.

    `proof` has what was counted in it: for each thing how often, and for how many pairs or entries;
    `never_met` names the pairs that never share a table. `moves` is the sentence for the room, ""
    where there is none.
    """

    id: str
    stage: str
    construction: str
    seed: int
    moves: str
    rounds: list[JsonObject]
    proof: JsonObject


class DrawViewSet(ApiViewSet):
    """What rounds are drawn from, and tournaments to practise with."""

    act = Permission.DIRECT

    @document_action(Permission.READ_HISTORY)
    def read_draw_snapshot(self, request: Request, tournament: str, number: int) -> DrawSnapshot:
        """What a round was drawn from; 404 for one seated by hand, and before it has been kept; 403
        while silent results would be told.
        """
        at = public_or_404(self.visitor, tournament)
        each = draw_or_404(self.visitor, at, number)
        kept = snapshot_of(at.row.salon, at.row.pk, number)
        if kept is None:
            raise Http404
        return build_struct(
            DrawSnapshot,
            each,
            round=each.number,
            right=digest_of(kept) == each.digest,
            counted_up_to=as_of(at.row.salon.log_id, SNAPSHOTS.name, at.row.pk),
            tournament=write_tournament(named(at.row.salon, kept, at.audience)),
        )

    @document_action(Permission.SEE_SALON, answers={422: ProblemDetails})
    def read_schedule(self, request: Request, tournament: str) -> PlannedSchedule:
        """The plan for the entries that began: for the director as soon as there are entries, for
        everybody once round 1 is published; 404 before, and for a format drawn from results.
        """
        at = public_or_404(self.visitor, tournament)
        seen = get_plan_or_404(at, self.visitor)
        whole = whole_plan(seen, self.visitor)
        field, before = view_current_stage(seen.state, seen.outcomes)
        return PlannedSchedule(
            **write_schedule(field, whole, before=before), moves=moves_words(whole.moves)
        )

    @document_action(answers={422: ProblemDetails}, query=AskedSwap)
    def preview_swap(self, request: Request, tournament: str, number: int) -> Answer[PreviewedSwap]:
        """What the round would come to if two entries changed places; nothing is recorded. `swaps`
        records it.
        """
        query = self.query(AskedSwap)
        at = public_or_404(self.visitor, tournament)
        seen = seen_swap(at, SwapEntries(round=number, one=query.one, two=query.two))
        told = {why.table for _before, why in seen.changed}
        preview = PreviewedSwap(
            version=at.row.version,
            tables=[
                build_struct(SwappedTable, table, why=msgspec.to_builtins(table.why))
                for table in seen.each.tables
                if table.table in told
            ],
            byes=bye_lines(at, seen.each, told=True),
            broken=msgspec.to_builtins(seen.each.broken),
            totals=msgspec.to_builtins(seen.each.totals),
            as_drawn=seen.each.drawn is None,
        )
        return make_versioned_answer(preview, at.row.version)

    def begin_practice(self, request: Request) -> Answer[Done]:
        """Set up a tournament to practise with: invented pairs, tables that report by themselves.
        The key of this write is its id.
        """
        visitor = self.visitor
        replayed = Tournament.objects.filter(pk=self.command, salon=visitor.salon).exists()
        row = open_practice(visitor.salon, name=_("Practice evening"), **self.by)
        return answer_to_write(row.pk, row.version, replayed=replayed)
