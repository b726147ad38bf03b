"""Duplicate stocks of the patience: drawn with a commitment, dealt at tables, their seed made known
after play.
"""

from dataclasses import dataclass

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from scoring.errors import RuleViolation
from tournament.accounts.access import Act, game_or_404
from tournament.api.games import begun_at
from tournament.api.history import Events, events_of
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Asked, Done, Page, paged, recorded
from tournament.models import Stock
from tournament.queries.round_over import check_round_goes_on
from tournament.recording import stocks
from tournament.recording.stocks import chosen_stock


@dataclass(frozen=True, slots=True, kw_only=True)
class StockLine:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DealLine:
    """A deal of a game that was opened from a stock; `built` is null while it is open, `matches`
    until the seed is known.
    """

    game: str
    number: int
    taken_back: bool
    built: int | None
    matches: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StockDetail:
    """A stock and the deals that were opened from it."""

    stock: StockLine
    deals: list[DealLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStock:
    """A stock to be drawn."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """That the seed is made known; `anyway` even while somebody still plays the stock."""

    anyway: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeal:
    """The stock (its id) from which the next deal is opened."""

    stock: str


@operation(Act.SEE_SALON, answers=Page[StockLine], query=Asked)
def list_stocks(call: Call) -> Page[StockLine]:
    """The stocks of the salon, the latest first."""
    rows = Stock.objects.filter(salon=call.visitor.salon).order_by("-started_position")
    if call.query.cursor is not None:
        rows = rows.filter(started_position__lt=call.query.cursor)
    return paged(
        [(row.started_position, _line(row)) for row in rows[: call.query.limit + 1]],
        call.query.limit,
    )


@operation(Act.DIRECT, answers=Done, status=201, body=NewStock, keyed=True)
def draw_stock(call: Call) -> Answer:
    """Draw a stock from a fresh seed and put its commitment into the log; the key of this write,
    without dashes, is its id.
    """
    visitor = call.visitor
    replayed = Stock.objects.filter(pk=call.command, salon=visitor.salon).exists()
    row = stocks.draw(
        visitor.salon,
        name=" ".join(call.body.name.split()),
        actor=visitor.actor,
        command=call.command,
    )
    done = Done(stream=row.pk, version=begun_at(row.salon, row.pk, call.command))
    return Answer(
        value=done,
        headers={"Idempotency-Replayed": "true"} if replayed else {},
        version=done.version,
    )


@operation(Act.READ_HISTORY, answers=Events, query=Asked)
def list_stock_events(call: Call, stock: str) -> Answer:
    """Every event of a stock in order; the cursor is a version of it."""
    return events_of(
        call,
        get_object_or_404(
            Stock.objects.select_related("salon"), salon=call.visitor.salon, pk=stock
        ),
    )


@operation(Act.SEE_SALON, answers=StockDetail)
def read_stock(call: Call, stock: str) -> StockDetail:
    """A stock with the deals that were opened from it, and after play its seed, which anybody can
    check.
    """
    row = get_object_or_404(Stock, salon=call.visitor.salon, pk=stock)
    deals = [
        DealLine(
            game=deal.game.pk,
            number=deal.deal.number,
            taken_back=deal.taken_back,
            built=deal.built,
            matches=deal.matches,
        )
        for deal in stocks.deals_from(call.visitor.salon, row)
    ]
    return StockDetail(stock=_line(row), deals=deals)


@operation(Act.DIRECT, answers=Done, status=201, body=Reveal, keyed=True)
def reveal_seed(call: Call, stock: str) -> Answer:
    """Make the seed of a stock known."""
    visitor = call.visitor
    row = get_object_or_404(Stock, salon=visitor.salon, pk=stock)
    if (
        not call.body.anyway
        and not row.seed
        and any(deal.is_open for deal in stocks.deals_from(visitor.salon, row))
    ):
        words = _(
            "Somebody still plays this stock; send `anyway` to make its seed known all the same."
        )
        raise RuleViolation("still_played", rule="O7", message=words, path="anyway")
    return recorded(stocks.reveal(visitor.salon, row, actor=visitor.actor, command=call.command))


@operation(Act.RECORD, answers=Done, status=201, body=NewDeal, on_version=True)
def deal_from_stock(call: Call, game: str) -> Answer:
    """Open the next deal of a game of patience from a stock."""
    row, visitor = game_or_404(call.visitor, game), call.visitor
    visitor.demand(Act.RECORD, table=row.table)
    check_round_goes_on(visitor, row)
    chosen = chosen_stock(visitor.salon, call.body.stock)
    done = stocks.open_deal(
        visitor.salon, row, chosen, actor=visitor.actor, command=call.command, version=call.version
    )
    return recorded(done)


def _line(row: Stock) -> StockLine:
    plain = {name: getattr(row, name) for name in StockLine.__dataclass_fields__}
    return StockLine(**plain | {"drawn_on": row.drawn_on.isoformat()})
