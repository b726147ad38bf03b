"""Slips of a round on which every table writes its result and signs it."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.printing import Print, printed
from tournament.queries.sheet_exports import SheetFile
from tournament.queries.sides import side_words
from tournament.queries.tournament import Directed


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
