"""Entries at the desk: entering, players without a partner, check-in, the page of one
entry, and slips with codes for the door.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tournament.accounts import personal_links
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.captain_links import links_of
from tournament.accounts.permissions import Permission
from tournament.domain.tournament.entries import sizes
from tournament.domain.tournament.leavers import OUT, games_played
from tournament.domain.tournament.lineups import runs
from tournament.domain.tournament.removals import why_not_removed
from tournament.domain.tournament.state import EntryState
from tournament.exchange.entered_lists import lists_in
from tournament.models import CaptainLink, PersonalLink
from tournament.pages.common.form_values import new_command
from tournament.pages.common.qr import PhoneLink, link_to
from tournament.pages.desk.context import NOTHING, Failed, desk_context
from tournament.pages.desk.entry_navigation import is_missing, read_filters, together
from tournament.queries.entrants import rounds_in_words
from tournament.queries.entry_paths import company_at, company_words, seat_at
from tournament.queries.late_words import late_words
from tournament.queries.players import all_names, fitting
from tournament.queries.refusal_text import refusal_words
from tournament.queries.tournament import TournamentView, salon_tables_of
from tournament.queries.tournament_visibility import entry_or_404, public_or_404
from tournament.streams.short_addresses import short_address

LISTED = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySlip:
    """The slip of an entry, handed out in advance or at the door: its name, the `link` to
    its public page by its short address, and, if the director may give it, the link to
    its `own` page with the `code` that is typed at `door` instead.

    `seat` is its seat in the round published last, as (round, tables, the salon's label
    for them if it differs, seat, company); None before that, and if it has a bye. A
    team's captain has a link and PIN besides.
    """

    entry: str
    name: str
    seat: tuple[int, str, str, str, str] | None
    link: PhoneLink
    own: PhoneLink | None = None
    code: str = ""
    door: PhoneLink | None = None
    captain: CaptainLink | None = None
    captains_phone: PhoneLink | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoodIn:
    """Somebody plays instead of who is `gone` from round `first` to `last` (None: to the end);
    `rounds` says so in words.
    """

    place: str
    player: str
    gone: str
    rounds: str
    first: int
    last: int | None


@never_cache
@require_GET
@requires(Permission.DIRECT)
def desk_entries(request: SalonRequest, tournament: str) -> HttpResponse:
    """The entries: entering, check-in, withdrawal."""
    return entries_page(request, public_or_404(request.visitor, tournament), NOTHING)


@never_cache
@require_GET
@requires(Permission.DIRECT)
def desk_entry(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """One entry: checking in, byes, substitutes, withdrawal."""
    return entry_page(request, public_or_404(request.visitor, tournament), entry, NOTHING)


@never_cache
@require_GET
@requires(Permission.DIRECT)
def desk_slips(request: SalonRequest, tournament: str) -> HttpResponse:
    """A slip for every entry, to print: scanned by its people it leads to their path, by the
    director to their check-in.
    """
    return slips_page(request, public_or_404(request.visitor, tournament), NOTHING)


def entries_page(request: SalonRequest, at: TournamentView, failed: Failed) -> HttpResponse:
    """The list of entries, all or those found, and the forms of the door."""
    typed, missing_alone = (
        " ".join(request.GET.get("q", "").split()),
        request.GET.get("here") == "no",
    )
    found = set(at.entries.values())
    if typed:
        found = {each.name for each in fitting(typed, found)}
    shown = [entry for entry in at.state.entries if at.entries[entry.id] in found]
    first_places = _first_places(at, failed)
    may_enter, late = late_words(at)
    context = desk_context(request, at, failed) | {
        "tab": "entries",
        "q": typed,
        "missing_alone": missing_alone,
        "entries": [
            (entry, at.entries[entry.id], new_command())
            for entry in shown
            if not missing_alone or is_missing(entry)
        ],
        "count": len(at.state.entries),
        "here_count": sum(
            entry.checked_in and not entry.is_withdrawn for entry in at.state.entries
        ),
        "missing_count": sum(map(is_missing, at.state.entries)),
        "together": together(request.GET, at.state),
        "narrowing": urlencode(read_filters(request.GET)),
        "at_the_door": request.GET.get("door") == "open",
        "may_check_in": at.state.phase not in ("finished", "archived"),
        "places": range(first_places),
        "further_places": range(first_places, max(sizes(at.state))),
        "most_players": max(sizes(at.state)),
        "may_enter": may_enter,
        "late_words": late if at.state.phase == "running" else "",
        "next_round": at.state.next_round,
        "listed": _list_offered_names(request),
        "removed": [(key, name, new_command()) for key, name in at.removed.items()],
        "entered_lists": [(each, new_command()) for each in lists_in(at.row, at.state)],
    }
    return render(request, "tournaments/entries.html", context, status=failed.status)


def _first_places(at: TournamentView, failed: Failed) -> int:
    """Return the number of players that the form of a new entry asks for at once: the
    number that all have, or for a team that of the largest so far, and no fewer than
    were typed.
    """
    state = at.state
    if not state.stage.line_up:
        return max(sizes(state))
    typed = (failed.typed or {}).get("players")
    named = len(typed) if isinstance(typed, list) else 0
    entered = max((len(entry.players) for entry in state.entries), default=0)
    return max(state.stage.players_a_match, entered, named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaver:
    """The games of a round robin that a leaver `played`, of how many, and what was decided about
    them.
    """

    played: int
    of: int
    games: str

    @property
    def needs_reason(self) -> bool:
        """Whether so many are left out for a reason alone."""
        return self.games != OUT and 2 * self.played >= self.of


def _leaver(at: TournamentView, entry: EntryState) -> Leaver | None:
    """An entry that left the round robin that is played, after a game or more."""
    state = at.state
    if state.phase != "running" or state.stage.kind != "round_robin" or not entry.is_withdrawn:
        return None
    played, meetings = games_played(state, entry.id, at.outcomes)
    games = dict(entry.leaver).get(state.stage_number, "")
    return Leaver(played=played, of=meetings, games=games) if played else None


def entry_page(request: SalonRequest, at: TournamentView, key: str, failed: Failed) -> HttpResponse:
    """One entry at the desk; 404 where there is none."""
    entry = entry_or_404(at, key)
    context = desk_context(request, at, failed) | {
        "tab": f"entry-{entry.id}",
        "at_line_up": bool(at.state.stage.line_up),
        "entry": entry,
        "is_over": at.state.phase in ("finished", "archived"),
        "leaver": _leaver(at, entry),
        "name": at.entries[entry.id],
        "people": [
            (place, at.players[player])
            for place, player in entry.members_in(_next_to_play(at, entry))
        ],
        "stood_in": list(_list_substitutes(at, entry)),
        "missed": [
            (number, entry.missed(number) is not None) for number in range(1, entry.joined_in)
        ],
        "next_round": at.state.next_round,
        "next_to_play": _find_running_round(at, entry),
        "rounds_from": range(entry.joined_in, max(at.state.next_round, entry.joined_in) + 1),
        "listed": _list_offered_names(request),
        "slip": _slip(request, at, entry.id, short_address(at.row)),
        "may_give_links": request.visitor.may(Permission.MANAGE_TABLES),
        "why_not_removed": _why_not_removed(at, entry),
        "own_name": at.titles.get(entry.id, ""),
        "was_drawn": any(entry.id in each.seated for each in at.state.rounds),
        "orders": _orders(at, entry),
        "persons": [(player, at.players[player]) for _place, player in entry.players],
    }
    return render(request, "tournaments/desk_entry.html", context, status=failed.status)


def _orders(at: TournamentView, entry: EntryState) -> list[tuple[str, str]]:
    """The places of an entry's players as they can sit: each of them first, the others after them
    as they are; (places with spaces between them, the names) pairs. None for one alone.
    """
    people = [(place, at.players[player]) for place, player in entry.players]
    turned = [[each, *(other for other in people if other != each)] for each in people]
    return [
        (" ".join(place for place, _name in order), " & ".join(name for _place, name in order))
        for order in turned[: len(people) if len(people) > 1 else 0]
    ]


def _why_not_removed(at: TournamentView, entry: EntryState) -> str:
    refusal = why_not_removed(at.state, entry)
    return refusal_words(refusal) if refusal is not None else ""


def slips_page(request: SalonRequest, at: TournamentView, failed: Failed) -> HttpResponse:
    """The slips, and the short address that stands on them, which the director may change."""
    address = short_address(at.row)
    here = [entry.id for entry in at.state.entries if not entry.is_withdrawn]
    may_give = request.visitor.may(Permission.MANAGE_TABLES)
    captains = links_of(at.row, here) if may_give and at.state.stage.line_up else {}
    own = personal_links.links_of(at.row, here) if may_give else {}
    context = desk_context(request, at, failed) | {
        "tab": "slips",
        "address": address,
        "slips": [
            _slip(request, at, entry, address, captains.get(entry), own.get(entry))
            for entry in here
        ],
    }
    return render(request, "tournaments/slips.html", context, status=failed.status)


def _next_to_play(at: TournamentView, entry: EntryState) -> int:
    return max(at.state.next_to_play(entry.id), entry.joined_in)


def _find_running_round(at: TournamentView, entry: EntryState) -> int:
    """Return the round in play, for which a substitute is most often named; between rounds
    the one that the entry plays next.
    """
    last = at.state.last_published
    if last is not None and last.is_open and last.number >= entry.joined_in:
        return last.number
    return _next_to_play(at, entry)


def _list_substitutes(at: TournamentView, entry: EntryState) -> Iterator[StoodIn]:
    """Yield the substitutes of an entry: each can be undone by itself."""
    regular = dict(entry.regular)
    for place, _player in entry.players:
        gone = regular[place]
        for run in runs(entry, place):
            player = run.players[0][1]
            if player not in regular.values():
                rounds = rounds_in_words([(run.first, run.last)])
                names = at.players[player], at.players[gone]
                yield StoodIn(
                    place=place,
                    player=names[0],
                    gone=names[1],
                    rounds=rounds,
                    first=run.first,
                    last=run.last,
                )
            gone = player


def _list_offered_names(request: SalonRequest) -> list[str]:
    """Return the names that a browser may suggest."""
    return all_names(request.visitor.salon)[:LISTED]


def _slip(
    request: SalonRequest,
    at: TournamentView,
    entry: str,
    address: str,
    captain: CaptainLink | None = None,
    own: PersonalLink | None = None,
) -> EntrySlip:
    salon = at.row.salon
    if own is not None and own.ended:
        own = None
    return EntrySlip(
        entry=entry,
        name=at.name_next(entry),
        seat=_seat(at, entry),
        link=link_to(request, salon, "short_entry", address, entry),
        own=link_to(request, salon, "own_page", own.token) if own else None,
        code=personal_links.format_code(own) if own else "",
        door=link_to(request, salon, "own_door") if own else None,
        captain=captain,
        captains_phone=link_to(request, salon, "captain", captain.token)
        if captain is not None
        else None,
    )


def _seat(at: TournamentView, entry: str) -> tuple[int, str, str, str, str] | None:
    last = at.state.last_published
    if last is None:
        return None
    table = next((table for table in last.tables if entry in table.entries), None)
    if table is None:
        return None
    sits = seat_at(at, table, entry)
    company = company_at(at, last.number, table, sits)
    tables = [other.table for other in at.state.match_of(last.number, table)]
    if len(tables) > 1:
        company = company_words([], [at.entries[other] for other in sits.opponents], deals=False)
    elsewhere = salon_tables_of(at, last)
    labels = [elsewhere[number] for number in tables if number in elsewhere]
    return last.number, ", ".join(map(str, tables)), ", ".join(labels), sits.seat, company
