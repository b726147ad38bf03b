"""Links that a director hands out on slips: of an event for its scorers, opened with its PIN on a
phone, and of an entry's own page.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.event_links import OVER, UNDER_WAY, end_link, holds, open_link, use
from tournament.accounts.permissions import Permission
from tournament.accounts.personal_links import end, format_code, links_of, renew
from tournament.models import EventLink, Tournament
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.pin import PinForm, link_or_404, opens
from tournament.pages.common.qr import link_to
from tournament.queries.tournament import load_tournament
from tournament.queries.tournament_visibility import entry_or_404, row_or_404
from tournament.salons.prefix import address_in
from tournament.salons.public_names import Audience
from tournament.salons.time_zones import speak_as

ENDS = "end"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.MANAGE_TABLES)
def event_link(request: SalonRequest, tournament: str) -> HttpResponse:
    """The slip of the event's link; POST makes a new one, which ends the old, or with `what=end`
    ends it.
    """
    row = row_or_404(request.visitor, tournament)
    if request.method == "POST":
        if request.POST.get("what") == ENDS:
            end_link(row)
            messages.success(request, _("The link is ended; no phone records by it any more."))
        elif row.phase in UNDER_WAY:
            open_link(row)
            messages.success(request, _("There is a new link and a new PIN."))
        return redirect("event_link", tournament=row.pk)
    link = (
        EventLink.objects.select_related("salon").filter(tournament=row.pk, salon=row.salon).first()
    )
    context = {"here": "tournaments", "row": row, "may_open": row.phase in UNDER_WAY}
    if link is not None and holds(link):
        context |= {"link": link, "phones": link_to(request, link.salon, "event_join", link.token)}
    return render(request, "event_link.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def event_join(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for the PIN, then let this browser record at the tables of the event."""
    link = link_or_404(request, EventLink.objects.all(), token)
    if not holds(link):
        return over(request, get_object_or_404(Tournament, pk=link.tournament, salon=link.salon))
    form = PinForm(request.POST or None)
    if opens(request, form, link, of="event", wrong=_("This is not the PIN of this tournament.")):
        use(request.session, link)
        return redirect(address_in(link.salon, "tables"))
    name = Tournament.objects.values_list("name", flat=True).get(pk=link.tournament)
    return form_page(request, "event_join.html", form, event=name, salon_name=link.salon.name)


def over(request: HttpRequest, event: Tournament) -> HttpResponse:
    """410 for a link of an event that is over, with where its result stands. Raises Http404 for
    one that has not begun, or that nobody sees any more.
    """
    if event.phase not in OVER or event.hidden:
        raise Http404
    speak_as(event.salon)
    result = address_in(event.salon, "tournament_standings", event.pk)
    return render(request, "event_over.html", {"event": event, "result": result}, status=410)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.MANAGE_TABLES)
def own_link(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """The slip of an entry's own page; POST makes a new link, which ends the old one, or ends it
    alone.
    """
    row = row_or_404(request.visitor, tournament)
    at = load_tournament(row, Audience.SALON)
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
        "code": format_code(link),
        "phones": link_to(request, row.salon, "own_page", link.token),
        "typed": link_to(request, row.salon, "own_door"),
    }
    return render(request, "own_pages/link.html", context)
