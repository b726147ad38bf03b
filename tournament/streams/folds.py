"""The state of a game or of another stream, folded from its events; a small memory of folds saves
reading a stream again and again.

A correction edits the course of a game: a fold that meets one reads the whole stream again, and
folds what then stands.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction

from ledger.chain import Stored
from ledger.reading import BareEvent, read_stream
from scoring.attestations import Attestation, is_attestation
from scoring.common_state import GameState
from scoring.confirmation import NOTHING_SAID, Confirmation, cut, evolve_confirmation
from scoring.corrections import write_closed_hands
from scoring.effective_history import (
    Course,
    confirmation_of,
    course_of,
    fold_course,
    hands_of,
    marks_of,
)
from scoring.events import ChipsMoved, EntryRetracted, GameCorrected, PotReturned
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.streams.codec import decode
from tournament.streams.types import STREAM_TYPES, AnyStreamType, StreamState, StreamType

REMEMBERED = 256


class Marks(NamedTuple):
    """The visible traces of corrections: the numbers of hands that were corrected, and the
    hands after the end as records hold them.
    """

    corrected: tuple[int, ...]
    surplus: tuple[JsonObject, ...]


class Folded(NamedTuple):
    """The state of a stream after `version` of its events; `marks` once a game was corrected.

    In the middle of a correction, with so many of its facts still `coming`, the state is the one
    before it.
    """

    kind: AnyGame | AnyStreamType
    version: int
    state: Any  # of the type that its kind folds into
    marks: Marks | None = None
    coming: int = 0
    confirmation: Confirmation = NOTHING_SAID

    @property
    def game(self) -> AnyGame:
        """The game. Raises LookupError for a stream that is no game's."""
        return as_game(self.kind)


class Played(NamedTuple):
    """A whole stream read again: the course of its game, and when each fact occurred by its
    version.
    """

    course: Course
    times: dict[int, int]


class Memory:
    """The last folds, by log and stream. A stored event never changes, so a fold of the first n
    events stays right for ever.
    """

    def __init__(self) -> None:
        self._folds: OrderedDict[tuple[int, str], Folded] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, log: int, stream: str) -> Folded | None:
        with self._lock:
            return self._folds.get((log, stream))

    def forget(self, log: int) -> None:
        """Forget every fold of a log: it isn't the one that they were made of."""
        with self._lock:
            for key in [key for key in self._folds if key[0] == log]:
                del self._folds[key]

    def put(self, log: int, stream: str, folded: Folded) -> None:
        """Remember a fold once the events it was made of are committed: those of an open
        transaction may never be.
        """
        transaction.on_commit(lambda: self._remember((log, stream), folded))

    def _remember(self, key: tuple[int, str], folded: Folded) -> None:
        with self._lock:
            self._folds[key] = folded
            self._folds.move_to_end(key)
            if len(self._folds) > REMEMBERED:
                self._folds.popitem(last=False)


MEMORY = Memory()


def kind_of(first: str) -> AnyGame | AnyStreamType:
    """The game or stream type of a stream that begins with an event of this type. Raises
    LookupError if nothing here begins like that.
    """
    family = first.partition(".")[0]
    return GAMES.get(family) or STREAM_TYPES[family]


def as_game(kind: AnyGame | AnyStreamType) -> AnyGame:
    """The game itself. Raises LookupError for what is none."""
    if isinstance(kind, StreamType):
        raise LookupError(f"a {kind.name} is no game")
    return kind


def fold(events: Iterable[Stored | BareEvent], begun: Folded | None = None) -> Folded | None:
    """The state after these stored events, from the start or from an earlier fold; None when there
    are none.
    """
    folded, coming = begun, iter(events)
    for event in coming:
        fact = decode(event.type, event.schema, event.body)
        if _changes_the_course(folded, fact):
            return _fold_again(folded, event, coming)
        folded = _fold_event(folded, event, fact)
    return folded


def fold_on(folded: Folded | None, event: Stored | BareEvent, fact: object) -> Folded:
    """The fold after one more event, which holds this fact."""
    if folded is not None and isinstance(fact, GameCorrected):
        return folded._replace(version=event.version, coming=fact.facts)
    if folded is not None and folded.coming > 1:
        return folded._replace(version=event.version, coming=folded.coming - 1)
    if folded is not None and (folded.coming or _changes_the_course(folded, fact)):
        return _fold_again(folded, event, iter(()))
    return _fold_event(folded, event, fact)


