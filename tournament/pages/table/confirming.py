"""Confirming a game: each player says whether its hands are recorded right, the director rules
where two disagree.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from ledger.drafts import CommandReused
from ledger.models import Event
from scoring.confirmation import (
    DIRECTOR,
    DISPUTED,
    RULED,
    Command,
    ConfirmHands,
    DisputeHand,
    FinaliseGame,
    RuleDispute,
    side_of,
)
from scoring.shape import a_number, a_text
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.confirmers import WrongPin, speaker_for
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Permission
from tournament.models import Game as GameRow
from tournament.models import Hand
from tournament.pages.common.form_values import (
    NOT_RECORDED,
    Problem,
    TableForm,
    new_command,
    read_typed_value,
    status_of,
    table_form,
    why_not,
)
from tournament.pages.table.command_answers import says_its_command
from tournament.pages.table.pad import SeeOther, address, keep_query, pad_page
from tournament.pages.table.refused_act import NotRecorded
from tournament.pages.table.second_entry import compare_entries
from tournament.queries.closed_hands import list_hands_as_recorded
from tournament.queries.confirmation_rows import Confirmed, HandConfirmation, confirmed
from tournament.queries.first_entry import hands_closed_by
from tournament.queries.table import TableGame, game_at, unpack_game
from tournament.recording.calls import open_call
from tournament.recording.confirmations import record_attestation
from tournament.recording.door import Recorded
from tournament.recording.rulings import in_words, name_of
from tournament.salons.public_names import Audience
from tournament.streams.correction_period import hours_by, periods_of

CONFIRMATIONS, DISPUTES = "confirmations", "disputes"
DISPUTE_RULINGS, FINALS = "dispute-rulings", "finals"


@never_cache
@require_GET
@requires(Permission.SEE_SALON)
def confirmation(request: SalonRequest, game: str) -> HttpResponse:
    """The confirmations of a game: the state of each hand, and the visitor's possible
    answers.
    """
    row = game_or_404(request.visitor, game)
    return _page(request, row)


@never_cache
@require_POST
@requires(Permission.CONFIRM)
@says_its_command
def attestations(request: SalonRequest, game: str, collection: str) -> HttpResponse:
    """Record one word about the hands of a game; what was refused is said with all that was
    typed.
    """
    row = game_or_404(request.visitor, game)
    if collection not in (CONFIRMATIONS, DISPUTES, DISPUTE_RULINGS, FINALS):
        raise Http404
    try:
        form = table_form(request.POST)
        record_word(request, row, collection, form)
    except WrongPin as wrong:
        return _refusal_page(request, row, Problem(message=str(wrong), field="pin"))
    except NOT_RECORDED as failure:
        words = _("Somebody recorded meanwhile. Look at it again.")
        return _refusal_page(request, row, why_not(failure, words, unread=400))
    at = _pad_behind(request, row)
    if at is None:
        if words := _describe_outcome(collection, form.value):
            messages.success(request, words)
        return SeeOther(reverse("confirmation", args=[row.pk]))
    if "HX-Request" in request.headers:
        return pad_page(request, row.table, at, cards=[])
    return SeeOther(address(row.table, keep_query(request.GET)))


def _describe_outcome(collection: str, value: Mapping[str, object]) -> str:
    """Return the acknowledgement for an answer about a hand; "" if it was about all hands."""
    if "number" not in value:
        return ""
    words = {
        CONFIRMATIONS: _("Hand %(number)s confirmed"),
        DISPUTES: _("Sent: the scorer and the director now see that hand %(number)s is disputed"),
        DISPUTE_RULINGS: _("Ruled: hand %(number)s counts as recorded"),
    }
    return words.get(collection, "") % {"number": value["number"]}


def record_word(request: SalonRequest, row: GameRow, collection: str, form: TableForm) -> Recorded:
    """Record what a form says about hands of a game. Raises Refusal, StreamMoved, CommandReused,
    WrongPin, PermissionDenied.
    """
    said, actor = _command(request, row, collection, form.value)
    try:
        return record_attestation(
            row.salon,
            row.pk,
            said,
            actor=actor,
            command=form.command,
            version=form.version,
            occurred_at=form.occurred_at,
            handed_over=form.handed_over,
        )
    except CommandReused:
        version = _of_all(row, said, form, actor)
        if version is None:
            raise
        return Recorded(game=row.pk, version=version, repeated=True)


def _of_all(row: GameRow, said: Command, form: TableForm, actor: str) -> int | None:
    """The version after this command, where the same phone said of all hands that waited that they
    are right: by now none waits, so the same words mean others.
    """
    if not isinstance(said, ConfirmHands) or "number" in form.value:
        return None
    written = Event.objects.filter(stream=row.pk, command=form.command, version__gt=form.version)
    if written.exclude(actor=actor).exists():
        return None
    return written.order_by("-version").values_list("version", flat=True).first()


def _refusal_page(request: SalonRequest, row: GameRow, problem: Problem) -> HttpResponse:
    """Return the page that an answer was sent from, with the reason it was not taken."""
    if problem.status == 409:
        row.refresh_from_db()
    at = _pad_behind(request, row)
    if at is None:
        return _page(request, row, problem)
    failed = NotRecorded(problem=problem, typed=read_typed_value(request.POST))
    return pad_page(request, row.table, at, cards=[], failed=failed)


def _pad_behind(request: SalonRequest, row: GameRow) -> TableGame | None:
    """The table as it is now, where a word was said on its pad and the game is still the one that
    stands there.
    """
    if (
        request.POST.get("back") != "pad"
        or not row.table
        or not request.visitor.may(Permission.RECORD, table=row.table)
    ):
        return None
    at = game_at(request.visitor, row.table, game=row.pk)
    return at if at is not None and at.row.pk == row.pk else None


def _command(
    request: SalonRequest, row: GameRow, collection: str, value: Mapping[str, object]
) -> tuple[Command, str]:
    """Return the command and its actor. Raises NotationError, WrongPin, PermissionDenied."""
    visitor = request.visitor
    if collection in (DISPUTE_RULINGS, FINALS):
        visitor.demand(Permission.RULE)
        by = name_of(visitor)
        if collection == FINALS:
            return FinaliseGame(by=by, reason=_reason(value)), visitor.actor
        reason = _reason(value)
        return RuleDispute(hand=_number(value), by=by, reason=reason), visitor.actor
    speaker = speaker_for(visitor, row, value, address=caller_of(request))
    if collection == DISPUTES:
        if speaker.seat == DIRECTOR:
            raise PermissionDenied(_("Only a player of the game can dispute a hand."))
        number, reason = _number(value), _reason(value)
        return DisputeHand(hand=number, seat=speaker.seat, reason=reason), speaker.actor
    hands = _hands(request, row, value, speaker.seat)
    said = ConfirmHands(
        hands=hands, seat=speaker.seat, how=speaker.how, pin=speaker.pin, link=speaker.link
    )
    return said, speaker.actor


def _reason(value: Mapping[str, object]) -> str:
    return a_text(value.get("reason", ""), "reason", shortest=1)


def _number(value: Mapping[str, object]) -> int:
    return a_number(value.get("number"), "number", least=1)


def _hands(
    request: SalonRequest, row: GameRow, value: Mapping[str, object], seat: str
) -> tuple[int, ...]:
    """The hand that is meant, or all that wait for this seat's side."""
    if "number" in value:
        return (_number(value),)
    at = unpack_game(request.visitor, row)
    return tuple(
        hand.number for hand in confirmed(at).list_hands_waiting_for(side_of(at.game, seat))
    )


