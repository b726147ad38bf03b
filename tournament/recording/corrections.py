"""Corrections of games: seen before they are done, and recorded through the one door for facts."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from ledger.drafts import StreamMoved
from scoring.commands import EndGame
from scoring.correcting import Corrected, decide_correction
from scoring.corrections import Correction, InsertHand, RemoveHand, adapt_sheet
from scoring.effective_history import Course, Part, hands_of
from scoring.errors import NotationError, RuleViolation
from scoring.game import AnyGame
from tournament.models import Game, Salon
from tournament.recording.door import (
    Outcome,
    Prepare,
    Recorded,
    WriteRequest,
    record_acts,
    record_on,
    reopens,
)
from tournament.recording.left_pots import ChangedGame, pots_moved
from tournament.recording.private_data import PrivateData
from tournament.recording.tables.table_labels import free_labels, is_retired
from tournament.streams.codec import encode
from tournament.streams.folds import Folded, Played, fold_corrected_game, fold_of, read_course

RULE = "Corrections"
type Excused = tuple[tuple[int, tuple[str, ...]], ...]  # as in a `Correction`
SHEETS = ("hand", "inserted")  # corrections that ask for a whole hand, on the game's own sheet
WHATS = (*SHEETS, "removed", "seats", "options", "pot", "reopened")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A game before and after a correction that nobody has done yet, and the codes that each hand
    needs a ruling for.
    """

    game: AnyGame
    before: Folded
    after: Folded
    course_before: Course
    course_after: Course
    excused: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def hands_after(self) -> list[Part]:
        """The hands after the correction in the order played, misdealt and surplus ones too."""
        return hands_of(self.course_after)

    @property
    def reopens(self) -> bool:
        """Whether a game that was over isn't any more."""
        return reopens(self.before, self.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandMove:
    """Closed hand `hand` of a game that was recorded at the wrong table: it belongs to the game of
    the stream `to`, as hand `as_hand` there (0: the last). Hands count with the misdealt ones.
    """

    hand: int
    to: str
    as_hand: int = 0

    def build_removal(self, by: str = "", reason: str = "", excused: Excused = ()) -> Correction:
        """The correction of the game that loses the hand."""
        change = RemoveHand(hand=self.hand)
        return Correction(change=change, by=by, reason=reason, excused=excused, game=self.to)


def record_correction(
    salon: Salon,
    stream: str,
    correction: Correction,
    *,
    actor: str,
    command: str,
    version: int,
    occurred_at: int | None = None,
    ends: bool = False,
) -> Recorded:
    """Correct a game on top of version `version` of its stream, all that follows from it with it,
    or nothing. `ends`: a game that was over and isn't any more is ended as it is then.

    The same command again gives the same answer. Raises Refusal, StreamMoved when the game is at
    another version, CommandReused, LookupError for no such game.
    """
    _check_words(correction)

    def decide(folded: Folded, prepare: Prepare) -> Outcome:
        outcome = _outcome(folded, _read_game_course(salon, stream, folded), prepare(correction))
        # What can't be is refused before it asks.
        pots_moved(salon, stream, folded.state, outcome.after)
        _check_goes_on_somewhere(salon, stream, folded, outcome.after, correction, ends=ends)
        return outcome

    content = encode([stream, type(correction.change).__name__, correction])
    order = WriteRequest(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=content,
        occurred_at=occurred_at,
    )
    return _record(order, version, decide, correction if ends else None)


def _record(
    order: WriteRequest,
    version: int,
    decide: Callable[[Folded, Prepare], Outcome],
    ends: Correction | None,
) -> Recorded:
    """Record a correction; one that `ends` a game which it reopens ends it as it is then."""
    with transaction.atomic():
        recorded = record_on(order, version, decide)
        if ends is None or Game.objects.get(pk=order.stream).finished:
            return recorded
        end = EndGame(kind="called", by=ends.by, reason=ends.reason)
        follows = uuid.uuid5(uuid.UUID(order.command), "end").hex
        return record_acts(
            order.salon,
            order.stream,
            [end],
            actor=order.actor,
            command=follows,
            version=recorded.version,
        )


def _outcome(folded: Folded, played: Played, correction: Correction) -> Outcome:
    """A game after a correction, whose names and words are put aside already. Raises Refusal."""
    game, version = folded.game, folded.version
    done = decide_correction(game, played.course, version, correction)
    times = [None if stated.like is None else played.times[stated.like] for stated in done.facts]
    after = fold_corrected_game(game, done.course, version + len(done.facts))
    return Outcome([stated.fact for stated in done.facts], after, times)


def record_move(
    salon: Salon,
    stream: str,
    move: HandMove,
    told: Correction,
    *,
    excused_there: Excused = (),
    actor: str,
    command: str,
    version: int,
    version_there: int,
    ends: bool = False,
) -> Recorded:
    """Take a hand out of a game and put it into the one that it was played in, both at once or
    neither. `told` is that it is `taken_out`, by whom and why; `ends` as in `record_correction`.

    Raises Refusal, StreamMoved where either game is at another version, CommandReused, LookupError.
    """
    _check_words(told)

    def decide(folded: Folded, prepare: Prepare) -> Outcome:
        there = _game_there(salon, stream, folded, move)
        if there.version != version_there:
            raise StreamMoved(move.to, expected=version_there, actual=there.version)
        played, here = _read_game_course(salon, stream, folded), prepare(told)
        put = _put_there(salon, stream, folded, played, there, move)
        told_there = replace(here, change=put.change, excused=excused_there, game=stream)
        moved = _outcome(there, _read_game_course(salon, move.to, there), told_there)
        beside = ChangedGame(move.to, there, [*moved.events], moved.after, moved.times)
        outcome = _outcome(folded, played, here)
        pots_moved(salon, stream, folded.state, outcome.after)
        _check_goes_on_somewhere(salon, stream, folded, outcome.after, told, ends=ends)
        return outcome._replace(beside=[beside])

    content = encode([stream, type(move).__name__, move, version_there, told, excused_there])
    order = WriteRequest(salon=salon, stream=stream, actor=actor, command=command, content=content)
    return _record(order, version, decide, told if ends else None)


def preview_move(salon: Salon, stream: str, move: HandMove) -> tuple[Preview, Preview]:
    """Both games as they would be: the one that loses the hand and the one that gets it.

    Raises Refusal, LookupError for no such game.
    """
    folded = _read_fold(salon, stream)
    there = _game_there(salon, stream, folded, move)
    put = _put_there(salon, stream, folded, _read_game_course(salon, stream, folded), there, move)
    here = _preview(salon, stream, folded, move.build_removal())
    return here, _preview(salon, move.to, there, put)


def _game_there(salon: Salon, stream: str, folded: Folded, move: HandMove) -> Folded:
    """The game that a hand moves to. Raises RuleViolation where it can't be of that game."""
    there = _read_fold(salon, move.to)
    if move.to == stream or there.kind is not folded.kind:
        raise RuleViolation(
            "game_missing", "choose another game of the same kind", rule=RULE, path="to"
        )
    if there.state.closed is not None:
        raise RuleViolation(
            "game_over", "that game is over; a hand moves to one that goes on", rule=RULE, path="to"
        )
    if there.state.players.keys() != folded.state.players.keys():
        raise RuleViolation(
            "bad_seats",
            "that game has other seats; a hand moves to one with as many players",
            rule=RULE,
            path="to",
        )
    if there.state.rules != folded.state.rules:
        raise RuleViolation(
            "inconsistent",
            "that game has other house rules; record the hand there and take it out here",
            rule=RULE,
            path="to",
        )
    return there


def _put_there(
    salon: Salon, stream: str, folded: Folded, played: Played, there: Folded, move: HandMove
) -> Correction:
    """The correction of the game that gets the hand. Raises Refusal."""
    sheet = adapt_sheet(folded.game, played.course, move.hand, folded.state, there.state)
    course = _read_game_course(salon, move.to, there).course
    closed = [part for part in hands_of(course) if part.opened != _find_open_version(there, course)]
    insert = InsertHand(hand=move.as_hand or len(closed) + 1, sheet=sheet)
    return Correction(change=insert, by="", reason="", game=stream)


def _find_open_version(there: Folded, course: Course) -> int:
    """The stream version at which the open hand of a game begins; 0 where none is open."""
    return hands_of(course)[-1].opened if there.state.hand is not None else 0


def _read_fold(salon: Salon, stream: str) -> Folded:
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no game {stream}")
    return folded


def _read_game_course(salon: Salon, stream: str, folded: Folded) -> Played:
    return read_course(salon.log_id, stream, folded.game, version=folded.version)


def preview_correction(salon: Salon, stream: str, correction: Correction) -> Preview:
    """The game as it would be, with every ruling that the hands after it would need; nothing is
    stored.

    Raises Refusal for what no ruling can excuse, LookupError for no such game.
    """
    folded = _read_fold(salon, stream)
    return _preview(salon, stream, folded, PrivateData(salon).seat(correction))


def _preview(salon: Salon, stream: str, folded: Folded, correction: Correction) -> Preview:
    """The same of a correction that has ids for names."""
    game, version = folded.game, folded.version
    course = _read_game_course(salon, stream, folded).course
    done: Corrected = decide_correction(game, course, version, correction, lenient=True)
    after = fold_corrected_game(game, done.course, version + len(done.facts))
    pots_moved(salon, stream, folded.state, after)  # to be refused here where it would be then
    return Preview(
        game=game,
        before=folded,
        after=after,
        course_before=course,
        course_after=done.course,
        excused=done.excused,
    )


def _check_words(correction: Correction) -> None:
    """Raise NotationError when nobody says who corrects, or why."""
    words: dict[str, str] = {"by": correction.by, "reason": correction.reason}
    for path, text in words.items():
        if not text.strip():
            raise NotationError("a correction says by whom and why", path=path)


def can_go_on(salon: Salon, stream: str, label: str) -> bool:
    """Whether a game can be continued at a table: no other one is played there, and the table is
    in use.
    """
    return not Game.is_open_at(salon, label, but=stream) and not is_retired(salon, label)


def _check_goes_on_somewhere(
    salon: Salon, stream: str, before: Folded, after: Folded, correction: Correction, *, ends: bool
) -> None:
    """Raise NotationError where nobody says what becomes of a game that goes on at no table, or
    says it of one that does not go on again; RuleViolation `table_taken`.
    """
    if not reopens(before, after):
        if ends or correction.table:
            path = "ends" if ends else "table"
            raise NotationError(_("This correction does not reopen the game."), path=path)
        return
    if correction.table and correction.table not in free_labels(salon):
        words = _("Choose a table of the salon at which nobody plays.")
        raise RuleViolation("table_taken", words, path="table")
    if not ends and not can_go_on(salon, stream, after.state.table or ""):
        words = _(
            "This game would no longer be over, and it can't be continued at its table. "
            "Choose what happens to it."
        )
        raise NotationError(words, path="after")
