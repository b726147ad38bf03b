"""The rounds of an entry for a calendar that subscribes to them."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.formats.ical import as_ical
from tournament.pages.players.own_page import link_or_404, reader_of
from tournament.pages.players.own_pages_again import FRESH
from tournament.queries.own_rounds import own_appointments
from tournament.queries.tournament import directed
from tournament.queries.visible import entry_or_404
from tournament.salons.prefix import address_in
from tournament.salons.public_names import Audience


@require_safe
def own_rounds(request: HttpRequest, token: str) -> HttpResponse:
    """The rounds that have a time, as iCalendar; 304 where they are the same."""
    link, row = link_or_404(request, token)
    reader_of(link)
    at = directed(row, Audience.SALON)
    name = at.entries[entry_or_404(at, link.entry).id]
    page = request.build_absolute_uri(address_in(link.salon, "own_page", token))
    titled = _("%(event)s: %(name)s") % {"event": row.name, "name": name}
    content = as_ical(titled, list(own_appointments(at, link.entry, page)))
    etag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": FRESH}
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers=headers)
    file = f"{slugify(row.name) or 'tournament'}-{link.entry}.ics"
    headers["Content-Disposition"] = f'inline; filename="{file}"'
    return HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
