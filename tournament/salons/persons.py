"""Players that are one person since their records were merged: who stands for whom."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from ledger.models import Account
from tournament.models import GameSeat, Player, Salon


def persons(salon: Salon) -> QuerySet[Player]:
    """The players of a salon without those for whom another one stands."""
    return Player.objects.filter(salon=salon, merged_into="")


def find_offered_persons(salon: Salon) -> QuerySet[Player]:
    """The same without those who were set aside with a list that was taken back."""
    return persons(salon).filter(set_aside=False)


def merged_players(salon: Salon) -> Mapping[str, str]:
    """For each merged player of the salon the one who stands for them."""
    merged = Player.objects.filter(salon=salon).exclude(merged_into="").order_by("pk")
    return dict(merged.values_list("pk", "merged_into"))


def ids_of_person(salon: Salon, player: str) -> list[str]:
    """The ids under which this person sits in games: the own one, then those merged into it."""
    merged = merged_players(salon).items()
    return [player, *(other for other, target in merged if target == player)]


def as_persons(salon: Salon, players: Iterable[str]) -> Mapping[str, str]:
    """Return the player that each of these is merged into: most are themselves."""
    merged = merged_players(salon)
    return {player: merged.get(player, player) for player in players}


def games_with(salon: Salon, player: str) -> list[str]:
    """The games (their streams) in which a person sat, or played for somebody.

    Two looks of their own: each has an index that holds all it asks for, and a search for either of
    them would have none.
    """
    known = ids_of_person(salon, player)
    seated = GameSeat.objects.filter(game__salon=salon, player__in=known).values_list(
        "game", flat=True
    )
    played = Account.objects.filter(log=salon.log_id, owner__in=known).values_list(
        "stream", flat=True
    )
    return sorted({*seated, *played})


def person_of(player: Player) -> Player:
    """The player who stands for this one."""
    if not player.merged_into:
        return player
    return Player.objects.select_related("salon").get(pk=player.merged_into)
