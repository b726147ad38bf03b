"""Whole games and tournaments in and out as files, and the log for auditors."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from msgspec import Meta

from ledger.last_signed import Inconsistent
from ledger.signing import KeyIsAway
from ledger.standalone import verify_export
from scoring.errors import RuleViolation
from scoring.records import read_record
from tournament.accounts.access import game_or_404
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Act
from tournament.api.acts import an_act
from tournament.api.http.idempotency import once
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Asked, Page, paged
from tournament.domain.standings.reading import read_tournament
from tournament.exchange.game_records import export_game, record_file
from tournament.exchange.salon_archive.write import archive_name, archive_of
from tournament.exchange.streaming import LINES, sent
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.integrity.auditors_export import auditors_file, file_name
from tournament.integrity.signing_keys import keyring
from tournament.models import Game, Tournament
from tournament.models.unseen import unseen_games
from tournament.queries.sheet_exports import TYPES, sheet_file
from tournament.queries.visible import public_or_404
from tournament.salons.prefix import address_in
from tournament.server.addresses import address_for_others, spoken
from tournament.streams.short_addresses import short_address

SCRIPT = "text/x-python"
SHEETS = tuple(media.partition(";")[0] for media in TYPES.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a file came to: `recorded`, or `unchanged` where the same was there; and the id of its
    game or tournament here.
    """

    outcome: str
    record: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNames:
    """Whether names and words stand in a file."""

    names: Annotated[
        str, Meta(pattern="^(yes|no)$", description="`no` leaves names and words out.")
    ] = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRound:
    """Which round's results."""

    round: Annotated[
        str,
        Meta(pattern="^[0-9]{0,4}$", description="Of results: those of this round, else of all."),
    ] = ""


@operation(Act.READ_HISTORY, answers=Page[dict[str, Any]], query=Asked)
def export_records(call: Call) -> Page[dict[str, object]]:
    """All games of the salon as files of the form salon-record/1, in the order recorded; those in
    silent rounds when they may be seen.
    """
    rows = Game.objects.filter(
        salon=call.visitor.salon, started_position__gt=call.query.cursor or 0
    ).order_by("started_position")
    rows = rows.filter(not_played=False).exclude(pk__in=unseen_games())
    found = [
        (row.started_position, export_game(call.visitor.salon, row.pk, call.visitor.audience))
        for row in rows[: call.query.limit + 1]
    ]
    return paged(found, call.query.limit)


@operation(
    Act.DIRECT,
    answers=Imported,
    status=201,
    body=Any,
    reads="A game of the form salon-record/1.",
    keyed=True,
)
def import_record(call: Call) -> Answer:
    """Store a whole game from its file; the same game again changes nothing."""

    def imported() -> Imported:
        record = read_record(an_act(call.body))
        outcome = record_file(call.visitor.salon, record, actor=call.visitor.actor)
        row = Game.objects.get(salon=call.visitor.salon, record=record.start.record)
        return Imported(outcome=outcome, record=row.record, id=row.pk)

    return once(call, ["game-record"], imported)


@operation(Act.DIRECT, answers=dict[str, Any])
def export_tournament_file(call: Call, tournament: str) -> dict[str, object]:
    """A tournament as a file of the form salon-tournament/1."""
    return export_tournament(
        call.visitor.salon, public_or_404(call.visitor, tournament).row.pk, call.visitor.audience
    )


@operation(
    Act.DIRECT,
    answers=Imported,
    status=201,
    body=Any,
    reads="A tournament of the form salon-tournament/1.",
    keyed=True,
)
def import_tournament_file(call: Call) -> Answer:
    """Store a whole tournament from its file; the same tournament again changes nothing."""

    def imported() -> Imported:
        read = read_tournament(an_act(call.body))
        outcome = import_tournament(call.visitor.salon, read, actor=call.visitor.actor)
        row = Tournament.objects.get(salon=call.visitor.salon, record=read.id)
        return Imported(outcome=outcome, record=row.record, id=row.pk)

    return once(call, ["tournament-file"], imported)


@operation(Act.SEE_SALON, answers=SHEETS, query=AskedRound, problems=(422,))
def export_sheet(call: Call, tournament: str, what: str, ending: str) -> HttpResponse:
    """Standings, results or seats as CSV, XLSX, JSON or PDF, a report as TRF16; silent rounds stay
    silent.
    """
    at = public_or_404(call.visitor, tournament)
    here = call.request.build_absolute_uri(
        address_in(at.row.salon, "short_event", short_address(at.row))
    )
    address = spoken(address_for_others(here, call.request.get_host()))
    caller = caller_of(call.request._request)
    file = sheet_file(
        at, call.visitor, what, ending, round=call.query.round, address=address, caller=caller
    )
    return HttpResponse(
        file.content,
        content_type=file.type,
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
    )


@operation(Act.AUDIT, answers=LINES, query=AskedNames, problems=(422,))
def export_log(call: Call) -> StreamingHttpResponse:
    """The whole log for auditors, one JSON object a line: `verify_export.py` checks it without this
    program.
    """
    return _lines(call, None)


@operation(Act.AUDIT, answers=LINES, query=AskedNames, problems=(422,))
def export_game_log(call: Call, game: str) -> StreamingHttpResponse:
    """The events of one game for auditors, each with its proof."""
    return _lines(call, game_or_404(call.visitor, game))


@operation(Act.AUDIT, answers=LINES, query=AskedNames, problems=(422,))
def export_tournament_log(call: Call, tournament: str) -> StreamingHttpResponse:
    """The events of one tournament for auditors, each with its proof."""
    return _lines(call, get_object_or_404(Tournament, salon=call.visitor.salon, pk=tournament))


@operation(Act.SEE_SALON, answers=SCRIPT)
def read_verifier(call: Call) -> HttpResponse:
    """The script that checks a file of the log with nothing of this program: it needs Python and
    `cryptography` alone.
    """
    answer = HttpResponse(
        Path(verify_export.__file__).read_bytes(), content_type=f"{SCRIPT}; charset=utf-8"
    )
    answer["Content-Disposition"] = 'attachment; filename="verify_export.py"'
    return answer


@operation(Act.TAKE_ALONG, answers=LINES, query=AskedNames, problems=(422,))
def export_salon(call: Call) -> StreamingHttpResponse:
    """The whole salon of the form salon-archive/1, to be kept like a backup; another server's
    operator takes it in by command.
    """
    salon = call.visitor.salon
    return _sent(archive_of(salon, keyring(), names=call.query.names == "yes"), archive_name(salon))


def _lines(call: Call, row: Game | Tournament | None) -> StreamingHttpResponse:
    salon, redacted = call.visitor.salon, call.query.names == "no"
    lines = auditors_file(
        salon, keyring(), stream=row.pk if row is not None else None, redacted=redacted
    )
    return _sent(lines, file_name(salon, row.record if row is not None else None))


def _sent(lines: Iterator[bytes], name: str) -> StreamingHttpResponse:
    """Raises RuleViolation `key_away` or `inconsistent` where nothing can be signed."""
    try:
        return sent(lines, name)
    except KeyIsAway:
        words = _("No file can be made: the private key of the salon is not on this machine.")
        raise RuleViolation("key_away", words) from None
    except Inconsistent:
        words = _("No file can be made: this database is older than what was signed here.")
        raise RuleViolation("inconsistent", words) from None
