"""Paper that a page offers: who asks for it, and the file."""

from django.http import HttpRequest, HttpResponse

from tournament.accounts.login_limits import caller_of
from tournament.queries.printing import Print
from tournament.queries.sheet_exports import SheetFile


def asked_by(request: HttpRequest) -> Print:
    """Who asks, and for which paper: `?paper=`, else that of the salon."""
    return Print(caller=caller_of(request), paper=request.GET.get("paper"))


def as_file(file: SheetFile) -> HttpResponse:
    """The file, to be kept or printed."""
    return HttpResponse(
        file.content,
        content_type=file.type,
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
    )
