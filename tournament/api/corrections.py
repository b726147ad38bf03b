"""Corrections of a game: its hands as they are recorded, what a correction would change, and the
correction itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace as replace_fact

from msgspec import Struct
from msgspec.structs import replace
from rest_framework.request import Request

from scoring import corrections
from scoring.errors import NotationError
from scoring.game import AnyGame
from scoring.left_pots import read_opening_pot
from scoring.shape import LONGEST, JsonObject, a_text, one_of
from scoring.sheets import HandSheet
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.api.acts import state_with
from tournament.api.http.responses import Answer, Done, answer_to_recording, make_versioned_answer
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import Game
from tournament.queries.closed_hands import RecordedHand, list_hands_as_recorded
from tournament.queries.outdated_draws import CountsIn, in_tournaments
from tournament.queries.players import with_known_names
from tournament.queries.table import unpack_game
from tournament.recording.corrections import (
    WHATS,
    HandMove,
    Preview,
    can_go_on,
    preview_correction,
    preview_move,
    record_correction,
    record_move,
)
from tournament.recording.corrections import Excused as ExcusedCodes
from tournament.recording.door import Recorded
from tournament.recording.rulings import name_of

MOVED = "moved"  # a hand, to another game


class Excused(Struct, frozen=True, kw_only=True):
    """The refusals that a ruling `accept_hand` excuses in a hand after the correction."""

    hand: int
    codes: list[str]


class NewCorrection(Struct, frozen=True, kw_only=True):
    """A correction: `what` is hand, inserted, removed, moved, seats, options, pot or reopened.

    `hand` says which hand and `sheet` what it should be (hand, inserted), `first` and `last` with
    `players` who sat where (seats), `options` the right house rules (options), `opening_pot` what
    an earlier game left for it, null for an empty pot (pot). A hand that was recorded at the wrong
    table moves `to` the game in which it was played, as hand `as_hand` there, 0 for the last
    (moved). `excused` are the rulings that the preview asked for, `excused_there` those of the
    other game, whose version `version_there` is if it must be that. A game that was over and goes
    on again while another one is played at its table goes on at the free `table`, or `ends` as it
    is then.
    """

    what: str
    reason: str = ""
    hand: int = 0
    sheet: JsonObject = {}
    first: int = 0
    last: int = 0
    players: dict[str, str] = {}
    options: JsonObject = {}
    opening_pot: JsonObject | None = None
    to: str = ""
    as_hand: int = 0
    version_there: int | None = None
    excused: list[Excused] = []
    table: str = ""
    ends: bool = False
    excused_there: list[Excused] = []


class Changed(Struct, frozen=True, kw_only=True):
    """The table before and after a correction that nobody has done yet, the rulings it takes, and
    how many hands come after the end.

    `reopens`: the game was over and goes on again, `taken`: not at its own table. `tournaments` are
    those in which the game counts. Of a hand that moves, `there` is the same of the game that gets
    it.
    """

    version: int
    before: JsonObject
    after: JsonObject
    hands_before: list[JsonObject]
    hands_after: list[JsonObject]
    excused: list[Excused]
    surplus: list[int]
    reopens: bool
    taken: bool
    tournaments: list[CountsIn]
    there: "Changed | None" = None


class CorrectionViewSet(ApiViewSet):
    """Corrections of a game, seen before they are done."""

    act = Permission.CORRECT
    without_key = ("preview_game_correction",)

    def list_recorded_hands(self, request: Request, game: str) -> Answer[list[RecordedHand]]:
        """The closed hands of a game as they are recorded, in the order played: what a correction
        starts from.
        """
        row = game_or_404(self.visitor, game)
        return make_versioned_answer(
            list_hands_as_recorded(row, self.visitor.audience), row.version
        )

    @document_action(body=NewCorrection)
    def preview_game_correction(self, request: Request, game: str) -> Changed:
        """What a correction would change in the game; nothing is recorded."""
        row, new = game_or_404(self.visitor, game), self.body(NewCorrection)
        if new.what == MOVED:
            there = game_or_404(self.visitor, new.to)
            taken, put = preview_move(row.salon, row.pk, _move(new, there))
            return replace(_describe_changes(row, taken), there=_describe_changes(there, put))
        change = _change(self.visitor, row, new, row.version)
        seen = preview_correction(
            row.salon, row.pk, corrections.Correction(change=change, by="", reason="")
        )
        return _describe_changes(row, seen)

    @document_action(body=NewCorrection, version=True)
    def correct_game(self, request: Request, game: str) -> Answer[Done]:
        """Correct what was recorded, all that follows from it with it; nothing recorded is
        edited.
        """
        row, new = game_or_404(self.visitor, game), self.body(NewCorrection)
        if new.what == MOVED:
            return answer_to_recording(self._move_hand(row, new))
        told = corrections.Correction(
            change=_change(self.visitor, row, new, self.version),
            by=name_of(self.visitor),
            reason=_reason(new),
            excused=_read_excused(new.excused),
            table=_table(new),
        )
        done = record_correction(
            row.salon, row.pk, told, **self.by, version=self.version, ends=new.ends
        )
        return answer_to_recording(done)

    def _move_hand(self, row: Game, new: NewCorrection) -> Recorded:
        there = game_or_404(self.visitor, new.to)
        move = _move(new, there)
        return record_move(
            row.salon,
            row.pk,
            move,
            replace_fact(
                move.build_removal(name_of(self.visitor), _reason(new), _read_excused(new.excused)),
                table=_table(new),
            ),
            excused_there=_read_excused(new.excused_there),
            **self.by,
            version=self.version,
            ends=new.ends,
            version_there=there.version if new.version_there is None else new.version_there,
        )


def _move(new: NewCorrection, there: Game) -> HandMove:
    return HandMove(hand=new.hand, to=there.pk, as_hand=new.as_hand)


def _reason(new: NewCorrection) -> str:
    return a_text(new.reason, "reason", shortest=1, longest=LONGEST)


def _table(new: NewCorrection) -> str | None:
    return a_text(new.table, "table", longest=20) or None


def _read_excused(given: Sequence[Excused]) -> ExcusedCodes:
    return tuple((each.hand, tuple(each.codes)) for each in given)


def _describe_changes(row: Game, seen: Preview) -> Changed:
    """Describe a game before and after a correction that isn't recorded."""
    before, after = seen.before.state, seen.after.state
    return Changed(
        version=row.version,
        before=seen.game.table(before),
        after=seen.game.table(after),
        hands_before=seen.game.hand_results(before, 0),
        hands_after=seen.game.hand_results(after, 0),
        excused=[Excused(hand=hand, codes=list(codes)) for hand, codes in seen.excused],
        surplus=[number for number, part in enumerate(seen.hands_after, 1) if part.surplus],
        reopens=seen.reopens,
        taken=seen.reopens and not can_go_on(row.salon, row.pk, row.table),
        tournaments=in_tournaments(row.pk, seen.game, before, after),
    )


