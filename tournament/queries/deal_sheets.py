"""The deals of a tournament on paper, for who lays the cards out and nobody who plays."""

from itertools import groupby

from django.http import Http404
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.queries.printing import Print, printed
from tournament.queries.sheet_exports import SheetFile
from tournament.queries.tournament import Directed
from tournament.recording.duplicate_deals import deals_of


def deal_holdings(at: Directed) -> list[tuple[int, list[tuple[str, tuple[str, ...]]]]]:
    """Every deal by its number with what each seat holds; none where no deals are drawn."""
    found = deals_of(at.row.salon, at.row.pk, at.state)
    seats = max(GAMES[at.state.game].seatings, key=len)
    return [(number, list(zip(seats, deal, strict=True))) for number, deal in found.items()]


def deals_on_paper(at: Directed, caller: str, asked: str | None) -> SheetFile:
    """The deals as pages, two on each, of which this server keeps none; on the paper `asked` for,
    None on the salon's. Raises Http404 where none are drawn, and what `printed` raises; `caller`
    is the address that asks.
    """
    found = deal_holdings(at)
    if not found:
        raise Http404
    shown: JsonObject = {
        "title": _("%(name)s, deals to lay out") % {"name": at.row.name},
        "says": _("For who lays the cards, and nobody who plays."),
        "deals": [
            {
                "heading": _("Deal %(number)d") % {"number": number},
                "hands": [{"seat": seat, "suits": _by_suit(cards)} for seat, cards in holdings],
            }
            for number, holdings in found
        ],
    }
    named = f"{slugify(at.row.name) or 'tournament'}-deals"
    on_it = Print(caller=caller, paper=asked)
    return printed("deals", at.row.salon, shown, on_it, named=named, keep=False, framed=False)


def _by_suit(cards: tuple[str, ...]) -> list[list[str]]:
    return [list(suit) for _suit, suit in groupby(cards, lambda card: card[1])]
