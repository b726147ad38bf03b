"""A player's page: results, rating, records, with whom and against whom, and chips for those who
may read the books.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from ledger.models import Account
from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.careers import career
from tournament.domain.names import in_alphabet
from tournament.models import Game, NamesShown, Player, Salon
from tournament.pages.history.history import number, query_without
from tournament.pages.players.player_records import counted_up_to, rating_of, records_of
from tournament.projections.careers import career_games
from tournament.queries.accounts import seats_of
from tournament.queries.chips import chips_won
from tournament.queries.word_lists import list_words
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience, called

SHOWN = 20
MET_SHOWN = 12


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
class Met:
    """Somebody this player sat with or against: games that are over, and how many of them this
    player won.
    """

    player: str
    name: str
    games: int
    won: int


@require_GET
@needs(Act.SEE_SALON)
def player(request: SalonRequest, player: str) -> HttpResponse:
    """The page of one player."""
    visitor = request.visitor
    person = get_object_or_404(Player, salon=visitor.salon, pk=player)
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
        "may_choose_name": visitor.may(Act.CHOOSE_NAME, player=person.pk),
        "names_shown": [("", _("As the salon has it")), *NamesShown.choices],
        "results": shown[:SHOWN],
        "earlier": shown[SHOWN - 1].game.started_position if len(shown) > SHOWN else None,
        "before": before,
        "kept": query_without(request, "before"),
        "over": len(over),
        "won": sum(result.outcome == "won" for result in over),
        "playing": next((result.game for result in results if result.outcome == "playing"), None),
        "partners": _met(person, career.partners_of(games), visitor.audience),
        "opponents": _met(person, career.opponents_of(games), visitor.audience),
        "records": records_of(games),
        "counted_up_to": counted_up_to(person),
        "stood_in": _stood_in(visitor.salon, person),
        "may_read_person": visitor.may(Act.READ_PERSON, player=person.pk),
        **rating_of(person),
    }
    if visitor.may(Act.READ_LEDGER, player=person.pk):
        context |= {"chips": chips_won(visitor.salon, person), "may_see_chips": True}
    return render(request, "player.html", context)


def _results(person: Player, audience: Audience) -> list[Result]:
    """The games this player sat in, the latest first, but for those in silent rounds; what was not
    played is none.
    """
    sat = Game.objects.filter(gameseat__player=person, not_played=False)
    rows = [row for row in sat.order_by("-started_position") if not row.is_silent]
    names = names_of(
        person.salon, {other for row in rows for other in seats_of(row).values()}, audience
    )
    return [_result(row, person.pk, names) for row in rows]


def _result(row: Game, person: str, names: Mapping[str, str]) -> Result:
    seats, state = seats_of(row), row.state
    own_seat = next(seat for seat, other in seats.items() if other == person)
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


def _met(person: Player, met: Sequence[career.Met], audience: Audience) -> list[Met]:
    """Those met most often first, by name among equals."""
    names = names_of(person.salon, {each.player for each in met}, audience)
    named = [
        Met(player=each.player, name=names.get(each.player, ""), games=each.games, won=each.won)
        for each in met
    ]
    return sorted(named, key=lambda each: (-each.games, in_alphabet(each.name)))[:MET_SHOWN]


def _stood_in(salon: Salon, person: Player) -> list[Game]:
    """The games in which this player sat for somebody else, the latest first."""
    accounts = Account.objects.filter(log=salon.log_id, owner=person.pk).values_list(
        "stream", "key"
    )
    streams = [stream for stream, key in accounts if ":" in key]
    return list(Game.objects.filter(pk__in=streams).order_by("-started_position"))
