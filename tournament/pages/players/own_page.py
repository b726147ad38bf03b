"""The page of an entry's people, found by the code on their slip: where they sit now and next, for
how long, what they have to confirm, how they stand.
"""

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament.accounts.access import answering, visitor_of
from tournament.accounts.known_devices import trying
from tournament.accounts.login_limits import note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.permissions import Act, Role, Visitor
from tournament.accounts.personal_links import link_by_code, link_by_token, read_code
from tournament.models import PersonalLink, Salon, Tournament
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.form_values import new_command
from tournament.pages.common.qr import link_to
from tournament.pages.common.tournament_frame import is_over
from tournament.pages.players.own_pages_again import FRESH, remember
from tournament.pages.tournaments.live import LIVE
from tournament.pushes.subscriptions import tells
from tournament.pushes.vapid import public_key_of
from tournament.queries.own_pages import own_games, own_page
from tournament.queries.own_state import own_state
from tournament.queries.tournament import directed
from tournament.queries.visible import entry_or_404
from tournament.salons.prefix import address_in, salon_of_prefix
from tournament.salons.public_names import Audience


class OwnDoorForm(forms.Form):
    """The code of an entry, typed by somebody whose camera doesn't read the picture."""

    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        help_text=gettext_lazy("Eight letters and digits. They stand on your slip."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_door(request: HttpRequest) -> HttpResponse:
    """Ask for the code of an entry, then go to its page."""
    salon = salon_of_prefix(request) or visitor_of(request).salon
    form = OwnDoorForm(request.POST or None)
    link = _opened(request, form, salon) if form.is_valid() else None
    if link is not None:
        return redirect(address_in(salon, "own_page", link.token))
    return form_page(request, "own_pages/door.html", form, salon_name=salon.name)


@require_safe
def own_page_view(request: HttpRequest, token: str) -> HttpResponse:
    """The page of the entry with this link, the same for all who hold it; asked by htmx, its part
    that changes, 304 where it is the same.
    """
    link, row = link_or_404(request, token)
    asker = visitor_of(request)
    may_direct = asker.salon == link.salon and asker.may(Act.DIRECT)
    visitor = reader_of(link)
    at = directed(row, Audience.SALON)
    entry, games = entry_or_404(at, link.entry), own_games(at, link.entry)
    state = own_state(token, games)
    if state is None:
        raise Http404
    remember(token, state, games)
    asked_again = "HX-Request" in request.headers
    if asked_again and request.headers.get("If-None-Match") == state.etag:
        return _fresh(HttpResponseNotModified(), state.etag)
    context = {
        "row": row,
        "salon": link.salon,
        "link": link,
        "state": at.state,
        "page": own_page(at, visitor, entry),
        "entry": entry,
        "is_over": is_over(at.state),
        "is_live": row.phase in LIVE,
        "etag": state.etag,
        "now": timezone.localtime(),
        "may_direct": may_direct,
        "command": new_command(),
        "rounds": link_to(request, link.salon, "own_rounds", token),
        "server_key": public_key_of(link.salon) if tells(link.salon, row) else "",
    }
    part = "own_pages/page.html#live" if asked_again else "own_pages/page.html"
    return _fresh(render(request, part, context), state.etag if asked_again else "")


def link_or_404(request: HttpRequest, token: str) -> tuple[PersonalLink, Tournament]:
    """The link with this token, in the salon that the address names, and its tournament."""
    link = link_by_token(token, salon_of_prefix(request))
    if link is None:
        raise Http404
    row = (
        Tournament.objects.select_related("salon")
        .filter(salon=link.salon, pk=link.tournament)
        .first()
    )
    if row is None or row.phase == "draft":
        raise Http404
    return link, row


def reader_of(link: PersonalLink) -> Visitor:
    """Whoever reads by this link: they know names, and of results what everybody does."""
    return answering(Visitor(salon=link.salon, role=Role.ANYONE))


def _fresh(response: HttpResponse, etag: str) -> HttpResponse:
    """The response, to be asked for again each time; with the ETag where it has one."""
    response["Cache-Control"] = FRESH
    if etag:
        response["ETag"] = etag
    return response


def _opened(request: HttpRequest, form: OwnDoorForm, salon: Salon) -> PersonalLink | None:
    """The link whose code was typed; else the form says why not."""
    code = read_code(form.cleaned_data["code"])
    tried = trying(request, f"own-page:{salon.pk}:{code}", without_link=True)
    seconds = seconds_to_wait(tried)
    if seconds:
        form.add_error("code", f"{too_many_tries(seconds)} {_('Or scan the code on your slip.')}")
        return None
    link = link_by_code(code, salon)
    if link is None:
        note_wrong_try(tried)
        form.add_error("code", _("There is no such code here. Look at your slip, or ask the desk."))
    return link
