"""A hand that was recorded at the wrong table: the game it belongs to, what changes in both, and
done.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from scoring.forms import number_in
from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.models import Game
from tournament.pages.common.form_values import new_command, problem_of, table_form
from tournament.pages.history.correction_form import number
from tournament.pages.history.corrections import (
    ENDS,
    MOVES,
    bare_form,
    describe_preview,
    parse_excused_rulings,
    reason_of,
)
from tournament.pages.table.refused_act import NOTHING, NotRecorded, meanwhile
from tournament.queries.closed_hands import RecordedHand, list_hands_as_recorded
from tournament.queries.table import unpack_game
from tournament.recording.corrections import HandMove, preview_move, record_move
from tournament.recording.rulings import name_of
from tournament.salons.players import names_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherGame:
    """A game that goes on, to which a hand can move, with those who play in it."""

    row: Game
    players: Sequence[str]


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.CORRECT)
def hand_move(request: SalonRequest, game: str) -> HttpResponse:
    """Ask for the game that a hand belongs to, show both games before and after, and move it."""
    row = game_or_404(request.visitor, game)
    hands = list_hands_as_recorded(row, request.visitor.audience)
    asked = request.GET if request.method == "GET" else request.POST
    hand = next((each for each in hands if str(each.hand) == asked.get("hand")), None)
    if hand is None:
        raise Http404
    if not asked.get("to"):
        return _form(request, row, hand, asked)
    there = game_or_404(request.visitor, asked["to"])
    move = HandMove(hand=hand.hand, to=there.pk, as_hand=number(asked.get("as_hand", "")))
    try:
        if request.method == "POST":
            return _record(request, row, move)
        return _preview(request, row, there, hand, move)
    except StreamMoved:
        version = table_form(bare_form(request.POST)).version
        first = meanwhile(row, request.visitor, version=version)
        return _preview(request, row, there, hand, move, NotRecorded(meanwhile=first))
    except CommandReused:
        return redirect("corrections", game=row.pk)
    except Refusal as refusal:
        at = unpack_game(request.visitor, row)
        failed = NotRecorded(problem=problem_of(refusal, at.called, unread=400))
        if request.method == "POST":
            return _preview(request, row, there, hand, move, failed)
        return _form(request, row, hand, asked, failed)


def _record(request: SalonRequest, row: Game, move: HandMove) -> HttpResponse:
    """Raises Refusal, StreamMoved, CommandReused."""
    form, visitor, post = table_form(bare_form(request.POST)), request.visitor, request.POST
    told = move.build_removal(
        name_of(visitor), reason_of(post), parse_excused_rulings(post.get("excused", "[]"))
    )
    then = post.get("after", "")
    record_move(
        visitor.salon,
        row.pk,
        move,
        replace(told, table=post.get("table", "") if then == MOVES else None),
        excused_there=parse_excused_rulings(post.get("excused_there", "[]")),
        actor=visitor.actor,
        command=form.command,
        version=form.version,
        version_there=number_in(post.get("version_there", ""), "version_there"),
        ends=then == ENDS,
    )
    return redirect("corrections", game=move.to)


def _preview(
    request: SalonRequest,
    row: Game,
    there: Game,
    hand: RecordedHand,
    move: HandMove,
    failed: NotRecorded = NOTHING,
) -> HttpResponse:
    """Both games before and after. What can't be moved so is said on the form instead."""
    row, there = (Game.objects.get(pk=each.pk) for each in (row, there))
    audience = request.visitor.audience
    try:
        here, moved = preview_move(request.visitor.salon, row.pk, move)
        seen = (describe_preview(row, here, audience), describe_preview(there, moved, audience))
    except Refusal as refusal:
        at = unpack_game(request.visitor, row)
        problem = problem_of(refusal, at.called, unread=400)
        asked = request.GET or request.POST
        return _form(request, row, hand, asked, NotRecorded(problem=problem))
    context = {
        "here": "tables",
        "row": row,
        "there": there,
        "hand": hand,
        "move": move,
        "seen": seen[0],
        "seen_there": seen[1],
        "reason": request.POST.get("reason", ""),
        "after": request.POST.get("after", ""),
        "table": request.POST.get("table", ""),
        "command": new_command(),
    }
    page = "corrections/hand_move_preview.html"
    return render(request, page, context | failed.context, status=failed.status)


def _form(
    request: SalonRequest,
    row: Game,
    hand: RecordedHand,
    asked: QueryDict,
    failed: NotRecorded = NOTHING,
) -> HttpResponse:
    """The games to choose from."""
    context = {
        "here": "tables",
        "row": row,
        "hand": hand,
        "games": _other_games(request, row),
        "to": asked.get("to", ""),
        "as_hand": asked.get("as_hand", ""),
    }
    return render(
        request, "corrections/hand_move.html", context | failed.context, status=failed.status
    )


def _other_games(request: SalonRequest, row: Game) -> list[OtherGame]:
    """The games of the same kind and seats that go on, by their tables."""
    games = [
        game
        for game in Game.objects.filter(salon=row.salon, kind=row.kind, finished=False)
        if game.pk != row.pk and game.seats.keys() == row.seats.keys()
    ]
    players = {player for game in games for player in game.seats.values()}
    names = names_of(row.salon, players, request.visitor.audience)
    order = max(GAMES[row.kind].seatings, key=len)
    found = [
        OtherGame(row=game, players=[names[game.seats[at]] for at in order if at in game.seats])
        for game in games
    ]
    return sorted(found, key=lambda each: (len(each.row.table), each.row.table))
