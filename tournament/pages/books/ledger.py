"""The books: what every player has won, the pots that are not empty, the trial balance, and the
accounts of each game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Max, Min
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ledger import accounts
from ledger.accounts import Balance
from ledger.models import Account, Event
from scoring.chips import OUTSIDE
from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet
from tournament.models import Game, Salon
from tournament.pages.books.statements import read_moment
from tournament.pages.common.games import title_of_game, titles_of_games
from tournament.pages.history.history import number, query_without
from tournament.queries.accounts import account_title, seats_of
from tournament.queries.chips import net_chips
from tournament.queries.game_as_of import AsOf
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of

GAMES_SHOWN = 30
POTS_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerChips:
    """A player in the books: chips won (below 0: lost) over all games, what the bank gave apart."""

    player: str
    name: str
    games: int
    chips: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pot:
    """A pot with chips in it. Of a game that is over it should be empty, unless the house rules of
    the game leave it so: it `stays`.
    """

    game: Game
    title: str
    name: str
    key: str
    chips: int
    stays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountChips:
    """An account of a game with its chips."""

    key: str
    title: str
    chips: int


@require_GET
@requires(Permission.READ_LEDGER)
def ledger(request: SalonRequest) -> HttpResponse:
    """The books of the salon."""
    salon, before = request.visitor.salon, number(request, "before")
    games = Game.objects.filter(salon=salon).order_by("-started_position")
    page = list(
        games.filter(started_position__lt=before)[: GAMES_SHOWN + 1]
        if before
        else games[: GAMES_SHOWN + 1]
    )
    titles = titles_of_games(page)
    context = {
        "here": "ledger",
        "owned": _players_by_chips(salon, request.visitor.audience),
        "pots": _pots(salon),
        "total": accounts.trial_balance(salon.log_id),
        "games": [(row, titles[row.pk]) for row in page[:GAMES_SHOWN]],
        "earlier": page[GAMES_SHOWN - 1].started_position if len(page) > GAMES_SHOWN else None,
        "before": before,
        "other_query": query_without(request, "before"),
    }
    return render(request, "ledger/salon.html", context)


@require_GET
@requires(Permission.READ_LEDGER)
def game_ledger(request: SalonRequest, game: str) -> HttpResponse:
    """The accounts of one game, as of a moment or now."""
    row = game_or_404(request.visitor, game)
    log = row.salon.log_id
    balances = accounts.accounts_of(log, stream=row.pk)
    span = Event.objects.filter(stream=row.pk).aggregate(
        first=Min("occurred_at"), last=Max("occurred_at")
    )
    as_of, problem = read_moment(request, [span["first"], span["last"]])
    booked = _accounts_of_game(row, balances, as_of, request.visitor.audience)
    context = {
        "here": "ledger",
        "game": row,
        "title": title_of_game(row),
        "booked": booked,
        "total": sum(account.chips for account in booked),
        "as_of": as_of,
        "typed": request.GET.get("as_of", ""),
        "problem": problem,
    }
    return render(request, "ledger/game.html", context, status=400 if problem else 200)


def _players_by_chips(salon: Salon, audience: Audience) -> list[PlayerChips]:
    won = net_chips(salon)
    names = names_of(salon, won, audience)
    found = [
        PlayerChips(player=owner, name=names.get(owner, ""), games=games, chips=chips)
        for owner, (chips, games) in won.items()
    ]
    return sorted(found, key=lambda each: (-each.chips, in_alphabet(each.name)))


def _pots(salon: Salon) -> list[Pot]:
    """The latest pots that are not empty, those that should be, of games that are over, first."""
    accounts = list(
        Account.objects.filter(log=salon.log_id, owner="")
        .exclude(key__in=OUTSIDE)
        .exclude(credits=F("debits"))
        .order_by("-pk")[:POTS_SHOWN]
    )
    rows = Game.objects.select_related("salon").in_bulk([account.stream for account in accounts])
    titles = titles_of_games(list(rows.values()))
    pots = [
        Pot(
            game=rows[account.stream],
            title=titles[account.stream],
            name=account_title(GAMES[rows[account.stream].kind], account.key, {}, {}),
            key=account.key,
            chips=account.credits - account.debits,
            stays=rows[account.stream].finished and _leaves_pots(rows[account.stream]),
        )
        for account in accounts
    ]
    return sorted(
        pots, key=lambda pot: (not pot.game.finished, pot.stays, pot.game.started_position, pot.key)
    )


def _leaves_pots(row: Game) -> bool:
    """Whether the house rules of a game leave chips in its pots at the end."""
    folded = fold_of(row.salon.log_id, row.pk)
    return folded is not None and folded.game.leaves_pots(folded.state)


def _accounts_of_game(
    row: Game, balances: Sequence[Balance], as_of: AsOf | None, audience: Audience
) -> list[AccountChips]:
    """The accounts in the order of the table: seats, then who stood in, the pots, the bank."""
    game, seats = GAMES[row.kind], seats_of(row)
    names = names_of(
        row.salon, [*seats.values(), *(balance.owner for balance in balances)], audience
    )
    ranked = sorted(
        balances, key=lambda balance: _rank(balance.key, list(game.seat_names), game.pot_names)
    )
    return [
        AccountChips(
            key=balance.key,
            title=account_title(game, balance.key, names, seats),
            chips=_chips(row, balance, as_of),
        )
        for balance in ranked
    ]


def _rank(key: str, seats: Sequence[str], pots: Mapping[str, str]) -> tuple[int, str]:
    if key in OUTSIDE:
        return len(seats) + 2, key
    return (len(seats) + 1 if key in pots else seats.index(key.partition(":")[0])), key


def _chips(row: Game, balance: Balance, as_of: AsOf | None) -> int:
    if as_of is None:
        return balance.chips
    return accounts.balance_as_of(
        row.salon.log_id,
        stream=row.pk,
        key=balance.key,
        position=as_of.position,
        occurred_at=as_of.occurred_at,
    )
