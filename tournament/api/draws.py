"""What a round was drawn from, so that anybody can draw it again; and tournaments to
practise with.
"""

from dataclasses import dataclass
from typing import Annotated

import msgspec
from django.http import Http404
from django.utils.translation import gettext as _

from scoring.shape import JsonObject
from tournament.accounts.permissions import Act
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Done
from tournament.api.rounds import ByeLine, bye_lines
from tournament.demo.practice import open_practice
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.swaps import SwapEntries
from tournament.exchange.tournament_records import named
from tournament.models import Tournament
from tournament.projections.background import as_of
from tournament.projections.draw_snapshots import SNAPSHOTS, digest_of, snapshot_of
from tournament.queries.swap_preview import preview_swap as seen_swap
from tournament.queries.visible import draw_or_404, public_or_404


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawSnapshot:
    """The tournament as the draw of a round saw it, of the form salon-tournament/1, and the digest
    that the round's event has of it.

    `right`: this very snapshot gives that digest. It counts every entry of the log up to
    `counted_up_to`.
    """

    round: int
    engine: str
    digest: str
    right: bool
    counted_up_to: int
    tournament: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSwap:
    """Which two entries would change places."""

    one: Annotated[
        str, msgspec.Meta(min_length=1, max_length=64, description="An entry of the round.")
    ]
    two: Annotated[
        str,
        msgspec.Meta(
            min_length=1, max_length=64, description="The entry it would change places with."
        ),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SwappedTable:
    """A table that a swap changes: who would meet there, in the order of the seats, and what every
    aim would come to.
    """

    table: int
    entries: list[str]
    why: list[JsonObject]
    by_hand: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewedSwap:
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


@operation(Act.READ_HISTORY, answers=DrawSnapshot)
def read_draw_snapshot(call: Call, tournament: str, number: int) -> DrawSnapshot:
    """What a round was drawn from; 404 for one seated by hand, and before it has been kept; 403
    while silent results would be told.
    """
    at = public_or_404(call.visitor, tournament)
    each = draw_or_404(call.visitor, at, number)
    kept = snapshot_of(at.row.salon, at.row.pk, number)
    if kept is None:
        raise Http404
    return DrawSnapshot(
        round=each.number,
        engine=each.engine,
        digest=each.digest,
        right=digest_of(kept, number) == each.digest,
        counted_up_to=as_of(at.row.salon.log_id, SNAPSHOTS.name, at.row.pk),
        tournament=write_tournament(named(at.row.salon, kept, at.audience)),
    )


@operation(Act.DIRECT, answers=PreviewedSwap, query=AskedSwap)
def preview_swap(call: Call, tournament: str, number: int) -> Answer:
    """What the round would come to if two entries changed places; nothing is recorded. `swaps`
    records it.
    """
    at = public_or_404(call.visitor, tournament)
    seen = seen_swap(at, SwapEntries(round=number, one=call.query.one, two=call.query.two))
    told = {why.table for _before, why in seen.changed}
    preview = PreviewedSwap(
        version=at.row.version,
        tables=[
            SwappedTable(
                table=table.table,
                entries=list(table.entries),
                why=msgspec.to_builtins(table.why),
                by_hand=table.by_hand,
            )
            for table in seen.each.tables
            if table.table in told
        ],
        byes=bye_lines(at, seen.each, told=True),
        broken=msgspec.to_builtins(seen.each.broken),
        totals=msgspec.to_builtins(seen.each.totals),
        as_drawn=seen.each.drawn is None,
    )
    return Answer(value=preview, version=at.row.version)


@operation(Act.DIRECT, answers=Done, status=201, keyed=True)
def begin_practice(call: Call) -> Answer:
    """Set up a tournament to practise with: invented pairs, tables that report by themselves. The
    key of this write is its id.
    """
    visitor = call.visitor
    replayed = Tournament.objects.filter(pk=call.command, salon=visitor.salon).exists()
    row = open_practice(
        visitor.salon, name=_("Practice evening"), actor=visitor.actor, command=call.command
    )
    done = Done(stream=row.pk, version=row.version)
    return Answer(
        value=done,
        headers={"Idempotency-Replayed": "true"} if replayed else {},
        version=done.version,
    )
