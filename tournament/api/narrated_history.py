"""The history in plain words, newest first: the acts of the salon, narrowed as on the
page, or those of one stream.
"""

from collections.abc import Sequence
from typing import Annotated

from django.template.loader import render_to_string
from msgspec import Meta, Struct
from rest_framework.request import Request

from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.api.as_of import plain
from tournament.api.http.responses import build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery
from tournament.models import Call, Game, House, Screen, Season, Stock, Tournament
from tournament.queries import tournament_history
from tournament.queries.history import KINDS, OF_A_GAME, HistoryFilter, acts_of, is_wanted
from tournament.queries.history_lines import HistoryLine, history_lines, rows_of
from tournament.queries.tournament_visibility import row_or_404
from tournament.streams.acts import Moment, moments_of
from tournament.streams.correction_period import house_of

SHOWS, SHOWS_OF_A_GAME, SHOWS_OF_A_TOURNAMENT = (
    "|".join(kinds) for kinds in (KINDS, OF_A_GAME, tournament_history.KINDS)
)

SHOWN_OF_A_TOURNAMENT = Meta(
    pattern=f"^({SHOWS_OF_A_TOURNAMENT})$", description="A kind of act; none: everything."
)
SINCE = Meta(ge=0, le=10**17, description="What happened then or later, in microseconds UTC.")
UNTIL = Meta(ge=0, le=10**17, description="What happened then or before, in microseconds UTC.")
ENTRY = Meta(
    max_length=64, description="The id of an entry: acts about it, or about a table it sits at."
)


class ActLine(Struct, frozen=True, kw_only=True):
    """An act in words: the line of the log it is, when it happened and was recorded (microseconds
    UTC), by whom, and its step of its stream.

    `chips` are the payments that moved with it, in words. `taken_back` is the line that took it
    back, null while it stands.
    """

    position: int
    stream: str
    version: int
    type: str
    occurred_at: int
    recorded_at: int
    actor: str
    who: str
    words: str
    chips: list[str]
    table: str
    hand: int | None
    taken_back: int | None


class Between(PageQuery, frozen=True, kw_only=True):
    """Which acts: of one person, between two times; all by default."""

    by: Annotated[str, Meta(max_length=80, description="Who entered it, as `actor` says.")] = ""
    since: Annotated[int, SINCE] | None = None
    until: Annotated[int, UNTIL] | None = None


class Narrowed(Between, frozen=True, kw_only=True):
    """Which acts of the salon: of a kind, of one table, of one player's games, too."""

    show: Annotated[
        str,
        Meta(pattern=f"^({SHOWS})$", description="A kind of act; none: everything but the chips."),
    ] = ""
    table: Annotated[str, Meta(max_length=20, description="The label of a table.")] = ""
    player: Annotated[str, Meta(max_length=32, description="The id of a player.")] = ""


class NarrowedOfAGame(Between, frozen=True, kw_only=True):
    """Which acts of a game: of a kind, too."""

    show: Annotated[
        str, Meta(pattern=f"^({SHOWS_OF_A_GAME})$", description="A kind of act; none: everything.")
    ] = ""


class NarrowedOfATournament(Between, frozen=True, kw_only=True):
    """Which acts of a tournament: of a kind, about one entry or one table, too."""

    show: Annotated[str, SHOWN_OF_A_TOURNAMENT] = ""
    by: Annotated[str, Meta(max_length=80, description="Who did it, as `actor` says.")] = ""
    entry: Annotated[str, ENTRY] = ""
    table: Annotated[int, Meta(ge=1, le=10**6, description="The number of a table.")] | None = None


