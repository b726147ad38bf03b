"""Who sat where: the games of a player."""

from ledger.models import Account
from tournament.models import GameSeat, Salon


def games_with(salon: Salon, player: str) -> list[str]:
    """The games (their streams) in which a player sat, or played for somebody.

    Two looks of their own: each has an index that holds all it asks for, and a search for either of
    them would have none.
    """
    seated = GameSeat.objects.filter(game__salon=salon, player=player).values_list(
        "game", flat=True
    )
    played = Account.objects.filter(log=salon.log_id, owner=player).values_list("stream", flat=True)
    return sorted({*seated, *played})