def _page(request: SalonRequest, row: GameRow, problem: Problem | None = None) -> HttpResponse:
    at = unpack_game(request.visitor, row)
    visitor, found = request.visitor, confirmed(at)
    results = _results(request, row)
    mine = visitor.seat_in(row)
    asked = _hand_to_confirm(at, found, mine)
    may_call = bool(row.table) and visitor.may(Permission.CALL, table=row.table)
    may_record = visitor.may(Permission.RECORD, table=row.table)
    by_pin = may_record and len(at.players) > 1 and not mine
    context = {
        "here": "tables",
        "row": row,
        "at": at,
        "table": at.table,
        "players": at.players,
        "confirmed": found,
        "hands": [(each, results.get(each.number)) for each in reversed(found.hands)],
        "mine": mine,
        "to_confirm": asked,
        "its_result": results.get(asked.number) if asked else None,
        "by_pin": by_pin,
        "disputable": _disputable(found, asked, by_pin=by_pin, mine=mine),
        "may_rule": visitor.may(Permission.RULE),
        "in_order": _in_order(row, found) if visitor.may(Permission.CORRECT) else {},
        "may_record": may_record,
        "confirms_alone": not may_record,
        "own": hands_closed_by(row, visitor.actor) if may_record and found.waiting else (),
        "may_call": may_call,
        "call": open_call(visitor.salon, row.table) if may_call else None,
        "alone": len(at.players) == 1,
        "correction_hours": hours_by(periods_of(row.salon.log), row.position),
        "differing": _compare_differing_entries(at, found),
        "command": new_command(),
        "typed": read_typed_value(request.POST),
        "problem": problem,
    }
    return render(request, "confirming/game.html", context, status=status_of(problem))


def _in_order(row: GameRow, found: Confirmed) -> dict[int, int]:
    """For each disputed hand its place among all that were dealt, by which a correction
    names it.
    """
    if not any(each.state == DISPUTED for each in found.hands):
        return {}
    return {
        each.number: each.hand
        for each in list_hands_as_recorded(row, Audience.SALON)
        if not each.surplus
    }


def _compare_differing_entries(at: TableGame, found: Confirmed) -> dict[int, object]:
    """Compare the two entries of each hand that differ."""
    twice = [
        (hand.number, hand.second["entry"])
        for hand in found.hands
        if hand.second and not hand.second["agrees"]
    ]
    return {number: compare_entries(at, number, second) for number, second in twice}


def _hand_to_confirm(at: TableGame, found: Confirmed, seat: str) -> HandConfirmation | None:
    """The first hand that waits for this seat's side; None where none does."""
    if not seat or found.final:
        return None
    return next(iter(found.list_hands_waiting_for(side_of(at.game, seat))), None)


def _disputable(found: Confirmed, asked: object, *, by_pin: bool, mine: str) -> set[int]:
    """The hands that may be said to be wrong in the list: by PIN each, by a seat's own link all but
    the one it is asked about.
    """
    open_to = [each for each in found.hands if by_pin or (mine and each != asked)]
    return {each.number for each in open_to if each.state not in (DISPUTED, RULED)}


def _results(request: SalonRequest, row: GameRow) -> dict[int, dict[str, object]]:
    hands = Hand.objects.filter(game=row).order_by("number").values_list("number", "result")
    read: Sequence[Any]
    (read,) = in_words(request.visitor.salon, [result for _number, result in hands])
    return {number: result for (number, _result), result in zip(hands, read, strict=True)}
