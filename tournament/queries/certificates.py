"""A game as a certificate: who played, every hand, what it came to, and what proves that it is so
recorded.
"""

from collections.abc import Mapping
from dataclasses import asdict

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ledger.models import Event
from ledger.reading import events_in
from scoring.game import ResultTable
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.formats.local.dates import MOMENT, written
from tournament.models import Game
from tournament.queries.confirmation_rows import confirmed_row
from tournament.queries.history_lines import at_time
from tournament.queries.printing import Print, printed
from tournament.queries.sheet_exports import SheetFile, proof_of
from tournament.queries.table import seated_at
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of

CONFIRMED_AS = {
    "entered": gettext_lazy("not confirmed by everybody yet"),
    "confirmed": gettext_lazy("confirmed"),
    "disputed": gettext_lazy("disputed"),
    "final": gettext_lazy("final"),
}


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
    titled = _("%(game)s, certificate") % {"game": game.title}
    proof = proof_of(row.salon, last.position)
    shown: JsonObject = {
        "title": titled,
        "kicker": _("Certificate of a recorded game"),
        "heading": _("%(game)s, table %(table)s") % {"game": game.title, "table": row.table}
        if row.table
        else game.title,
        "under": _under(row, first),
        "players": seated_at(row, audience),
        "record": _record(table),
        "empty": _("No hand is closed yet."),
        "proof": None if proof is None else asdict(proof),
        "unsigned": _("Nothing is signed yet: print it again when the salon has a checkpoint."),
        "facts": _facts(row, first, last),
        "how": _("How to check it"),
        "steps": [
            _("Scan the code and keep its text as a file: it is the signed checkpoint."),
            _("Ask the salon for this game as a file for auditors: Ledger, the game’s books."),
            _("python verify_export.py FILE --checkpoint KEPT says if anything was rewritten."),
            _("Line %(position)d of the log in that file has the hash that stands here.")
            % {"position": last.position},
        ],
    }
    return printed("certificate", row.salon, shown, asked, named=f"{titled} {row.record}")


def _under(row: Game, first: Event) -> str:
    began = written(timezone.localtime(at_time(first.occurred_at)), MOMENT)
    ended = _("It is over.") if row.finished else _("It is still played.")
    return _("Begun %(moment)s. %(ended)s") % {"moment": began, "ended": ended}


def _record(table: ResultTable) -> Mapping[str, object]:
    numbers = [
        bool(table.rows) and all(_is_number(line[place]) for line in table.rows)
        for place in range(len(table.columns))
    ]
    return {
        "columns": table.columns,
        "rows": table.rows,
        "sums": table.sums,
        "numbers": numbers,
    }


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip("+-\N{MINUS SIGN}").replace(".", "", 1).isdigit()


def _facts(row: Game, first: Event, last: Event) -> list[tuple[str, str]]:
    """What names the game in the log."""
    state = confirmed_row(row, list(row.seats), closed=row.state["hands"])
    return [
        (_("Record"), row.record),
        (_("Lines of the log"), f"{first.position} – {last.position}"),
        (_("Hash of the last line"), last.hash),
        (_("Hands"), str(CONFIRMED_AS[state.state])),
    ]
