"""A player's page: results, rating, records, with whom and against whom, and chips for those who
may read the books; and what the salon holds of a person, shown and given to them, and erased when
they want it.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from ledger.models import Account, Log
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.careers import career
from tournament.domain.names import in_alphabet, plain_name
from tournament.models import Game, NamesShown, Player, Salon
from tournament.pages.common.paper import attachment
from tournament.pages.history.history import number, query_without
from tournament.pages.players.player_records import find_counted_position, rating_of, records_of
from tournament.privacy.erasure import CannotErase, erase, is_erased, texts_naming, why_not
from tournament.privacy.personal_data import account_of, collect_personal_data, games_of
from tournament.projections.careers import career_games
from tournament.queries.accounts import seats_of
from tournament.queries.chips import chips_won
from tournament.queries.typed_results import typed_results
from tournament.queries.word_lists import list_words
from tournament.salons.persons import ids_of_person, person_of
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience, called
from tournament.tasks import ask_for_audit

SHOWN = 20
TABLEMATES_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One game as this player saw it: `outcome` is `won`, `lost`, `drawn`, `playing`, or `played`
    where nobody was against.

    Scores are own side first; `other` is None where there is no other side.
    """

    game: Game
    played_on: date | None
    partners: Sequence[str]
    opponents: Sequence[str]
    outcome: str
    own: int
    other: int | None
    chips: int
    with_names: str
    against_names: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tablemate:
    """Somebody this player sat with or against: games that are over, and how many of them this
    player won.
    """

    player: str
    name: str
    games: int
    won: int


@require_GET
@requires(Permission.SEE_SALON)
def player(request: SalonRequest, player: str) -> HttpResponse:
    """The page of one player."""
    visitor = request.visitor
    person = get_object_or_404(Player, salon=visitor.salon, pk=player)
    if person.merged_into:
        return redirect("player", player=person.merged_into)
    results = _results(person, visitor.audience)
    before = number(request, "before")
    shown = [
        result for result in results if before is None or result.game.started_position < before
    ]
    over = [result for result in results if result.opponents and result.outcome != "playing"]
    games = career_games(visitor.salon, person.pk)
    context: dict[str, object] = {
        "player": person,
        "player_name": called(person, visitor.audience),
        "may_choose_name": visitor.may(Permission.CHOOSE_NAME, player=person.pk),
        "names_shown": [("", _("As the salon has it")), *NamesShown.choices],
        "results": shown[:SHOWN],
        "earlier": shown[SHOWN - 1].game.started_position if len(shown) > SHOWN else None,
        "before": before,
        "other_query": query_without(request, "before"),
        "over": len(over),
        "won": sum(result.outcome == "won" for result in over),
        "playing": next((result.game for result in results if result.outcome == "playing"), None),
        "partners": _tablemates(person, career.partners_of(games), visitor.audience),
        "opponents": _tablemates(person, career.opponents_of(games), visitor.audience),
        "records": records_of(games),
        "counted_up_to": find_counted_position(person),
        "stood_in": _list_substitute_games(visitor.salon, person),
        "typed_results": typed_results(visitor, person) if before is None else [],
        "may_correct": visitor.may(Permission.DIRECT) and not is_erased(person),
        "may_read_person": visitor.may(Permission.READ_PERSON, player=person.pk),
        **rating_of(person),
    }
    if visitor.may(Permission.READ_LEDGER, player=person.pk):
        context |= {"chips": chips_won(visitor.salon, person), "may_see_chips": True}
    return render(request, "player.html", context)


def _results(person: Player, audience: Audience) -> list[Result]:
    """The games this player sat in, the latest first, but for those in silent rounds; what was not
    played is none.
    """
    known = ids_of_person(person.salon, person.pk)
    sat = Game.objects.filter(gameseat__player__in=known, not_played=False)
    rows = [row for row in sat.order_by("-started_position") if not row.is_silent]
    names = names_of(
        person.salon, {other for row in rows for other in seats_of(row).values()}, audience
    )
    return [_result(row, known, names) for row in rows]


