"""Deals that tables of a tournament have in common: drawn and committed to before play, made known
after it, and their travellers.
"""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct
from rest_framework.request import Request

from scoring.errors import RuleViolation
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, Done, answer_to_write, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.domain.standings.reading import MOST_DEALS
from tournament.domain.standings.values import HUNDREDTHS
from tournament.models import Tournament
from tournament.queries.stage_views import plays_same_deals, seen_at
from tournament.queries.tournament_visibility import public_or_404
from tournament.queries.travellers import TravellerLine, travellers_of
from tournament.recording.duplicate_deals import draw_deals, reveal_deals
from tournament.server.http.problem_details import ProblemDetails

MOST_LINES = 8_000  # of all travellers of an answer: a megabyte

DEAL = Meta(ge=1, le=MOST_DEALS, description="This deal alone.")


class DealAtTable(Struct, frozen=True, kw_only=True):
    """A deal at a table of a round: `entries` in the order of the seats, their scores, and what
    these were worth (per cent of the matchpoints, or IMPs); `awarded` are per cent given instead.
    `version` tells the forms of a deal apart that was not dealt alike everywhere: each is compared
    only with itself. `factored`: among how many results it was compared as if there were how many,
    by Neuberg's formula; empty where it was not.
    """

    round: int
    table: int
    entries: Sequence[str]
    scores: list[float]
    points: list[float]
    awarded: Sequence[int]
    version: int
    factored: Sequence[int]


class DealTraveller(Struct, frozen=True, kw_only=True):
    """A deal: at how many tables of all it was played; without `shown` somebody has still to play
    it, and its lines are hidden.
    """

    deal: int
    played: int
    tables: int
    shown: bool
    lines: list[DealAtTable]


class Deals(Struct, frozen=True, kw_only=True):
    """The deals of a tournament; `commitment` is the digest of the seed of the deals of pairs,
    `seed` is "" until it is known, `stocks` are those that everybody plays a patience from.
    """

    commitment: str
    seed: str
    stocks: Sequence[str]
    deals: list[DealTraveller]


class AskedDeal(Struct, frozen=True, kw_only=True):
    """Which deal alone is wanted; all of them without."""

    deal: Annotated[int, DEAL] | None = None


class DealViewSet(ApiViewSet):
    """The deals of a tournament in which tables play the same."""

    act = Permission.SEE_SALON

    @document_action(answers={422: ProblemDetails}, query=AskedDeal)
    def read_deals(self, request: Request, tournament: str) -> Deals:
        """Every deal with its traveller, as far as it may be seen; 422 where they have more lines
        than one answer: then ask for one `deal` after the other.
        """
        asked = self.query(AskedDeal).deal
        at = public_or_404(self.visitor, tournament)
        seen = seen_at(at, "", plays_same_deals)
        every = travellers_of(seen, self.visitor) if seen is not None else []
        found = [each for each in every if asked is None or each.deal == asked]
        _check_length(sum(len(each.lines) for each in found))
        deals = [
            build_struct(DealTraveller, each, lines=[_line(line) for line in each.lines])
            for each in found
        ]
        return Deals(
            commitment=at.state.deals_commitment,
            seed=at.state.deals_seed,
            stocks=at.state.stocks,
            deals=deals,
        )

    @document_action(Permission.DIRECT, version=True)
    def draw_deals(self, request: Request, tournament: str) -> Answer[Done]:
        """Draw the deals from a fresh seed and put its commitment into the log."""
        at = public_or_404(self.visitor, tournament)
        draw_deals(self.salon, at.row.pk, **self.by, version=self.version)
        return _answer_with_version(at.row.pk)

    @document_action(Permission.DIRECT)
    def reveal_deals(self, request: Request, tournament: str) -> Answer[Done]:
        """Make the seeds of the deals known, when the tournament is over."""
        at = public_or_404(self.visitor, tournament)
        reveal_deals(self.salon, at.row.pk, **self.by)
        return _answer_with_version(at.row.pk)


def _check_length(lines: int) -> None:
    if lines > MOST_LINES:
        raise RuleViolation(
            "too_long",
            "the travellers have %(lines)s lines, and an answer %(most)s; ask for one deal after "
            "the other: ?deal=1",
            path="deal",
            lines=lines,
            most=MOST_LINES,
        )


def _answer_with_version(stream: str) -> Answer[Done]:
    version = Tournament.objects.values_list("version", flat=True).get(pk=stream)
    return answer_to_write(stream, version, replayed=False)


def _line(line: TravellerLine) -> DealAtTable:
    return build_struct(
        DealAtTable,
        line,
        scores=[score / HUNDREDTHS for score in line.scores],
        points=[points / HUNDREDTHS for points in line.points],
    )
