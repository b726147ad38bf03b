"""Names that people give to phones, so that two at one table are told apart: a cookie that its own
script sets, remembered for the evening beside the commands that it sent.

Nothing of it is recorded: it says in whose hand a phone was that came first.
"""

from collections.abc import Collection, Iterable
from urllib.parse import unquote

from django.core.cache import cache
from django.http import HttpRequest

from tournament.models import Salon

COOKIE = "phone"
LONGEST = 24  # characters of a name
SECONDS_KEPT = 12 * 60 * 60


def remember_phone(request: HttpRequest, salon: Salon, commands: Iterable[str]) -> None:
    """Remember which phone sent these commands, if it has a name."""
    name = " ".join(unquote(request.COOKIES.get(COOKIE, "")).split())[:LONGEST].strip()
    if name:
        cache.set_many({_key(salon, command): name for command in commands}, SECONDS_KEPT)


def phones_of(salon: Salon, commands: Collection[str]) -> dict[str, str]:
    """The names of the phones that sent these commands, as far as they are known, by command."""
    keys = {_key(salon, command): command for command in commands}
    return {keys[key]: name for key, name in cache.get_many(keys).items()}


def _key(salon: Salon, command: str) -> str:
    return f"phone:{salon.pk}:{command}"