def _result(row: Game, person: Collection[str], names: Mapping[str, str]) -> Result:
    seats, state = seats_of(row), row.state
    own_seat = next(seat for seat, other in seats.items() if other in person)
    side = next(side for side in state["score"] if own_seat in side)
    partners = [seats[seat] for seat in seats if seat in side and seat != own_seat]
    opponents = [seats[seat] for seat in seats if seat not in side]
    return Result(
        game=row,
        played_on=row.played_on,
        partners=partners,
        opponents=opponents,
        outcome=_outcome(row, state["winners"], side)
        if opponents or not row.finished
        else "played",
        own=state["score"][side],
        other=max(
            (score for other, score in state["score"].items() if other != side), default=None
        ),
        chips=state.get("chips", {}).get(own_seat, 0),
        with_names=list_words([names.get(other, "") for other in partners]),
        against_names=list_words([names.get(other, "") for other in opponents]),
    )


def _outcome(row: Game, winners: Sequence[str], side: str) -> str:
    if not row.finished:
        return "playing"
    if side not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "drawn"


def _tablemates(
    person: Player, met: Sequence[career.Companion], audience: Audience
) -> list[Tablemate]:
    """Those met most often first, by name among equals."""
    names = names_of(person.salon, {each.player for each in met}, audience)
    named = [
        Tablemate(
            player=each.player, name=names.get(each.player, ""), games=each.games, won=each.won
        )
        for each in met
    ]
    return sorted(named, key=lambda each: (-each.games, in_alphabet(each.name)))[:TABLEMATES_SHOWN]


def _list_substitute_games(salon: Salon, person: Player) -> list[Game]:
    """Return the games in which this player was a substitute, the latest first."""
    known = ids_of_person(salon, person.pk)
    accounts = Account.objects.filter(log=salon.log_id, owner__in=known).values_list(
        "stream", "key"
    )
    streams = [stream for stream, key in accounts if ":" in key]
    return list(Game.objects.filter(pk__in=streams).order_by("-started_position"))


@never_cache
@require_safe
@requires(Permission.READ_PERSON)
def person_file(request: SalonRequest, player: str) -> HttpResponse:
    """All that is held of a person, as a file that people and machines can read."""
    found = _player_or_404(request.visitor.salon, player)
    text = json.dumps(collect_personal_data(found), ensure_ascii=False, indent=2)
    name = f"{request.visitor.salon.slug}-{found.pk[:12]}.person.json"
    return attachment(text + "\n", "application/json; charset=utf-8", name)


@never_cache
@require_safe
@requires(Permission.READ_PERSON)
def person(request: SalonRequest, player: str) -> HttpResponse:
    """All that is held of a person, for them to read."""
    found = _player_or_404(request.visitor.salon, player)
    context = {
        "here": "home",
        "player": found,
        "held": collect_personal_data(found),
        "may_erase": request.visitor.may(Permission.ERASE_PERSON),
    }
    return render(request, "people/person.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.ERASE_PERSON)
def erasure(request: SalonRequest, player: str) -> HttpResponse:
    """The page that shows which data would be erased and which stays; typing the name
    erases them.
    """
    found = _player_or_404(request.visitor.salon, player)
    if request.method != "POST":
        return _erasure_page(request, found)
    if is_erased(found):
        return redirect("player", player=found.pk)
    if plain_name(request.POST.get("name", "")) != found.name:
        words = _("Type the name as it stands here, to say that you mean it.")
        return _erasure_page(request, found, words)
    try:
        erased = erase(found, actor=request.visitor.actor)
    except CannotErase as refused:
        return _erasure_page(request, found, str(refused))
    # It shows that the chain holds as before.
    ask_for_audit(found.salon, asked_by=request.visitor.actor)
    messages.success(
        request, _("Erased. The player is called %(name)s now.") % {"name": erased.pseudonym}
    )
    return redirect("erasure", player=found.pk)


def _erasure_page(request: SalonRequest, found: Player, problem: str = "") -> HttpResponse:
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
    found = get_object_or_404(Player.objects.select_related("salon"), salon=salon, pk=player)
    return person_of(found)
