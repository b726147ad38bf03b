"""Whole games and tournaments in and out as files, and the log for auditors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from msgspec import Meta, Struct
from rest_framework.request import Request

from ledger.last_signed import Inconsistent
from ledger.signing import KeyIsAway
from ledger.standalone import verify_export
from scoring.errors import RuleViolation
from scoring.records import read_record
from scoring.shape import an_object
from tournament.accounts.access import game_or_404
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Permission
from tournament.api.acts import require_object
from tournament.api.http.responses import Answer, answer_idempotently
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of
from tournament.domain.standings.reading import read_tournament
from tournament.exchange.game_records import export_game, record_file
from tournament.exchange.salon_archive.write import archive_name, archive_of
from tournament.exchange.streaming import LINES, as_attachment, lines_as_file
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.formats.trf_reading import DEFAULT_GAME, read_trf
from tournament.integrity.auditors_export import auditors_file, file_name
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Tournament
from tournament.models.visibility import unseen_games
from tournament.queries.pages_on_paper import TYPES
from tournament.queries.sheet_exports import SheetRequest, sheet_file
from tournament.queries.tournament_visibility import public_or_404
from tournament.salons.prefix import address_in
from tournament.server.environment.addresses import address_for_others, format_typed_address
from tournament.server.http.problem_details import ProblemDetails
from tournament.streams.short_addresses import short_address

SCRIPT = "text/x-python"
SHEETS = tuple(media.partition(";")[0] for media in TYPES.values())

PAPER = Meta(pattern="^(a4|letter)$", description="Of a PDF, else on that of the salon.")


class Imported(Struct, frozen=True, kw_only=True):
    """What a file came to: `recorded`, or `unchanged` where the same was there; and the id of its
    game or tournament here.
    """

    outcome: str
    record: str
    id: str


class AskedNames(Struct, frozen=True, kw_only=True):
    """Whether names and words stand in a file."""

    names: Annotated[
        str, Meta(pattern="^(yes|no)$", description="`no` leaves names and words out.")
    ] = "yes"


class AskedSheet(Struct, frozen=True, kw_only=True):
    """Which round's results or which deal's traveller, what stands between the cells of a CSV, and
    of a PDF on which paper.
    """

    round: Annotated[
        str,
        Meta(pattern="^[0-9]{0,4}$", description="Of results: those of this round, else of all."),
    ] = ""
    deal: Annotated[
        str,
        Meta(pattern="^[0-9]{0,4}$", description="Of travellers: that of this deal, else of all."),
    ] = ""
    separator: Annotated[
        Literal["comma", "semicolon"],
        Meta(
            description="Of CSV: with a semicolon numbers have a comma, as many spreadsheets "
            "write them."
        ),
    ] = "comma"
    paper: Annotated[str, PAPER] | None = None


class FileViewSet(ApiViewSet):
    """Whole games and tournaments in and out as files, and the log for auditors."""

    act = Permission.DIRECT

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def export_records(self, request: Request) -> Page[dict[str, Any]]:
        """All games of the salon as files of the form salon-record/1, in the order recorded; those
        in silent rounds when they may be seen.
        """
        visitor = self.visitor
        rows = Game.objects.filter(salon=visitor.salon, not_played=False)
        page = page_of(request, rows.exclude(pk__in=unseen_games()), "started_position")
        return page.with_shape(lambda row: export_game(visitor.salon, row.pk, visitor.audience))

    @document_action(body="A game of the form salon-record/1.")
    def import_record(self, request: Request) -> Answer[Imported]:
        """Store a whole game from its file; the same game again changes nothing."""

        def store_game() -> Imported:
            record = read_record(require_object(request.data))
            outcome = record_file(self.salon, record, actor=self.visitor.actor)
            row = Game.objects.get(salon=self.salon, record=record.start.record)
            return Imported(outcome=outcome, record=row.record, id=row.pk)

        return answer_idempotently(self, ["game-record"], store_game)

    def export_tournament_file(self, request: Request, tournament: str) -> dict[str, Any]:
        """A tournament as a file of the form salon-tournament/1."""
        return export_tournament(
            self.salon, public_or_404(self.visitor, tournament).row.pk, self.visitor.audience
        )

    @document_action(
        body="A tournament of the form salon-tournament/1; or `trf`, a report as text, and `game`."
    )
    def import_tournament_file(self, request: Request) -> Answer[Imported]:
        """Store a whole tournament from its file; the same tournament again changes nothing."""

        def store_tournament() -> Imported:
            read = read_tournament(_tournament_in(require_object(request.data)))
            outcome = import_tournament(self.salon, read, actor=self.visitor.actor)
            row = Tournament.objects.get(salon=self.salon, record=read.id)
            return Imported(outcome=outcome, record=row.record, id=row.pk)

        return answer_idempotently(self, ["tournament-file"], store_tournament)

    @document_action(
        Permission.SEE_SALON, answers={(200, *SHEETS): bytes, 422: ProblemDetails}, query=AskedSheet
    )
    def export_sheet(
        self, request: Request, tournament: str, what: str, ending: str
    ) -> HttpResponseBase:
        """Standings, results, seats or travellers as CSV, XLSX, JSON or PDF, a report as TRF16;
        silent rounds stay silent.
        """
        at = public_or_404(self.visitor, tournament)
        here = request.build_absolute_uri(
            address_in(at.row.salon, "short_event", short_address(at.row))
        )
        address = format_typed_address(
            address_for_others(here, request.get_host(), at.row.salon.address)
        )
        query = self.query(AskedSheet)
        asked = SheetRequest(
            visitor=self.visitor,
            round=query.round,
            deal=query.deal,
            semicolons=query.separator == "semicolon",
            address=address,
            caller=caller_of(request._request),
            paper=query.paper,
        )
        file = sheet_file(at, asked, what, ending)
        return as_attachment(file.content, file.type, file.name)

    @document_action(
        Permission.AUDIT, answers={(200, LINES): bytes, 422: ProblemDetails}, query=AskedNames
    )
    def export_log(self, request: Request) -> StreamingHttpResponse:
        """The whole log for auditors, one JSON object a line: `verify_export.py` checks it without
        this program.
        """
        return _lines(self, None)

    @document_action(
        Permission.AUDIT, answers={(200, LINES): bytes, 422: ProblemDetails}, query=AskedNames
    )
    def export_game_log(self, request: Request, game: str) -> StreamingHttpResponse:
        """The events of one game for auditors, each with its proof."""
        return _lines(self, game_or_404(self.visitor, game))

    @document_action(
        Permission.AUDIT, answers={(200, LINES): bytes, 422: ProblemDetails}, query=AskedNames
    )
    def export_tournament_log(self, request: Request, tournament: str) -> StreamingHttpResponse:
        """The events of one tournament for auditors, each with its proof."""
        return _lines(self, self.row(Tournament, tournament))

    @document_action(Permission.SEE_SALON, answers={(200, SCRIPT): bytes})
    def read_verifier(self, request: Request) -> HttpResponse:
        """The script that checks a file of the log with nothing of this program: it needs Python
        and `cryptography` alone.
        """
        answer = HttpResponse(
            Path(verify_export.__file__).read_bytes(), content_type=f"{SCRIPT}; charset=utf-8"
        )
        answer["Content-Disposition"] = 'attachment; filename="verify_export.py"'
        return answer

    @document_action(
        Permission.TAKE_ALONG, answers={(200, LINES): bytes, 422: ProblemDetails}, query=AskedNames
    )
    def export_salon(self, request: Request) -> StreamingHttpResponse:
        """The whole salon of the form salon-archive/1, to be kept like a backup; another server's
        operator takes it in by command.
        """
        salon = self.salon
        return _serve_signed_file(
            archive_of(salon, load_keyring(), names=self.query(AskedNames).names == "yes"),
            archive_name(salon),
        )


def _lines(view: ApiViewSet, row: Game | Tournament | None) -> StreamingHttpResponse:
    salon, redacted = view.salon, view.query(AskedNames).names == "no"
    lines = auditors_file(
        salon, load_keyring(), stream=row.pk if row is not None else None, redacted=redacted
    )
    return _serve_signed_file(lines, file_name(salon, row.record if row is not None else None))


def _serve_signed_file(lines: Iterator[bytes], name: str) -> StreamingHttpResponse:
    """Send the lines as a signed file. Raises RuleViolation `key_away` or `inconsistent`
    if it can't be signed.
    """
    try:
        return lines_as_file(lines, name)
    except KeyIsAway:
        words = _("No file can be made: the private key of the salon is not on this machine.")
        raise RuleViolation("key_away", words) from None
    except Inconsistent:
        words = _("No file can be made: this database is older than what was signed here.")
        raise RuleViolation("inconsistent", words) from None


def _tournament_in(value: object) -> object:
    """The tournament that was sent: as it is, or as a report (TRF). Raises NotationError."""
    if not isinstance(value, dict) or "trf" not in value:
        return value
    given = an_object(value, "", keys=("trf", "game"))
    game = given.get("game", DEFAULT_GAME)
    return read_trf(str(given["trf"]), game=game if isinstance(game, str) else DEFAULT_GAME)
