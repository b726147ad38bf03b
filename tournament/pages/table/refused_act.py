"""What is said when something was not recorded: why, or who was first, and what it was."""

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
    """What happened first: who recorded it last and when; "" and None when nothing was recorded
    since.
    """

    who: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRecorded:
    """Why what was `typed` for the collection `tried` was not recorded: a problem, or somebody who
    was first. `questions` ask who is meant by names in it, by field.
    """

    problem: Problem | None = None
    meanwhile: Meanwhile | None = None
    typed: JsonObject = field(default_factory=dict)
    tried: str = ""
    questions: Mapping[str, NameQuestion] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """What the page that says it is answered with."""
        return 409 if self.meanwhile is not None else status_of(self.problem)

    @property
    def context(self) -> dict[str, object]:
        """The same by the names that templates know."""
        names = ("problem", "meanwhile", "typed", "tried", "questions")
        return {name: getattr(self, name) for name in names}


NOTHING = NotRecorded()


def meanwhile(game: Game, visitor: Visitor, *, version: int) -> Meanwhile:
    """Who recorded in this game after `version`."""
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
