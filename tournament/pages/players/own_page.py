"""The page of an entry's people, found by the code on their slip: where they sit now and next, for
how long, what they have to confirm, how they stand; their rounds for a calendar, and the phones
that are told.
"""

from datetime import timedelta
from hashlib import sha256

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal, RuleViolation
from tournament.accounts.access import LED_TO, activate_visitor, visitor_of
from tournament.accounts.login_limits import note_wrong_try, seconds_to_wait, too_many_tries
from tournament.accounts.permissions import Permission, Role, Visitor
from tournament.accounts.personal_links import actor_for, link_by_code, link_by_token, read_code
from tournament.accounts.trusted_devices import make_attempt
from tournament.domain.calls.rules import OPEN, TakeBackCall
from tournament.formats.ical import as_ical
from tournament.models import PersonalLink, Salon, Tournament
from tournament.pages.common.form_fields import form_page
from tournament.pages.common.form_values import command_of, new_command
from tournament.pages.common.qr import link_to
from tournament.pages.common.tournament_context import is_over
from tournament.pages.players.entry_page_cache import FRESH, remember
from tournament.pages.tournaments.live import LIVE
from tournament.pushes.subscriptions import begin, phones_are_told, stop
from tournament.pushes.vapid import public_key_of
from tournament.queries.calls import REASONS, CallLine, last_call
from tournament.queries.entry_page import (
    OwnPage,
    own_appointments,
    own_games,
    own_page,
    own_state,
)
from tournament.queries.refusal_text import refusal_words
from tournament.queries.tournament import load_tournament
from tournament.queries.tournament_visibility import entry_or_404
from tournament.recording.calls import keep_call, make_call, open_call
from tournament.salons.prefix import address_in, salon_of_prefix
from tournament.salons.public_names import Audience

STOPS = "stop"
BACK = "back"
NAMELESS = "accord@localhost"  # the sender of mails where the environment names none


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
    link = _link_of_code(request, form, salon) if form.is_valid() else None
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
    may_direct = asker.salon == link.salon and asker.may(Permission.DIRECT)
    visitor = reader_of(link)
    at = load_tournament(row, Audience.SALON)
    entry, games = entry_or_404(at, link.entry), own_games(at, link.entry)
    state = own_state(token, games)
    if state is None:
        raise Http404
    remember(token, state, games)
    page = own_page(at, visitor, entry)
    asked_again = "HX-Request" in request.headers
    if asked_again and request.headers.get("If-None-Match") == state.etag:
        return _fresh(HttpResponseNotModified(), state.etag)
    context = {
        "row": row,
        "salon": link.salon,
        "link": link,
        "state": at.state,
        "page": page,
        "entry": entry,
        "is_over": is_over(at.state),
        "is_live": row.phase in LIVE,
        "etag": state.etag,
        "now": timezone.localtime(),
        "closed_links": [name for name, act in LED_TO.items() if not asker.may(act)],
        "call": _call_of(link.salon, page),
        "reasons": REASONS.items(),
        "may_direct": may_direct,
        "command": new_command(),
        "rounds": link_to(request, link.salon, "own_rounds", token),
        "server_key": public_key_of(link.salon) if phones_are_told(link.salon, row) else "",
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
    """Return the visitor who reads by this link: with names, and only public results."""
    return activate_visitor(Visitor(salon=link.salon, role=Role.ANYONE))


def _call_of(salon: Salon, page: OwnPage) -> CallLine | None:
    """The call that waits at the table of a page."""
    label = page.now.calls_from if page.now is not None else ""
    line = last_call(salon, label, timedelta(0)) if label else None
    return line if line is not None and line.row.ending == OPEN else None


def _fresh(response: HttpResponse, etag: str) -> HttpResponse:
    """The response, to be asked for again each time; with the ETag where it has one."""
    response["Cache-Control"] = FRESH
    if etag:
        response["ETag"] = etag
    return response


def _link_of_code(request: HttpRequest, form: OwnDoorForm, salon: Salon) -> PersonalLink | None:
    """The link whose code was typed; else the form says why not."""
    code = read_code(form.cleaned_data["code"])
    tried = make_attempt(request, f"own-page:{salon.pk}:{code}", without_link=True)
    seconds = seconds_to_wait(tried)
    if seconds:
        form.add_error("code", f"{too_many_tries(seconds)} {_('Or scan the code on your slip.')}")
        return None
    link = link_by_code(code, salon)
    if link is None:
        note_wrong_try(tried)
        form.add_error("code", _("There is no such code here. Look at your slip, or ask the desk."))
    return link


@never_cache
@require_POST
def own_calls(request: HttpRequest, token: str) -> HttpResponse:
    """Call the director to the table at which the entry plays, or take its call back (`what=back`);
    what became of it stands on the page.
    """
    link, row = link_or_404(request, token)
    visitor = reader_of(link)
    at = load_tournament(row, Audience.SALON)
    now = own_page(at, visitor, entry_or_404(at, link.entry)).now
    if now is None or not now.calls_from:
        raise Http404
    form, label, actor = request.POST, now.calls_from, actor_for(link)
    try:
        if form.get("what") == BACK:
            waits = open_call(link.salon, label)
            if waits is not None:
                command = command_of(form)
                keep_call(link.salon, waits.pk, TakeBackCall, actor=actor, command=command)
        else:
            asked = {"reason": form.get("reason", ""), "command": command_of(form)}
            make_call(link.salon, label, game=now.step.game, actor=actor, **asked)
    except Refusal as refusal:
        messages.warning(request, refusal_words(refusal))
    except (StreamMoved, CommandReused):
        pass  # the same form, sent twice
    return redirect(address_in(link.salon, "own_page", token))


@require_safe
def own_rounds(request: HttpRequest, token: str) -> HttpResponse:
    """The rounds that have a time, as iCalendar; 304 where they are the same."""
    link, row = link_or_404(request, token)
    reader_of(link)
    at = load_tournament(row, Audience.SALON)
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


@never_cache
@require_POST
def own_phones(request: HttpRequest, token: str) -> HttpResponse:
    """Tell the browser that this form comes from, or with `what=stop` tell it no more; 404 where
    phones are not told, and in words why this one can't be.
    """
    link, row = link_or_404(request, token)
    reader_of(link)
    endpoint = request.POST.get("endpoint", "")
    if request.POST.get("what") == STOPS:
        stop(link, endpoint)
        return HttpResponse(status=204)
    if not phones_are_told(link.salon, row):
        raise Http404
    try:
        begin(
            link,
            endpoint=endpoint,
            public_key=request.POST.get("p256dh", ""),
            secret=request.POST.get("auth", ""),
            contact=_contact(request),
        )
    except RuleViolation as refused:
        return HttpResponse(str(refused), status=422, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


def _contact(request: HttpRequest) -> str:
    """Return the contact for push services: the salon's mail, else its address as the page
    has it.
    """
    mail = settings.DEFAULT_FROM_EMAIL
    return f"mailto:{mail}" if mail != NAMELESS else f"https://{request.get_host()}"
