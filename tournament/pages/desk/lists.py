"""Entries by the list: pasted, or as a CSV file; each line is told what became of it."""

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.exchange.entry_lists import enter_list, lines_of
from tournament.pages.common.form_values import COMMAND, Problem
from tournament.pages.desk.entries import entries_page
from tournament.pages.desk.frame import Failed
from tournament.queries.tournament import Directed, directed
from tournament.queries.visible import public_or_404

LARGEST_FILE = 200_000  # bytes
# Spreadsheets write either; the second reads anything.
ENCODINGS = ("utf-8-sig", "cp1252", "latin-1")


@never_cache
@require_POST
@needs(Act.DIRECT)
def desk_lists(request: SalonRequest, tournament: str) -> HttpResponse:
    """Enter everybody on a list; the lines that were refused stay to be mended."""
    at = public_or_404(request.visitor, tournament)
    file, pasted = request.FILES.get("file"), request.POST.get("list", "")
    typed = {"list": pasted, "singles": request.POST.get("singles", "")}
    if not COMMAND.fullmatch(request.POST.get("command", "")):
        return _again(request, at, typed, _("This form is incomplete; load the page again."))
    if file is not None and (file.size or 0) > LARGEST_FILE:
        return _again(
            request,
            at,
            typed,
            _("A list has %(size)d kB at most.") % {"size": LARGEST_FILE // 1000},
        )
    text = f"{_text(file)}\n{pasted}" if file is not None else pasted
    lines = lines_of(at.state, text, singles=request.POST.get("singles") == "yes")
    entered = enter_list(
        at.row, lines, actor=request.visitor.actor, command=request.POST["command"]
    )
    report = tuple((each.line, each.problem) for each in entered)
    if not report:
        return _again(request, at, typed, _("Paste one entry a line, or choose a file."))
    at.row.refresh_from_db()
    left = "\n".join(line.text for line, problem in report if problem)
    failed = Failed(typed=typed | {"list": left}, report=report)
    return entries_page(request, directed(at.row, at.audience), failed)


def _again(request: SalonRequest, at: Directed, typed: dict[str, str], words: str) -> HttpResponse:
    problem = Problem(message=words, field="list", status=400)
    return entries_page(request, at, Failed(problem=problem, typed=typed))


def _text(file: "UploadedFile[bytes]") -> str:
    content: bytes = file.read()
    for encoding in ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return ""
