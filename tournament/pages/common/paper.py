"""Files that a page offers to be kept or printed: who asks for paper, and the file."""

from django.http import HttpRequest, HttpResponse

from tournament.accounts.login_limits import caller_of
from tournament.queries.printing import Print
from tournament.queries.sheet_exports import SheetFile


def asked_by(request: HttpRequest) -> Print:
    """Who asks, and for which paper: `?paper=`, else that of the salon."""
    return Print(caller=caller_of(request), paper=request.GET.get("paper"))


def as_file(file: SheetFile) -> HttpResponse:
    """The file, to be kept or printed."""
    return attachment(file.content, file.type, file.name)


def attachment(content: bytes | str, media_type: str, name: str) -> HttpResponse:
    """Content of this type as a file of this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media_type, headers=headers)
