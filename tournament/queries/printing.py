"""Books on paper: a game as a certificate (who played, every hand, what it came to, and what proves
that it was so), and the statement of a chip account.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.http import Http404
from django.utils import timezone
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.models import Event
from ledger.reading import events_in
from scoring.game import ResultTable
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.formats.local.dates import MOMENT, date_text
from tournament.formats.pdf import with_minus
from tournament.formats.sheets import Sheet
from tournament.models import Game, Salon
from tournament.queries.account_statements import LineInWords
from tournament.queries.confirmation_rows import read_confirmation
from tournament.queries.history_lines import at_time
from tournament.queries.number_format import number
from tournament.queries.pages_on_paper import PDF, TYPES, Print, SheetFile, printed
from tournament.queries.sheet_exports import proof_of, typeset
from tournament.queries.table import list_seats
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of

CONFIRMED_AS = {
    "entered": gettext_lazy("not confirmed by everybody yet"),
    "confirmed": gettext_lazy("confirmed"),
    "disputed": gettext_lazy("disputed"),
    "final": gettext_lazy("final"),
}
MOST_LINES = 1000  # on paper, the last ones; a file has all


def certificate(row: Game, audience: Audience, asked: Print) -> SheetFile:
    """The certificate of a game as it stands, with names for this audience.

    Raises Http404 for a game without events, and what `printed` raises.
    """
    log, game = row.salon.log_id, GAMES[row.kind]
    folded = fold_of(log, row.pk)
    last = events_in(log, [row.pk]).order_by("-version").first()
    first = events_in(log, [row.pk]).order_by("version").first()
    if folded is None or last is None or first is None:
        raise Http404
    table = game.result_table(game.result(folded.state))
    players = list_seats(row, audience)
    titled = _("%(game)s, certificate") % {"game": game.title}
    proof = proof_of(row.salon, last.position)
    shown: JsonObject = {
        "title": titled,
        "kicker": _("Certificate of a recorded game"),
        "heading": _("%(game)s, table %(table)s") % {"game": game.title, "table": row.table}
        if row.table
        else game.title,
        "under": _under(row, first),
        "players": players,
        "numbers": {name: str(seat) for seat, name in players},
        "lacking": _("No font on this server has all letters of the name at {numbers}."),
        "record": _record(table),
        "empty": _("No hand is closed yet."),
        "proof": None if proof is None else asdict(proof),
        "unsigned": _("Nothing is signed yet: print it again when the salon has a checkpoint."),
        "facts": _facts(row, first, last),
        "how": _("How to check it"),
        "steps": [
            _("Scan the code and keep its text as a file: it is the signed checkpoint."),
            _("Ask the salon for this game as a file for auditors: Ledger, the game’s books."),
            _(
                "python verify_export.py FILE --key KEY --checkpoint KEPT says if anything was "
                "rewritten. KEY is the salon’s key, as it was shown to you."
            ),
            _("Line %(position)d of the log in that file has the hash that stands here.")
            % {"position": last.position},
        ],
    }
    return printed("certificate", row.salon, shown, asked, named=f"{titled} {row.record}")


def _under(row: Game, first: Event) -> str:
    began = date_text(timezone.localtime(at_time(first.occurred_at)), MOMENT)
    ended = _("It is over.") if row.finished else _("It is still played.")
    return _("Begun %(moment)s. %(ended)s") % {"moment": began, "ended": ended}


def _record(table: ResultTable) -> Mapping[str, object]:
    numbers = [
        bool(table.rows) and all(_is_number(line[place]) for line in table.rows)
        for place in range(len(table.columns))
    ]
    return {
        "columns": [capfirst(column) for column in table.columns],
        "rows": [[with_minus(cell) for cell in row] for row in table.rows],
        "sums": [with_minus(line) for line in table.sums],
        "numbers": numbers,
    }


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip("+-\N{MINUS SIGN}").replace(".", "", 1).isdigit()


def _facts(row: Game, first: Event, last: Event) -> list[tuple[str, str]]:
    """The facts that name the game in the log."""
    state = read_confirmation(row, list(row.seats), closed=row.state["hands"])
    return [
        (_("Record"), row.record),
        (_("Lines of the log"), f"{first.position} – {last.position}"),
        (_("Hash of the last line"), last.hash),
        (_("Hands"), str(CONFIRMED_AS[state.state])),
    ]


def statement_on_paper(
    salon: Salon,
    title: str,
    lines: Sequence[LineInWords],
    asked: Print,
    *,
    of: int,
    chips: int,
    moment: str = "",
) -> SheetFile:
    """The lines of the account or person called `title`, the oldest first: the last of `of` there
    are, and the `chips` they come to, as of a `moment` in words ("" now).

    Raises UnknownPaper and what `papers.paper` raises.
    """
    sheet = Sheet(
        title=_("Statement of %(name)s") % {"name": title},
        columns=(
            ("line", _("Line")),
            ("time", _("Time")),
            ("table", _("Table")),
            ("hand", _("Hand")),
            ("name", _("What")),
            ("rule", _("Rule")),
            ("chips", _("Chips")),
            ("balance", _("Balance")),
        ),
        rows=tuple(
            (
                each.line.position,
                date_text(timezone.localtime(each.at), MOMENT),
                each.game.table,
                each.hand or None,
                f"{each.what} ({each.counterpart})",
                each.rule,
                each.line.chips,
                each.line.balance,
            )
            for each in lines
        ),
    )
    content = typeset(
        sheet,
        salon,
        position=lines[-1].line.position if lines else 0,
        under=_below(len(lines), of, chips, moment),
        asked=asked,
    )
    name = f"{slugify(title) or 'statement'}.{PDF}"
    return SheetFile(name=name, type=TYPES[PDF], content=content)


def _below(shown: int, of: int, chips: int, moment: str) -> str:
    balance = _("Balance %(chips)s") % {"chips": number(chips)}
    when = _("as of %(moment)s") % {"moment": moment} if moment else ""
    left = (
        _("the last %(shown)d of %(of)d lines") % {"shown": shown, "of": of} if shown < of else ""
    )
    return " · ".join(filter(None, [balance, when, left]))
