"""A closed hand entered a second time by somebody else, without seeing the first entry: equal ones
confirm it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from scoring.confirmation import MakeSecondEntry
from scoring.errors import Refusal
from scoring.second_entry import WORDS, Outcomes, compare_outcomes, second_entry_of
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.models import Game as GameRow
from tournament.pages.common.form_values import (
    Problem,
    TableForm,
    new_command,
    problem_of,
    read_typed_value,
    table_form,
)
from tournament.pages.table.command_answers import says_its_command
from tournament.pages.table.pad import SeeOther
from tournament.pages.table.refused_act import NOTHING, NotRecorded
from tournament.queries import number_format
from tournament.queries.first_entry import FirstEntry, is_entered_twice, read_closed_hand
from tournament.queries.players import offer_known_names
from tournament.queries.table import TableGame, unpack_game
from tournament.recording.confirmations import record_attestation
from tournament.recording.door import Recorded
from tournament.streams.codec import encode

KEYS = {
    "dealer": gettext_lazy("Dealer"),
    "trump": gettext_lazy("Trump"),
    "bids": gettext_lazy("Bids"),
    "contracts": gettext_lazy("Contracts"),
    "melds": gettext_lazy("Melds"),
    "calls": gettext_lazy("Calls"),
    "soloist": gettext_lazy("Soloist"),
    "declarer": gettext_lazy("Declarer"),
    "contract": gettext_lazy("Contract"),
    "defenders": gettext_lazy("Defenders"),
    "plays": gettext_lazy("Cards played"),
    "winners": gettext_lazy("Winners of tricks"),
    "tricks": gettext_lazy("Tricks"),
    "points": gettext_lazy("Card points"),
    "bonus": gettext_lazy("Bonus"),
    "built": gettext_lazy("Built"),
    "passes": gettext_lazy("Passes"),
}

# What a result says of a hand, by side or as one number.
OUTCOME = {
    "contract": gettext_lazy("Contract"),
    "tricks": gettext_lazy("Tricks"),
    "points": gettext_lazy("Points"),
    "chips": gettext_lazy("Chips"),
    "built": gettext_lazy("Built"),
    "passes": gettext_lazy("Passes"),
}


class Row(NamedTuple):
    """One thing that two entries say: the parts of each as (text, whether it differs)."""

    name: str
    first: Sequence[tuple[str, bool]]
    second: Sequence[tuple[str, bool]]
    differs: bool


class Comparison(NamedTuple):
    """Two entries of a hand: what each comes to, {} where that isn't known, and the rows of it."""

    first: JsonObject
    second: JsonObject
    rows: Sequence[Row]


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.CONFIRM)
@says_its_command
def second_entry(request: SalonRequest, game: str, hand: int) -> HttpResponse:
    """The sheet of a hand without anything of its first entry; what is sent is compared, and moves
    nothing.
    """
    row = game_or_404(request.visitor, game)
    closed = _require_other_scorer(request, row, hand)
    if request.method == "GET" and is_entered_twice(row, hand):
        raise Http404
    if request.method == "GET":
        return _page(request, row, closed, hand)
    try:
        record_again(request, row, hand, table_form(request.POST))
    except (StreamMoved, CommandReused):
        row.refresh_from_db()
        problem = Problem(message=_conflict_words(row, hand), status=409)
    except Refusal as refusal:
        problem = problem_of(refusal, unpack_game(request.visitor, row).called, unread=400)
    else:
        return SeeOther(f"{reverse('confirmation', args=[row.pk])}#hand-{hand}")
    failed = NotRecorded(problem=problem, typed=read_typed_value(request.POST))
    return _page(request, row, closed, hand, failed=failed)


def record_again(request: SalonRequest, row: GameRow, hand: int, form: TableForm) -> Recorded:
    """Record a second entry of a closed hand. Raises Refusal, StreamMoved, CommandReused, Http404
    for no such hand, PermissionDenied for who entered it first.
    """
    closed = _require_other_scorer(request, row, hand)
    written, agrees = second_entry_of(closed.game, closed.before, closed.hand, form.value)
    return record_attestation(
        row.salon,
        row.pk,
        MakeSecondEntry(hand=hand, entry=encode(written).decode(), agrees=agrees),
        actor=request.visitor.actor,
        command=form.command,
        version=form.version,
        occurred_at=form.occurred_at,
        handed_over=form.handed_over,
    )


