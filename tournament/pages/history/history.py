"""The salon's history: every act of every game in plain words, newest first, by its place in the
log.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from ledger.models import Log
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.actor_names import actors_in_words, list_known_actors
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet
from tournament.models import Progress, Salon
from tournament.queries.history import KINDS, HistoryFilter, acts_of
from tournament.queries.history_lines import history_lines, rows_of
from tournament.recording.tables.table_labels import labels_played_at
from tournament.salons.persons import persons
from tournament.streams.drafts import EPOCH, MICROSECOND

SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The progress of the chain's check in the background, out of `head` entries; `error`
    is the reason it stopped.
    """

    position: int
    head: int
    error: str

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to check."""
        return not self.error and self.position >= self.head


@require_GET
@requires(Permission.READ_HISTORY)
def history(request: SalonRequest) -> HttpResponse:
    """The latest acts, or those before an entry, narrowed to a kind, a person or a table."""
    salon, wanted = request.visitor.salon, read_filter(request)
    moments, earlier = acts_of(salon, wanted, SHOWN)
    rows = rows_of({moment.entry.stored.stream for moment in moments})
    people = list_known_actors(salon)
    if wanted.actor and wanted.actor not in people:
        people |= actors_in_words(salon, [wanted.actor], request.visitor.audience)
    context = {
        "here": "history",
        "wanted": wanted,
        "acts": history_lines(salon, rows, moments, request.visitor.audience),
        "earlier": earlier,
        "kinds": filters(request, wanted),
        "other_query": query_without(request, "before"),
        "people": people.items(),
        "tables": _tables(salon),
        "players": _players(salon),
        "checked": read_check_progress(salon.log_id),
    }
    return render(request, "history/salon.html", context)


def read_filter(request: SalonRequest, kinds: Iterable[str] = KINDS) -> HistoryFilter:
    """Read the filter from the address. Raises Http404 for a kind or a place that doesn't
    exist.
    """
    kind = request.GET.get("show", "")
    if kind not in kinds:
        raise Http404
    return HistoryFilter(
        kind=kind,
        actor=request.GET.get("by", ""),
        table=request.GET.get("table", ""),
        player=request.GET.get("player", ""),
        since=_time(request, "since", timedelta()),
        until=_time(request, "until", timedelta(minutes=1) - timedelta(microseconds=1)),
        before=number(request, "before"),
    )


def _time(request: SalonRequest, name: str, later: timedelta) -> int | None:
    """The time of day given under this name and so much `later`, in microseconds UTC, or None.
    Raises Http404 for what is no time.
    """
    given = request.GET.get(name, "")
    if not given:
        return None
    try:
        moment = datetime.fromisoformat(given)
        moment = timezone.make_aware(moment) if timezone.is_naive(moment) else moment
        return (moment + later - EPOCH) // MICROSECOND
    except (ValueError, OverflowError):
        raise Http404 from None


def number(request: SalonRequest, name: str) -> int | None:
    """The whole number above 0 given under this name, or None. Raises Http404 for anything else."""
    given = request.GET.get(name, "")
    if not given:
        return None
    if not given.isascii() or not given.isdigit() or len(given) > 15 or int(given) == 0:
        raise Http404
    return int(given)


def filters(
    request: SalonRequest, wanted: HistoryFilter, kinds: Mapping[str, object] = KINDS
) -> list[tuple[str, str, bool]]:
    """These kinds as (query, words, here) with the rest of the address kept."""
    found = []
    for kind, words in kinds.items():
        query = request.GET.copy()
        query.pop("before", None)
        query["show"] = kind
        found.append((query.urlencode(), str(words), kind == wanted.kind))
    return found


def query_without(request: SalonRequest, *names: str) -> str:
    """The address's query without these names, ready for one more."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


def read_check_progress(log: int) -> Checked:
    """Return the progress of the check of a log's chain."""
    head = Log.objects.values_list("position", flat=True).get(pk=log)
    progress = Progress.objects.filter(log=log, projection="checked").first()
    if progress is None:
        return Checked(position=0, head=head, error="")
    return Checked(position=progress.position, head=head, error=progress.error)


def _players(salon: Salon) -> list[tuple[str, str]]:
    players = persons(salon).values_list("pk", "name")
    return sorted(players, key=lambda player: in_alphabet(player[1]))


def _tables(salon: Salon) -> Mapping[str, str]:
    return {
        label: gettext("Table %(table)s") % {"table": label} for label in labels_played_at(salon)
    }
