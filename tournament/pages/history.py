"""The salon's history: every act of every game in plain words, newest first, by its place in the log."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET

from ledger.drafts import CHIPS_MOVED
from ledger.models import Account, Event, Log
from scoring.attestations import ATTESTATION_SHAPES
from tournament.access import Act, SalonRequest, needs
from tournament.drafting import EPOCH, MICROSECOND
from tournament.kinds import HOUSE, STOCK, TOURNAMENT
from tournament.models import Game, Player, Progress, Salon, Table
from tournament.queries.told import at_time, rows_of, told
from tournament.silence import silences
from tournament.telling import CORRECTED, GAME_CLOSED, HAND_CLOSED, MISDEALT, RETRACTED, RULINGS, Moment, every_act, moments_of
from tournament.who import actors_in_words, known_actors

SHOWN = 40
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
OF_A_GAME = tuple(kind for kind in KINDS if kind not in ("tournaments", "house"))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """How far the chain has been checked in the background, of `head` entries; `error` says what stopped it."""

    position: int
    head: int
    error: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to check."""
        return not self.error and self.position >= self.head


@require_GET
@needs(Act.READ_HISTORY)
def history(request: SalonRequest) -> HttpResponse:
    """The latest acts, or those before an entry, narrowed to a kind, a person or a table."""
    salon, wanted = request.visitor.salon, wanted_of(request)
    moments, more = _moments(salon, wanted)
    rows = rows_of({moment.entry.stored.stream for moment in moments})
    people = known_actors(salon)
    if wanted.actor and wanted.actor not in people:
        people |= actors_in_words(salon, [wanted.actor])
    context = {
        "here": "history",
        "wanted": wanted,
        "told": told(salon, rows, moments, silences(request.visitor, rows)),
        "earlier": moments[-1].entry.stored.position if more else None,
        "kinds": filters(request, wanted),
        "kept": kept(request, "before"),
        "people": people.items(),
        "tables": _tables(salon),
        "players": Player.objects.filter(salon=salon).order_by("name").values_list("pk", "name"),
        "checked": checked(salon.log_id),
    }
    return render(request, "history/salon.html", context)


def wanted_of(request: SalonRequest) -> Wanted:
    """What the address asks for. Raises Http404 for a kind or a place that there isn't."""
    kind = request.GET.get("show", "")
    if kind not in KINDS:
        raise Http404
    return Wanted(
        kind=kind,
        actor=request.GET.get("by", ""),
        table=request.GET.get("table", ""),
        player=request.GET.get("player", ""),
        since=_time(request, "since", timedelta()),
        until=_time(request, "until", timedelta(minutes=1) - timedelta(microseconds=1)),
        before=number(request, "before"),
    )


def _time(request: SalonRequest, name: str, later: timedelta) -> int | None:
    """The time of day given under this name and so much `later`, in microseconds UTC, or None. Raises Http404 for what is no time."""
    given = request.GET.get(name, "")
    if not given:
        return None
    try:
        moment = datetime.fromisoformat(given)
        moment = timezone.make_aware(moment) if timezone.is_naive(moment) else moment
        return (moment + later - EPOCH) // MICROSECOND
    except (ValueError, OverflowError):
        raise Http404 from None


def _typed(microseconds: int | None) -> str:
    return "" if microseconds is None else f"{timezone.localtime(at_time(microseconds)):%Y-%m-%dT%H:%M}"


def number(request: SalonRequest, name: str) -> int | None:
    """The whole number above 0 given under this name, or None. Raises Http404 for anything else."""
    given = request.GET.get(name, "")
    if not given:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > 15 or int(given) == 0:
        raise Http404
    return int(given)


def filters(request: SalonRequest, wanted: Wanted, kinds: Iterable[str] = KINDS) -> list[tuple[str, str, bool]]:
    """These kinds as (query, words, here) with the rest of the address kept."""
    found = []
    for kind in kinds:
        query = request.GET.copy()
        query.pop("before", None)
        query["show"] = kind
        found.append((query.urlencode(), str(KINDS[kind]), kind == wanted.kind))
    return found


def kept(request: SalonRequest, *names: str) -> str:
    """The address's query without these names, ready for one more."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


def is_wanted(moment: Moment, wanted: Wanted) -> bool:
    """Whether an act of a game is what is asked for, by its kind, by who entered it and when."""
    stored = moment.entry.stored
    too_early = wanted.since is not None and stored.occurred_at < wanted.since
    too_late = wanted.until is not None and stored.occurred_at > wanted.until
    return wanted.actor in ("", stored.actor) and not too_early and not too_late and is_of_kind(moment, wanted.kind)


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


def checked(log: int) -> Checked:
    """How far the log's chain has been checked."""
    head = Log.objects.values_list("position", flat=True).get(pk=log)
    progress = Progress.objects.filter(log=log, projection="checked").first()
    if progress is None:
        return Checked(position=0, head=head, error="")
    return Checked(position=progress.position, head=head, error=progress.error)


def _moments(salon: Salon, wanted: Wanted) -> tuple[list[Moment], bool]:
    """One page of acts, newest first, and whether there are earlier ones."""
    limit = SHOWN * CHIPS_OF_AN_ACT if wanted.kind == "chips" else SHOWN + 1
    found = list(_events(salon, wanted).order_by("-position").values_list("stream", "version")[:limit])
    moments = _acts_of(salon, found, wanted)
    return moments[:SHOWN], len(moments) > SHOWN or len(found) == limit


def _acts_of(salon: Salon, found: Sequence[tuple[str, int]], wanted: Wanted) -> list[Moment]:
    versions: dict[str, set[int]] = defaultdict(set)
    for stream, version in found:
        versions[stream].add(version)
    acts = [
        moment
        for stream, asked in versions.items()
        for moment in moments_of(salon.log_id, stream)
        if not asked.isdisjoint(entry.stored.version for act in every_act([moment]) for entry in (act.entry, *act.chips))
    ]
    # A payment just before its hand's close belongs to an act that the page before has shown.
    here = [act for act in acts if wanted.before is None or act.entry.stored.position < wanted.before]
    return sorted(here, key=lambda act: act.entry.stored.position, reverse=True)


def _events(salon: Salon, wanted: Wanted) -> QuerySet[Event]:
    events = Event.objects.filter(_OF_KIND[wanted.kind], log=salon.log_id)
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


def _tables(salon: Salon) -> Mapping[str, str]:
    labels = Table.objects.filter(salon=salon).order_by("pk").values_list("label", flat=True)
    return {label: gettext("Table %(table)s") % {"table": label} for label in labels}