class HistoryViewSet(ApiViewSet):
    """What happened in plain words, newest first."""

    act = Permission.READ_HISTORY

    @document_action(query=Narrowed)
    def list_acts(self, request: Request) -> Page[ActLine]:
        """The acts of the salon in words, the latest first; a page may have fewer than asked for,
        or none, and be followed by others.
        """
        query, visitor = self.query(Narrowed), self.visitor
        wanted = build_struct(
            HistoryFilter, query, kind=query.show, actor=query.by, before=query.cursor
        )
        moments, earlier = acts_of(visitor.salon, wanted, query.limit)
        lines = _lines(
            visitor, rows_of({moment.entry.stored.stream for moment in moments}), moments
        )
        return Page(items=lines, next_cursor=earlier)

    @document_action(query=NarrowedOfAGame)
    def list_game_acts(self, request: Request, game: str) -> Page[ActLine]:
        """The acts of a game in words, the latest first."""
        row, query = game_or_404(self.visitor, game), self.query(NarrowedOfAGame)
        wanted = build_struct(
            HistoryFilter, query, kind=query.show, actor=query.by, table="", player="", before=None
        )
        acts = [each for each in moments_of(row.salon.log_id, row.pk) if is_wanted(each, wanted)]
        return _page(self, query, row, acts)

    @document_action(query=NarrowedOfATournament)
    def list_tournament_acts(self, request: Request, tournament: str) -> Page[ActLine]:
        """What the director of a tournament did, in words, the latest first."""
        row, query = row_or_404(self.visitor, tournament), self.query(NarrowedOfATournament)
        wanted = build_struct(
            HistoryFilter,
            query,
            kind=query.show,
            actor=query.by,
            table=str(query.table or ""),
            player=query.entry,
            before=None,
        )
        acts = moments_of(row.salon.log_id, row.pk)
        found = [each for each in acts if tournament_history.is_wanted(each, wanted)]
        return _page(self, query, row, found)

    @document_action(query=PageQuery)
    def list_season_acts(self, request: Request, season: str) -> Page[ActLine]:
        """What was done in a season, in words, the latest first."""
        return _of_stream(self, self.row(Season, season))

    @document_action(query=PageQuery)
    def list_call_acts(self, request: Request, call: str) -> Page[ActLine]:
        """What became of a call for the director, in words, the latest first."""
        return _of_stream(self, self.row(Call, call))

    @document_action(query=PageQuery)
    def list_screen_acts(self, request: Request, screen: str) -> Page[ActLine]:
        """What was laid down about a screen on the wall, in words, the latest first."""
        return _of_stream(self, self.row(Screen, screen))

    @document_action(query=PageQuery)
    def list_stock_acts(self, request: Request, stock: str) -> Page[ActLine]:
        """What became of a duplicate stock, in words, the latest first."""
        return _of_stream(self, self.row(Stock, stock))

    @document_action(query=PageQuery)
    def list_house_acts(self, request: Request) -> Page[ActLine]:
        """What the house has laid down, in words, the latest first."""
        return _of_stream(self, house_of(self.salon))


def _of_stream(view: ApiViewSet, row: Call | House | Screen | Season | Stock) -> Page[ActLine]:
    return _page(view, view.query(PageQuery), row, moments_of(view.salon.log_id, row.pk))


def _page(
    view: ApiViewSet,
    query: PageQuery,
    row: Call | Game | House | Screen | Season | Stock | Tournament,
    moments: Sequence[Moment],
) -> Page[ActLine]:
    """Of these acts of a stream, in order, the latest before the cursor."""
    before, limit = query.cursor, query.limit
    earlier = [each for each in reversed(moments) if before is None or _place(each) < before]
    more = len(earlier) > limit
    return Page(
        items=_lines(view.visitor, {row.pk: row}, earlier[:limit]),
        next_cursor=_place(earlier[limit - 1]) if more else None,
    )


def _place(moment: Moment) -> int:
    return moment.entry.stored.position


def _lines(visitor: Visitor, rows: dict[str, object], moments: Sequence[Moment]) -> list[ActLine]:
    return [_line(each) for each in history_lines(visitor.salon, rows, moments, visitor.audience)]


def _line(each: HistoryLine) -> ActLine:
    stored = each.moment.entry.stored
    return build_struct(
        ActLine,
        stored,
        version=each.version,
        who=each.who,
        words=plain(render_to_string(list(each.templates), {"act": each, "fact": each.fact})),
        chips=[
            plain(render_to_string("history/payment.html", {"payment": payment}))
            for payment in each.payments
        ],
        table=each.row.table if each.row is not None else "",
        hand=each.moment.hand or None,
        taken_back=each.moment.entry.taken_back,
    )
