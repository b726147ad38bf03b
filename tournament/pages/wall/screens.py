"""The screens of the salon for those who direct: set up, arranged, held at one part, put away; and
what is on each wall now.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament.accounts.access import SalonRequest, requires
from tournament.accounts.permissions import Permission
from tournament.accounts.silent_rounds import SightOf
from tournament.domain.names import in_alphabet
from tournament.domain.screens import rules
from tournament.models import Salon, Screen
from tournament.models.visibility import use_visibility
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    claim_of,
    new_command,
    status_of,
    version_of,
    whole_number,
    why_not,
)
from tournament.pages.common.qr import link_to
from tournament.pages.table.pad import SeeOther
from tournament.pages.wall.screen import OnTheWall, on_the_wall, room_of
from tournament.queries.history_lines import lines_of_stream
from tournament.queries.screens import KINDS, about
from tournament.recording.screens import add_screen, keep_screen
from tournament.streams.texts import words_of

SPARE = 3  # empty lines below the parts of a screen


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenLine:
    """A screen in the list: where it is opened, and what is on it now."""

    row: Screen
    address: str
    on: OnTheWall


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPart:
    """A line of the form as it was written; `kind` "" is none."""

    place: str = ""
    kind: str = ""
    seconds: str = "15"
    of: str = ""
    note: str = ""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(Permission.DIRECT)
def screens(request: SalonRequest) -> HttpResponse:
    """The screens with what is on each now, which alone is asked for by htmx; POST sets one up."""
    if request.method != "POST":
        part = "#now" if request.headers.get("HX-Request") else ""
        return _list(request, part=part)
    salon, form = request.visitor.salon, request.POST
    name, address = " ".join(form.get("name", "").split()), form.get("address", "").strip().lower()
    try:
        row = add_screen(salon, name=name, address=address, **claim_of(request))
    except NOT_RECORDED as failure:
        words = _("This form was sent before. Send it again.")
        return _list(request, why_not(failure, words))
    return SeeOther(reverse("screen_set_up", args=[row.pk]))


@never_cache
@require_GET
@requires(Permission.DIRECT)
def screen_set_up(request: SalonRequest, screen: str) -> HttpResponse:
    """The parts of one screen, in order, with their seconds."""
    return _form(request, _row(request, screen))


@never_cache
@require_POST
@requires(Permission.DIRECT)
def screen_acts(request: SalonRequest, screen: str, collection: str) -> HttpResponse:
    """Record what a director does with a screen."""
    row = _row(request, screen)
    if collection not in ACTS:
        raise Http404
    arranges = collection == "arrangements"
    try:
        keep_screen(
            request.visitor.salon,
            row.pk,
            ACTS[collection](request.POST),
            **claim_of(request),
            version=version_of(request.POST),
        )
    except NOT_RECORDED as failure:
        problem = why_not(failure)
        if not arranges:
            return _list(request, problem, at=row.pk)
        if problem.status == 409:
            row = _row(request, screen)
        return _form(request, row, problem)
    messages.success(request, _("Recorded. The wall follows within seconds."))
    return SeeOther(reverse("screen_set_up", args=[row.pk]) if arranges else reverse("screens"))


@never_cache
@require_GET
@requires(Permission.READ_HISTORY)
def screen_history(request: SalonRequest, screen: str) -> HttpResponse:
    """Everything that was laid down about a screen, newest first."""
    row = _row(request, screen)
    context = {
        "here": "history",
        "row": row,
        "acts": lines_of_stream(row.salon, row, request.visitor.audience),
    }
    return render(request, "wall/history.html", context)


def _list(
    request: SalonRequest, problem: Problem | None = None, *, at: str = "", part: str = ""
) -> HttpResponse:
    salon = request.visitor.salon
    rows = sorted(
        Screen.objects.filter(salon=salon), key=lambda row: (in_alphabet(row.name), row.pk)
    )
    context = {
        "here": "tournaments",
        "lines": [_line(request, row) for row in rows if not row.retired],
        "retired": [row for row in rows if row.retired],
        "kinds": KINDS.items(),
        "problem": problem,
        "at": at,
        "typed": request.POST,
        "command": new_command(),
        "longest_note": rules.LONGEST_NOTE,
    }
    return render(request, f"wall/screens.html{part}", context, status=status_of(problem))


def _line(request: SalonRequest, row: Screen) -> ScreenLine:
    room = room_of(request.visitor.salon)
    link = link_to(request, room.salon, "screen", row.address)
    with use_visibility(SightOf(room)):
        return ScreenLine(row=row, address=link.typed_address, on=on_the_wall(row, room))


def _form(request: SalonRequest, row: Screen, problem: Problem | None = None) -> HttpResponse:
    typed = problem is not None and problem.status == 422
    parts = (
        _read_written_parts(request.POST)
        if typed
        else _read_stored_parts(request.visitor.salon, row)
    )
    empty = min(SPARE, rules.MOST_PARTS - len(parts)) if not typed else 0
    context = {
        "here": "tournaments",
        "row": row,
        "name": request.POST.get("name", "") if typed else row.name,
        "parts": [*parts, *(WrittenPart(place=str(len(parts) + 1 + n)) for n in range(empty))],
        "kinds": KINDS.items(),
        "about": about(request.visitor.salon),
        "shortest": rules.SHORTEST,
        "longest": rules.LONGEST,
        "longest_note": rules.LONGEST_NOTE,
        "problem": problem,
        "command": new_command(),
    }
    return render(request, "wall/set_up.html", context, status=status_of(problem))


def _read_stored_parts(salon: Salon, row: Screen) -> list[WrittenPart]:
    parts = row.state.parts
    words = words_of(salon, [part.note for part in parts if part.note])
    return [
        WrittenPart(
            place=str(place),
            kind=part.kind,
            seconds=str(part.seconds),
            of=part.of,
            note=words.get(part.note, ""),
        )
        for place, part in enumerate(parts, start=1)
    ]


def _read_written_parts(form: QueryDict) -> list[WrittenPart]:
    names = ("place", "kind", "seconds", "of", "note")
    columns = (form.getlist(name)[: rules.MOST_PARTS + SPARE] for name in names)
    return [
        WrittenPart(**dict(zip(names, (each.strip() for each in line), strict=True)))
        for line in zip_longest(*columns, fillvalue="")
    ]


def _arrangement(form: QueryDict) -> rules.ArrangeScreen:
    """Raises NotationError for a place or a number of seconds that is none."""
    parts = [
        (whole_number(each.place, f"parts.{line}.place"), line, _part(each, f"parts.{line}"))
        for line, each in enumerate(_read_written_parts(form))
        if each.kind
    ]
    return rules.ArrangeScreen(
        name=" ".join(form.get("name", "").split()),
        parts=tuple(part for _place, _line, part in sorted(parts, key=lambda each: each[:2])),
    )


def _part_to_hold(form: QueryDict) -> rules.HoldPart:
    return rules.HoldPart(
        part=_part(WrittenPart(kind=form.get("kind", ""), note=form.get("note", "")), "part")
    )


def _part(written: WrittenPart, path: str) -> rules.Part:
    note = " ".join(written.note.split())
    if written.kind != "text":
        note = ""  # what stands beside another kind is not meant
    return rules.Part(
        kind=written.kind,
        seconds=whole_number(written.seconds, f"{path}.seconds"),
        of=written.of,
        note=note,
    )


def _row(request: SalonRequest, screen: str) -> Screen:
    rows = Screen.objects.select_related("salon")
    return get_object_or_404(rows, salon=request.visitor.salon, pk=screen)


# The collection an act is sent to, and what it says; each raises Refusal.
ACTS: Mapping[str, Callable[[QueryDict], rules.Keeping]] = {
    "arrangements": _arrangement,
    "holds": _part_to_hold,
    "releases": lambda _form: rules.LetGoOn(),
    "retirements": lambda _form: rules.RetireScreen(),
    "returns": lambda _form: rules.BringBackScreen(),
}
