"""A game's events as the acts they were: what happened, the chips it moved, and whether it was taken back later."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.chain import Stored
from ledger.drafts import CHIPS_MOVED
from ledger.reading import read_stream
from scoring.events import EntryRetracted, GameClosed, HandClosed
from scoring.game import Game
from scoring.games import GAMES
from tournament.folds import game_of
from tournament.shapes import decode

HAND_CLOSED = "hand.closed"
GAME_CLOSED = "game.closed"
RETRACTED = "entry.retracted"
MISDEALT = "hand.misdealt"
RULINGS = "ruling."


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event and the game's state before (None: no game yet) and after it; `taken_back` by the entry at that position."""

    stored: Stored
    fact: Any
    game: Game
    before: Any
    after: Any
    taken_back: int | None

    @property
    def name(self) -> str:
        """The event's name as templates know it: `bid_made`, `hand_closed`."""
        return event_name(self.stored.type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An act: its entry, and the entries of the chips that moved with it, in the order stored; `undoes` is the first entry it took back."""

    entry: Entry
    chips: tuple[Entry, ...]
    undoes: Entry | None

    @property
    def first(self) -> Stored:
        """The event stored first."""
        return min((self.entry, *self.chips), key=_version).stored

    @property
    def last(self) -> Stored:
        """The event stored last."""
        return max((self.entry, *self.chips), key=_version).stored

    @property
    def hand(self) -> int:
        """The hand it belongs to, 0 for the start and the end of the game."""
        entry = self.entry
        if entry.before is None or isinstance(entry.fact, GameClosed):
            return 0
        return entry.game.place(entry.after if isinstance(entry.fact, EntryRetracted) else entry.before)["hand"]

    @property
    def before(self) -> dict[str, Any] | None:
        """The table before it."""
        return self.entry.game.table(self.entry.before) if self.entry.before is not None else None

    @property
    def after(self) -> dict[str, Any]:
        """The table after its last entry."""
        return self.entry.game.table(self.state)

    @property
    def state(self) -> Any:
        """The game after its last entry."""
        return max((self.entry, *self.chips), key=_version).after

    @property
    def closed(self) -> dict[str, Any] | None:
        """The result of the hand that it closed, and why it is so."""
        if not isinstance(self.entry.fact, HandClosed):
            return None
        return last_result(self.entry.game, self.entry.after)


def event_name(stored_type: str) -> str:
    """The name of an event without its game: `precedence.bid_made` → `bid_made`, `hand.closed` → `hand_closed`."""
    family, _, name = stored_type.partition(".")
    return name if family in GAMES else f"{family}_{name}"


def last_result(game: Game, state: Any) -> dict[str, Any] | None:
    """The result of the last closed hand with its explanation, None before the first."""
    results = game.hand_results(state, state.played - 1) if state.played else []
    return results[-1] if results else None


def moments_of(log: int, stream: str) -> list[Moment]:
    """Every act of a game in order; empty where there is no such stream."""
    entries = _entries(list(read_stream(log, stream)))
    by_version = {entry.stored.version: entry for entry in entries}
    return [_moment(group, by_version) for group in _grouped(entries)]


def taken_back(events: Iterable[Stored]) -> dict[int, int]:
    """The stream versions that were taken back later, with the position of the entry that did it."""
    found: dict[int, int] = {}
    for event in events:
        if event.type == RETRACTED:
            first = decode(event.type, event.schema, event.body).version
            found |= {version: event.position for version in range(first, event.version) if version not in found}
    return found


def _entries(events: Sequence[Stored]) -> list[Entry]:
    gone = taken_back(events)
    entries: list[Entry] = []
    game: Game | None = None
    state: Any = None
    for event in events:
        game = game or game_of(event.type)
        fact = decode(event.type, event.schema, event.body)
        before, state = state, game.evolve(state, fact)
        entries.append(Entry(stored=event, fact=fact, game=game, before=before, after=state, taken_back=gone.get(event.version)))
    return entries


def _grouped(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Each act with its chips: chips follow what moved them, but a hand is settled just before it is closed."""
    group: list[Entry] = []
    for entry in entries:
        if entry.stored.type == CHIPS_MOVED or not group:
            group.append(entry)
            continue
        # The act that closes a hand moves no chips of its own.
        paid = group[1:] if entry.stored.type == HAND_CLOSED and entry.stored.command == group[-1].stored.command else []
        yield group[: len(group) - len(paid)]
        group = [*paid, entry]
    if group:
        yield group


def _moment(group: Sequence[Entry], by_version: Mapping[int, Entry]) -> Moment:
    main = next(entry for entry in group if entry.stored.type != CHIPS_MOVED)
    undoes = by_version.get(main.fact.version) if isinstance(main.fact, EntryRetracted) else None
    return Moment(entry=main, chips=tuple(entry for entry in group if entry is not main), undoes=undoes)


def _version(entry: Entry) -> int:
    return entry.stored.version
