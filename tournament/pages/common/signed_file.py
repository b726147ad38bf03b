"""A file signed with the salon's key as an answer, or why none can be made."""

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from ledger.last_signed import Inconsistent
from ledger.signing import KeyIsAway
from tournament.exchange.streaming import lines_as_file


def serve_signed_file(
    request: HttpRequest, lines: Iterator[bytes], name: str, *, page: str
) -> StreamingHttpResponse | HttpResponse:
    """Send the lines as a file of this name. If it can't be made, go back to the page it
    was asked from, with the reason.
    """
    try:
        return lines_as_file(lines, name)
    except KeyIsAway:
        messages.error(
            request, _("No file can be made: the private key of the salon is not on this machine.")
        )
    except Inconsistent:
        messages.error(
            request, _("No file can be made: this database is older than what was signed here.")
        )
    return redirect(page)
