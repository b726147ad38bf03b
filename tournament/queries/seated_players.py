"""The players at each table now: one player may sit at two, but anyone who starts a
game is told of it.
"""

from collections.abc import Collection, Mapping

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Game, Salon
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience


def map_players_to_tables(
    salon: Salon, audience: Audience, *, apart_from: str = ""
) -> dict[str, list[str]]:
    """The tables at which each player, by name for this audience, plays a game that is not over;
    the game `apart_from` doesn't count.
    """
    games = (
        Game.objects.filter(salon=salon, finished=False)
        .exclude(table="")
        .exclude(pk=apart_from)
        .order_by("started_position")
    )
    seated = [(table, list(seats.values())) for table, seats in games.values_list("table", "seats")]
    names = names_of(salon, {player for _table, players in seated for player in players}, audience)
    found: dict[str, list[str]] = {}
    for table, players in seated:
        for player in players:
            found.setdefault(names.get(player, ""), []).append(table)
    return found


def other_tables(
    salon: Salon, names: Collection[str], audience: Audience, *, game: str
) -> dict[str, list[str]]:
    """Which of these players, who have just begun a game, play at which other tables."""
    playing = map_players_to_tables(salon, audience, apart_from=game)
    return {name: playing[name] for name in names if name in playing}


def other_table_notes(found: Mapping[str, list[str]]) -> list[str]:
    """The same in sentences, one for each of the tables."""
    by_table: dict[str, list[str]] = {}
    for name, tables in found.items():
        for table in tables:
            by_table.setdefault(table, []).append(name)
    return [
        ngettext(
            "%(names)s is at table %(table)s too.",
            "%(names)s are at table %(table)s too.",
            len(names),
        )
        % {"names": get_text_list(names, _("and")), "table": table}
        for table, names in by_table.items()
    ]
