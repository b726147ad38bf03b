"""The offline pack of a table, kept by the browser for an evening: the hand sheet of
its game with the next dealers, and its rules if the phone has downloaded them; and
the page that hands over the acts it keeps.
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
from tournament.accounts.access import SalonRequest, requires, table_or_404
from tournament.accounts.browser_mark import mark_of
from tournament.accounts.permissions import Permission
from tournament.pages.common.browser_cache import keep_in_browser
from tournament.pages.common.form_values import new_command
from tournament.pages.common.page_rules import page_rules
from tournament.pages.table.next_game import game_again
from tournament.queries.refusal_text import words_of_rules
from tournament.queries.round_over import round_over
from tournament.queries.table import TableGame, game_at
from tournament.queries.table_names import rotate_seats
from tournament.recording.duplicate_deals import next_deal
from tournament.salons.prefix import address_in
from tournament.streams.folds import require_fold

SECONDS_KEPT = 12 * 60 * 60
# The cookie of a phone that has taken the rules (rules.js): its page has what was recorded, too.
RULES_ARE_HERE = "rules-here"
# The header of a script that has the browser keep what it asks for under the same address.
KEEPS = "Accord-Keeps"
# What stands where the page says a player's name: its script writes there who sits at the seat, in
# this game or, at other seats, in the next (pack.js).
NAME_OF = "\ue000%s\ue001"
# What a page asks by as a hand is played, if the game has it.
SHOWN_IN_PLAY = ("number", "trick", "tricks", "playing", "soloist", "declarer", "contract")


@require_safe
@requires(Permission.RECORD)
@cache_control(private=True, max_age=SECONDS_KEPT)
def pack(request: SalonRequest, label: str) -> HttpResponse:
    """The page by which a table goes on without the server: the sheet of the open hand and that of
    a coming one, and what passes on from hand to hand.

    Nothing in it goes out of date but by what is recorded: the page itself looks for a newer one.
    """
    table_or_404(request.visitor, label)
    at = game_at(request.visitor, label)
    context: dict[str, object] = {
        "here": "tables",
        "label": label,
        "whose": mark_of(request.visitor),
    }
    if at is None:
        return keep_in_browser(render(request, "kept/no_sheets.html", context | {"why": "free"}))
    context |= {"row": at.row, "players": {seat: NAME_OF % seat for seat in at.players}}
    turns, again = _turns(request, at), game_again(request, at)
    if (at.row.finished and again is None) or round_over(at.row) is not None:
        return keep_in_browser(render(request, "kept/no_sheets.html", context | {"why": "over"}))
    if turns is None:
        return keep_in_browser(render(request, "kept/no_sheets.html", context | {"why": "game"}))
    context |= {
        "table": at.table,
        "command": new_command(),
        "action": reverse("sheet", args=[label]),
        "packed": True,
        "listed": (),
        "coming": _preview_table(at, turns),
        "turns": turns,
        "trumps": list(turns.trumps) or [""],
        "game_here": _game_for_script(at, turns) | {"again": _again_for_script(again)},
        "again": again,
        "moved": rotate_seats({seat: seat for seat in at.players}),
        "rules": (rules := page_rules()),
        "sides": _sides(at),
        "begun": _game_for_rules(request, at) | {"again": again["facts"] if again else None}
        if rules and RULES_ARE_HERE in request.COOKIES
        else None,
    }
    return keep_in_browser(render(request, "kept/pack.html", context))


@cache_control(private=True, max_age=SECONDS_KEPT)
def pad_shell(request: SalonRequest, label: str) -> HttpResponse:
    """A table's address for a browser that may hear of nobody the next time it is opened: asked for
    by the pad's own script (shell.js), and kept in the pad's place.
    """
    table = table_or_404(request.visitor, label)
    link = address_in(table.salon, "table_join", table.token)
    return keep_in_browser(render(request, "kept/shell.html", {"label": label, "link": link}))


@require_safe
@cache_control(private=True, max_age=SECONDS_KEPT)
@requires(Permission.RECORD)
def handover(request: SalonRequest, label: str) -> HttpResponse:
    """Hand over: what a phone keeps for its table goes to another one as codes, or is taken over
    there.

    The page is the same for everybody who records at the table: what it shows is kept in the
    browser alone, so that it opens from the cache of a phone that reaches nothing.
    """
    table_or_404(request.visitor, label)
    return keep_in_browser(
        render(
            request,
            "handover.html",
            {"here": "tables", "label": label, "whose": mark_of(request.visitor)},
        )
    )


def _turns(request: SalonRequest, at: TableGame) -> Turns | None:
    """Return how deal and trump pass on in this game; None if it isn't played by sheets,
    or has duplicate deals, which are opened from their stock.
    """
    if at.game.turns is None or next_deal(at.row, 1) is not None:
        return None
    folded = require_fold(request.visitor.salon.log_id, at.row.pk, version=at.row.version)
    return at.game.turns(folded.state.rules, list(at.players))


def _preview_table(at: TableGame, turns: Turns) -> JsonObject:
    """The table as it is before some hand whose dealer, and trump where it passes on, is known."""
    following = at.table["next"] or {"number": at.table["hands"] + 1}  # nothing is, once it is over
    coming: dict[str, Any] = {**following}
    if turns.dealers:
        coming["dealer"] = next(iter(turns.dealers))
    if "trump" in coming:
        coming["trump"] = next(iter(turns.trumps), None)
    return at.table | {"hand": None, "next": coming, "missing": {}, "stage": "opening"}


def _game_for_script(at: TableGame, turns: Turns) -> JsonObject:
    """Return the state of the game for the page's script."""
    now = so_far(at)
    return now | {
        "game": at.row.pk,
        "version": at.row.version,
        "names": dict(at.players),
        "last": at.table.get("hands_limit"),
        "endsItself": at.game.ends_itself,
        "asksChips": at.table.get("opening_chips") is not None,
        "dealers": dict(turns.dealers),
        "trumps": dict(turns.trumps),
        "tricks": at.game.tricks(len(at.players)),
        "points": {**now["points"], **turns.points} if turns.points else None,
    }


