"""What players are called in public: whole names, first names or pseudonyms, as the salon and each player have chosen.

The public is everybody without an account in the salon and without a link: while such a visitor is answered, every page
and every answer of the API calls players so.
"""

from collections.abc import Iterable
from contextvars import ContextVar

from django.utils.translation import gettext as _

from tournament.models import NamesShown, Player, Salon

_in_public: ContextVar[bool] = ContextVar("in_public", default=False)


def speak_in_public(public: bool) -> None:
    """From now on, in this thread, names are for the public, or not."""
    _in_public.set(public)


def in_public() -> bool:
    """Whether names are for the public now."""
    return _in_public.get()


def shown_names(salon: Salon, ids: Iterable[str]) -> dict[str, str]:
    """What each of these players of the salon is called for whoever is answered now; one who is unknown is left out."""
    # The salon is looked at here: asked for it as well, the database would walk all of its players.
    found = Player.objects.filter(id__in=set(ids)).values_list("id", "name", "names_shown", "salon")
    players = [(player, name, shown) for player, name, shown, of in found if of == salon.pk]
    if not in_public():
        return {player: name for player, name, _shown in players}
    return {player: public_name(player, name, shown or salon.names_shown) for player, name, shown in players}


def public_name(player: str, name: str, shown: str) -> str:
    """A name as the public reads it."""
    if shown == NamesShown.FIRST:
        return name.split()[0] if name.split() else name
    return _("Player %(number)s") % {"number": player[:6].upper()} if shown == NamesShown.PSEUDONYM else name


def called(player: Player) -> str:
    """What this player is called for whoever is answered now."""
    return public_name(player.pk, player.name, player.names_shown or player.salon.names_shown) if in_public() else player.name
