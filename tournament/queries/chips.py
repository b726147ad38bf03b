"""Chips that players have won over all games of a salon: what the bank gave them is not won."""

from collections import Counter

from django.db.models import Count, F, Sum

from ledger.models import Account, Transfer
from scoring.chips import BANK
from tournament.models import Player, Salon


def chips_won(salon: Salon, player: Player) -> int:
    """What one player has won, below 0: lost."""
    chips, _games = net_chips(salon, owner=player.pk).get(player.pk, (0, 0))
    return chips


def net_chips(salon: Salon, *, owner: str | None = None) -> dict[str, tuple[int, int]]:
    """Chips won and number of games by player's id, of all players or one; what the bank gave is
    not won.
    """
    mine = {} if owner is None else {"owner": owner}
    accounts_of_players = Account.objects.filter(log=salon.log_id, **mine).exclude(owner="")
    sums = accounts_of_players.values_list("owner").annotate(
        chips=Sum(F("credits") - F("debits")), games=Count("stream", distinct=True)
    )
    banked = _from_the_bank(salon, owner)
    return {player: (chips - banked[player], games) for player, chips, games in sums.order_by()}


def _from_the_bank(salon: Salon, owner: str | None) -> Counter[str]:
    """What each player got from the bank, less what went back there."""
    banked: Counter[str] = Counter()
    for bank, player, sign in (("source", "target", 1), ("target", "source", -1)):
        # Found from the accounts, which have an index by owner: from the log it would be all
        # transfers there are.
        of_bank = {f"{bank}__log": salon.log_id, f"{bank}__owner": "", f"{bank}__key": BANK}
        own = (
            {f"{bank}__key": BANK, f"{player}__log": salon.log_id, f"{player}__owner": owner}
            if owner is not None
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
