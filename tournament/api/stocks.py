"""Duplicate stocks of the patience: drawn with a commitment, dealt at tables, their seed made known
after play.
"""

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.request import Request

from scoring.errors import RuleViolation
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission
from tournament.api.games import find_first_version
from tournament.api.history import Events, events_of
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    answer_to_write,
    build_struct,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of
from tournament.models import Stock
from tournament.queries.round_over import check_round_goes_on
from tournament.recording import stocks
from tournament.recording.duplicate_deals import check_stock, hand_of
from tournament.recording.stocks import get_chosen_stock


class StockLine(Struct, frozen=True, kw_only=True):
    """A stock: `commitment` is the digest that was in the log before play, `seed` is "" until it is
    made known.
    """

    id: str
    name: str
    drawn_on: str
    commitment: str
    seed: str
    version: int
    started_position: int


class DealLine(Struct, frozen=True, kw_only=True):
    """A deal of a game that was opened from a stock; `built` is null while it is open, `matches`
    until the seed is known.
    """

    game: str
    number: int
    taken_back: bool
    built: int | None
    matches: bool | None


class StockDetail(Struct, frozen=True, kw_only=True):
    """A stock and the deals that were opened from it."""

    stock: StockLine
    deals: list[DealLine]


class NewStock(Struct, frozen=True, kw_only=True):
    """A stock to be drawn."""

    name: str


class Reveal(Struct, frozen=True, kw_only=True):
    """That the seed is made known; `anyway` even while somebody still plays the stock."""

    anyway: bool = False


class NewDeal(Struct, frozen=True, kw_only=True):
    """The stock (its id) from which the next deal is opened."""

    stock: str


class StockViewSet(ApiViewSet):
    """Duplicate stocks of the patience."""

    act = Permission.SEE_SALON

    @document_action(query=PageQuery)
    def list_stocks(self, request: Request) -> Page[StockLine]:
        """The stocks of the salon, the latest first."""
        return page_of(request, Stock.objects.filter(salon=self.salon)).with_shape(_line)

    @document_action(Permission.DIRECT, body=NewStock)
    def draw_stock(self, request: Request) -> Answer[Done]:
        """Draw a stock from a fresh seed and put its commitment into the log; the key of this
        write, without dashes, is its id.
        """
        visitor = self.visitor
        replayed = Stock.objects.filter(pk=self.command, salon=visitor.salon).exists()
        row = stocks.draw(visitor.salon, name=" ".join(self.body(NewStock).name.split()), **self.by)
        return answer_to_write(
            row.pk, find_first_version(row.salon, row.pk, self.command), replayed=replayed
        )

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def list_stock_events(self, request: Request, stock: str) -> Answer[Events]:
        """Every event of a stock in order; the cursor is a version of it."""
        return events_of(self, self.row(Stock, stock))

    def read_stock(self, request: Request, stock: str) -> StockDetail:
        """A stock with the deals that were opened from it, and after play its seed, which anybody
        can check.
        """
        row = self.row(Stock, stock)
        deals = [
            build_struct(DealLine, deal, game=deal.game.pk, number=deal.deal.number)
            for deal in stocks.deals_from(self.salon, row)
        ]
        return StockDetail(stock=_line(row), deals=deals)

    @document_action(Permission.DIRECT, body=Reveal)
    def reveal_seed(self, request: Request, stock: str) -> Answer[Done]:
        """Make the seed of a stock known."""
        visitor = self.visitor
        row = get_object_or_404(Stock, salon=visitor.salon, pk=stock)
        may_tell = self.body(Reveal).anyway or row.seed
        if not may_tell and any(deal.is_open for deal in stocks.deals_from(visitor.salon, row)):
            words = _(
                "Somebody still plays this stock; "
                "send `anyway` to make its seed known all the same."
            )
            raise RuleViolation("still_played", words, rule="O7", path="anyway")
        return answer_to_recording(stocks.reveal(visitor.salon, row, **self.by))

    @document_action(Permission.RECORD, body=NewDeal, version=True)
    def deal_from_stock(self, request: Request, game: str) -> Answer[Done]:
        """Open the next deal of a game of patience from a stock."""
        row, visitor = game_or_404(self.visitor, game), self.visitor
        visitor.demand(Permission.RECORD, table=row.table)
        check_round_goes_on(visitor, row)
        chosen = get_chosen_stock(visitor.salon, self.body(NewDeal).stock)
        check_stock(row, hand_of(row), chosen)
        done = stocks.open_deal(visitor.salon, row, chosen, **self.by, version=self.version)
        return answer_to_recording(done)


def _line(row: Stock) -> StockLine:
    return build_struct(StockLine, row, drawn_on=row.drawn_on.isoformat())
