"""Who takes part, at the desk: entering, singles, checking in; everything about one entry; slips with codes for the door."""

from dataclasses import dataclass

import segno
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.access import Act, SalonRequest, needs
from tournament.directing.entries import sizes
from tournament.directing.state import EntryState
from tournament.models import Player
from tournament.pages.desk_frame import NOTHING, Failed, desk_context
from tournament.queries.directed import Directed
from tournament.queries.players import fitting
from tournament.queries.public import public_or_404
from tournament.queries.sides import side_words
from tournament.serving.addresses import link_for_others

LISTED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySlip:
    """What an entry gets in advance or at the door: its name, and the address of its page as text and as a picture.

    `seat` is where it sits in the round published last, as (round, table, side); None before that, and where it has a bye.
    """

    entry: str
    name: str
    seat: tuple[int, int, str] | None
    url: str
    code: SafeString


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk_entries(request: SalonRequest, tournament: str) -> HttpResponse:
    """Who takes part: entering, checking in, withdrawing."""
    return entries_page(request, public_or_404(request.visitor, tournament), NOTHING)


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk_entry(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """One entry: checking in, byes, substitutes, withdrawal."""
    return entry_page(request, public_or_404(request.visitor, tournament), entry, NOTHING)


@never_cache
@require_GET
@needs(Act.DIRECT)
def desk_slips(request: SalonRequest, tournament: str) -> HttpResponse:
    """A slip for every entry, to print: scanned by its people it leads to their path, by the director to their check-in."""
    at = public_or_404(request.visitor, tournament)
    slips = [_slip(request, at, entry.id) for entry in at.state.entries if not entry.is_withdrawn]
    return render(request, "tournaments/slips.html", {"here": "tournaments", "row": at.row, "slips": slips})


def entries_page(request: SalonRequest, at: Directed, failed: Failed) -> HttpResponse:
    """The list of entries, all or those found, and the forms of the door."""
    typed, missing_alone = " ".join(request.GET.get("q", "").split()), request.GET.get("here") == "no"
    found = {each.name for each in fitting(typed, at.entries.values())} if typed else set(at.entries.values())
    shown = [entry for entry in at.state.entries if at.entries[entry.id] in found]
    context = desk_context(request, at, failed) | {
        "tab": "entries",
        "q": typed,
        "missing_alone": missing_alone,
        "entries": [(entry, at.entries[entry.id]) for entry in shown if not missing_alone or _is_missing(entry)],
        "count": len(at.state.entries),
        "here_count": sum(entry.checked_in and not entry.is_withdrawn for entry in at.state.entries),
        "missing_count": sum(map(_is_missing, at.state.entries)),
        "places": range(max(sizes(at.state))),
        "may_enter": at.state.phase in ("registration", "running"),
        "next_round": at.state.next_round,
        "listed": _listed(request),
    }
    return render(request, "tournaments/entries.html", context, status=failed.status)


def entry_page(request: SalonRequest, at: Directed, key: str, failed: Failed) -> HttpResponse:
    """One entry at the desk; 404 where there is none."""
    entry = at.state.entry(key)
    if entry is None:
        raise Http404
    context = desk_context(request, at, failed) | {
        "tab": f"entry-{entry.id}",
        "entry": entry,
        "name": at.entries[entry.id],
        "people": [(place, at.players[player]) for place, player in entry.players],
        "next_round": at.state.next_round,
        "next_to_play": max(at.state.next_to_play(entry.id), entry.joined_in),
        "rounds_from": range(entry.joined_in, max(at.state.next_round, entry.joined_in) + 1),
        "listed": _listed(request),
        "slip": _slip(request, at, entry.id),
    }
    return render(request, "tournaments/desk_entry.html", context, status=failed.status)


def _is_missing(entry: EntryState) -> bool:
    return not entry.checked_in and not entry.is_withdrawn


def _listed(request: SalonRequest) -> list[str]:
    """The names that a browser may offer by itself."""
    return list(Player.objects.filter(salon=request.visitor.salon, practice=False).order_by("name").values_list("name", flat=True)[:LISTED])


def _slip(request: SalonRequest, at: Directed, entry: str) -> EntrySlip:
    here = request.build_absolute_uri(reverse("tournament_entry", args=[at.row.pk, entry]))
    url = link_for_others(here, request.get_host())
    picture = segno.make(url, error="m").svg_inline(border=4, light="#fff", svgclass="qr", lineclass=None, omitsize=True)
    # The picture is made of squares only: nothing anybody typed is in it.
    return EntrySlip(entry=entry, name=at.entries[entry], seat=_seat(at, entry), url=url, code=mark_safe(picture))  # noqa: S308


def _seat(at: Directed, entry: str) -> tuple[int, int, str] | None:
    last = next((each for each in reversed(at.state.rounds) if each.published), None)
    table = next((table for table in last.tables if entry in table.entries), None) if last is not None else None
    if last is None or table is None:
        return None
    return last.number, table.table, side_words(at.state.game)[table.entries.index(entry)]
