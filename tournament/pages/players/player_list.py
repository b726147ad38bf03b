"""Players from a list, looked at line by line first, then kept; and those found by the beginning
of a name, below a seat's field.
"""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.domain.names import folded, in_alphabet
from tournament.exchange.people_lists import lines_in
from tournament.formats.list_files import MAX_TEXT, ListFile
from tournament.formats.player_list import (
    NEW,
    Line,
    Listed,
    Mapping,
    guess_columns,
    read_listed,
)
from tournament.models import Player
from tournament.pages.common.form_values import Problem
from tournament.pages.common.sent_lists import ACCEPTED, read_sent_list
from tournament.queries.players import all_names, fitting, match_name
from tournament.queries.refusal_text import refusal_words
from tournament.queries.seated_players import map_players_to_tables
from tournament.salons.players import bring_back, keep_players, set_aside

SHOWN = 8
LAST = "last_player_list"  # of the session: the names, and whether they were taken back


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.DIRECT)
def player_list(request: SalonRequest) -> HttpResponse:
    """The form; POST looks at a list, and with `keep` makes the players that are new. Nothing is
    kept before it was looked at.
    """
    if request.method != "POST":
        context = {"here": "tables", "accepted": ACCEPTED, "last": request.session.get(LAST)}
        return render(request, "players/list.html", context)
    if "last" in request.POST:
        return _turn_last_list(request)
    try:
        sent = read_sent_list(request)
    except NotationError as refusal:
        return _refusal_page(request, capfirst(refusal_words(refusal)))
    text = sent.text
    listed = read_listed(text)
    if not listed.rows:
        return _refusal_page(request, _("Paste one player a line, or choose a file."))
    mapping = _mapping(request, listed) if "name" in request.POST else guess_columns(listed)
    lines = lines_in(request.visitor.salon, listed, mapping)
    if "keep" in request.POST:
        return _make_players(request, lines)
    return render(request, "players/list.html", _build_preview(sent, listed, mapping, lines))


def _make_players(request: SalonRequest, lines: list[Line]) -> HttpResponse:
    """Make the players that are new."""
    new = [line.name for line in lines if line.kind == NEW]
    keep_players(request.visitor.salon, new)
    if new:
        request.session[LAST] = {"names": new, "is_back": False}
    words = ngettext(
        "One player is new in the salon.", "%(count)d players are new in the salon.", len(new)
    )
    messages.success(request, words % {"count": len(new)})
    return redirect("player_list")


def _turn_last_list(request: SalonRequest) -> HttpResponse:
    """Take the players of the list that was kept last back, or offer them again."""
    last = request.session.get(LAST)
    if last is not None:
        players = Player.objects.filter(salon=request.visitor.salon, name__in=last["names"])
        if last["is_back"]:
            count = bring_back(players)
            words = ngettext(
                "One player is in the salon again.",
                "%(count)d players are in the salon again.",
                count,
            )
        else:
            count = set_aside(players)
            words = ngettext(
                "One player is taken back; whoever has played stays.",
                "%(count)d players are taken back; whoever has played stays.",
                count,
            )
        request.session[LAST] = last | {"is_back": not last["is_back"]}
        messages.success(request, words % {"count": count})
    return redirect("player_list")


def _build_preview(
    sent: ListFile, listed: Listed, mapping: Mapping, lines: list[Line]
) -> dict[str, object]:
    first = listed.rows[0]
    return {
        "here": "tables",
        "text": sent.text,
        "sent": sent,
        "has_commas": any("," in line.name for line in lines) or mapping.turned,
        "lines": lines,
        "mapping": mapping,
        "columns": [
            (place, first[place] if place < len(first) else "") for place in range(listed.columns)
        ],
        "new": sum(line.kind == NEW for line in lines),
    }


def _mapping(request: SalonRequest, listed: Listed) -> Mapping:
    """The columns chosen; one that is not there is the first."""
    columns = {str(place): place for place in range(listed.columns)}
    return Mapping(
        name=columns.get(request.POST.get("name", ""), 0),
        second=columns.get(request.POST.get("second", "")),
        heading=request.POST.get("heading") == "yes",
        turned=request.POST.get("turned") == "yes",
    )


def _refusal_page(request: SalonRequest, words: str) -> HttpResponse:
    context = {
        "here": "tables",
        "accepted": ACCEPTED,
        "problem": Problem(message=words, field="list"),
        "text": request.POST.get("list", "")[:MAX_TEXT],
    }
    return render(request, "players/list.html", context, status=422)


@require_GET
@requires(Permission.START_GAME)
def players(request: SalonRequest) -> HttpResponse:
    """The list below a seat's field: players whose first or last name begins with `q`, and at which
    tables they sit now. Opened without a question, everybody.
    """
    if "q" not in request.GET and "HX-Request" not in request.headers:
        known = set(all_names(request.visitor.salon))
        rows = Player.objects.filter(salon=request.visitor.salon)
        everybody = sorted(
            (player for player in rows if player.name in known),
            key=lambda player: in_alphabet(player.name),
        )
        return render(request, "players/all.html", {"here": "ledger", "players": everybody})
    typed = " ".join(request.GET.get("q", "").split())
    names = all_names(request.visitor.salon)
    found = list(fitting(typed, names))[:SHOWN]
    fresh = bool(typed) and folded(typed) not in {folded(name) for name in names}
    context = {"seat": request.GET.get("seat", ""), "found": found, "typed": typed, "fresh": fresh}
    context |= {
        "playing": map_players_to_tables(request.visitor.salon, request.visitor.audience),
        "known": match_name(typed, names),
    }
    return render(request, "components/suggest.html", context)
