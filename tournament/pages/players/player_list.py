"""Players from a list, looked at line by line first, then kept; and those found by two letters,
below a seat's field.
"""

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from tournament.accounts.access import SalonRequest, needs
from tournament.accounts.permissions import Act
from tournament.domain.names import folded
from tournament.formats.player_list import (
    NEW,
    Line,
    Listed,
    Mapping,
    guessed,
    lines_of,
    read_listed,
)
from tournament.models import Player
from tournament.pages.common.form_values import Problem
from tournament.queries.at_tables import playing_now
from tournament.queries.players import all_names, fitting, intended_name
from tournament.salons.players import keep_players

LARGEST = 500_000  # bytes
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
SHOWN = 8


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@needs(Act.DIRECT)
def player_list(request: SalonRequest) -> HttpResponse:
    """The form; POST looks at a list, and with `keep` makes the players that are new. Nothing is
    kept before it was looked at.
    """
    if request.method != "POST":
        return render(request, "players/list.html", {"here": "tables"})
    file, text = request.FILES.get("file"), request.POST.get("list", "")
    if (file is not None and (file.size or 0) > LARGEST) or len(text) > LARGEST:
        return _refusal_page(request, _("A list has %d kB at most.") % (LARGEST // 1000))
    if file is not None:
        text = _text(file)
    listed = read_listed(text)
    if not listed.rows:
        return _refusal_page(request, _("Paste one player a line, or choose a file."))
    mapping = _mapping(request, listed) if "name" in request.POST else guessed(listed)
    known = Player.objects.filter(salon=request.visitor.salon).values_list("name", flat=True)
    lines = list(lines_of(listed, mapping, set(known)))
    if "keep" in request.POST:
        return _make_players(request, lines)
    return render(request, "players/list.html", _looked_at(text, listed, mapping, lines))


def _make_players(request: SalonRequest, lines: list[Line]) -> HttpResponse:
    """Make the players that are new."""
    new = [line.name for line in lines if line.kind == NEW]
    keep_players(request.visitor.salon, new)
    words = ngettext(
        "One player is new in the salon.", "%(count)d players are new in the salon.", len(new)
    )
    messages.success(request, words % {"count": len(new)})
    return redirect("player_list")


def _looked_at(text: str, listed: Listed, mapping: Mapping, lines: list[Line]) -> dict[str, object]:
    first = listed.rows[0]
    return {
        "here": "tables",
        "text": text,
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
    )


def _refusal_page(request: SalonRequest, words: str) -> HttpResponse:
    context = {
        "here": "tables",
        "problem": Problem(message=words, field="list"),
        "text": request.POST.get("list", "")[:LARGEST],
    }
    return render(request, "players/list.html", context, status=422)


def _text(file: "UploadedFile[bytes]") -> str:
    """A file as text: UTF-8, UTF-16 where it says so, else what older spreadsheets write."""
    content: bytes = file.read()
    if content.startswith(UTF_16):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


@require_GET
@needs(Act.START_GAME)
def players(request: SalonRequest) -> HttpResponse:
    """The list below a seat's field: players whose first or last name begins with `q`, and at which
    tables they sit now.
    """
    typed = " ".join(request.GET.get("q", "").split())
    names = all_names(request.visitor.salon)
    found = list(fitting(typed, names))[:SHOWN]
    fresh = bool(typed) and folded(typed) not in {folded(name) for name in names}
    context = {"seat": request.GET.get("seat", ""), "found": found, "typed": typed, "fresh": fresh}
    context |= {
        "playing": playing_now(request.visitor.salon, request.visitor.audience),
        "known": intended_name(typed, names),
    }
    return render(request, "components/suggest.html", context)
