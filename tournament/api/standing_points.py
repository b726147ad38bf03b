"""Explanations of an entry's standing points."""

from typing import Annotated

from django.http import Http404
from msgspec import Meta, Struct
from rest_framework.request import Request

from tournament.accounts.permissions import Permission
from tournament.api.http.responses import build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.domain.standings.values import HUNDREDTHS
from tournament.queries.standing_points import PointsLine, standing_points
from tournament.queries.tie_break_words import BrokenTie
from tournament.queries.tournament_as_of import after, present
from tournament.queries.tournament_visibility import public_or_404
from tournament.streams.acts import moments_of

AT = Meta(ge=1, le=10**9, description="As of this version of the tournament.")


class PointsAt(Struct, frozen=True, kw_only=True):
    """A version of the tournament; none: as it stands now."""

    at: Annotated[int, AT] | None = None


class PointsTerm(Struct, frozen=True, kw_only=True):
    """One amount: the round it is of (an adjustment: after which it counts), what for, how it is
    counted, and the entries behind it.
    """

    round: int
    amount: float
    words: str
    why: str
    events: list[int]


class TieBreakTerm(Struct, frozen=True, kw_only=True):
    """One amount of a tie-break: the round it is of (0: none), against whom, why it is so much, and
    whether it is left out, as a cut leaves out the weakest.
    """

    round: int
    amount: float
    words: str
    why: str
    left_out: bool


class TieBreakLine(Struct, frozen=True, kw_only=True):
    """A tie-break with its value, what it means, where it is laid down, and the `terms` that add up
    to it.
    """

    name: str
    value: float
    meaning: str
    source: str
    terms: list[TieBreakTerm]


class PointsExplained(Struct, frozen=True, kw_only=True):
    """An entry's rank and points after a round, the terms that add up to them, and its tie-breaks
    in the order they count; `total` is null where there is nothing whose mean it could be.
    """

    entry: str
    name: str
    rank: int
    after_round: int
    total: float | None
    terms: list[PointsTerm]
    tie_breaks: list[TieBreakLine]


class StandingPointsViewSet(ApiViewSet):
    """How an entry's standing points came to be."""

    act = Permission.SEE_SALON

    @document_action(query=PointsAt)
    def explain_points(self, request: Request, tournament: str, entry: str) -> PointsExplained:
        """How an entry's standing points came to be, and for those who read the history the events
        behind them; silent rounds left out.
        """
        query = self.query(PointsAt)
        visitor, at = self.visitor, public_or_404(self.visitor, tournament)
        reads_history = visitor.may(Permission.READ_HISTORY)
        moments = moments_of(at.row.salon.log_id, at.row.pk) if reads_history else []
        picture = present(visitor, at, moments)
        if reads_history and query.at is not None:
            if query.at > moments[-1].last.version:
                raise Http404
            moments = [each for each in moments if each.first.version <= query.at]
            picture = after(visitor, at, moments[-1], moments[-1].last.position)
        found = standing_points(at, picture, moments, entry, linked=reads_history)
        return PointsExplained(
            entry=entry,
            name=found.name,
            rank=found.standing.rank,
            after_round=picture.standings.after_round,
            total=None if found.standing.points is None else found.standing.points / HUNDREDTHS,
            terms=[_term(line) for line in found.lines],
            tie_breaks=[_tie_break(each) for each in found.broken],
        )


def _tie_break(broken: BrokenTie) -> TieBreakLine:
    return build_struct(
        TieBreakLine,
        broken.tie_break,
        value=broken.value / HUNDREDTHS,
        terms=[
            build_struct(TieBreakTerm, line, amount=line.amount / HUNDREDTHS)
            for line in broken.lines
        ],
    )


def _term(line: PointsLine) -> PointsTerm:
    events = [fact.position for fact in line.facts]
    return build_struct(PointsTerm, line, amount=line.amount / HUNDREDTHS, events=events)
