"""Whole hands of a game: their results, one recorded from a sheet, what it would come to, and a
second entry by somebody else.
"""

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.request import Request

from scoring.confirmation import MakeSecondEntry
from scoring.second_entry import second_entry_of
from scoring.shape import JsonObject
from scoring.sheets import HandSheet
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.api.acts import require_object, sign_rulings, state_with
from tournament.api.http.responses import Answer, Done, answer_to_recording, make_versioned_answer
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import Game, Hand
from tournament.queries.first_entry import read_closed_hand
from tournament.queries.players import with_known_names
from tournament.queries.round_over import check_round_goes_on
from tournament.queries.table import unpack_game
from tournament.recording import door
from tournament.recording.confirmations import record_attestation
from tournament.recording.duplicate_deals import check_no_stock_due
from tournament.recording.rulings import in_words
from tournament.streams.codec import encode

SHEET = """A hand as a record of the form salon-record/1 holds it. Precedence: `dealer`, `trump`,
`melds`, `bids`, and `plays`, `winners` or `tricks`; the other games have their own keys."""


class HandResult(Struct, frozen=True, kw_only=True):
    """A closed hand: its result as `manage.py score` prints it, and why it is so."""

    number: int
    result: JsonObject
    why: JsonObject


class Preview(Struct, frozen=True, kw_only=True):
    """What a hand would come to: its result (null for a misdeal), and the table after it."""

    version: int
    hand: JsonObject | None
    state: JsonObject


class HandViewSet(ApiViewSet):
    """Whole hands of a game."""

    act = Permission.RECORD
    without_key = ("preview_hand",)

    @document_action(Permission.SEE_SALON)
    def list_hands(self, request: Request, game: str) -> Answer[list[HandResult]]:
        """The closed hands of a game with their results, in order."""
        row = game_or_404(self.visitor, game)
        results = Hand.objects.filter(game=row).order_by("number").values_list("number", "result")
        (read,) = in_words(row.salon, [result for _number, result in results])
        found = [
            HandResult(number=number, result=each["result"], why=each["why"])
            for (number, _result), each in zip(results, read, strict=True)
        ]
        return make_versioned_answer(found, row.version)

    @document_action(body=SHEET, version=True)
    def record_hand(self, request: Request, game: str) -> Answer[Done]:
        """Record a whole hand: the same events that its acts would give one by one."""
        row = _get_recordable_game(self, game)
        check_round_goes_on(self.visitor, row)
        check_no_stock_due(row)
        done = door.record_sheet(
            row.salon,
            row.pk,
            _sheet(self.visitor, row, request.data, self.version),
            **self.by,
            version=self.version,
            seat=self.visitor.seat_in(row),
        )
        return answer_to_recording(done)

    @document_action(body=SHEET)
    def preview_hand(self, request: Request, game: str) -> Preview:
        """What a whole hand would come to by the rules that will score it; nothing is recorded."""
        row = _get_recordable_game(self, game)
        closed = unpack_game(self.visitor, row).table["hands"]
        folded = door.preview_sheet(
            row.salon, row.pk, _sheet(self.visitor, row, request.data, row.version)
        )
        hands = folded.game.hand_results(folded.state, closed)
        return Preview(
            version=row.version,
            hand=hands[0] if hands else None,
            state=folded.game.table(folded.state),
        )

    @document_action(Permission.CONFIRM, body=SHEET, version=True)
    def enter_hand_again(self, request: Request, game: str, hand: int) -> Answer[Done]:
        """Enter a closed hand a second time without having seen the first entry: equal ones confirm
        it, others dispute it.
        """
        row = _get_recordable_game(self, game)
        closed = read_closed_hand(row, hand)
        if closed.actor == self.visitor.actor:
            raise PermissionDenied(
                _("You entered this hand. Somebody else enters it a second time.")
            )
        written, agrees = second_entry_of(
            closed.game, closed.before, closed.hand, require_object(request.data)
        )
        said = MakeSecondEntry(hand=hand, entry=encode(written).decode(), agrees=agrees)
        return answer_to_recording(
            record_attestation(row.salon, row.pk, said, **self.by, version=self.version)
        )


def _get_recordable_game(view: ApiViewSet, game: str) -> Game:
    """Return the game, if this visitor records at its table."""
    row = game_or_404(view.visitor, game)
    view.visitor.demand(Permission.RECORD, table=row.table)
    return row


def _sheet(visitor: Visitor, row: Game, sent: object, version: int) -> HandSheet:
    at, value = unpack_game(visitor, row), sign_rulings(visitor, require_object(sent))
    sheet: HandSheet = at.game.read_sheet(
        with_known_names(value, row.salon), state_with(row.salon, row, version).rules
    )
    return sheet