def so_far(at: TableGame) -> JsonObject:
    """The place in a game by which a phone goes on without the rules: the hand that is open or
    comes, with what the sides have (hand-points.js) or what is known of the play (known-play.js).
    """
    hand = at.table["hand"]
    now = hand or at.table.get("next") or {"number": at.table["hands"] + 1}
    by_sides = at.table.get("excess") is not None
    return {
        "hand": now["number"],
        "over": at.row.finished,
        "isOpen": hand is not None,
        "dealer": now.get("dealer"),
        "trump": now.get("trump"),
        "points": {"score": at.table["score"], "excess": at.table["excess"]} if by_sides else None,
        "open": _summarize_hand(hand) if by_sides else None,
        "play": _play_of(at, hand) if hand and _is_in_play(at) else None,
    }


def _summarize_hand(hand: JsonObject | None) -> JsonObject | None:
    """Return the points of a hand so far; None if a ruling or a substitute affects them."""
    if hand is None:
        return {
            "isOpen": False,
            "bids": {},
            "contracts": {},
            "melds": [],
            "winners": [],
            "tricks": None,
        }
    if hand.get("rulings") or hand.get("players"):
        return None
    melds = [
        {"seat": meld["seat"], "kind": meld["kind"], "size": len(meld["cards"])}
        for meld in hand["melds"]
    ]
    said = {"bids": hand["bids"], "contracts": hand.get("named", {})}
    return {"isOpen": True, **said, "melds": melds, "winners": hand["winners"], "tricks": None}


def _is_in_play(at: TableGame) -> bool:
    """Whether tricks are played at the table now."""
    return at.table["stage"] == "play" and at.game.tricks(len(at.players)) is not None


def _play_of(at: TableGame, hand: JsonObject) -> JsonObject:
    """A hand in play, and which collections take what is left of it without a card."""
    takes = [name for name in ("winners", "totals") if name in at.game.acts]
    if hand.get("plays"):
        takes = ["totals"]
    shown = {name: hand[name] for name in SHOWN_IN_PLAY if name in hand}
    return {"hand": shown, "score": at.table["score"], "takes": takes}


def _again_for_script(again: JsonObject | None) -> JsonObject | None:
    """The next game, for the page's script: which ones there can be, and its first hand."""
    if again is None:
        return None
    table = again["table"]
    points = {"score": table["score"], "excess": table.get("excess")}
    first = {"version": len(again["facts"]), "trump": table["next"].get("trump"), "points": points}
    return {"games": again["games"], "moved": again["moved"], **first}


def _sides(at: TableGame) -> list[str]:
    """Those who have a score: teams, or the seats where everybody plays alone."""
    return list(at.game.teams) or [seat for seat in at.game.seat_names if seat in at.row.seats]


def _game_for_rules(request: SalonRequest, at: TableGame) -> JsonObject:
    """Return the recorded facts of the game up to the page's version, as
    `scoring.page_door` takes them.

    Anyone who opens this page can read all of it in the history too: events contain no
    names and no words.
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
