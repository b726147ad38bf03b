"""Whole hands of a game: their results, one recorded from a sheet, what it would come to, and a
second entry by somebody else.
"""

import json
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from scoring.confirmation import MakeSecondEntry
from scoring.second_entry import second_entry_of
from scoring.shape import JsonObject
from scoring.sheets import HandSheet
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Act
from tournament.api.acts import an_act, signed_by, state_with
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Done, recorded
from tournament.models import Game, Hand
from tournament.queries.first_entry import closed_hand
from tournament.queries.players import with_known_names
from tournament.queries.round_over import check_round_goes_on
from tournament.queries.table import shown
from tournament.recording import door
from tournament.recording.confirmations import record_attestation
from tournament.recording.rulings import in_words
from tournament.streams.codec import encode

SHEET = """A hand as a record of the form salon-record/1 holds it. Precedence: `dealer`, `trump`,
`melds`, `bids`, and `plays`, `winners` or `tricks`; the other games have their own keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """A closed hand: its result as `manage.py score` prints it, and why it is so."""

    number: int
    result: JsonObject
    why: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a hand would come to: its result (null for a misdeal), and the table after it."""

    version: int
    hand: JsonObject | None
    state: JsonObject


@operation(Act.SEE_SALON, answers=list[HandResult])
def list_hands(call: Call, game: str) -> Answer:
    """The closed hands of a game with their results, in order."""
    row = game_or_404(call.visitor, game)
    results = Hand.objects.filter(game=row).order_by("number").values_list("number", "result")
    (read,) = in_words(row.salon, [json.loads(result) for _number, result in results])
    found = [
        HandResult(number=number, result=each["result"], why=each["why"])
        for (number, _text), each in zip(results, read, strict=True)
    ]
    return Answer(value=found, version=row.version)


@operation(Act.RECORD, answers=Done, status=201, body=Any, reads=SHEET, on_version=True)
def record_hand(call: Call, game: str) -> Answer:
    """Record a whole hand: the same events that its acts would give one by one."""
    row = _recorded_here(call, game)
    check_round_goes_on(call.visitor, row)
    done = door.record_sheet(
        row.salon,
        row.pk,
        _sheet(call, row, call.version),
        actor=call.visitor.actor,
        command=call.command,
        version=call.version,
        seat=call.visitor.seat_in(row),
    )
    return recorded(done)


@operation(Act.RECORD, answers=Preview, body=Any, reads=SHEET)
def preview_hand(call: Call, game: str) -> Preview:
    """What a whole hand would come to by the rules that will score it; nothing is recorded."""
    row = _recorded_here(call, game)
    closed = shown(call.visitor, row).table["hands"]
    folded = door.preview_sheet(row.salon, row.pk, _sheet(call, row, row.version))
    hands = folded.game.hand_results(folded.state, closed)
    return Preview(
        version=row.version, hand=hands[0] if hands else None, state=folded.game.table(folded.state)
    )


@operation(Act.CONFIRM, answers=Done, status=201, body=Any, reads=SHEET, on_version=True)
def enter_hand_again(call: Call, game: str, hand: int) -> Answer:
    """Enter a closed hand a second time without having seen the first entry: equal ones confirm it,
    others dispute it.
    """
    row = _recorded_here(call, game)
    closed = closed_hand(row, hand)
    if closed.actor == call.visitor.actor:
        raise PermissionDenied(_("You entered this hand. Somebody else enters it a second time."))
    written, agrees = second_entry_of(closed.game, closed.before, closed.hand, an_act(call.body))
    said = MakeSecondEntry(hand=hand, entry=encode(written).decode(), agrees=agrees)
    return recorded(
        record_attestation(
            row.salon,
            row.pk,
            said,
            actor=call.visitor.actor,
            command=call.command,
            version=call.version,
        )
    )


def _recorded_here(call: Call, game: str) -> Game:
    """The game, if this visitor records at its table."""
    row = game_or_404(call.visitor, game)
    call.visitor.demand(Act.RECORD, table=row.table)
    return row


def _sheet(call: Call, row: Game, version: int) -> HandSheet:
    at, value = shown(call.visitor, row), signed_by(call.visitor, an_act(call.body))
    sheet: HandSheet = at.game.read_sheet(
        with_known_names(value, row.salon), state_with(row.salon, row, version).rules
    )
    return sheet
