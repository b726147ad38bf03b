"""Confirmations of recorded hands: confirmations, disputes, the director's rulings on
them, and the sides that each hand still waits for.
"""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.request import Request

from scoring.confirmation import (
    DIRECTOR,
    Command,
    ConfirmHands,
    DisputeHand,
    FinaliseGame,
    RuleDispute,
    side_of,
)
from scoring.errors import RuleViolation
from scoring.shape import JsonObject, a_number, a_text
from tournament.accounts.access import game_or_404
from tournament.accounts.confirmers import Speaker, WrongPin, speaker_for
from tournament.accounts.login_limits import caller_of
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, read_collection
from tournament.models import Game
from tournament.queries.confirmation_rows import confirmed
from tournament.queries.table import unpack_game
from tournament.recording.confirmations import record_attestation
from tournament.recording.rulings import name_of


class How(Struct, frozen=True, kw_only=True):
    """At whose phone a hand was confirmed: `own_phone`, `table_phone`, `scorer`, `director`,
    `link_made_at_table` at another phone by a link that was made by whoever records at the table,
    "" where nobody wrote it down.

    `pin` is whether the PIN of the seat was given there; without it, it was a tap alone.
    """

    how: str
    pin: bool


class SaidOfHand(Struct, frozen=True, kw_only=True):
    """What was said of one closed hand: `waits_for` are the sides that still have to confirm it,
    `confirmed_how` says how each of `confirmed_by` did."""

    number: int
    state: str
    waits_for: list[str]
    entered_by: str
    confirmed_by: list[str]
    confirmed_how: list[How]
    dispute: JsonObject | None
    second: JsonObject | None
    ruling: JsonObject | None


class Confirmation(Struct, frozen=True, kw_only=True):
    """The state of a game (entered, confirmed, disputed, final) and what was said of each closed
    hand.
    """

    version: int
    state: str
    final: bool
    hands: list[SaidOfHand]


class Said(Struct, frozen=True, kw_only=True):
    """One word about recorded hands: `number` is the hand (none: all that wait for this side),
    `seat` and `pin` say who speaks.

    Without the PIN where the house lets a tap do (`house/`).
    """

    number: int | None = None
    seat: str = ""
    pin: str = ""
    reason: str = ""


class ConfirmationViewSet(ApiViewSet):
    """What people say of recorded hands."""

    act = Permission.SEE_SALON

    def read_confirmation(self, request: Request, game: str) -> Answer[Confirmation]:
        """What every hand of a game waits for, and what was said of it."""
        row = game_or_404(self.visitor, game)
        found = confirmed(unpack_game(self.visitor, row))
        hands = [build_struct(SaidOfHand, hand) for hand in found.hands]
        shape = build_struct(Confirmation, found, version=row.version, hands=hands)
        return make_versioned_answer(shape, row.version)

    @document_action(Permission.CONFIRM, body=Said, version=True)
    def attest(self, request: Request, game: str, collection: str) -> Answer[Done]:
        """Say something about the hands of a game: `confirmations`, `disputes`; the director
        `dispute-rulings` and `finals`.
        """
        row = game_or_404(self.visitor, game)
        meant, actor = read_collection(COLLECTIONS, collection)(self, row, self.body(Said))
        return answer_to_recording(
            record_attestation(
                row.salon, row.pk, meant, actor=actor, command=self.command, version=self.version
            )
        )


def _confirms(view: ApiViewSet, row: Game, said: Said) -> tuple[Command, str]:
    speaker = _speaker(view, row, said)
    hands = _list_waiting(view, row, speaker.seat) if said.number is None else (_hand(said),)
    said_so = ConfirmHands(
        hands=hands, seat=speaker.seat, how=speaker.how, pin=speaker.pin, link=speaker.link
    )
    return said_so, speaker.actor


def _disputes(view: ApiViewSet, row: Game, said: Said) -> tuple[Command, str]:
    speaker = _speaker(view, row, said)
    if speaker.seat == DIRECTOR:
        raise PermissionDenied(_("Only a player of the game can dispute a hand."))
    return DisputeHand(hand=_hand(said), seat=speaker.seat, reason=_reason(said)), speaker.actor


def _rules(view: ApiViewSet, row: Game, said: Said) -> tuple[Command, str]:
    view.visitor.demand(Permission.RULE)
    return RuleDispute(
        hand=_hand(said), by=name_of(view.visitor), reason=_reason(said)
    ), view.visitor.actor


def _finalises(view: ApiViewSet, row: Game, said: Said) -> tuple[Command, str]:
    view.visitor.demand(Permission.RULE)
    return FinaliseGame(by=name_of(view.visitor), reason=_reason(said)), view.visitor.actor


def _speaker(view: ApiViewSet, row: Game, said: Said) -> Speaker:
    given = {"seat": said.seat} | ({"pin": said.pin} if said.pin else {})
    try:
        return speaker_for(view.visitor, row, given, address=caller_of(view.request._request))
    except WrongPin as wrong:
        raise RuleViolation("wrong_pin", str(wrong), path="pin") from None


def _hand(said: Said) -> int:
    return a_number(said.number, "number", least=1)


def _reason(said: Said) -> str:
    return a_text(said.reason, "reason", shortest=1)


def _list_waiting(view: ApiViewSet, row: Game, seat: str) -> tuple[int, ...]:
    """All hands that wait for this seat's side."""
    at = unpack_game(view.visitor, row)
    return tuple(
        hand.number for hand in confirmed(at).list_hands_waiting_for(side_of(at.game, seat))
    )


COLLECTIONS: dict[str, Callable[[ApiViewSet, Game, Said], tuple[Command, str]]] = {
    "confirmations": _confirms,
    "disputes": _disputes,
    "dispute-rulings": _rules,
    "finals": _finalises,
}
