"""Starting a game: which one, at which table, who sits where, who deals first, and the house rules."""

import secrets
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.errors import Refusal
from scoring.games import GAMES
from tournament import recording
from tournament.access import Act, SalonRequest, needs
from tournament.models import Game, Player, Table
from tournament.pages import start_form
from tournament.pages.start_form import DRAWN, Problem, Written

LISTED = 200  # names offered to a browser without scripts


@require_http_methods(["GET", "POST"])
@needs(Act.START_GAME)
def start(request: SalonRequest) -> HttpResponse:
    """The form, and the game begun by it; what was wrong stands beside its field and nothing typed is lost."""
    visitor = request.visitor
    written = start_form.read(request.POST or request.GET, table=visitor.table)
    if request.method == "GET":
        return _shown(request, written, {})
    visitor.demand(Act.START_GAME, table=written.table)
    found = start_form.problems(written) | _table_problem(request, written)
    if found:
        return _shown(request, written, found)
    try:
        game = _begun(request, written)
    except Refusal as refusal:
        return _shown(request, written, start_form.refused(refusal))
    dealer = _first_dealer(request, written)
    return redirect(f"{reverse('pad', args=[game.table])}?{urlencode({'dealer': dealer})}")


def _begun(request: SalonRequest, written: Written) -> Game:
    return recording.start_game(
        request.visitor.salon,
        actor=request.visitor.actor,
        command=written.command,
        kind=written.game.name,
        players=written.players,
        options=start_form.chosen(written),
        table=written.table,
        played_on=timezone.localdate().isoformat(),
        note=written.note or None,
    )


def _first_dealer(request: SalonRequest, written: Written) -> str:
    """The seat that deals hand 1: as chosen, or drawn here and said (R3)."""
    if written.dealer != DRAWN:
        return written.dealer
    seat = secrets.choice(list(written.players))
    drawn = {"name": written.players[seat], "seat": _(written.game.seat_names[seat])}
    messages.success(request, _("Drawn to deal first: %(name)s, %(seat)s.") % drawn)
    return seat


def _table_problem(request: SalonRequest, written: Written) -> dict[str, Problem]:
    if not _playing(request).get(written.table):
        return {}
    return {
        "table": Problem(
            message=_("Table %(table)s is still playing. Finish that game first, or choose another table.") % {"table": written.table}
        )
    }


def _playing(request: SalonRequest) -> dict[str, Game]:
    """The unfinished game of each table that has one; a game without a table is nowhere."""
    games = Game.objects.filter(salon=request.visitor.salon, finished=False).exclude(table="")
    return {game.table: game for game in games}


def _shown(request: SalonRequest, written: Written, found: dict[str, Problem]) -> HttpResponse:
    salon, playing = request.visitor.salon, _playing(request)
    fields = start_form.option_fields(written, found)
    known = {"table", "dealer", *(f"players.{seat}" for seat in written.players), *(each.name for each in fields)}
    context = {
        "here": "tables",
        "games": list(GAMES.values()),
        "written": written,
        "problems": found,
        "elsewhere": [problem for path, problem in found.items() if path not in known],
        "tables": [(label, label in playing) for label in Table.objects.filter(salon=salon).order_by("pk").values_list("label", flat=True)],
        "seats": start_form.seat_fields(written, found),
        "options": fields,
        "options_open": any(each.problem or each.changed for each in fields),
        "listed": Player.objects.filter(salon=salon).order_by("name").values_list("name", flat=True)[:LISTED],
    }
    return render(request, "start.html", context, status=422 if found else 200)
