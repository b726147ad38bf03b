"""A closed hand entered a second time by somebody else, without seeing the first entry: equal ones confirm it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from ledger.models import Event
from scoring.confirmation import UNSAID, MakeSecondEntry
from scoring.course import closed_places, fold_course
from scoring.errors import Refusal, RuleViolation
from scoring.events import HandClosed
from scoring.game import Game
from scoring.second_entry import WORDS, second_entry_of
from tournament.access import Act, SalonRequest, game_or_404, needs
from tournament.attesting import record_attestation
from tournament.folds import fold_of, played_in
from tournament.models import Game as GameRow
from tournament.pages.form_values import new_command, plain_value, problem_of, sent
from tournament.pages.not_recorded import NOTHING, NotRecorded
from tournament.pages.pad import SeeOther
from tournament.pages.players import known_names
from tournament.pages.table_game import shown
from tournament.shapes import encode

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


class Closed(NamedTuple):
    """A closed hand as it stands: the game before it, the hand as a record holds it, and who closed it."""

    game: Game
    before: Any
    hand: dict[str, Any]
    actor: str


@never_cache
@require_http_methods(["GET", "POST"])
@needs(Act.CONFIRM)
def second_entry(request: SalonRequest, game: str, hand: int) -> HttpResponse:
    """The sheet of a hand without anything of its first entry; what is sent is compared, and moves nothing."""
    row = game_or_404(request.visitor, game)
    request.visitor.demand(Act.RECORD, table=row.table)
    closed = closed_hand(row, hand)
    if closed.actor == request.visitor.actor:
        raise PermissionDenied(_("You entered this hand. Somebody else enters it a second time."))
    if request.method == "GET":
        return _page(request, row, closed, hand)
    try:
        form = sent(request.POST)
        written, agrees = second_entry_of(closed.game, closed.before, closed.hand, form.value)
        said = MakeSecondEntry(hand=hand, entry=encode(written).decode(), agrees=agrees)
        record_attestation(row.salon, row.pk, said, actor=request.visitor.actor, command=form.command, version=form.version)
    except (StreamMoved, CommandReused):
        return redirect("confirmation", game=row.pk)
    except Refusal as refusal:
        status = 422 if isinstance(refusal, RuleViolation) else 400
        return _page(request, row, closed, hand, failed=NotRecorded(status=status, problem=problem_of(refusal), typed=_typed(request)))
    return SeeOther(reverse("confirmation", args=[row.pk]))


def side_by_side(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[tuple[str, str, str, bool]]:
    """Two entries of a hand, key by key, as texts: (name, first, second, whether they differ)."""
    found = []
    for key in (key for key in KEYS if key in first or key in second):
        one, other = first.get(key), second.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            other = {each: other[each] for each in (*one, *other) if each in other}  # in the order of the first
        found.append((str(KEYS[key]), _text(one), _text(other), key in first and key in second and one != other))
    return found


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(part)}" for key, part in value.items())
    if isinstance(value, list):
        return "; ".join(" ".join(map(str, part)) if isinstance(part, list) else _text(part) for part in value)
    return str(value)


def closed_hand(row: GameRow, number: int) -> Closed:
    """The closed hand of this number, unless it was disputed, ruled or entered twice already. Raises Http404 for no such hand."""
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    game, course = folded.game, played_in(row.salon.log_id, row.pk, folded.game, version=folded.version).course
    places = closed_places(course)
    if not 1 <= number <= len(places) or folded.confirmation.hands.get(number, UNSAID).second is not None:
        raise Http404
    place = places[number - 1]
    part = course[place]
    version = next(at for at, fact in part.facts if isinstance(fact, HandClosed))
    return Closed(
        game=game,
        before=fold_course(game, course[:place], part.opened - 1),
        hand=game.write_hands(fold_course(game, course[: place + 1], version))[-1],
        actor=Event.objects.get(stream=row.pk, version=version).actor,
    )


def _page(request: SalonRequest, row: GameRow, closed: Closed, number: int, *, failed: NotRecorded = NOTHING) -> HttpResponse:
    context = {
        "here": "tables",
        "label": row.table,
        "row": row,
        "number": number,
        "table": closed.game.table(closed.before),
        "players": shown(request.visitor, row).players,
        "listed": known_names(request.visitor.salon),
        "command": new_command(),
        "preview": None,
    }
    return render(request, "confirming/second.html", context | failed.context, status=failed.status)


def _typed(request: SalonRequest) -> dict[str, Any]:
    try:
        return plain_value(request.POST)
    except Refusal:
        return {}


def first_entry(row: GameRow, number: int) -> dict[str, Any]:
    """A closed hand as it stands, as records hold it, without words. Raises LookupError for no such hand."""
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    hands = [hand for hand in folded.game.write_hands(folded.state) if not hand.get("misdeal")]
    return {key: value for key, value in hands[number - 1].items() if key not in WORDS}
