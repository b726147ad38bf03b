"""Paper for the salon's tables: cards with their labels to stand on them, sheets to write a game on
by hand. Both carry the code of the table's link, and never its PIN.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.models import Salon, Table
from tournament.queries.game_templates import parts_of
from tournament.queries.pages_on_paper import Print, SheetFile, printed

HANDS = 40  # lines that have a number, if the page is that long


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table as paper has it: its link as a picture (SVG), "" where none is known that phones can
    open.
    """

    label: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a score sheet: what it is headed by, with others or alone, and how wide it is."""

    group: str
    heading: str
    share: float


def paper_tables(tables: Sequence[Table], code_of: Callable[[Table], str]) -> list[PaperTable]:
    """These tables for paper; `code_of` draws the link of one."""
    return [PaperTable(label=table.label, code=code_of(table)) for table in tables]


def table_cards(salon: Salon, tables: Sequence[PaperTable], asked: Print) -> SheetFile:
    """A card for each of these tables, one a page. Raises what `printed` raises."""
    titled = _("Table cards")
    shown = {
        "title": titled,
        "word": _("Table"),
        "empty": _("The salon has no tables yet."),
        "cards": [
            {
                "label": table.label,
                "code": table.code,
                "says": _("Scan the code to record here; the PIN is on the slip.")
                if table.code
                else "",
                "alt": _("Code of table %(table)s") % {"table": table.label},
            }
            for table in tables
        ],
    }
    return printed("table_cards", salon, shown, asked, named=titled, keep=False)


def score_sheets(salon: Salon, kind: str, tables: Sequence[PaperTable], asked: Print) -> SheetFile:
    """A sheet of this game for each of these tables, one a page; without tables one for any.

    Raises KeyError for no such game, and what `printed` raises.
    """
    game = GAMES[kind]
    titled = _("%(game)s, score sheets") % {"game": game.title}
    columns, says = _columns(game)
    sheets = [
        {
            "heading": _("Table %(table)s") % {"table": table.label}
            if table.label
            else _("Table ______"),
            "under": _("%(game)s. Date, round and event: __________________")
            % {"game": game.title},
            "code": table.code,
            "alt": _("Code of table %(table)s") % {"table": table.label},
            "seats": [str(game.seat_names[seat]) for seat in _seats(game)],
            "hands": HANDS,
            "columns": [{"heading": each.heading, "share": each.share} for each in columns],
            "groups": _groups(columns),
            "says": says,
            "signed": [
                _("Signed for %(side)s") % {"side": side}
                for side in list(game.teams.values()) or [_("the table")]
            ],
        }
        for table in tables or [PaperTable(label="", code="")]
    ]
    shown: JsonObject = {"title": titled, "sheets": sheets}
    return printed("score_sheet", salon, shown, asked, named=titled, keep=False)


def _seats(game: AnyGame) -> tuple[str, ...]:
    """The seats of the largest table of a game."""
    return max(game.seatings, key=len)


def _columns(game: AnyGame) -> tuple[list[Column], str]:
    """The columns that the game's own template lists, and what it says below them."""
    seats = [(seat, str(game.seat_names[seat])) for seat in _seats(game)]
    told = render_to_string(parts_of(game.name, "score_sheet"), {"seats": seats})
    lines = [" ".join(line.split()) for line in told.splitlines() if line.strip()]
    columns = [_column(line) for line in lines if "|" in line]
    return columns, " ".join(line for line in lines if "|" not in line)


def _column(line: str) -> Column:
    group, heading, share = (part.strip() for part in line.split("|"))
    return Column(group=group, heading=heading, share=float(share))


def _groups(columns: Sequence[Column]) -> list[tuple[str, int]]:
    """The headings above the columns, and above how many of them."""
    return [
        (group, sum(1 for _column in alike))
        for group, alike in groupby(columns, lambda column: column.group)
    ]
