"""Public names of players: whole names, first names or pseudonyms, as the salon and
each player have chosen.

The public is everyone without an account in the salon and without a link: every
page and every answer of the API shows these names to such a visitor. A caller that
asks for names says for whom they are.
"""

from collections.abc import Iterable
from enum import Enum

from django.utils.translation import gettext as _

from ledger.reading import fetch_all
from tournament.models import NamesShown, Player, Salon

# Every tap asks it: as a query set it takes three times as long.
_PLAYERS = """
SELECT id, name, names_shown, salon_id, merged_into FROM tournament_player WHERE id IN ({marks})"""


class Audience(Enum):
    """For whom names are: the salon, with what is recorded and kept for it, or the public."""

    SALON = "salon"
    PUBLIC = "public"


def find_shown_names(salon: Salon, ids: Iterable[str], audience: Audience) -> dict[str, str]:
    """Return the names of these players of the salon for this audience; a merged player
    has the name of the one they were merged into.

    Unknown players are left out.
    """
    # The salon is looked at here: asked for it as well, the database would walk all of its players.
    found = _read_players(dict.fromkeys(ids))
    targets = {target for *_row, target in found if target}
    others = {row[0]: row for row in _read_players(sorted(targets))}
    players = [
        (player, *others.get(target, (player, name, shown))[:3])
        for player, name, shown, of, target in found
        if of == salon.pk
    ]
    if audience is Audience.SALON:
        return {player: name for player, _person, name, _shown in players}
    return {
        player: public_name(person, name, shown or salon.names_shown)
        for player, person, name, shown in players
    }


def public_name(player: str, name: str, shown: str) -> str:
    """A name as the public reads it."""
    if shown == NamesShown.FIRST:
        return name.split()[0] if name.split() else name
    return (
        _("Player %(number)s") % {"number": player[:6].upper()}
        if shown == NamesShown.PSEUDONYM
        else name
    )


def _read_players(ids: Iterable[str]) -> list[tuple[str, str, str, int, str]]:
    """Id, name, choice of the name shown, salon and id of the one person of these players."""
    asked = list(ids)
    if not asked:
        return []
    return fetch_all(_PLAYERS.format(marks=", ".join(["%s"] * len(asked))), asked)


def called(player: Player, audience: Audience) -> str:
    """Return the name of this player for this audience."""
    if audience is Audience.SALON:
        return player.name
    return public_name(player.pk, player.name, player.names_shown or player.salon.names_shown)
