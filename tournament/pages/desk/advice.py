"""Advice on the format: the formats that fit a game, a number of players and a time;
and practice for new directors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.demo.practice import open_practice
from tournament.domain.pairing.advice import Occasion, Offer, advise
from tournament.domain.tournament.state import State
from tournament.models import Tournament
from tournament.pages.common.form_values import COMMAND, NOT_RECORDED
from tournament.queries.advice_words import (
    again_words,
    apart_words,
    describe_result_entry,
    out_words,
    room_words,
    rounds_words,
    title_words,
)

MOST = {"players": 250, "minutes": 1440, "minutes_a_round": 1440}
USUAL = {"players": "16", "minutes": "180", "minutes_a_round": "30"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferInWords:
    """A format that fits in words, and the address of the form that is filled in with it."""

    title: str
    rounds: str
    facts: tuple[str, ...]
    room: str
    construction: str
    address: str


@never_cache
@require_GET
@requires(Permission.DIRECT)
def format_advice(request: SalonRequest) -> HttpResponse:
    """The form, and once it is sent the formats that fit; `of` names a tournament that is set up
    already, whose format is to be chosen.
    """
    of = Tournament.objects.filter(
        salon=request.visitor.salon, pk=request.GET.get("of", ""), rounds=0
    ).first()
    usual_game = next(iter(GAMES)) if of is None else of.game
    typed = {
        "game": request.GET.get("game", usual_game)[:40],
        **{name: request.GET.get(name, usual).strip()[:12] for name, usual in USUAL.items()},
    }
    problems = _problems(typed) if "players" in request.GET else {}
    offers: list[OfferInWords] | None = None
    if "players" in request.GET and not problems:
        rounds = int(typed["minutes"]) // int(typed["minutes_a_round"])
        asked = Occasion(game=typed["game"], players=int(typed["players"]), rounds=min(rounds, 99))
        offers = [_offer_in_words(offer, typed, of) for offer in advise(asked)]
    context = {
        "here": "tournaments",
        "of": of,
        "typed": typed,
        "problems": problems,
        "games": [(game.name, game.title) for game in GAMES.values()],
        "offers": offers,
    }
    return render(request, "tournaments/advice.html", context, status=422 if problems else 200)


def query_of(row: Tournament, state: State) -> dict[str, str]:
    """Return the query for advice on a tournament as it is set up: its people, and a usual
    evening.
    """
    heads = sum(len(each.players) for each in state.entries if not each.is_withdrawn)
    return {
        "of": row.pk,
        "game": state.game,
        "players": str(heads),
        "minutes": USUAL["minutes"],
        "minutes_a_round": str(state.conditions.minutes),
    }


def _problems(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the errors of the fields, by name."""
    problems = {
        name: _("A whole number from 1 to %(most)d is expected here.") % {"most": most}
        for name, most in MOST.items()
        if not (typed[name].isascii() and typed[name].isdecimal() and 1 <= int(typed[name]) <= most)
    }
    if typed["game"] not in GAMES:
        problems["game"] = _("Choose a game from the list.")
    return problems


def _offer_in_words(offer: Offer, typed: Mapping[str, str], of: Tournament | None) -> OfferInWords:
    facts = (out_words(offer), again_words(offer), apart_words(offer), describe_result_entry(offer))
    return OfferInWords(
        title=title_words(offer),
        rounds=rounds_words(offer),
        facts=tuple(fact for fact in facts if fact),
        room=room_words(offer),
        construction=offer.construction,
        address=_form_address(offer, typed, of),
    )


def _form_address(offer: Offer, typed: Mapping[str, str], of: Tournament | None) -> str:
    """Return the address of the form filled in with this format."""
    form = QueryDict(mutable=True)
    form.update(
        {
            "game": typed["game"],
            "format": offer.kind,
            "rounds": "" if offer.kind in ("round_robin", "knockout") else str(offer.rounds),
            "minutes": typed["minutes_a_round"],
            "players": str(offer.people),
            **{f"{offer.kind}.{key}": value for key, value in offer.own.items()},
        }
    )
    page = reverse("new_tournament") if of is None else reverse("tournament_stage", args=[of.pk])
    return f"{page}?{urlencode(form.dict())}"


@require_POST
@requires(Permission.DIRECT)
def practices(request: SalonRequest) -> HttpResponse:
    """Set up an event to practise with, and lead to its desk."""
    command = request.POST.get("command", "")
    if not COMMAND.fullmatch(command):
        messages.error(request, _("This form is incomplete; load the page again."))
        return redirect("tournaments")
    visitor = request.visitor
    try:
        row = open_practice(
            visitor.salon, name=_("Practice evening"), actor=visitor.actor, command=command
        )
    except NOT_RECORDED:
        messages.error(request, _("Nothing was set up; try it again."))
        return redirect("tournaments")
    return redirect("desk", tournament=row.pk)
