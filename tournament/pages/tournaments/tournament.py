"""A tournament for everybody: where do I sit, standings, results by round, and an entry's path."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.tournament.counting import GAME, what_counts
from tournament.domain.tournament.leavers import list_left_out
from tournament.domain.tournament.state import EntryState, RoundState
from tournament.pages.common.form_values import new_command
from tournament.pages.common.tournament_context import is_over
from tournament.pages.tournaments.live import live_page
from tournament.queries.brackets import entry_matches, format_places, has_bracket, match_lines
from tournament.queries.cuts import (
    cuts_made,
    later_stages,
    play_offs_played,
    play_offs_to_come,
    stage_tables,
)
from tournament.queries.entrants import Spans, rounds_in_words, spans_of
from tournament.queries.entry_paths import company_at, path_of, seat_at
from tournament.queries.players import fitting
from tournament.queries.round_clocks import ShownClock, clock_of
from tournament.queries.scale_words import bye_words, scale_words
from tournament.queries.stage_views import scale_of_entry
from tournament.queries.tournament import (
    ShownTable,
    TournamentView,
    computed,
    is_silent,
    list_tables,
    match_size_words,
    silent_from,
    unconfirmed,
)
from tournament.queries.tournament_visibility import (
    entry_or_404,
    podium,
    read_visible_standings,
    round_or_404,
)

SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The place of an entry in a round: the table with its clock, the seat, and in words
    its partner and opponents; or None with the kind of its bye.

    `elsewhere` is the table of the salon where the game is played, if that has another
    number.
    """

    entry: str
    name: str
    table: int | None
    company: str
    bye: str
    clock: ShownClock | None = None
    side: str = ""
    elsewhere: str = ""


@require_safe
@requires(Permission.SEE_SALON)
def tournament(request: SalonRequest, tournament: str) -> HttpResponse:
    """The seats of the round published last, found by two letters of a name; once the
    tournament is over, its winners.
    """
    return live_page(request, tournament, "tournaments/public.html", _seats_or_podium)


def _seats_or_podium(request: SalonRequest, at: TournamentView) -> dict[str, object]:
    return _podium(request, at) if is_over(at.state) else _seats(request, at)


def _podium(request: SalonRequest, at: TournamentView) -> dict[str, object]:
    """The first three places, each with all who share it."""
    rows = podium(at, request.visitor)
    return {
        "podium": rows,
        "shared": {
            each.rank for each in rows if sum(other.rank == each.rank for other in rows) > 1
        },
        "winners": [each for each in rows if each.rank == 1],
    }


def _seats(request: SalonRequest, at: TournamentView) -> dict[str, object]:
    typed = " ".join(request.GET.get("q", "").split())
    each = at.state.last_published
    tables = list_tables(at, each) if each is not None else []
    places = _places(at, each, tables) if each is not None else []
    names = {found.name for found in fitting(typed, [place.name for place in places])}
    return {
        "round": each,
        "typed": typed,
        "found": [place for place in places if place.name in names][:SHOWN] if typed else [],
        "tables": tables,
        "matches": match_lines(at, request.visitor, each) if each is not None else {},
        "byes": [place for place in places if place.table is None],
        "silent": each is not None and is_silent(at, request.visitor, each.number),
        "clock": clock_of(each),
    }


@require_safe
@requires(Permission.SEE_SALON)
def tournament_standings(request: SalonRequest, tournament: str) -> HttpResponse:
    """The standings as computed last, with a sentence for each tie-break; silent rounds don't count
    for the room.
    """
    return live_page(request, tournament, "tournaments/standings.html", _standings)


def _standings(request: SalonRequest, at: TournamentView) -> dict[str, object]:
    found = computed(at)
    table, hidden = read_visible_standings(at, request.visitor)
    tables = [] if table is None else stage_tables(at, table)
    return {
        "computed": found,
        "table": table,
        "places": format_places(at, request.visitor, table),
        "tie_breaks": list({each: None for shown in tables for each in shown.tie_breaks})
        or [TIE_BREAKS[name] for name in at.state.stage.tie_breaks],
        "worth": " ".join(
            filter(
                None,
                (
                    match_size_words(at.state.stage),
                    "" if has_bracket(at) else scale_words(at.state.stage.scale),
                ),
            )
        ),
        "cuts": cuts_made(at, request.visitor),
        "later_stages": later_stages(at),
        "to_play_off": [] if hidden else play_offs_to_come(at),
        "play_offs": play_offs_played(at),
        "tables": tables,
        "hidden": hidden,
        "games_count": any(
            what_counts(table, at.outcomes) == GAME
            for each in at.state.rounds
            for table in each.tables
        ),
        "unconfirmed": list(map(asdict, unconfirmed(at, until=table.after_round))) if table else [],
        "leavers": {entry.id: "withdrawn" for entry in at.state.entries if entry.is_withdrawn}
        | {key: "left_out" for stage in range(1, 6) for key in list_left_out(at.state, stage)},
        "may_report": at.state.stage.scale.kind == "match" and not has_bracket(at),
    }


