"""Who recorded at a table while somebody else was looking at it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.models import Event
from tournament.access import Visitor
from tournament.models import Game
from tournament.who import actors_in_words


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
    return Meanwhile(who=_name(actor, visitor), at=timezone.localtime(datetime.fromtimestamp(recorded_at / 1_000_000, UTC)))


def _name(actor: str, visitor: Visitor) -> str:
    if actor == visitor.actor:
        return _("another phone at this table") if visitor.table else _("you, in another window")
    return actors_in_words(visitor.salon, [actor])[actor]
