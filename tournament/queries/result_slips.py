"""Printouts for a round: slips on which every table writes its result and signs it,
and the deals for the person who lays the cards out, not for players.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from django.http import Http404
from django.utils.text import slugify
from django.utils.translation import gettext as _

from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.pages_on_paper import Print, SheetFile, printed
from tournament.queries.sides import side_words
from tournament.queries.team_matches import whole_part_words
from tournament.queries.tournament import TournamentView, salon_tables_of
from tournament.recording.duplicate_deals import deals_of


def result_slips(at: TournamentView, each: RoundState, asked: Print) -> SheetFile:
    """A slip for every table of a round, several a page. Raises what `printed` raises."""
    elsewhere = salon_tables_of(at, each)
    titled = _("%(name)s, result slips of round %(number)d") % {
        "name": at.row.name,
        "number": each.number,
    }
    shown = {
        "title": titled,
        "event": at.row.name,
        "numbers": {name: entry for entry, name in at.names_in(each.number).items()},
        "empty": _("Nobody plays at a table in this round."),
        "headings": [_("Seats"), _("Entry"), _("Score"), _("Signed")],
        "deal": _("Deal"),
        "below": [_("Hands played"), _("Remarks, penalties; director")],
        "slips": [
            {
                "heading": ". ".join(
                    filter(
                        None,
                        (
                            _heading(each.number, table.table, elsewhere.get(table.table, "")),
                            whole_part_words(at.state, at.entries, each, table),
                        ),
                    )
                ),
                "seats": list(_seats(at, each, table)),
                "deals": [str(deal) for deal in table.deals],
            }
            for table in each.tables
        ],
    }
    return printed("result_slips", at.row.salon, shown, asked, named=titled)


def _heading(number: int, table: int, elsewhere: str) -> str:
    if elsewhere:
        words = _("Round %(number)d, table %(table)d: table %(elsewhere)s of the salon")
        return words % {"number": number, "table": table, "elsewhere": elsewhere}
    return _("Round %(number)d, table %(table)d") % {"number": number, "table": table}


def _seats(at: TournamentView, each: RoundState, table: TableState) -> Iterator[dict[str, str]]:
    sides = side_words(at.state.game, len(table.entries))
    for side, entry in zip(sides, table.entries, strict=True):
        yield {
            "side": side,
            "name": at.name_at(each.number, table, entry),
            "entry": _("entry %(number)s") % {"number": entry},
        }


def deal_holdings(at: TournamentView) -> list[tuple[int, list[tuple[str, tuple[str, ...]]]]]:
    """Every deal by its number with what each seat holds; none where no deals are drawn."""
    found = deals_of(at.row.salon, at.row.pk, at.state)
    seats = max(GAMES[at.state.game].seatings, key=len)
    return [(number, list(zip(seats, deal, strict=True))) for number, deal in found.items()]


def deals_on_paper(at: TournamentView, asked: Print) -> SheetFile:
    """The deals as pages, two on each, of which this server keeps none. Raises Http404 where none
    are drawn, and what `printed` raises.
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
                "hands": hands_of(holdings),
            }
            for number, holdings in found
        ],
    }
    named = f"{slugify(at.row.name) or 'tournament'}-deals"
    return printed("deals", at.row.salon, shown, asked, named=named, keep=False)


def hands_of(holdings: Sequence[tuple[str, tuple[str, ...]]]) -> list[JsonObject]:
    """The cards of each seat as paper has them, suit by suit."""
    return [{"seat": seat, "suits": _by_suit(cards)} for seat, cards in holdings]


def _by_suit(cards: tuple[str, ...]) -> list[list[str]]:
    return [list(suit) for _suit, suit in groupby(cards, lambda card: card[1])]
