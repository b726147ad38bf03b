"""Who recorded at a table while somebody else was looking at it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.models import Event
from tournament.access import Visitor
from tournament.models import Game

BY_ACCOUNT = "user:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """What happened first: who recorded it last and when; "" and None when nothing was recorded since."""

    who: str
    at: datetime | None


def meanwhile(game: Game, visitor: Visitor, *, version: int) -> Meanwhile:
    """Who recorded in this game after `version`."""
    last = Event.objects.filter(stream=game.pk, version__gt=version).order_by("-version").values_list("actor", "recorded_at").first()
    if last is None:
        return Meanwhile(who="", at=None)
    actor, recorded_at = last
    return Meanwhile(who=_name(actor, game, visitor), at=timezone.localtime(datetime.fromtimestamp(recorded_at / 1_000_000, UTC)))


def _name(actor: str, game: Game, visitor: Visitor) -> str:
    if actor == visitor.actor:
        return _("this account in another window") if actor.startswith(BY_ACCOUNT) else _("another phone at this table")
    if not actor.startswith(BY_ACCOUNT):
        return _("a phone at table %(table)s") % {"table": game.table}
    user = User.objects.filter(pk=actor.removeprefix(BY_ACCOUNT)).first()
    return user.get_full_name() or user.get_username() if user else _("somebody")
