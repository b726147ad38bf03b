"""The tables of the salon: what is played at each, and the way to its pad."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.pages.table.game_summary import Glance, list_glances
from tournament.queries.listed_games import playing
from tournament.recording.tables.table_labels import labels_of


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table: its open game, if any, and whether this visitor may record there."""

    label: str
    game: Glance | None
    may_record: bool


@require_GET
@requires(Permission.SEE_SALON)
def tables(request: SalonRequest) -> HttpResponse:
    """Every table in use, 2 before 10; last those that are no table of the salon any more and still
    play.
    """
    visitor = request.visitor
    games = [game for game in reversed(playing(visitor.salon)) if game.line.table]
    shown = list_glances(visitor.salon, games, visitor.audience)
    played = {game.table: game for game in shown}
    labels = dict.fromkeys([*labels_of(visitor.salon), *played])
    lines = [
        TableLine(label, played.get(label), visitor.may(Permission.RECORD, table=label))
        for label in labels
    ]
    context = {
        "here": "tables",
        "lines": lines,
        "may_manage": visitor.may(Permission.MANAGE_TABLES),
    }
    return render(request, "tables.html", context)
