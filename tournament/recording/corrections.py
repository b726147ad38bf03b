"""Corrections of games: seen before they are done, and recorded through the one door for facts."""

from dataclasses import dataclass

from scoring.correcting import Corrected, decide_correction
from scoring.corrections import Correction
from scoring.course import Course, Part, hands_of
from scoring.errors import NotationError
from scoring.game import AnyGame
from tournament.models import Salon
from tournament.recording.door import Order, Outcome, Prepare, Recorded, record_on
from tournament.recording.left_pots import pots_moved
from tournament.recording.private_data import PrivateData
from tournament.streams.codec import encode
from tournament.streams.folds import Folded, fold_of, folded_course, played_in

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


def record_correction(
    salon: Salon,
    stream: str,
    correction: Correction,
    *,
    actor: str,
    command: str,
    version: int,
    occurred_at: int | None = None,
) -> Recorded:
    """Correct a game on top of version `version` of its stream, all that follows from it with it,
    or nothing.

    The same command again gives the same answer. Raises Refusal, StreamMoved when the game is at
    another version, CommandReused, LookupError for no such game.
    """
    _check_words(correction)

    def decide(folded: Folded, prepare: Prepare) -> Outcome:
        game, played = folded.game, played_in(salon.log_id, stream, folded.game, version=version)
        done = decide_correction(game, played.course, version, prepare(correction))
        times = [
            None if stated.like is None else played.times[stated.like] for stated in done.facts
        ]
        after = folded_course(game, done.course, version + len(done.facts))
        return Outcome([stated.fact for stated in done.facts], after, times)

    content = encode([stream, type(correction.change).__name__, correction])
    order = Order(
        salon=salon,
        stream=stream,
        actor=actor,
        command=command,
        content=content,
        occurred_at=occurred_at,
    )
    return record_on(order, version, decide)


def preview_correction(salon: Salon, stream: str, correction: Correction) -> Preview:
    """The game as it would be, with every ruling that the hands after it would need; nothing is
    stored.

    Raises Refusal for what no ruling can excuse, LookupError for no such game.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no game {stream}")
    game, version = folded.game, folded.version
    course = played_in(salon.log_id, stream, game, version=version).course
    done: Corrected = decide_correction(
        game, course, version, PrivateData(salon).seat(correction), lenient=True
    )
    after = folded_course(game, done.course, version + len(done.facts))
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
