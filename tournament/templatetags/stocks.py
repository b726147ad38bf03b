"""Duplicate stocks where a game's own templates show them: those that can be dealt, and those that
were.
"""

from collections.abc import Sequence

from django import template

from tournament.models import Game, Stock, StockDeal
from tournament.recording import stocks
from tournament.recording.duplicate_deals import next_deal

register = template.Library()
register.simple_tag(stocks.ready_stocks, name="ready_stocks")
register.simple_tag(next_deal, name="next_deal")


@register.simple_tag
def stocks_of_game(row: Game) -> Sequence[StockDeal]:
    """The deals of a game that were opened from a duplicate stock, in order, with their stocks."""
    return list(StockDeal.objects.filter(game=row.pk).select_related("stream").order_by("number"))


@register.simple_tag
def stock_of_deal(row: Game, number: int) -> Stock | None:
    """The duplicate stock that this deal was opened from, None for one that the player shuffled."""
    deal = StockDeal.objects.filter(game=row.pk, number=number).select_related("stream").first()
    return deal.stream if deal is not None else None
