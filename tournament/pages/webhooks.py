"""Webhooks for the owner: which addresses are told what, their secrets, and every message with what became of it."""

import json
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access import Act, SalonRequest, Visitor, needs
from tournament.models import Delivery, Webhook
from tournament.webhooks.reaching import BadAddress, place_of
from tournament.webhooks.sending import again, go_on, ping
from tournament.webhooks.signing import new_secret, sealed
from tournament.webhooks.telling import EVENTS

SHOWN = 100  # messages
MOST = 20  # addresses of a salon
LONGEST_ADDRESS = 500
OLD_SECRET_FOR = timedelta(hours=24)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.ADMINISTER)
def webhooks(request: SalonRequest) -> HttpResponse:
    """The addresses; POST adds one, whose secret is shown this once."""
    if request.method != "POST":
        return _list(request)
    address, chosen = request.POST.get("address", "").strip(), [event for event in EVENTS if event in request.POST.getlist("events")]
    problem = _problem(request.visitor, address, chosen)
    if problem is not None:
        return _list(request, problem=problem, status=422)
    secret, head = new_secret(), request.visitor.salon.log.position
    hook = Webhook.objects.create(
        salon=request.visitor.salon,
        address=address,
        events=json.dumps(chosen),
        secret=sealed(secret),
        since=head,
        standings_told=head,
        made_by=request.visitor.actor,
    )
    return _one(request, hook, secret=secret)


@never_cache
@require_safe
@needs(Act.ADMINISTER)
def webhook(request: SalonRequest, hook: str) -> HttpResponse:
    """One address with the last messages to it."""
    return _one(request, _or_404(request.visitor, hook))


@never_cache
@require_POST
@needs(Act.ADMINISTER)
def webhook_acts(request: SalonRequest, hook: str, what: str) -> HttpResponse:
    """A new secret (shown this once), a pause or its end, a message to try, or the end of it: `secrets`, `pauses`, `pings`, `removal`."""
    row = _or_404(request.visitor, hook)
    match what:
        case "secrets":
            return _one(request, row, secret=_renewed(row))
        case "pauses" if row.paused_why:
            go_on(row)
        case "pauses":
            Webhook.objects.filter(pk=row.pk).update(paused_why=_("Paused by the owner."))
        case "pings":
            ping(row)
            messages.info(request, _("A message is on its way; load this page again to see how it went."))
        case "removal":
            row.delete()
            messages.info(request, _("Nothing is sent to %s any more.") % row.address)
            return redirect("webhooks")
        case _:
            raise Http404
    return redirect("webhook", hook=row.pk)


@require_POST
@needs(Act.ADMINISTER)
def delivery_repeat(request: SalonRequest, hook: str, delivery: str) -> HttpResponse:
    """Send a message once more."""
    again(get_object_or_404(Delivery, pk=delivery, webhook=_or_404(request.visitor, hook)))
    messages.info(request, _("It is sent once more, under the same id."))
    return redirect("webhook", hook=hook)


def _renewed(hook: Webhook) -> str:
    """A new secret for an address; the one before it signs too for a day."""
    secret = new_secret()
    Webhook.objects.filter(pk=hook.pk).update(
        secret=sealed(secret), old_secret=hook.secret, old_secret_until=timezone.now() + OLD_SECRET_FOR
    )
    hook.refresh_from_db()
    return secret


def _problem(visitor: Visitor, address: str, chosen: list[str]) -> tuple[str, str] | None:
    """The field that is wrong and why, if one is."""
    if len(address) > LONGEST_ADDRESS:
        return "address", _("An address has %d characters at most.") % LONGEST_ADDRESS
    try:
        place_of(address)
    except BadAddress as refused:
        return "address", str(refused)
    if not chosen:
        return "events", _("Choose at least one thing to tell.")
    if Webhook.objects.filter(salon=visitor.salon).count() >= MOST:
        return "address", _("A salon tells %d addresses at most; remove one first.") % MOST
    return None


def _list(request: SalonRequest, *, problem: tuple[str, str] | None = None, status: int = 200) -> HttpResponse:
    rows = Webhook.objects.filter(salon=request.visitor.salon).order_by("made_at", "pk")
    field, words = problem or ("", "")
    context = {
        "here": "tables",
        "hooks": [(row, _words_of(row)) for row in rows],
        "events": list(event_words().items()),
        "problem": {"field": field, "message": words},
        "typed": {"address": request.POST.get("address", ""), "events": request.POST.getlist("events")},
    }
    return render(request, "webhooks/list.html", context, status=status)


def _one(request: SalonRequest, hook: Webhook, *, secret: str = "") -> HttpResponse:
    context: dict[str, Any] = {
        "here": "tables",
        "hook": hook,
        "told": _words_of(hook),
        "secret": secret,
        "old_works": hook.old_secret_until is not None and hook.old_secret_until > timezone.now(),
        "deliveries": [(row, event_words().get(row.event, row.event)) for row in hook.delivery_set.order_by("-made_at", "pk")[:SHOWN]],
    }
    return render(request, "webhooks/one.html", context)


def event_words() -> dict[str, str]:
    """What an address can be told, in words."""
    return {
        "hand.closed": _("A hand is closed"),
        "game.closed": _("A game is over"),
        "round.published": _("A round is published"),
        "standings.changed": _("Standings changed"),
        "hand.disputed": _("A hand is disputed"),
        "ping": _("A message to try"),
    }


def _words_of(hook: Webhook) -> list[str]:
    return [event_words()[event] for event in json.loads(hook.events)]


def _or_404(visitor: Visitor, hook: str) -> Webhook:
    return get_object_or_404(Webhook, pk=hook, salon=visitor.salon)
