"""Chips that players have won over all games of a salon: what the bank gave them is not won."""

from collections import Counter
from collections.abc import Sequence

from django.db.models import Count, F, Sum

from ledger.models import Account, Transfer
from scoring.chips import BANK
from tournament.models import Game, Player, Salon
from tournament.salons.persons import ids_of_person, merged_players


def chips_won(salon: Salon, player: Player) -> int:
    """The chips that one player has won; below 0: lost."""
    chips, _games = net_chips(salon, owner=player.pk).get(player.pk, (0, 0))
    return chips


def net_chips(salon: Salon, *, owner: str | None = None) -> dict[str, tuple[int, int]]:
    """Chips won and number of games by person, of all or one; what the bank gave is not won, and
    a game that was not played is none.
    """
    owners = None if owner is None else ids_of_person(salon, owner)
    stood_for = merged_players(salon)
    accounts_of_players = Account.objects.filter(log=salon.log_id).exclude(owner="")
    if owners is not None:
        accounts_of_players = accounts_of_players.filter(owner__in=owners)
    sums = accounts_of_players.values_list("owner").annotate(
        chips=Sum(F("credits") - F("debits")), games=Count("stream", distinct=True)
    )
    banked, unplayed = _from_the_bank(salon, owners), _count_unplayed_games(salon, owners)
    chips_of, games_of = Counter[str](), Counter[str]()
    for player, chips, games in sums.order_by():
        person = stood_for.get(player, player)
        chips_of[person] += chips - banked[player]
        games_of[person] += games - unplayed[player]
    return {person: (chips, games_of[person]) for person, chips in chips_of.items()}


def _count_unplayed_games(salon: Salon, owners: Sequence[str] | None) -> Counter[str]:
    """In how many games each player has an account that ended before a hand was played."""
    over = Game.objects.filter(salon=salon, not_played=True).values_list("pk", flat=True)
    found = Account.objects.filter(log=salon.log_id, stream__in=list(over)).exclude(owner="")
    if owners is not None:
        found = found.filter(owner__in=owners)
    games = found.values_list("owner").annotate(Count("stream", distinct=True)).order_by()
    return Counter(dict(games))


def _from_the_bank(salon: Salon, owners: Sequence[str] | None) -> Counter[str]:
    """The chips that each player got from the bank, less those that went back there."""
    banked: Counter[str] = Counter()
    for bank, player, sign in (("source", "target", 1), ("target", "source", -1)):
        # Found from the accounts, which have an index by owner: from the log it would be all
        # transfers there are.
        of_bank = {f"{bank}__log": salon.log_id, f"{bank}__owner": "", f"{bank}__key": BANK}
        own = (
            {f"{bank}__key": BANK, f"{player}__log": salon.log_id, f"{player}__owner__in": owners}
            if owners is not None
            else of_bank
        )
        for name, chips in (
            Transfer.objects.filter(**own)
            .values_list(f"{player}__owner")
            .annotate(Sum("chips"))
            .order_by()
        ):
            banked[name] += sign * chips
    return banked
