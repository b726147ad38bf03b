"""Template tags for the salon: calls for the director, screens, the house, and
duplicate stocks where a game's own templates show them, those that can be dealt and
those that were.
"""

from collections.abc import Sequence

from django import template

from tournament.formats.local.languages import language_called
from tournament.models import Game, Stock, StockDeal
from tournament.queries import screens
from tournament.queries.calls import REASONS
from tournament.queries.word_lists import list_words
from tournament.recording import stocks
from tournament.recording.duplicate_deals import next_deal

register = template.Library()
register.filter("listed", list_words)
register.filter("language_called", language_called)
register.simple_tag(screens.part_words)
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


@register.simple_tag
def call_reason(reason: str) -> str:
    """Why a table calls, as it is said at the table."""
    return str(REASONS.get(reason, reason))
