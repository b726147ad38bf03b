"""The state of a game, folded from its stream; a small memory of folds saves reading a stream again and again."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db import transaction

from ledger.chain import Stored
from ledger.reading import read_stream
from scoring.game import Game
from scoring.games import GAMES
from tournament.shapes import decode

REMEMBERED = 256


class Folded(NamedTuple):
    """A game's state after `version` events of its stream."""

    game: Game
    version: int
    state: Any


class Memory:
    """The last folds, by log and stream. A stored event never changes, so a fold of the first n events stays right for ever."""

    def __init__(self) -> None:
        self._folds: OrderedDict[tuple[int, str], Folded] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, log: int, stream: str) -> Folded | None:
        with self._lock:
            return self._folds.get((log, stream))

    def put(self, log: int, stream: str, folded: Folded) -> None:
        """Remember a fold once the events it was made of are committed: those of an open transaction may never be."""
        transaction.on_commit(lambda: self._put((log, stream), folded))

    def _put(self, key: tuple[int, str], folded: Folded) -> None:
        with self._lock:
            self._folds[key] = folded
            self._folds.move_to_end(key)
            if len(self._folds) > REMEMBERED:
                self._folds.popitem(last=False)


MEMORY = Memory()


def game_of(first: str) -> Game:
    """The game whose stream begins with an event of this type. Raises LookupError for a stream that is no game's."""
    return GAMES[first.partition(".")[0]]


def fold(events: Iterable[Stored], begun: Folded | None = None) -> Folded | None:
    """The state after these events, from the start or from an earlier fold; None when there are none."""
    folded = begun
    for event in events:
        game = game_of(event.type) if folded is None else folded.game
        state = game.evolve(folded and folded.state, decode(event.type, event.schema, event.body))
        folded = Folded(game, event.version, state)
    return folded


def fold_of(log: int, stream: str, *, version: int | None = None) -> Folded | None:
    """The game of a stream as it is now, or a remembered fold at exactly `version`; None when there is no such stream."""
    remembered = MEMORY.get(log, stream)
    if remembered is not None and remembered.version == version:
        return remembered
    folded = fold(read_stream(log, stream, after=remembered.version if remembered else 0), remembered)
    if folded is not None and folded is not remembered:
        MEMORY.put(log, stream, folded)
    return folded
