"""Files that a page offers to be kept or printed: who asks for paper, and the file."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase

from tournament.accounts.access import SalonRequest
from tournament.accounts.login_limits import caller_of
from tournament.exchange.streaming import as_attachment
from tournament.queries.pages_on_paper import Print, SheetFile, choose_counted_address


def read_print_request(request: SalonRequest) -> Print:
    """Read the caller and the paper size: `?paper=`, else that of the salon."""
    caller = choose_counted_address(request.visitor, caller_of(request))
    return Print(caller=caller, paper=request.GET.get("paper"))


def as_file(file: SheetFile) -> HttpResponseBase:
    """The file, to be kept or printed."""
    return as_attachment(file.content, file.type, file.name)


def attachment(content: bytes | str, media_type: str, name: str) -> HttpResponse:
    """Content of this type as a file of this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=media_type, headers=headers)
