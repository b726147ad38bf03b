"""A game's title and the explanation of its numbers, for several pages."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.formats.local.dates import date_text
from tournament.models import Game
from tournament.queries.table import days_begun


def title_of_game(row: Game) -> str:
    """A game in a few words: its table and its day."""
    return titles_of_games([row])[row.pk]


def titles_of_games(rows: Sequence[Game]) -> dict[str, str]:
    """Games of one salon in a few words each, by their ids: the table, and the day that was given
    or on which the game began.
    """
    begun = days_begun([row for row in rows if not row.played_on])
    return {
        row.pk: f"{_table_of(row)}, {date_text(row.played_on or begun[row.pk])}" for row in rows
    }


def _table_of(row: Game) -> str:
    return _("Table %(table)s") % {"table": row.table} if row.table else _("A game without a table")


def numbers_of(row: Game) -> str:
    """The address below which a game's numbers are explained, each under its code."""
    return reverse("number", args=[row.pk, "-"]).removesuffix("-/")
