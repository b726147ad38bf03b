"""The whole salon as a file, for its owner: what another server takes in."""

from django.http import HttpResponse, StreamingHttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.exchange.salon_archive.write import archive_name, archive_of
from tournament.integrity.signing_keys import keyring
from tournament.pages.common.signed_file import signed_file


@never_cache
@require_safe
@needs(Act.TAKE_ALONG)
def archive_file(request: SalonRequest) -> StreamingHttpResponse | HttpResponse:
    """The file; `?names=no` leaves names, addresses and words out."""
    salon = request.visitor.salon
    lines = archive_of(salon, keyring(), names=request.GET.get("names") != "no")
    return signed_file(request, lines, archive_name(salon), page="settings")
