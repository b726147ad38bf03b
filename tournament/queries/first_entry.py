"""A closed hand as it was entered first: what a second entry is compared with."""

from typing import Any, NamedTuple

from django.http import Http404

from ledger.models import Event
from scoring.confirmation import UNSAID
from scoring.effective_history import Course, Part, find_closed_places, fold_course
from scoring.events import HandClosed
from scoring.game import AnyGame
from scoring.shape import JsonObject
from tournament.models import Game as GameRow
from tournament.streams.folds import fold_of, read_course


class FirstEntry(NamedTuple):
    """A closed hand as it stands: the game before it, the hand as a record holds it, and who closed
    it.
    """

    game: AnyGame
    before: Any
    hand: JsonObject
    actor: str


def is_entered_twice(row: GameRow, number: int) -> bool:
    """Whether a closed hand has a second entry."""
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    return folded.confirmation.hands.get(number, UNSAID).second is not None


def read_closed_hand(row: GameRow, number: int) -> FirstEntry:
    """The closed hand of this number. Raises Http404 for no such hand."""
    game, course = _course_of(row)
    places = find_closed_places(course)
    if not 1 <= number <= len(places):
        raise Http404
    place = places[number - 1]
    part = course[place]
    version = _find_closing_version(part)
    return FirstEntry(
        game=game,
        before=fold_course(game, course[:place], part.opened - 1),
        hand=game.write_hands(fold_course(game, course[: place + 1], version))[-1],
        actor=Event.objects.get(stream=row.pk, version=version).actor,
    )


def hands_closed_by(row: GameRow, actor: str) -> set[int]:
    """The closed hands, by number, that this actor entered: somebody else may enter them a second
    time.
    """
    own = set(Event.objects.filter(stream=row.pk, actor=actor).values_list("version", flat=True))
    if not own:  # and the whole game need not be read
        return set()
    _, course = _course_of(row)
    closed = [_find_closing_version(course[place]) for place in find_closed_places(course)]
    return {number for number, version in enumerate(closed, 1) if version in own}


def _course_of(row: GameRow) -> tuple[AnyGame, Course]:
    """A game and what was played of it."""
    folded = fold_of(row.salon.log_id, row.pk)
    assert folded is not None
    played = read_course(row.salon.log_id, row.pk, folded.game, version=folded.version)
    return folded.game, played.course


def _find_closing_version(part: Part) -> int:
    """The version at which a hand was closed."""
    return next(at for at, fact in part.facts if isinstance(fact, HandClosed))
