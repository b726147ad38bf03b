"""What is said when something was not recorded: why, or who was first, and what it was."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.models import Event
from scoring.shape import JsonObject
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.permissions import Visitor
from tournament.models import Game
from tournament.pages.common.form_values import Problem, status_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """What happened first: who recorded it last and when; "" and None when nothing was recorded
    since.
    """

    who: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRecorded:
    """Why what was `typed` for the collection `tried` was not recorded: a problem, or somebody who
    was first.
    """

    problem: Problem | None = None
    meanwhile: Meanwhile | None = None
    typed: JsonObject = field(default_factory=dict)
    tried: str = ""

    @property
    def status(self) -> int:
        """What the page that says it is answered with."""
        return 409 if self.meanwhile is not None else status_of(self.problem)

    @property
    def context(self) -> dict[str, object]:
        """The same by the names that templates know."""
        names = ("problem", "meanwhile", "typed", "tried")
        return {name: getattr(self, name) for name in names}


NOTHING = NotRecorded()


def meanwhile(game: Game, visitor: Visitor, *, version: int) -> Meanwhile:
    """Who recorded in this game after `version`."""
    last = (
        Event.objects.filter(stream=game.pk, version__gt=version)
        .order_by("-version")
        .values_list("actor", "recorded_at")
        .first()
    )
    if last is None:
        return Meanwhile(who="", at=None)
    actor, recorded_at = last
    at = timezone.localtime(datetime.fromtimestamp(recorded_at / 1_000_000, UTC))
    return Meanwhile(who=_name(actor, visitor), at=at)


def _name(actor: str, visitor: Visitor) -> str:
    if actor == visitor.actor:
        return _("another phone at this table") if visitor.table else _("you, in another window")
    return actors_in_words(visitor.salon, [actor], visitor.audience)[actor]