def read_course(log: int, stream: str, game: AnyGame, *, version: int) -> Played:
    """The course of a game after `version` events of its stream."""
    events = list(islice(read_stream(log, stream), version))
    course = course_of(
        game, ((event.version, decode(event.type, event.schema, event.body)) for event in events)
    )
    return Played(course, {event.version: event.occurred_at for event in events})


def fold_corrected_game(game: AnyGame, course: Course, version: int) -> Folded:
    """The fold of a game that was corrected, whose stream is at `version`."""
    hands = zip(hands_of(course), write_closed_hands(game, course), strict=False)
    surplus = tuple(hand for part, hand in hands if part.surplus)
    state = fold_course(game, course, version)
    confirmation = confirmation_of(course, closed=state.closed is not None)
    return Folded(game, version, state, Marks(marks_of(course), surplus), confirmation=confirmation)


def add_attestation(folded: Folded, fact: Attestation) -> Folded:
    """The fold after something was said about closed hands: the game's state is what it was, one
    event later.
    """
    version = folded.version + 1
    return folded._replace(
        version=version,
        state=folded.state._replace(version=version),
        confirmation=evolve_confirmation(folded.confirmation, fact),
    )


def advance_fold(folded: Folded, state: StreamState) -> Folded:
    """The fold after facts of the game itself, which came to this state: what isn't closed isn't
    confirmed, and no game that goes on final.

    One that is over and whose pot another game takes stays final.
    """
    if folded.confirmation is NOTHING_SAID:
        # Nearly every fact of a log comes by: `_replace` takes four times as long.
        return Folded(folded.kind, state.version, state, folded.marks, folded.coming)
    after = folded._replace(version=state.version, state=state)
    played: GameState = after.state  # only of games was anything said
    confirmation = cut(folded.confirmation, played.played)._replace(
        final=folded.confirmation.final and played.closed is not None
    )
    return after._replace(confirmation=confirmation)


def _changes_the_course(folded: Folded | None, fact: object) -> bool:
    """Whether the state after this fact isn't folded from the state before it: a correction, or an
    undo or a pot given back after one.
    """
    taken_back = isinstance(fact, EntryRetracted | PotReturned)
    return isinstance(fact, GameCorrected) or (
        taken_back and folded is not None and folded.marks is not None
    )


def _fold_event(folded: Folded | None, event: Stored | BareEvent, fact: object) -> Folded:
    if folded is None:
        kind = kind_of(event.type)
        return Folded(kind, event.version, kind.evolve(None, fact))
    if folded.marks is not None and isinstance(fact, ChipsMoved) and fact.reverses is not None:
        # Gone with the undo.
        return folded._replace(
            version=event.version, state=folded.state._replace(version=event.version)
        )
    if is_attestation(fact):
        return add_attestation(folded, fact)
    return advance_fold(folded, folded.kind.evolve(folded.state, fact))


def _fold_again(
    folded: Folded | None, event: Stored | BareEvent, coming: Iterator[Stored | BareEvent]
) -> Folded:
    """The fold after the last of these events, read again from the first of the stream: a
    correction is seen as a whole.
    """
    assert folded is not None
    game = folded.game
    version = max((each.version for each in coming), default=event.version)
    return fold_corrected_game(
        game, read_course(event.log, event.stream, game, version=version).course, version
    )


def fold_of(log: int, stream: str, *, version: int | None = None) -> Folded | None:
    """The state of a stream as it is now, or a remembered fold at exactly `version`; None when
    there is no such stream.
    """
    remembered = MEMORY.get(log, stream)
    if remembered is not None and remembered.version == version:
        return remembered
    coming = read_stream(log, stream, after=remembered.version - 1 if remembered else 0)
    if remembered is not None and next(coming, None) is None:
        # It ends before what was folded: an older copy was put in the database's place.
        MEMORY.forget(log)
        remembered, coming = None, read_stream(log, stream)
    folded = fold(coming, remembered)
    if folded is not None and folded is not remembered:
        MEMORY.put(log, stream, folded)
    return folded


def require_fold(log: int, stream: str, *, version: int | None = None) -> Folded:
    """The same of a stream that there is."""
    folded = fold_of(log, stream, version=version)
    assert folded is not None
    return folded


def fold_at(log: int, stream: str, version: int) -> Folded | None:
    """The state of a stream after exactly `version` of its events, at the end of a command; None
    when it never had so many.
    """
    folded = fold_of(log, stream, version=version)
    if folded is None or folded.version == version:
        return folded
    return fold(islice(read_stream(log, stream), version)) if folded.version > version else None
