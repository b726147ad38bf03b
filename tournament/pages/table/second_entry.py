"""A closed hand entered a second time by somebody else, without seeing the first entry: equal ones
confirm it.
"""

from collections.abc import Mapping

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
from scoring.second_entry import second_entry_of
from tournament.accounts.access import SalonRequest, game_or_404, needs
from tournament.accounts.permissions import Act
from tournament.models import Game as GameRow
from tournament.pages.common.form_values import (
    NOBODY,
    Problem,
    TableForm,
    new_command,
    problem_of,
    table_form,
    typed_value,
)
from tournament.pages.table.command_answers import says_its_command
from tournament.pages.table.pad import SeeOther
from tournament.pages.table.refused_act import NOTHING, NotRecorded
from tournament.queries.first_entry import FirstEntry, closed_hand, is_entered_twice
from tournament.queries.players import known_names
from tournament.queries.table import unpacked_game
from tournament.recording.confirmations import record_attestation
from tournament.recording.door import Recorded
from tournament.streams.codec import encode

KEYS = {
    "dealer": gettext_lazy("Dealer"),
    "trump": gettext_lazy("Trump"),
    "bids": gettext_lazy("Bids"),
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


@never_cache
@require_http_methods(["GET", "POST"])
@needs(Act.CONFIRM)
@says_its_command
def second_entry(request: SalonRequest, game: str, hand: int) -> HttpResponse:
    """The sheet of a hand without anything of its first entry; what is sent is compared, and moves
    nothing.
    """
    row = game_or_404(request.visitor, game)
    closed = _closed_by_another(request, row, hand)
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
        problem = problem_of(refusal, unpacked_game(request.visitor, row).called, unread=400)
    else:
        return SeeOther(reverse("confirmation", args=[row.pk]))
    failed = NotRecorded(problem=problem, typed=typed_value(request.POST))
    return _page(request, row, closed, hand, failed=failed)


def record_again(request: SalonRequest, row: GameRow, hand: int, form: TableForm) -> Recorded:
    """Record a second entry of a closed hand. Raises Refusal, StreamMoved, CommandReused, Http404
    for no such hand, PermissionDenied for who entered it first.
    """
    closed = _closed_by_another(request, row, hand)
    written, agrees = second_entry_of(closed.game, closed.before, closed.hand, form.value)
    return record_attestation(
        row.salon,
        row.pk,
        MakeSecondEntry(hand=hand, entry=encode(written).decode(), agrees=agrees),
        actor=request.visitor.actor,
        command=form.command,
        version=form.version,
        occurred_at=form.occurred_at,
    )


def _closed_by_another(request: SalonRequest, row: GameRow, hand: int) -> FirstEntry:
    request.visitor.demand(Act.RECORD, table=row.table)
    closed = closed_hand(row, hand)
    if closed.actor == request.visitor.actor:
        raise PermissionDenied(_("You entered this hand. Somebody else enters it a second time."))
    return closed


def _conflict_words(row: GameRow, hand: int) -> str:
    """What somebody else did first."""
    if is_entered_twice(row, hand):
        words = _(
            "Hand %(hand)d was entered a second time already, by somebody who was first. "
            "Yours is not needed."
        )
        return words % {"hand": hand}
    return _(
        "Somebody recorded in this game meanwhile. Nothing you typed is lost: hand it in again."
    )


def side_by_side(
    first: Mapping[str, object], second: Mapping[str, object], called: Mapping[str, str] = NOBODY
) -> list[tuple[str, str, str, bool]]:
    """Two entries of a hand, key by key, as texts: (name, first, second, whether they differ).

    `called` are the players by their seats, where a table doesn't go by its seats.
    """
    found = []
    for key in (key for key in KEYS if key in first or key in second):
        one, other = first.get(key), second.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            # in the order of the first
            other = {each: other[each] for each in (*one, *other) if each in other}
        differ = key in first and key in second and one != other
        found.append((str(KEYS[key]), _text(one, called), _text(other, called), differ))
    return found


def _text(value: object, called: Mapping[str, str]) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        named = [(called.get(key, key), _text(part, called)) for key, part in value.items()]
        return ", ".join(f"{name} {text}" for name, text in named)
    if isinstance(value, list):
        parts = [part if isinstance(part, list) else [part] for part in value]
        return "; ".join(" ".join(_text(each, called) for each in part) for part in parts)
    return called.get(str(value), str(value))


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
        "players": unpacked_game(request.visitor, row).players,
        "listed": known_names(request.visitor.salon),
        "command": new_command(),
        "action": reverse("second_entry", args=[row.pk, number]),
        "second": True,
    }
    return render(request, "confirming/second.html", context | failed.context, status=failed.status)
