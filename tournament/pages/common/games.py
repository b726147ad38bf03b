"""What several pages say of a game: what it is called, and where its numbers are explained."""

from django.utils.translation import gettext as _

from tournament.formats.local.dates import date_text
from tournament.models import Game
from tournament.salons.page_addresses import page_address


def title_of_game(row: Game) -> str:
    """A game in a few words: its table and its day."""
    day = date_text(row.played_on) if row.played_on else ""
    table = (
        _("Table %(table)s") % {"table": row.table} if row.table else _("A game without a table")
    )
    return f"{table}, {day}" if day else table


def numbers_of(row: Game) -> str:
    """The address below which a game's numbers are explained, each under its code."""
    return page_address("number", row.pk, "-").removesuffix("-/")
