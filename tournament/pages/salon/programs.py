"""The owner's page for programs: API tokens, for some acts until some day, and
webhooks, with the events of each address, every message and its outcome.
"""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.errors import NotationError, Refusal, RuleViolation
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.api_tokens import LONGEST_NAME, MOST_DAYS, give_token, tokens_of
from tournament.accounts.permissions import Permission, Visitor
from tournament.models import ApiToken, Delivery, Webhook
from tournament.pages.common.form_values import Problem, problem_of, status_of
from tournament.projections.background import why_parked
from tournament.webhooks import subscriptions
from tournament.webhooks.delivery import again, go_on, ping

SHOWN = 100  # messages
USUAL_DAYS = 90


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.ADMINISTER)
def webhooks(request: SalonRequest) -> HttpResponse:
    """The addresses; POST adds one, whose secret is shown this once."""
    if request.method != "POST":
        return _list(request)
    address, chosen = request.POST.get("address", "").strip(), request.POST.getlist("events")
    try:
        hook, secret = subscriptions.add(
            request.visitor.salon, address=address, events=chosen, actor=request.visitor.actor
        )
    except RuleViolation as refused:
        return _list(request, problem_of(refused))
    return _one(request, hook, secret=secret)


@never_cache
@require_safe
@requires(Permission.ADMINISTER)
def webhook(request: SalonRequest, hook: str) -> HttpResponse:
    """One address with the last messages to it."""
    return _one(request, _or_404(request.visitor, hook))


@never_cache
@require_POST
@requires(Permission.ADMINISTER)
def webhook_acts(request: SalonRequest, hook: str, what: str) -> HttpResponse:
    """A new secret (shown this once), a pause or its end, a message to try, or the end of it:
    `secrets`, `pauses`, `pings`, `removal`.
    """
    row = _or_404(request.visitor, hook)
    match what:
        case "secrets":
            return _one(request, row, secret=subscriptions.renew_secret(row))
        case "pauses" if row.paused_why:
            go_on(row)
        case "pauses":
            subscriptions.pause(row)
        case "pings":
            ping(row)
            messages.info(
                request, _("A message is on its way; load this page again to see how it went.")
            )
        case "removal":
            subscriptions.remove(row)
            messages.info(request, _("Nothing is sent to %s any more.") % row.address)
            return redirect("webhooks")
        case _:
            raise Http404
    return redirect("webhook", hook=row.pk)


@require_POST
@requires(Permission.ADMINISTER)
def delivery_repeat(request: SalonRequest, hook: str, delivery: str) -> HttpResponse:
    """Send a message once more."""
    again(get_object_or_404(Delivery, pk=delivery, webhook=_or_404(request.visitor, hook)))
    messages.info(request, _("It is sent once more, under the same id."))
    return redirect("webhook", hook=hook)


def _list(request: SalonRequest, problem: Problem | None = None) -> HttpResponse:
    rows = Webhook.objects.filter(salon=request.visitor.salon).order_by("made_at", "pk")
    context = {
        "here": "tables",
        "hooks": [(row, _words_of(row)) for row in rows],
        "events": list(event_words().items()),
        "problem": problem,
        "typed": {
            "address": request.POST.get("address", ""),
            "events": request.POST.getlist("events"),
        },
    }
    return render(request, "webhooks/list.html", context, status=status_of(problem))


def _one(request: SalonRequest, hook: Webhook, *, secret: str = "") -> HttpResponse:
    context: dict[str, object] = {
        "here": "tables",
        "hook": hook,
        "event_names": _words_of(hook),
        "secret": secret,
        "parked": why_parked(hook.salon.log_id, subscriptions.NAME, hook.pk),
        "old_works": hook.old_secret_until is not None and hook.old_secret_until > timezone.now(),
        "deliveries": [
            (row, event_words().get(row.event, row.event))
            for row in hook.delivery_set.order_by("-made_at", "pk")[:SHOWN]
        ],
    }
    return render(request, "webhooks/one.html", context)


def event_words() -> dict[str, str]:
    """Return the events that a webhook can receive, in words."""
    return {
        "hand.closed": _("A hand is closed"),
        "game.closed": _("A game is over"),
        "round.published": _("A round is published"),
        "standings.changed": _("Standings changed"),
        "hand.disputed": _("A hand is disputed"),
        "ping": _("A test message"),
    }


def _words_of(hook: Webhook) -> list[str]:
    return [event_words().get(event, event) for event in hook.events or ()]


def _or_404(visitor: Visitor, hook: str) -> Webhook:
    return get_object_or_404(Webhook, pk=hook, salon=visitor.salon)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownToken:
    """A token in the list: who gave it, what it is for and until when."""

    key: str
    name: str
    who: str
    scopes: tuple[str, ...]
    expires: datetime | None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.GIVE_TOKENS)
def tokens(request: SalonRequest) -> HttpResponse:
    """The tokens of the salon; POST gives one, whose text is shown this once."""
    if request.method != "POST":
        return _tokens_page(request)
    form = request.POST
    try:
        _row, text = give_token(
            request.visitor,
            name=form.get("name", ""),
            scopes=form.getlist("scopes"),
            days=_number(form.get("days", "")),
        )
    except Refusal as refusal:
        return _tokens_page(request, problem=problem_of(refusal))
    return _tokens_page(request, given=text)


@require_POST
@requires(Permission.GIVE_TOKENS)
def token_end(request: SalonRequest, token: str) -> HttpResponse:
    """End a token: from now on it opens nothing."""
    row = get_object_or_404(ApiToken, salon=request.visitor.salon, identity=token)
    row.delete()
    messages.success(request, _("%(name)s no longer works.") % {"name": row.name})
    return redirect("tokens")


def _number(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 6:
        raise NotationError(_("a whole number is expected here"), path="days")
    return int(text)


def _tokens_page(
    request: SalonRequest, *, given: str = "", problem: Problem | None = None
) -> HttpResponse:
    visitor, rows = request.visitor, tokens_of(request.visitor)
    form = request.POST if problem else {}
    chosen = request.POST.getlist("scopes") if problem else []
    who = actors_in_words(visitor.salon, {row.actor for row in rows}, visitor.audience)
    context = {
        "tokens": [
            ShownToken(
                key=row.identity,
                name=row.name,
                who=who[row.actor],
                scopes=tuple(row.scopes or ()),
                expires=row.expiry,
            )
            for row in rows
        ],
        "given": given,
        "acts": [(act.value, act.value in chosen) for act in Permission if visitor.may(act)],
        "typed": {"name": form.get("name", ""), "days": form.get("days", str(USUAL_DAYS))},
        "longest": LONGEST_NAME,
        "most": MOST_DAYS,
        "problem": problem,
    }
    return render(request, "api/tokens.html", context, status=status_of(problem))
