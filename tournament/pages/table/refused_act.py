"""Messages for an act that was not recorded: the reason, or the act that came first
and its actor.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.models import Event
from scoring.shape import JsonObject
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.permissions import Visitor
from tournament.accounts.phone_names import phones_of
from tournament.models import Game
from tournament.pages.common.form_values import Problem, status_of
from tournament.pages.common.name_questions import NameQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Meanwhile:
    """The act that came first: its actor and its time; "" and None if nothing was recorded
    since.
    """

    who: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRecorded:
    """The reason that the `typed` values for the collection `tried` were not recorded: a
    problem, or an act that came first. `questions` ask which players the names in it
    mean, by field.
    """

    problem: Problem | None = None
    meanwhile: Meanwhile | None = None
    typed: JsonObject = field(default_factory=dict)
    tried: str = ""
    questions: Mapping[str, NameQuestion] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The HTTP status of the page."""
        return 409 if self.meanwhile is not None else status_of(self.problem)

    @property
    def context(self) -> dict[str, object]:
        """The same by the names that templates know."""
        names = ("problem", "meanwhile", "typed", "tried", "questions")
        return {name: getattr(self, name) for name in names}


NOTHING = NotRecorded()


def meanwhile(game: Game, visitor: Visitor, *, version: int) -> Meanwhile:
    """Return the last act recorded in this game after `version`."""
    last = (
        Event.objects.filter(stream=game.pk, version__gt=version)
        .order_by("-version")
        .values_list("actor", "recorded_at", "command")
        .first()
    )
    if last is None:
        return Meanwhile(who="", at=None)
    actor, recorded_at, command = last
    at = timezone.localtime(datetime.fromtimestamp(recorded_at / 1_000_000, UTC))
    return Meanwhile(who=who_was_first(visitor, actor, command), at=at)


def who_was_first(visitor: Visitor, actor: str, command: str) -> str:
    """Name in words who recorded something before this visitor could: of several phones at one
    table the one that has a name by it.
    """
    phone = phones_of(visitor.salon, [command]).get(command)
    if phone:
        return _("the phone “%(name)s”") % {"name": phone}
    if actor == visitor.actor:
        return _("another phone at this table") if visitor.table else _("you, in another window")
    return actors_in_words(visitor.salon, [actor], visitor.audience)[actor]
