"""Tournaments, games, seasons and webhooks that a background projection could not work out: parked
by themselves, while everything else goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.models import Game, Mark, Progress, Salon, Season, Tournament, Webhook


@dataclass(frozen=True, slots=True, kw_only=True)
class ParkedSubject:
    """A subject that could not be computed up to an entry of the log, with its page; `name` is ""
    where it is everything of the projection.
    """

    projection: str
    subject: str
    name: str
    url: str
    position: int
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A background projection: how far it has read. With an `error` it is parked at the entry it
    could not pass; `parked` are subjects that are parked by themselves.
    """

    row: Progress
    behind: int
    parked: list[ParkedSubject]

    @property
    def may_try_again(self) -> bool:
        """Whether anything of it is parked."""
        return bool(self.row.error or self.parked)


def work_of(salon: Salon, head: int) -> list[Work]:
    """All that is computed in the background of a log with this head."""
    parked = list_parked_subjects(salon)
    return [
        Work(
            row=row,
            behind=head - row.position,
            parked=[each for each in parked if each.projection == row.projection],
        )
        for row in Progress.objects.filter(log=salon.log_id).order_by("projection")
    ]


def list_parked_subjects(salon: Salon) -> list[ParkedSubject]:
    """Those of all projections."""
    marks = list(
        Mark.objects.filter(log=salon.log_id)
        .exclude(error="")
        .order_by("projection", "since", "subject")
    )
    pages = _pages(salon, {mark.subject for mark in marks}) if marks else {}
    return [
        ParkedSubject(
            projection=mark.projection,
            subject=mark.subject,
            name=pages[mark.subject][0] if mark.subject in pages else mark.subject,
            url=pages[mark.subject][1] if mark.subject in pages else "",
            position=mark.position,
            error=mark.error,
        )
        for mark in marks
    ]


def _pages(salon: Salon, subjects: set[str]) -> Mapping[str, tuple[str, str]]:
    """The name and the address of the page of each of these."""
    pages = {
        pk: (name, reverse("tournament", args=[pk]))
        for pk, name in Tournament.objects.filter(salon=salon, pk__in=subjects).values_list(
            "pk", "name"
        )
    }
    pages |= {
        pk: (name, reverse("season", args=[pk]))
        for pk, name in Season.objects.filter(salon=salon, pk__in=subjects).values_list(
            "pk", "name"
        )
    }
    pages |= {
        pk: (address, reverse("webhook", args=[pk]))
        for pk, address in Webhook.objects.filter(salon=salon, pk__in=subjects).values_list(
            "pk", "address"
        )
    }
    return pages | {
        pk: (_("Table %s") % table, reverse("game", args=[pk]))
        for pk, table in Game.objects.filter(salon=salon, pk__in=subjects).values_list(
            "pk", "table"
        )
    }
