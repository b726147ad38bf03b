"""The deals of a tournament on paper, for who lays the cards out and nobody who plays."""

from functools import cache
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.formats.local.dates import MOMENT, written
from tournament.formats.pdf import TYPST_PAPERS
from tournament.queries.sheet_exports import TYPES, SheetFile
from tournament.queries.tournament import Directed
from tournament.recording.duplicate_deals import deals_of
from tournament.salons.paper_sizes import paper_of
from tournament.server.papers import paper

PDF = "pdf"


def deal_holdings(at: Directed) -> list[tuple[int, list[tuple[str, tuple[str, ...]]]]]:
    """Every deal by its number with what each seat holds; none where no deals are drawn."""
    found = deals_of(at.row.salon, at.row.pk, at.state)
    seats = max(GAMES[at.state.game].seatings, key=len)
    return [(number, list(zip(seats, deal, strict=True))) for number, deal in found.items()]


def deals_on_paper(at: Directed, caller: str, asked: str | None) -> SheetFile:
    """The deals as pages, two on each, of which this server keeps none; on the paper `asked` for,
    None on the salon's. Raises Http404 where none are drawn, UnknownPaper, and what `papers.paper`
    raises; `caller` is the address that asks.
    """
    found = deal_holdings(at)
    if not found:
        raise Http404
    shown: JsonObject = {
        "paper": TYPST_PAPERS[paper_of(at.row.salon, asked)],
        "title": _("%(name)s, deals to lay out") % {"name": at.row.name},
        "says": _("For who lays the cards, and nobody who plays."),
        "salon": at.row.salon.name,
        "deals": [
            {
                "heading": _("Deal %(number)d") % {"number": number},
                "hands": [{"seat": seat, "suits": _by_suit(cards)} for seat, cards in holdings],
            }
            for number, holdings in found
        ],
    }
    printed = written(timezone.localtime(), MOMENT)
    return SheetFile(
        name=f"{slugify(at.row.name) or 'tournament'}-deals.{PDF}",
        type=TYPES[PDF],
        content=paper(_template(), shown, printed=printed, caller=caller, keep=False),
    )


def _by_suit(cards: tuple[str, ...]) -> list[list[str]]:
    return [list(suit) for _suit, suit in groupby(cards, lambda card: card[1])]


@cache
def _template() -> str:
    return (Path(settings.BASE_DIR) / "templates" / "print" / "deals.typ").read_text(
        encoding="utf-8"
    )
