"""What a table goes on with while it hears of nobody: the hand sheet of its game with who deals
what next, and its rules where the phone has taken them, kept by the browser for an evening; and the
way to hand over what it keeps.
"""

import json
from itertools import takewhile
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from ledger.reading import read_stream
from scoring.game import Turns
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, needs, table_or_404
from tournament.accounts.permissions import Act
from tournament.pages.common.form_values import new_command
from tournament.pages.common.page_rules import page_rules
from tournament.queries.refusal_text import words_of_rules
from tournament.queries.round_over import round_over
from tournament.queries.table import TableGame, game_at
from tournament.recording.duplicate_deals import next_deal
from tournament.server.on_the_way import keeps
from tournament.streams.folds import known_fold

SECONDS_KEPT = 12 * 60 * 60
# The cookie of a phone that has taken the rules (rules.js): its page has what was recorded, too.
RULES_ARE_HERE = "rules-here"


@require_safe
@needs(Act.RECORD)
@cache_control(private=True, max_age=SECONDS_KEPT)
def pack(request: SalonRequest, label: str) -> HttpResponse:
    """The page by which a table goes on without the server: the sheet of the open hand and that of
    a coming one, and what passes on from hand to hand.

    Nothing in it goes out of date but by what is recorded: the page itself looks for a newer one.
    """
    table_or_404(request.visitor, label)
    at = game_at(request.visitor, label)
    context: dict[str, object] = {"here": "tables", "label": label}
    if at is None:
        return keeps(render(request, "kept/no_sheets.html", context | {"why": "free"}))
    context |= {"row": at.row, "players": at.players}
    turns = _turns(request, at)
    if at.row.finished or round_over(at.row) is not None:
        return keeps(render(request, "kept/no_sheets.html", context | {"why": "over"}))
    if turns is None:
        return keeps(render(request, "kept/no_sheets.html", context | {"why": "game"}))
    context |= {
        "table": at.table,
        "command": new_command(),
        "action": reverse("sheet", args=[label]),
        "packed": True,
        "listed": (),
        "coming": _coming_table(at, turns),
        "turns": turns,
        "trumps": list(turns.trumps) or [""],
        "game_here": _game_for_script(at, turns),
        "rules": (rules := page_rules()),
        "sides": _sides(at),
        "begun": _game_for_rules(request, at)
        if rules and RULES_ARE_HERE in request.COOKIES
        else None,
    }
    return keeps(render(request, "kept/pack.html", context))


@require_safe
@cache_control(private=True, max_age=SECONDS_KEPT)
@needs(Act.RECORD)
def handover(request: SalonRequest, label: str) -> HttpResponse:
    """Hand over: what a phone keeps for its table goes to another one as codes, or is taken over
    there.

    The page is the same for everybody who records at the table: what it shows is kept in the
    browser alone, so that it opens from the cache of a phone that reaches nothing.
    """
    table_or_404(request.visitor, label)
    return keeps(render(request, "handover.html", {"here": "tables", "label": label}))


def _turns(request: SalonRequest, at: TableGame) -> Turns | None:
    """How deal and trump pass on in this game; None where it isn't played by sheets, or everybody
    plays the same deals, which are opened from their stock.
    """
    if at.game.turns is None or next_deal(at.row, 1) is not None:
        return None
    folded = known_fold(request.visitor.salon.log_id, at.row.pk, version=at.row.version)
    return at.game.turns(folded.state.rules, list(at.players))


def _coming_table(at: TableGame, turns: Turns) -> JsonObject:
    """The table as it is before some hand whose dealer, and trump where it passes on, is known."""
    coming: dict[str, Any] = {**at.table["next"], "dealer": next(iter(turns.dealers))}
    if "trump" in coming:
        coming["trump"] = next(iter(turns.trumps), None)
    return at.table | {"hand": None, "next": coming, "missing": {}, "stage": "opening"}


def _game_for_script(at: TableGame, turns: Turns) -> JsonObject:
    """Where the game is, for the page's script."""
    hand, coming = at.table["hand"], at.table["next"]
    now = hand or coming
    return {
        "game": at.row.pk,
        "version": at.row.version,
        "hand": now["number"],
        "open": hand is not None,
        "dealer": now.get("dealer"),
        "trump": now.get("trump"),
        "dealers": dict(turns.dealers),
        "trumps": dict(turns.trumps),
        "tricks": at.game.tricks(len(at.players)),
    }


def _sides(at: TableGame) -> list[str]:
    """Those who have a score: teams, or the seats where everybody plays alone."""
    return list(at.game.teams) or [seat for seat in at.game.seat_names if seat in at.row.seats]


def _game_for_rules(request: SalonRequest, at: TableGame) -> JsonObject:
    """What was recorded of the game up to what the page shows, as `scoring.page_door` takes it.

    Who opens this page may read all of it in the history, too: events have no names and no words.
    """
    events = read_stream(request.visitor.salon.log_id, at.row.pk)
    known = takewhile(lambda event: event.version <= at.row.version, events)
    return {
        "game": at.game.name,
        "facts": [(event.type, event.schema, json.loads(event.body)) for event in known],
        "ids": {at.players[seat]: player for seat, player in at.row.seats.items()},
        "called": at.called,
        "words": words_of_rules(),
    }
