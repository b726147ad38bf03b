"""The salon's history: every act of every game in plain words, newest first, by its place in the log."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET

from ledger.drafts import CHIPS_MOVED
from ledger.models import Event, Log
from tournament.access import Act, SalonRequest, needs
from tournament.models import Game, Progress, Salon, Table
from tournament.pages.told import told
from tournament.telling import GAME_CLOSED, HAND_CLOSED, MISDEALT, RETRACTED, RULINGS, Moment, moments_of
from tournament.who import actors_in_words, known_actors

SHOWN = 40
# An act has at most so many entries of chips: enough are read to fill a page with whole acts.
CHIPS_OF_AN_ACT = 12
KINDS = {
    "": gettext_lazy("Everything"),
    "scores": gettext_lazy("Scores"),
    "chips": gettext_lazy("Chips"),
    "corrections": gettext_lazy("Corrections"),
}
_OF_KIND = {
    "": ~Q(type=CHIPS_MOVED),
    "scores": Q(type__in=[HAND_CLOSED, GAME_CLOSED]),
    "chips": Q(type=CHIPS_MOVED),
    "corrections": Q(type__in=[RETRACTED, MISDEALT]) | Q(type__startswith=RULINGS),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for: a kind of entry, one actor ("" everybody's), one table's label ("" all), entries before a position."""

    kind: str
    actor: str
    table: str
    before: int | None


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
    rows = Game.objects.in_bulk({moment.entry.stored.stream for moment in moments})
    people = known_actors(salon)
    if wanted.actor and wanted.actor not in people:
        people |= actors_in_words(salon, [wanted.actor])
    context = {
        "here": "history",
        "wanted": wanted,
        "told": told(salon, rows, moments),
        "earlier": moments[-1].entry.stored.position if more else None,
        "kinds": filters(request, wanted),
        "kept": kept(request, "before"),
        "people": people.items(),
        "tables": _tables(salon),
        "checked": checked(salon.log_id),
    }
    return render(request, "history/salon.html", context)


def wanted_of(request: SalonRequest) -> Wanted:
    """What the address asks for. Raises Http404 for a kind or a place that there isn't."""
    kind = request.GET.get("show", "")
    if kind not in KINDS:
        raise Http404
    return Wanted(kind=kind, actor=request.GET.get("by", ""), table=request.GET.get("table", ""), before=number(request, "before"))


def number(request: SalonRequest, name: str) -> int | None:
    """The whole number above 0 given under this name, or None. Raises Http404 for anything else."""
    given = request.GET.get(name, "")
    if not given:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > 15 or int(given) == 0:
        raise Http404
    return int(given)


def filters(request: SalonRequest, wanted: Wanted) -> list[tuple[str, str, bool]]:
    """The kinds as (query, words, here) with the rest of the address kept."""
    found = []
    for kind, words in KINDS.items():
        query = request.GET.copy()
        query.pop("before", None)
        query["show"] = kind
        found.append((query.urlencode(), str(words), kind == wanted.kind))
    return found


def kept(request: SalonRequest, *names: str) -> str:
    """The address's query without these names, ready for one more."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


def is_of_kind(moment: Moment, kind: str) -> bool:
    """Whether an act belongs to what is shown under this kind."""
    stored_type = moment.entry.stored.type
    match kind:
        case "scores":
            return stored_type in (HAND_CLOSED, GAME_CLOSED)
        case "chips":
            return bool(moment.chips)
        case "corrections":
            return stored_type in (RETRACTED, MISDEALT) or stored_type.startswith(RULINGS)
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
        if not asked.isdisjoint(entry.stored.version for entry in (moment.entry, *moment.chips))
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
    if wanted.table:
        games = Game.objects.filter(salon=salon, table=wanted.table)
        events = events.filter(stream__in=list(games.values_list("pk", flat=True)))
    return events


def _tables(salon: Salon) -> Mapping[str, str]:
    labels = Table.objects.filter(salon=salon).order_by("pk").values_list("label", flat=True)
    return {label: gettext("Table %(table)s") % {"table": label} for label in labels}
