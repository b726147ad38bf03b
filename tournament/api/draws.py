"""What a round was drawn from, so that anybody can draw it again; and tournaments to practise with."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from tournament.access import Act
from tournament.api.answering import Answer, Done
from tournament.api.operations import Call, operation
from tournament.demo.practice import open_practice
from tournament.models import Tournament
from tournament.projections.background import as_of
from tournament.projections.snapshots import SNAPSHOTS, digest_of, snapshot_of
from tournament.queries.public import draw_or_404, public_or_404
from tournament.standings.writing import write_tournament
from tournament.tournament_archive import named


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawSnapshot:
    """The tournament as the draw of a round saw it, of the form salon-tournament/1, and the digest that the round's event has of it.

    `right`: this very snapshot gives that digest. It counts every entry of the log up to `counted_up_to`.
    """

    round: int
    engine: str
    digest: str
    right: bool
    counted_up_to: int
    tournament: dict[str, Any]


@operation(Act.READ_HISTORY, answers=DrawSnapshot)
def read_draw_snapshot(call: Call, tournament: str, number: int) -> DrawSnapshot:
    """What a round was drawn from; 404 for one seated by hand, and before it has been kept; 403 while silent results would be told."""
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
        tournament=write_tournament(named(at.row.salon, kept)),
    )


@operation(Act.DIRECT, answers=Done, status=201, keyed=True)
def begin_practice(call: Call) -> Answer:
    """Set up a tournament to practise with: invented pairs, tables that report by themselves. The key of this write is its id."""
    visitor = call.visitor
    replayed = Tournament.objects.filter(pk=call.command, salon=visitor.salon).exists()
    row = open_practice(visitor.salon, name=_("Practice evening"), actor=visitor.actor, command=call.command)
    done = Done(stream=row.pk, version=row.version)
    return Answer(value=done, headers={"Idempotency-Replayed": "true"} if replayed else {}, version=done.version)