@require_safe
@requires(Permission.SEE_SALON)
def tournament_round(request: SalonRequest, tournament: str, number: int) -> HttpResponse:
    """The results of one round."""
    return live_page(request, tournament, "tournaments/round.html", partial(_results, number))


def _results(number: int, request: SalonRequest, at: TournamentView) -> dict[str, object]:
    each = round_or_404(at, number, published=True)
    scale = at.state.stage_in(number).scale
    return {
        "tab": "results",
        "query": f"?round={number}",
        "round": each,
        "tables": list_tables(at, each),
        "matches": match_lines(at, request.visitor, each),
        "byes": [
            (bye.entry, at.name_in(number, bye.entry), bye_words(scale, bye)) for bye in each.byes
        ],
        "silent": is_silent(at, request.visitor, number),
    }


@require_safe
@requires(Permission.SEE_SALON)
def tournament_entry(request: SalonRequest, tournament: str, entry: str) -> HttpResponse:
    """The path of one entry: round by round whom it met and what came of it."""
    return live_page(request, tournament, "tournaments/entry.html", partial(_entry, entry))


def _entry(entry: str, request: SalonRequest, at: TournamentView) -> dict[str, object]:
    found = entry_or_404(at, entry)
    table = computed(at).standings
    standing = (
        next((row for row in table.rows if row.entry == entry), None) if table is not None else None
    )
    silent = silent_from(at, request.visitor) is not None
    return {
        "entry": found,
        "name": at.entries[entry],
        "people": list(_people_of(at, found)),
        "path": path_of(at, request.visitor, entry),
        "matches": entry_matches(at, request.visitor, entry),
        "is_knockout": has_bracket(at),
        "standing": None if silent else standing,
        "scale": scale_of_entry(at, entry),
        "place": format_places(at, request.visitor, table).get(entry, ""),
        "command": new_command(),
    }


def _people_of(at: TournamentView, entry: EntryState) -> Iterator[tuple[str, str, str]]:
    """Everybody who plays or played for an entry: id, name, and in which rounds, "" for all of
    them. Of a team whose line-ups are open it is the rounds in which each was lined up.
    """
    if entry.line_ups:
        yield from _list_line_up(at, entry)
        return
    for player, spans in spans_of(entry).items():
        yield (
            player,
            at.players[player],
            "" if spans == [(entry.joined_in, None)] else rounds_in_words(spans),
        )


def _list_line_up(at: TournamentView, entry: EntryState) -> Iterator[tuple[str, str, str]]:
    played: dict[str, list[int]] = {player: [] for player in spans_of(entry)}
    for number, _places in sorted(entry.line_ups):
        for _place, player in entry.players_in(number):
            played.setdefault(player, []).append(number)
    for player, numbers in played.items():
        spans: Spans = [(number, number) for number in numbers]
        words = rounds_in_words(spans) if spans else _("not played yet")
        yield player, at.players[player], words


def _places(at: TournamentView, each: RoundState, tables: Sequence[ShownTable]) -> list[Place]:
    elsewhere = {shown.table.table: shown.salon_table for shown in tables}
    seated = [
        Place(
            entry=entry,
            name=at.name_at(each.number, table, entry),
            table=table.table,
            company=company_at(at, each.number, table, sits),
            bye="",
            clock=clock_of(each, table.table),
            side=sits.seat,
            elsewhere=elsewhere.get(table.table, ""),
        )
        for table in each.tables
        for entry in table.entries
        for sits in (seat_at(at, table, entry),)
    ]
    return seated + [
        Place(
            entry=bye.entry,
            name=at.name_in(each.number, bye.entry),
            table=None,
            company="",
            bye=bye_words(at.state.stage_in(each.number).scale, bye),
        )
        for bye in each.byes
    ]
