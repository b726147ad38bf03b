"""Games and tournaments as of a moment, and two moments of one beside each other: by the entry, the
time recorded or the time played.
"""

from collections.abc import Callable, Sequence
from functools import partial
from html import unescape
from typing import Annotated

from django.http import Http404
from django.utils.html import strip_tags
from msgspec import Meta, Struct
from rest_framework.request import Request

from ledger.reading import head_of
from scoring.errors import NotationError
from scoring.shape import JsonObject
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.api.rounds import StandingRow, standing_rows
from tournament.domain.standings.stages import tie_breaks_of
from tournament.domain.tournament.standings_view import field_of
from tournament.queries.comparison import Group, Moments, compared, differing, moment_asked
from tournament.queries.game_as_of import RECORDED, game_as_of
from tournament.queries.game_as_of import Picture as GamePicture
from tournament.queries.game_as_of import after as game_after
from tournament.queries.tournament_as_of import TournamentPicture, after, tournament_as_of
from tournament.queries.tournament_comparison import compare_pictures
from tournament.queries.tournament_visibility import public_or_404
from tournament.streams.acts import Moment, moments_of

VERSION = Meta(ge=1, le=10**9, description="A version of the game or the tournament.")
CLOCK = Meta(pattern="^(recorded|played)$", description="By the time recorded, or played.")
TIME = Meta(
    max_length=40,
    description="A time as `2026-11-21 19:41` or the position of a line of the log; none: now.",
)


class AsOf(Struct, frozen=True, kw_only=True):
    """A moment of a game or a tournament: a version of it, or a time or a line of the log, by
    what was recorded or played by then.
    """

    version: Annotated[int, VERSION] | None = None
    as_of: Annotated[str, TIME] = ""
    clock: Annotated[str, CLOCK] = RECORDED


class TwoMoments(Struct, frozen=True, kw_only=True):
    """Two moments of a game or a tournament, each by a clock of its own."""

    one: Annotated[str, TIME] = ""
    one_clock: Annotated[str, CLOCK] = RECORDED
    other: Annotated[str, TIME] = ""
    other_clock: Annotated[str, CLOCK] = RECORDED


class Picture(Struct, frozen=True, kw_only=True):
    """A game as it was at a moment: its table, and the version it had then (null by the time
    played).
    """

    version: int | None
    at: str
    state: JsonObject


class MissingResult(Struct, frozen=True, kw_only=True):
    """A table of a round that had no result."""

    round: int
    table: int


class StandingsThen(Struct, frozen=True, kw_only=True):
    """A tournament as it stood at a moment: its phase and its standings.

    `version` is the one it had (null by the time played), `position` the line up to which the log
    is counted (0 by the time played). `missing` are the tables without a result. `silent`: later
    rounds are hidden from this visitor.
    """

    version: int | None
    at: str
    position: int
    phase: str
    after_round: int
    silent: bool
    tie_breaks: list[str]
    rows: list[StandingRow]
    missing: list[MissingResult]


class ComparedMoment(Struct, frozen=True, kw_only=True):
    """One of the two: the version there was (null by the time played), the time, and the entry (0
    by the time played).
    """

    version: int | None
    at: str
    position: int


class ComparedLine(Struct, frozen=True, kw_only=True):
    """A number or a sentence at both moments, "" where there was none, and whether they differ."""

    label: str
    one: str
    other: str
    differs: bool


class ComparedGroup(Struct, frozen=True, kw_only=True):
    """Lines of one kind: scores, pots, hands, standings, a round."""

    title: str
    lines: list[ComparedLine]


class Comparison(Struct, frozen=True, kw_only=True):
    """Both moments side by side, and how many lines differ."""

    one: ComparedMoment
    other: ComparedMoment
    differing: int
    groups: list[ComparedGroup]