def _require_other_scorer(request: SalonRequest, row: GameRow, hand: int) -> FirstEntry:
    request.visitor.demand(Permission.RECORD, table=row.table)
    closed = read_closed_hand(row, hand)
    if closed.actor == request.visitor.actor:
        raise PermissionDenied(_("You entered this hand. Somebody else enters it a second time."))
    return closed


def _conflict_words(row: GameRow, hand: int) -> str:
    """Return the message about the act that came first."""
    if is_entered_twice(row, hand):
        words = _(
            "Hand %(hand)d was entered a second time already, by somebody who was first. "
            "Yours is not needed."
        )
        return words % {"hand": hand}
    return _(
        "Somebody recorded in this game meanwhile. Nothing you typed is lost: hand it in again."
    )


def compare_entries(at: TableGame, number: int, second: JsonObject) -> Comparison:
    """The two entries of a hand by what they come to, and what is written in both and differs."""
    closed = read_closed_hand(at.row, number)
    first = {key: value for key, value in closed.hand.items() if key not in WORDS}
    called = at.called or {
        side: _(name) for side, name in ({**at.game.teams, **at.game.seat_names}).items()
    }
    try:
        outcomes = compare_outcomes(closed.game, closed.before, first, second)
    except Refusal:  # the first was corrected since: only what was written can be compared
        outcomes = Outcomes(first={}, second={}, tricks=())
    mine, theirs = (each.get("result", {}) for each in (outcomes.first, outcomes.second))
    rows = [
        _row(str(OUTCOME[key]), mine.get(key), theirs.get(key), called)
        for key in OUTCOME
        if any(result.get(key) is not None for result in (mine, theirs))
    ]
    rows += [
        _row(_("Trick %(trick)d") % {"trick": trick}, one, other, called)
        for trick, one, other in outcomes.tricks
    ]
    rows += [
        _row(str(KEYS[key]), first[key], second[key], called)
        for key in KEYS
        if key in first and key in second and first[key] != second[key]
        if not ((key in OUTCOME and mine) or (key == "winners" and outcomes.tricks))
    ]
    return Comparison(first=outcomes.first, second=outcomes.second, rows=rows)


def _row(name: str, one: object, other: object, called: Mapping[str, str]) -> Row:
    """Two values side by side: of a mapping or a list part by part, each marked where it
    differs.
    """
    mine, theirs = _parts(one), _parts(other)
    keys = list(dict.fromkeys([*mine, *theirs]))
    if any(isinstance(each, list) for each in (one, other)):
        keys = [key for key in keys if mine.get(key) != theirs.get(key)]
    cells = [
        [
            (
                f"{called.get(key, key)} {_text(part[key], called)}".strip(),
                mine.get(key) != theirs.get(key),
            )
            for key in keys
            if key in part
        ]
        for part in (mine, theirs)
    ]
    return Row(name=name, first=cells[0], second=cells[1], differs=one != other)


def _parts(value: object) -> dict[str, object]:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list):
        return {f"{place}:": part for place, part in enumerate(value, 1)}
    return {} if value is None else {"": value}


def _text(value: object, called: Mapping[str, str]) -> str:
    if isinstance(value, Mapping):
        return " ".join(_text(part, called) for part in value.values())
    if isinstance(value, list):
        return " ".join(_text(part, called) for part in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return number_format.number(value)
    return called.get(str(value), str(value).replace("_", " "))


def _page(
    request: SalonRequest,
    row: GameRow,
    closed: FirstEntry,
    number: int,
    *,
    failed: NotRecorded = NOTHING,
) -> HttpResponse:
    context = {
        "here": "tables",
        "label": row.table,
        "row": row,
        "number": number,
        "table": closed.game.table(closed.before),
        "players": unpack_game(request.visitor, row).players,
        "listed": offer_known_names(request.visitor.salon),
        "command": new_command(),
        "action": reverse("second_entry", args=[row.pk, number]),
        "second": True,
    }
    return render(request, "confirming/second.html", context | failed.context, status=failed.status)
