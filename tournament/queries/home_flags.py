"""Whether there is anything of what the first page tells of: asked in one question, so that only
what is there is asked for.
"""

from dataclasses import dataclass

from django.db.models import BooleanField, Case, Exists, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce

from tournament.models import AuditRun, Call, Game, House, Mark, Progress, Salon, Tournament
from tournament.recording.games_not_final import not_final


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeFlags:
    """Of a salon: `tournaments` and those that are `on`, games that are `over`, those of them that
    nobody may have confirmed, `disputed` ones, `calls` that wait, a background job that `stopped`,
    whether the last audit `found` something, and where the salon `moved_to`.
    """

    tournaments: bool
    on: bool
    over: bool
    unconfirmed: bool
    disputed: bool
    calls: bool
    stopped: bool
    found: bool
    moved_to: str


_OF_SALON = {"salon": OuterRef("pk")}
_TOURNAMENTS = Tournament.objects.filter(**_OF_SALON)
# Asked inside a question about one of them: the salon is two questions further out.
_AUDITS = AuditRun.objects.filter(ended_at__gt=0, salon=OuterRef(OuterRef("pk"))).order_by("-pk")
_STOPPED = Q(Exists(Progress.objects.filter(log=OuterRef("log")).exclude(error=""))) | Q(
    Exists(Mark.objects.filter(log=OuterRef("log")).exclude(error=""))
)


def read_home_flags(salon: Salon) -> HomeFlags:
    """The flags of this salon now."""
    there = Salon.objects.values_list(
        Exists(_TOURNAMENTS),
        Exists(_TOURNAMENTS.filter(phase__in=["registration", "running"], practice=False)),
        Exists(Game.objects.filter(finished=True, **_OF_SALON)),
        Exists(not_final(salon).filter(finished=True, disputed=False)),
        Exists(not_final(salon).filter(disputed=True)),
        Exists(Call.objects.filter(ended_at=None, **_OF_SALON)),
        Case(When(_STOPPED, then=True), default=False, output_field=BooleanField()),
        Exists(
            AuditRun.objects.filter(pk=Subquery(_AUDITS.values("pk")[:1])).filter(
                Q(count__gt=0) | ~Q(error="")
            )
        ),
        Coalesce(Subquery(House.objects.filter(**_OF_SALON).values("moved_to")[:1]), Value("")),
    )
    names = HomeFlags.__dataclass_fields__
    return HomeFlags(**dict(zip(names, there.get(pk=salon.pk), strict=True)))
