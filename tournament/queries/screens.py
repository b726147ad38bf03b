"""Screens in words: what their parts are called, and what a part can be about."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.domain.screens import rules
from tournament.domain.screens.rules import Part
from tournament.models import Salon, Season, Tournament

MOST_OFFERED = 30  # tournaments and seasons, the latest
KINDS: Mapping[str, Promise] = {
    rules.SEATING: gettext_lazy("Seats by table"),
    rules.NAMES: gettext_lazy("Names from A to Z"),
    rules.CLOCK: gettext_lazy("Clock"),
    rules.TABLES: gettext_lazy("Live tables"),
    rules.STANDINGS: gettext_lazy("Standings"),
    rules.BRACKET: gettext_lazy("Bracket"),
    rules.PODIUM: gettext_lazy("Winners"),
    rules.SEASON: gettext_lazy("Season"),
    rules.TEXT: gettext_lazy("Text"),
}


def part_words(part: Part) -> str:
    """`Standings of Lantern Cup`: a part in words, without what a text says."""
    kind = str(KINDS.get(part.kind, part.kind))
    model = Season if part.kind == rules.SEASON else Tournament
    name = (
        model._default_manager.filter(pk=part.of).values_list("name", flat=True).first()
        if part.of
        else None
    )
    return _("%(kind)s of %(name)s") % {"kind": kind, "name": name} if name else kind


def about(salon: Salon) -> list[tuple[str, str]]:
    """The subjects that a part can be about, by stream: tournaments that are no drafts,
    and seasons.
    """
    events = Tournament.objects.filter(salon=salon, practice=False).exclude(phase="draft")
    return [
        *events.order_by("-started_position").values_list("pk", "name")[:MOST_OFFERED],
        *Season.objects.filter(salon=salon)
        .order_by("-started_position")
        .values_list("pk", "name")[:MOST_OFFERED],
    ]