def _change(visitor: Visitor, row: Game, new: NewCorrection, version: int) -> corrections.Change:
    """Raises NotationError for a change that can't be read."""
    game, rules = unpack_game(visitor, row).game, state_with(row.salon, row, version).rules
    match one_of(new.what, (*WHATS, MOVED), "what"):
        case "hand":
            return corrections.CorrectHand(hand=new.hand, sheet=_sheet(game, row, new.sheet, rules))
        case "inserted":
            return corrections.InsertHand(hand=new.hand, sheet=_sheet(game, row, new.sheet, rules))
        case "removed":
            return corrections.RemoveHand(hand=new.hand)
        case "seats":
            seated = with_known_names({"players": new.players}, row.salon)["players"]
            return corrections.CorrectSeats(
                first=new.first, last=new.last, players=tuple(seated.items())
            )
        case "options":
            return corrections.CorrectOptions(rules=game.read_rules(new.options))
        case "pot":
            if new.opening_pot is None:
                return corrections.CorrectOpeningPot(opening_pot=None)
            pot = read_opening_pot(new.opening_pot, game, record=row.record)
            return corrections.CorrectOpeningPot(opening_pot=pot)
        case _:
            return corrections.ReopenGame()


def _sheet(game: AnyGame, row: Game, sheet: Mapping[str, object], rules: object) -> HandSheet:
    try:
        read: HandSheet = game.read_sheet(with_known_names(dict(sheet), row.salon), rules)
    except NotationError as error:
        raise error.under("sheet") from None
    return read
