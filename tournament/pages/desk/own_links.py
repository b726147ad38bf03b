"""The slip of an entry's own page: a director prints it, makes another one in its place, or ends
it.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.accounts.personal_links import end, links_of, renew, written_code
from tournament.pages.common.qr import link_to
from tournament.queries.tournament import directed
from tournament.queries.visible import entry_or_404, row_or_404
from tournament.salons.public_names import Audience

ENDS = "end"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.MANAGE_TABLES)
def own_link(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """The slip of an entry's own page; POST makes a new link, which ends the old one, or ends it
    alone.
    """
    row = row_or_404(request.visitor, tournament)
    at = directed(row, Audience.SALON)
    link = links_of(row, [entry_or_404(at, entry).id])[entry]
    if request.method == "POST":
        if request.POST.get("what") == ENDS:
            end(link)
            messages.success(request, _("The page is closed; its link and its code open nothing."))
        else:
            renew(link)
            messages.success(request, _("There is a new link and a new code."))
        return redirect("own_link", tournament=row.pk, entry=entry)
    context = {
        "here": "tournaments",
        "row": row,
        "entry": entry,
        "what": _("Page of entry %(entry)s") % {"entry": entry},
        "name": at.entries[entry],
        "link": link,
        "code": written_code(link),
        "phones": link_to(request, row.salon, "own_page", link.token),
        "typed": link_to(request, row.salon, "own_door"),
    }
    return render(request, "own_pages/link.html", context)
