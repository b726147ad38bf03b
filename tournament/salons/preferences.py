"""Settings of the owner for the salon: its name, names in public, how long players
are remembered, house rules to start with.
"""

import re
from collections.abc import Mapping

from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.options import Choice, Option
from tournament.models import NamesShown, Player, Preset, PushSubscription, Salon

LONGEST_NAME = 120
LONGEST_PRESET_NAME = 40
MOST_DAYS = 36_500
LONGEST_ADDRESS = 200
BASE_ADDRESS = re.compile(r"https?://(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-fA-F:]+\])(?::[1-9]\d{0,4})?")


def change_settings(
    salon: Salon,
    *,
    name: str,
    names_shown: str,
    forget_players_days: int,
    tells_phones: bool | None = None,
    address: str | None = None,
) -> None:
    """Set the salon's name, what players are called in public, after how many days one who came no
    more is erased (0: never), whether phones are told, and at which address they open the salon
    (None: as it is); where they are not told, those that were are forgotten.

    Raises NotationError at the setting that can't be so.
    """
    called = " ".join(name.split())
    if not called or len(called) > LONGEST_NAME:
        raise NotationError(_("The salon needs a name of 1 to 120 characters."), path="name")
    if not 0 <= forget_players_days <= MOST_DAYS:
        raise NotationError(_("Days are a whole number, 0 for never."), path="forget_players_days")
    if names_shown not in NamesShown.values:
        raise NotationError(_("Choose what the public reads."), path="names_shown")
    columns = {
        "name": called,
        "names_shown": names_shown,
        "forget_players_days": forget_players_days,
        "tells_phones": salon.tells_phones if tells_phones is None else tells_phones,
        "address": salon.address if address is None else _base_address(address),
    }
    with transaction.atomic():
        Salon.objects.filter(pk=salon.pk).update(**columns)
        if not columns["tells_phones"]:
            PushSubscription.objects.filter(link__salon=salon).delete()


def _base_address(typed: str) -> str:
    """The address without what follows the server's name and port. Raises NotationError."""
    written = typed.strip().rstrip("/")
    if not written:
        return ""
    if len(written) > LONGEST_ADDRESS or not BASE_ADDRESS.fullmatch(written):
        words = _("An address is expected here such as https://cards.example.org, or nothing.")
        raise NotationError(words, path="address")
    return written


def choose_public_name(player: Player, names_shown: str) -> None:
    """Choose what a player is called in public, "" for what the salon has for all. Raises
    NotationError.
    """
    if names_shown and names_shown not in NamesShown.values:
        raise NotationError(_("Choose what the public reads."), path="names_shown")
    Player.objects.filter(pk=player.pk).update(names_shown=names_shown)


def keep_preset(salon: Salon, game: str, name: str, options: Mapping[str, str]) -> Preset | None:
    """House rules of a game kept under a name, in place of those that had it; None where the name
    is empty.

    `options` are texts by name, as the fields of the start page write them.
    """
    called = " ".join(name.split())[:LONGEST_PRESET_NAME]
    if not called:
        return None
    query = QueryDict(mutable=True)
    query["game"] = game
    for option in GAMES[game].options:
        if option.name in options:
            query[_field(option.name)] = options[option.name]
    kept, _made = Preset.objects.update_or_create(
        salon=salon, game=game, name=called, defaults={"options": query.urlencode()}
    )
    return kept


def preset_texts(preset: Preset) -> dict[str, str]:
    """The options of kept house rules, as the fields of the start page write them."""
    query = QueryDict(preset.options)
    return {
        option.name: query[_field(option.name)]
        for option in GAMES[preset.game].options
        if _field(option.name) in query
    }


def as_text(value: Choice) -> str:
    """An option's value as its field writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def option_value(option: Option, text: str) -> Choice:
    """The value that the field of an option says; the rules say whether it can be chosen. Raises
    ValueError for what is no number.
    """
    if option.choices:
        return next((value for value, _label in option.choices if as_text(value) == text), text)
    return int(text) if text else None


def _field(option: str) -> str:
    return f"options.{option}"
