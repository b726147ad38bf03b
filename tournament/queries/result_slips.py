"""What is printed for a round: slips on which every table writes its result and signs it, and the
deals for who lays the cards out and nobody who plays.
"""

from collections.abc import Iterator
from itertools import groupby

from django.http import Http404
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.printing import Print, printed
from tournament.queries.sheet_exports import SheetFile
from tournament.queries.sides import side_words
from tournament.queries.tournament import Directed
from tournament.recording.duplicate_deals import deals_of


def result_slips(at: Directed, each: RoundState, asked: Print) -> SheetFile:
    """A slip for every table of a round, several a page. Raises what `printed` raises."""
    titled = _("%(name)s, result slips of round %(number)d") % {
        "name": at.row.name,
        "number": each.number,
    }
    shown = {
        "title": titled,
        "event": at.row.name,
        "empty": _("Nobody plays at a table in this round."),
        "headings": [_("Seats"), _("Entry"), _("Score"), _("Signed")],
        "below": [_("Hands played"), _("Remarks, penalties; director")],
        "slips": [
            {
                "heading": _("Round %(number)d, table %(table)d")
                % {"number": each.number, "table": table.table},
                "seats": list(_seats(at, each, table)),
            }
            for table in each.tables
        ],
    }
    return printed("result_slips", at.row.salon, shown, asked, named=titled)


def _seats(at: Directed, each: RoundState, table: TableState) -> Iterator[dict[str, str]]:
    sides = side_words(at.state.game, len(table.entries))
    for side, entry in zip(sides, table.entries, strict=True):
        yield {
            "side": side,
            "name": at.name_in(each.number, entry),
            "entry": _("entry %(number)s") % {"number": entry},
        }


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
