"""Starting a game: which one, at which table, who sits where, who deals first, and the
house rules.
"""

import uuid
from dataclasses import replace
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import Refusal
from scoring.games import GAMES
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import in_alphabet
from tournament.models import Game, Preset
from tournament.pages.common.form_values import Problem, apply_name_answers, new_command
from tournament.pages.common.name_questions import ask_who_is_meant
from tournament.pages.table import start_form
from tournament.pages.table.opening_pots import choices_of, format_pot, parse_pot
from tournament.pages.table.start_form import DRAWN, StartForm
from tournament.queries.first_dealer import draw_first_dealer
from tournament.queries.players import match_names, offer_known_names
from tournament.queries.seated_players import map_players_to_tables, other_table_notes, other_tables
from tournament.recording import door, stocks
from tournament.recording.left_pots import list_left_pots
from tournament.recording.stocks import get_chosen_stock
from tournament.recording.tables.table_labels import free_labels, is_retired, labels_of
from tournament.salons.persons import find_offered_persons
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience


@require_http_methods(["GET", "POST"])
@requires(Permission.START_GAME)
def start(request: SalonRequest) -> HttpResponse:
    """The form, and the game begun by it; what was wrong stands beside its field and nothing typed
    is lost.
    """
    visitor = request.visitor
    table = visitor.table or _first_free(request)
    sent = apply_name_answers(request.POST)
    written = start_form.read_form(sent or request.GET, table=table)
    if request.method == "GET":
        return _start_page(request, _with_pot(request, written), {})
    visitor.demand(Permission.START_GAME, table=written.table)
    found = start_form.problems(written) | _table_problem(request, written)
    if found:
        return _start_page(request, written, found)
    seats = [f"players.{seat}" for seat in written.players]
    if question := ask_who_is_meant(request, request.POST, seats):
        return question
    try:
        return redirect(_begin_game(request, written))
    except Refusal as refusal:
        return _start_page(request, written, start_form.refusal_problems(refusal))
    except (StreamMoved, CommandReused):
        sent_before = Problem(message=_("This form was sent before. Send it again."))
        return _start_page(
            request, replace(written, command=new_command()), {"command": sent_before}
        )


def _with_pot(request: SalonRequest, written: StartForm) -> StartForm:
    """The fresh form; where the table is sure, with what the last game there left in its pot."""
    if "opening_pot" in request.GET or not (request.visitor.table or "table" in request.GET):
        return written
    last = (
        Game.objects.filter(salon=request.visitor.salon, table=written.table)
        .order_by("-started_position")
        .first()
    )
    pots = list_left_pots(request.visitor.salon, written.game.name)
    left = (
        format_pot(pot.game.record, pot.chips) for pot in pots if last and pot.game.pk == last.pk
    )
    return replace(written, opening_pot=next(left, ""))


def _begin_game(request: SalonRequest, written: StartForm) -> str:
    """Begin the game and, where nothing more than the dealer is asked or a stock is chosen, open
    its first hand; the address of the pad.

    Raises Refusal, and then nothing is recorded. The same form sent again finds the game already
    begun.
    """
    salon, actor, dealer = request.visitor.salon, request.visitor.actor, _first_dealer(written)
    known = list(find_offered_persons(salon).filter(practice=False).values_list("name", flat=True))
    with transaction.atomic():
        game = door.start_game(
            salon,
            actor=actor,
            command=written.command,
            kind=written.game.name,
            players=dict(match_names(start_form.list_seated_players(written).items(), known)),
            options=start_form.read_options(written),
            table=written.table,
            played_on=timezone.localdate().isoformat(),
            note=written.note or None,
            opening_pot=parse_pot(written.opening_pot),
        )
        shown = game.state
        asks_more = bool(shown.get("missing")) or any(
            value is None for what, value in shown["next"].items() if what != "dealer"
        )
        follows = uuid.uuid5(uuid.UUID(written.command), "hand 1").hex
        if written.stock:
            stock = get_chosen_stock(salon, written.stock)
            stocks.open_deal(salon, game, stock, actor=actor, command=follows, version=game.version)
        elif not asks_more:
            rules = written.game.read_rules(start_form.read_options(written))
            said = {"dealer": dealer} if written.game.has_dealer else {}
            opening = written.game.acts["hands"](said, rules)
            door.record_acts(
                salon, game.pk, [opening], actor=actor, command=follows, version=game.version
            )
    audience = request.visitor.audience
    elsewhere = other_tables(salon, _names(game, audience), audience, game=game.pk)
    for note in other_table_notes(elsewhere):
        messages.info(request, note)
    if written.game.has_dealer and written.dealer == DRAWN:
        drawn = {"name": written.players[dealer], "seat": _(written.game.seat_names[dealer])}
        messages.success(request, _("Drawn to deal first: %(name)s, %(seat)s.") % drawn)
    pad = reverse("pad", args=[game.table])
    return f"{pad}?{urlencode({'dealer': dealer})}" if asks_more else pad


def _names(game: Game, audience: Audience) -> list[str]:
    """Return the names of a game's players."""
    return list(names_of(game.salon, game.seats.values(), audience).values())


def _first_dealer(written: StartForm) -> str:
    """The seat that deals hand 1: as chosen, or drawn (R3), and then the same each time this form
    is sent.
    """
    if written.dealer != DRAWN:
        return written.dealer
    return draw_first_dealer(list(start_form.list_seated_players(written)), written.command)


def _table_problem(request: SalonRequest, written: StartForm) -> dict[str, Problem]:
    if is_retired(request.visitor.salon, written.table):
        words = _("Table %(table)s is retired. Choose another table.")
    else:
        playing = _find_unfinished_games(request).get(written.table)
        if playing is None or playing.pk == written.command:  # the same form, sent again
            return {}
        words = _(
            "Table %(table)s is still playing. Finish that game first, or choose another table."
        )
    return {"table": Problem(message=words % {"table": written.table})}


def _first_free(request: SalonRequest) -> str:
    """The first table at which nobody plays, "" when all do."""
    return next(iter(free_labels(request.visitor.salon)), "")


def _find_unfinished_games(request: SalonRequest) -> dict[str, Game]:
    """Return the unfinished game of each table that has one; games without a table are
    left out.
    """
    games = Game.objects.filter(salon=request.visitor.salon, finished=False).exclude(table="")
    return {game.table: game for game in games}


def _start_page(
    request: SalonRequest, written: StartForm, found: dict[str, Problem]
) -> HttpResponse:
    salon, playing = request.visitor.salon, _find_unfinished_games(request)
    fields = start_form.option_fields(written, found)
    sitting = map_players_to_tables(salon, request.visitor.audience)
    known = {"table", "dealer", "stock", "opening_pot", *(each.name for each in fields)}
    known |= {f"players.{seat}" for seat in written.players}
    context = {
        "here": "tables",
        "games": list(GAMES.values()),
        "written": written,
        "problems": found,
        "elsewhere": [problem for path, problem in found.items() if path not in known],
        "tables": [(label, label in playing) for label in labels_of(salon)],
        "seats": start_form.seat_fields(written, found, sitting),
        "options": fields,
        "pots": choices_of(salon, written.game.name),
        "options_open": any(each.problem or each.changed for each in fields),
        "listed": offer_known_names(salon),
        "presets": sorted(
            Preset.objects.filter(salon=salon, game=written.game.name),
            key=lambda preset: in_alphabet(preset.name),
        ),
        "may_keep": request.visitor.may(Permission.ADMINISTER),
    }
    return render(request, "start.html", context, status=422 if found else 200)
