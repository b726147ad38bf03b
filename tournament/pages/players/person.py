"""What the salon holds of a person: shown and given to them, and erased when they want it."""

import json

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ledger.models import Log
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.names import plain_name
from tournament.models import Player, Salon
from tournament.pages.common.paper import attachment
from tournament.privacy.erasure import CannotErase, erase, is_erased, texts_naming, why_not
from tournament.privacy.personal_data import account_of, games_of, held_of
from tournament.tasks import audit_again


@never_cache
@require_safe
@needs(Act.READ_PERSON)
def person_file(request: SalonRequest, player: str) -> HttpResponse:
    """All that is held of a person, as a file that people and machines can read."""
    found = _player_or_404(request.visitor.salon, player)
    text = json.dumps(held_of(found), ensure_ascii=False, indent=2)
    name = f"{request.visitor.salon.slug}-{found.pk[:12]}.person.json"
    return attachment(text + "\n", "application/json; charset=utf-8", name)


@never_cache
@require_safe
@needs(Act.READ_PERSON)
def person(request: SalonRequest, player: str) -> HttpResponse:
    """All that is held of a person, for them to read."""
    found = _player_or_404(request.visitor.salon, player)
    context = {
        "here": "home",
        "player": found,
        "held": held_of(found),
        "may_erase": request.visitor.may(Act.ERASE_PERSON),
    }
    return render(request, "people/person.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.ERASE_PERSON)
def erasure(request: SalonRequest, player: str) -> HttpResponse:
    """What would go and what stays; done once the name is typed."""
    found = _player_or_404(request.visitor.salon, player)
    if request.method != "POST":
        return _asked(request, found)
    if is_erased(found):
        return redirect("player", player=found.pk)
    if plain_name(request.POST.get("name", "")) != found.name:
        words = _("Type the name as it stands here, to say that you mean it.")
        return _asked(request, found, words)
    try:
        erased = erase(found, actor=request.visitor.actor)
    except CannotErase as refused:
        return _asked(request, found, str(refused))
    audit_again(found.salon, asked_by=request.visitor.actor)  # shows that the chain holds as before
    messages.success(
        request, _("Erased. The player is called %(name)s now.") % {"name": erased.pseudonym}
    )
    return redirect("erasure", player=found.pk)


def _asked(request: SalonRequest, found: Player, problem: str = "") -> HttpResponse:
    account = account_of(found)
    context = {
        "here": "home",
        "player": found,
        "erased": is_erased(found),
        "texts": texts_naming(found),
        "games": len(games_of(found)),
        "account": account,
        "refused": why_not(found),
        "entries": Log.objects.values_list("position", flat=True).get(pk=found.salon.log_id),
        "problem": problem,
        "typed": request.POST.get("name", ""),
    }
    return render(request, "people/erasure.html", context, status=422 if problem else 200)


def _player_or_404(salon: Salon, player: str) -> Player:
    return get_object_or_404(Player.objects.select_related("salon"), salon=salon, pk=player)
