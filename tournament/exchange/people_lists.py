"""Players from a list: what its lines come to in a salon, and the list taken back."""

from collections.abc import Iterable

from tournament.formats.player_list import BAD, Line, Listed, Mapping, lines_of
from tournament.models import Player, Salon
from tournament.salons.persons import find_offered_persons
from tournament.salons.players import set_aside


def lines_in(salon: Salon, listed: Listed, mapping: Mapping) -> list[Line]:
    """The result of each line of a list in this salon."""
    known = set(find_offered_persons(salon).values_list("name", flat=True))
    return list(lines_of(listed, mapping, known))


def take_list_back(salon: Salon, lines: Iterable[Line]) -> tuple[int, int]:
    """Set aside the players of these lines who came with a list and have not played: how many, and
    how many of those whom the salon knows stay.
    """
    names = {line.name for line in lines if line.kind != BAD}
    offered = find_offered_persons(salon).filter(name__in=names)
    known = offered.count()
    taken = set_aside(Player.objects.filter(salon=salon, name__in=names))
    return taken, known - taken
