"""The board of a game, for everybody in the room: as it stands, hand by hand, looking again every
two seconds; and the clock of its table, for the pad.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.db import connection
from django.http import HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from tournament.accounts.access import SalonRequest, requires, seats_of_game_or_404
from tournament.accounts.permissions import Permission
from tournament.pages.common.games import numbers_of
from tournament.pages.common.refused import silent_game
from tournament.pages.table.board_cache import BoardVariant, note_alike
from tournament.queries.confirmation_rows import confirmed
from tournament.queries.round_clocks import clock_at
from tournament.queries.table import read_closed_hands, unpack_game
from tournament.queries.withdrawn_hands import list_withdrawn_hands, surplus_hands
from tournament.recording.rulings import in_words
from tournament.salons.public_names import Audience


@require_safe
@requires(Permission.SEE_SALON)
def board(request: SalonRequest, game: str) -> HttpResponse:
    """The whole page; asked by htmx, the board alone, and 304 where nothing was recorded since. Of
    a silent game who sits there.
    """
    row = seats_of_game_or_404(request.visitor, game)
    if row.is_silent:
        return silent_game(request, row, request.visitor.audience, status=200)
    at_table = clock_at(row) if not row.finished else None
    clock = at_table.version if at_table is not None else ""
    etag = f'"{row.version}{"p" if request.visitor.audience is Audience.PUBLIC else ""}{clock}"'
    asked_again = bool(request.headers.get("HX-Request"))
    may_correct = request.visitor.may(Permission.CORRECT)
    may_record = request.visitor.may(Permission.RECORD, table=row.table) and bool(row.table)
    may_read = request.visitor.is_led_to(Permission.READ_HISTORY, game=row.pk)
    alike = BoardVariant(
        audience=request.visitor.audience,
        may_correct=may_correct,
        may_record=may_record,
        may_read=may_read,
    )
    note_alike(request, alike)
    if asked_again and request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    at = unpack_game(request.visitor, row)
    open_hand, hands = in_words(request.visitor.salon, at.table["hand"], read_closed_hands(row))
    context = {
        "at_table": at_table,
        "confirmed": confirmed(at),
        "ruled": (open_hand or {}).get("rulings", ()),
        "here": "tables",
        "at": at,
        "row": row,
        "table": at.table,
        "players": at.players,
        "hands": hands,
        "chosen": next(
            (hand for hand in hands if str(hand["result"]["number"]) == request.GET.get("hand")),
            None,
        ),
        "numbers": numbers_of(row),
        "etag": etag,
        "now": timezone.localtime(),
        "marks": row.marks,
        "withdrawn": list_withdrawn_hands(row, request.visitor.audience),
        "surplus": surplus_hands(row, request.visitor.audience),
        "may_correct": may_correct,
        "may_record": may_record,
        "may_read": may_read,
    }
    with _note_queries() as asks:
        response = render(request, "board.html#board" if asked_again else "board.html", context)
    patch_cache_control(response, no_cache=True, private=True)
    if asked_again:
        response["ETag"] = etag
        stands_in = bool((open_hand or {}).get("players"))
        running = at_table is not None and at_table.clock is not None
        # Who corrected, who stands in and what a template looks up are no part of the state that
        # tells others whether it is the same.
        shared = not asks and not row.marks and not stands_in
        note_alike(request, replace(alike, shared=shared, clock_runs=running))
    return response


@require_safe
@requires(Permission.SEE_SALON)
def game_clock(request: SalonRequest, game: str) -> HttpResponse:
    """The clock alone, 304 while it is the same; empty where the game counts in no event that is
    running.
    """
    row = seats_of_game_or_404(request.visitor, game)
    shown = clock_at(row)
    etag = f'"{shown.version}"' if shown is not None else '""'
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers={"ETag": etag})
    response = render(
        request, "tournaments/table_clock.html", {"row": row, "at_table": shown, "asks_again": True}
    )
    response["ETag"] = etag
    patch_cache_control(response, no_cache=True, private=True)
    return response


@contextmanager
def _note_queries() -> Iterator[list[str]]:
    """Collect the database queries made in this block."""
    asked: list[str] = []

    def note(
        execute: Callable[..., object], sql: str, params: object, many: bool, context: object
    ) -> object:
        asked.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield asked