class AsOfViewSet(ApiViewSet):
    """Games and tournaments as of a moment, and two moments beside each other."""

    act = Permission.READ_HISTORY

    @document_action(query=AsOf)
    def read_game_as_of(self, request: Request, game: str) -> Picture:
        """A game as it was at a version, at a time or after an entry; without any of them as it is
        now.
        """
        row, query = game_or_404(self.visitor, game), self.query(AsOf)
        moments = moments_of(row.salon.log_id, row.pk)
        if query.version is not None:
            picture = game_after(_moment_of(moments, query.version))
        else:
            picture = game_as_of(
                moments, query.as_of, query.clock, head=head_of(row.salon.log_id).position
            )
        return Picture(version=picture.version, at=picture.at.isoformat(), state=picture.table)

    @document_action(query=TwoMoments)
    def compare_game(self, request: Request, game: str) -> Comparison:
        """Two moments of a game side by side: scores, Excess, chips, pots, hands."""
        row = game_or_404(self.visitor, game)
        moments, head = moments_of(row.salon.log_id, row.pk), head_of(row.salon.log_id).position

        one, other = _both(self.query(TwoMoments), partial(game_as_of, moments, head=head))
        return _comparison(
            one, other, list(compared(row, one, other, audience=self.visitor.audience))
        )

    @document_action(query=AsOf)
    def read_tournament_as_of(self, request: Request, tournament: str) -> StandingsThen:
        """A tournament as it stood at a version, at a time or after an entry; without any of them
        as it stands now.
        """
        at, query = public_or_404(self.visitor, tournament), self.query(AsOf)
        moments = moments_of(at.row.salon.log_id, at.row.pk)
        if query.version is not None:
            moment = _moment_of(moments, query.version)
            picture = after(self.visitor, at, moment, moment.last.position)
        else:
            picture = tournament_as_of(self.visitor, at, moments, query.as_of, query.clock)
        return StandingsThen(
            version=picture.version,
            at=picture.at.isoformat(),
            position=picture.position,
            phase=picture.then.state.phase,
            after_round=picture.standings.after_round,
            silent=picture.last_round is not None,
            tie_breaks=list(tie_breaks_of(field_of(picture.then.state, picture.then.outcomes))),
            rows=standing_rows(at, picture.standings),
            missing=[
                MissingResult(round=number, table=table)
                for number, table in picture.standings.missing
            ],
        )

    @document_action(query=TwoMoments)
    def compare_tournament(self, request: Request, tournament: str) -> Comparison:
        """Two moments of a tournament side by side: how far it had come, who stood where, and the
        results round by round.
        """
        visitor, at = self.visitor, public_or_404(self.visitor, tournament)
        moments = moments_of(at.row.salon.log_id, at.row.pk)

        shown = partial(tournament_as_of, visitor, at, moments)
        one, other = _both(self.query(TwoMoments), shown)
        return _comparison(one, other, list(compare_pictures(visitor, at, one, other)))


def _both[P](query: TwoMoments, picture_of: Callable[[str, str], P]) -> tuple[P, P]:
    """The pictures of both moments. Raises NotationError with the name of the one that can't be
    shown.
    """
    one = moment_asked(query.one, query.one_clock, picture_of)
    return _picture_or_problem(one, "one"), _picture_or_problem(
        moment_asked(query.other, query.other_clock, picture_of), "other"
    )


def _picture_or_problem[P](moments: Moments[P], name: str) -> P:
    if moments.picture is None:
        raise NotationError(
            moments.problem.message if moments.problem is not None else "", path=name
        )
    return moments.picture


def _comparison(
    one: GamePicture | TournamentPicture,
    other: GamePicture | TournamentPicture,
    groups: Sequence[Group],
) -> Comparison:
    return Comparison(
        one=_moment(one),
        other=_moment(other),
        differing=differing(groups),
        groups=[_group(each) for each in groups],
    )


def _moment(picture: GamePicture | TournamentPicture) -> ComparedMoment:
    return build_struct(ComparedMoment, picture, at=picture.at.isoformat())


def _group(group: Group) -> ComparedGroup:
    lines = [
        build_struct(ComparedLine, row, one=plain(row.one), other=plain(row.other))
        for row in group.rows
    ]
    return ComparedGroup(title=group.title, lines=lines)


def plain(shown: str) -> str:
    """Return the text of a page without its markup."""
    return " ".join(unescape(strip_tags(shown.replace("<", " <"))).split())


def _moment_of(moments: Sequence[Moment], version: int) -> Moment:
    """The act that this version belongs to. Raises Http404 for one that the stream never had."""
    found = next((moment for moment in moments if moment.last.version >= version), None)
    if found is None:
        raise Http404
    return found
