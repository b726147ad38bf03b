"""The whole salon as a file, for its owner: what another server takes in."""

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ledger.last_signed import Inconsistent
from ledger.signing import KeyIsAway
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.exchange.salon_archive.write import archive_name, archive_of
from tournament.exchange.streaming import sent
from tournament.integrity.signing_keys import keyring


@never_cache
@require_safe
@needs(Act.TAKE_ALONG)
def archive_file(request: SalonRequest) -> StreamingHttpResponse | HttpResponse:
    """The file; `?names=no` leaves names, addresses and words out."""
    salon = request.visitor.salon
    try:
        return sent(
            archive_of(salon, keyring(), names=request.GET.get("names") != "no"),
            archive_name(salon),
        )
    except KeyIsAway:
        messages.error(
            request, _("No file can be made: the private key of the salon is not on this machine.")
        )
    except Inconsistent:
        messages.error(
            request, _("No file can be made: this database is older than what was signed here.")
        )
    return redirect("settings")
