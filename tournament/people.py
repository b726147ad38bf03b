"""The salon's players by name: a name is known or becomes a new player."""

import unicodedata
from collections.abc import Iterable

from tournament.models import Player, Salon


def plain_name(name: str) -> str:
    """A name as it is kept: composed letters (NFC), single spaces, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def player_ids(salon: Salon, names: Iterable[str]) -> dict[str, str]:
    """The id of the player behind each name, by the name as given; unknown names become new players."""
    wanted = {name: plain_name(name) for name in names}
    known = dict(Player.objects.filter(salon=salon, name__in=wanted.values()).values_list("name", "id"))
    new = [Player(salon=salon, name=name) for name in dict.fromkeys(wanted.values()) if name not in known]
    Player.objects.bulk_create(new)
    known.update((player.name, player.id) for player in new)
    return {name: known[plain] for name, plain in wanted.items()}


def names_of(salon: Salon, ids: Iterable[str]) -> dict[str, str]:
    """The name of each of these players."""
    return dict(Player.objects.filter(salon=salon, id__in=set(ids)).values_list("id", "name"))
