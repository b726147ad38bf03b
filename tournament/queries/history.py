"""The acts of a salon's log, newest first, narrowed to what is asked for: a kind, a person, a table, a player, a time."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy

from ledger.drafts import CHIPS_MOVED
from ledger.models import Account, Event
from scoring.attestations import ATTESTATION_SHAPES
from tournament.kinds import HOUSE, STOCK, TOURNAMENT
from tournament.models import Game, Salon
from tournament.models.unseen import unseen_games
from tournament.queries.told import at_time
from tournament.telling import CORRECTED, GAME_CLOSED, HAND_CLOSED, MISDEALT, RETRACTED, RULINGS, Moment, every_act, moments_of

# An act has at most so many entries of chips: enough are read to fill a page with whole acts.
CHIPS_OF_AN_ACT = 12
KINDS = {
    "": gettext_lazy("Everything"),
    "scores": gettext_lazy("Scores"),
    "chips": gettext_lazy("Chips"),
    "corrections": gettext_lazy("Corrections"),
    "rulings": gettext_lazy("Rulings"),
    "confirmations": gettext_lazy("Confirmations"),
    "games": gettext_lazy("Beginnings and ends"),
    "tournaments": gettext_lazy("Tournaments"),
    "house": gettext_lazy("The house"),
}
OF_A_GAME = {kind: words for kind, words in KINDS.items() if kind not in ("tournaments", "house")}
STARTED = ".game_started"
SAID = [name for name, _schema in ATTESTATION_SHAPES]
_OF_KIND = {
    "": ~Q(type=CHIPS_MOVED),
    "scores": Q(type__in=[HAND_CLOSED, GAME_CLOSED]),
    "chips": Q(type=CHIPS_MOVED),
    "corrections": Q(type__in=[RETRACTED, MISDEALT, CORRECTED]) | Q(type__startswith=RULINGS),
    "rulings": Q(type__startswith=RULINGS),
    "confirmations": Q(type__in=SAID),
    "games": Q(type__endswith=STARTED) | Q(type=GAME_CLOSED),
    "tournaments": Q(type__startswith=f"{TOURNAMENT.name}."),
    "house": Q(type__startswith=f"{HOUSE.name}.") | Q(type__startswith=f"{STOCK.name}."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for: a kind of entry, one actor ("" everybody's), one table's label ("" all), one player's games ("" all).

    `since` and `until` are times in microseconds UTC; `before` is a position.
    """

    kind: str
    actor: str
    table: str
    player: str
    since: int | None
    until: int | None
    before: int | None

    @property
    def since_typed(self) -> str:
        """The time from which on, as a form writes it."""
        return _typed(self.since)

    @property
    def until_typed(self) -> str:
        """The time up to which, as a form writes it."""
        return _typed(self.until)

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        times = (self.since, self.until, self.before)
        return bool(self.kind or self.actor or self.table or self.player) or any(each is not None for each in times)


def is_wanted(moment: Moment, wanted: Wanted) -> bool:
    """Whether an act of a game is what is asked for, by its kind, by who entered it and when."""
    return is_by(moment, wanted) and is_of_kind(moment, wanted.kind)


def is_by(moment: Moment, wanted: Wanted) -> bool:
    """Whether an act was entered by whom, and happened when, it is asked for."""
    stored = moment.entry.stored
    too_early = wanted.since is not None and stored.occurred_at < wanted.since
    too_late = wanted.until is not None and stored.occurred_at > wanted.until
    return wanted.actor in ("", stored.actor) and not too_early and not too_late


def is_of_kind(moment: Moment, kind: str) -> bool:
    """Whether an act belongs to what is shown under this kind."""
    stored_type = moment.entry.stored.type
    match kind:
        case "scores":
            return stored_type in (HAND_CLOSED, GAME_CLOSED)
        case "chips":
            return bool(moment.chips)
        case "corrections":
            return stored_type in (RETRACTED, MISDEALT, CORRECTED) or stored_type.startswith(RULINGS)
        case "confirmations":
            return stored_type in SAID
        case "rulings":
            return stored_type.startswith(RULINGS)
        case "games":
            return stored_type == GAME_CLOSED or stored_type.endswith(STARTED)
        case _:
            return True


def acts_of(salon: Salon, wanted: Wanted, most: int) -> tuple[list[Moment], bool]:
    """At most so many acts, newest first, and whether there are earlier ones."""
    limit = most * CHIPS_OF_AN_ACT if wanted.kind == "chips" else most + 1
    found = list(_events(salon, wanted).order_by("-position").values_list("stream", "version")[:limit])
    moments = _acts_of(salon, found, wanted)
    return moments[:most], len(moments) > most or len(found) == limit


def _acts_of(salon: Salon, found: Sequence[tuple[str, int]], wanted: Wanted) -> list[Moment]:
    versions: dict[str, set[int]] = defaultdict(set)
    for stream, version in found:
        versions[stream].add(version)
    acts = [
        moment
        for stream, asked in versions.items()
        for moment in moments_of(salon.log_id, stream, whole=False)
        if not asked.isdisjoint(entry.stored.version for act in every_act([moment]) for entry in (act.entry, *act.chips))
    ]
    # A payment just before its hand's close belongs to an act that the page before has shown.
    here = [act for act in acts if wanted.before is None or act.entry.stored.position < wanted.before]
    return sorted(here, key=lambda act: act.entry.stored.position, reverse=True)


def _events(salon: Salon, wanted: Wanted) -> QuerySet[Event]:
    events, unseen = Event.objects.filter(_OF_KIND[wanted.kind], log=salon.log_id), unseen_games()
    if unseen:
        events = events.exclude(stream__in=unseen)
    if wanted.before is not None:
        events = events.filter(position__lt=wanted.before)
    if wanted.actor:
        events = events.filter(actor=wanted.actor)
    if wanted.since is not None:
        events = events.filter(occurred_at__gte=wanted.since)
    if wanted.until is not None:
        events = events.filter(occurred_at__lte=wanted.until)
    if wanted.player:
        events = events.filter(stream__in=_games_of(salon, wanted.player))
    if wanted.table:
        games = Game.objects.filter(salon=salon, table=wanted.table)
        events = events.filter(stream__in=list(games.values_list("pk", flat=True)))
    return events


def _games_of(salon: Salon, player: str) -> list[str]:
    """The games in which a player sat, or played for somebody."""
    seated = Game.objects.filter(salon=salon, seats__contains=f'"{player}"').values_list("pk", flat=True)
    played = Account.objects.filter(log=salon.log_id, owner=player).values_list("stream", flat=True)
    return [*seated, *played]


def _typed(microseconds: int | None) -> str:
    return "" if microseconds is None else f"{timezone.localtime(at_time(microseconds)):%Y-%m-%dT%H:%M}"
