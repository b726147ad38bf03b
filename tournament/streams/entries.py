"""The events of a stream with the state of its game before and after each, and whether it still
stands; corrections included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ledger.chain import Stored
from scoring.attestations import ATTESTATIONS
from scoring.common_state import GameState
from scoring.effective_history import Course, course_of, fold_course
from scoring.events import (
    ChipsMoved,
    ChipsStayed,
    EntryRetracted,
    GameCorrected,
    PotReturned,
    PotTaken,
)
from scoring.game import AnyGame
from scoring.games import GAMES
from tournament.streams.codec import Unread, decode, readable
from tournament.streams.folds import as_game, kind_of
from tournament.streams.types import STREAM_TYPES, AnyStreamType, StreamState, StreamType

type States = tuple[Any, Any]  # before (None: nothing yet) and after an event


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event and its stream's state before (None: nothing yet) and after it; `taken_back` by the
    entry at that position.

    `place` orders the facts that stand today as they happened; None for one that doesn't stand.
    What a correction states anew has the states of the corrected course; chips that it leaves where
    they are have the move that brought them as fact. `kind` is None where not even the first event
    of a stream can be read.
    """

    stored: Stored
    fact: Any
    kind: AnyGame | AnyStreamType | None
    before: Any
    after: Any
    taken_back: int | None
    place: int | None

    @property
    def game(self) -> AnyGame:
        """The game. Raises LookupError for an event of another stream."""
        assert self.kind is not None
        return as_game(self.kind)

    @property
    def name(self) -> str:
        """The event's name as templates know it: `bid_made`, `hand_closed`."""
        return "unread" if isinstance(self.fact, Unread) else event_name(self.stored.type)


def event_name(stored_type: str) -> str:
    """The name of an event without its game or kind of stream: `precedence.bid_made` → `bid_made`,
    `hand.closed` → `hand_closed`.
    """
    family, _, name = stored_type.partition(".")
    return name if family in GAMES or family in STREAM_TYPES else f"{family}_{name}"


def entries_of(events: Sequence[Stored]) -> list[Entry]:
    """The entries of one stream, all of its events in order."""
    if not events:
        return []
    kind, facts = (
        kind_of(events[0].type),
        [decode(event.type, event.schema, event.body) for event in events],
    )
    if isinstance(kind, StreamType) or not any(isinstance(fact, GameCorrected) for fact in facts):
        gone, states = _find_retracted_versions(facts), list(_states(kind, facts))
        places = {
            version: version
            for version in range(1, len(facts) + 1)
            if version not in gone and _has_place(facts[version - 1])
        }
    else:
        gone, states, places = _replay_corrections(kind, facts)
        facts = [
            facts[fact.version - 1] if isinstance(fact, ChipsStayed) else fact for fact in facts
        ]
    return [
        Entry(
            stored=event,
            fact=fact,
            kind=kind,
            before=before,
            after=after,
            taken_back=events[gone[event.version] - 1].position if event.version in gone else None,
            place=places.get(event.version),
        )
        for event, fact, (before, after) in zip(events, facts, states, strict=True)
    ]


def readable_entries_of(events: Sequence[Stored]) -> list[Entry]:
    """The entries of one stream as far as its events can be read, and where they can't one more,
    whose fact is Unread.
    """
    known, stop = readable(events)
    entries = entries_of(known)
    if stop is None:
        return entries
    fact = Unread(type=stop.type, schema=stop.schema, later=events[-1].version - stop.version)
    kind, state = (entries[-1].kind, entries[-1].after) if entries else (None, None)
    return [
        *entries,
        Entry(
            stored=stop,
            fact=fact,
            kind=kind,
            before=state,
            after=state,
            taken_back=None,
            place=None,
        ),
    ]


def _has_place(fact: object) -> bool:
    if isinstance(fact, EntryRetracted | PotReturned) or type(fact) in ATTESTATIONS:
        return False
    return not (isinstance(fact, ChipsMoved) and fact.reverses is not None)


def _states(
    kind: AnyGame | AnyStreamType, facts: Sequence[object], state: StreamState | None = None
) -> Iterator[States]:
    for fact in facts:
        before, state = state, _after(kind, state, fact)
        yield before, state


def _after(kind: AnyGame | AnyStreamType, state: Any, fact: object) -> Any:  # noqa: ANN401 - what the kind folds into
    """The state after a fact; what is said about a game changes nothing in it."""
    return (
        state._replace(version=state.version + 1)
        if type(fact) in ATTESTATIONS
        else kind.evolve(state, fact)
    )


def _find_retracted_versions(facts: Sequence[object]) -> dict[int, int]:
    """The stream versions that were taken back later, with the version of the entry that did it."""
    found: dict[int, int] = {}
    for by, fact in enumerate(facts, 1):
        if isinstance(fact, EntryRetracted):
            found |= {version: by for version in range(fact.version, by) if version not in found}
        elif isinstance(fact, PotReturned):
            taken = max(at for at, other in enumerate(facts[:by], 1) if isinstance(other, PotTaken))
            # The pot and its chips; what was said of hands meanwhile stands.
            found |= {taken: by, taken + 1: by}
    return found


def _replay_corrections(
    game: AnyGame, facts: Sequence[object]
) -> tuple[dict[int, int], list[States], dict[int, int]]:
    """The same for a game that was corrected: what doesn't stand and since when, the states, and
    the places of what stands.
    """
    gone: dict[int, int] = {}
    states: list[States] = []
    course: Course = ()
    done = 0
    while done < len(facts):
        first = facts[done]
        many = 1 + (first.facts if isinstance(first, GameCorrected) else 0)
        batch = list(enumerate(facts[done : done + many], done + 1))
        was, course = course, course_of(game, batch, course)
        gone |= {
            version: done + 1
            for version in _versions(was) - _versions(course) | _find_kept_versions(batch)
            if version not in gone
        }
        states += _batch_states(game, course, batch, states[-1][1] if states else None)
        done += many
    return gone, states, _places(course, facts)


def _batch_states(
    game: AnyGame, course: Course, batch: Sequence[tuple[int, object]], before: GameState | None
) -> list[States]:
    """The states before and after each fact of an act or a correction, which led to this course."""
    version, fact = batch[-1]
    if isinstance(fact, ChipsMoved) and fact.reverses is not None and len(batch) == 1:
        assert before is not None
        return [(before, before._replace(version=version))]  # gone with the undo
    if len(batch) == 1 and not isinstance(fact, EntryRetracted | PotReturned):
        return [(before, _after(game, before, fact))]
    after = fold_course(game, course, version)
    placed = [each for part in course if not part.surplus for each in part.facts]
    folded = dict(
        zip((at for at, _ in placed), _states(game, [fact for _, fact in placed]), strict=True)
    )
    wanted = [fact.version if isinstance(fact, ChipsStayed) else at for at, fact in batch]
    return [folded.get(at, (before, after)) for at in wanted]


def _versions(course: Course) -> set[int]:
    """The versions of all facts of a course that count."""
    return {at for part in course if not part.surplus for at, _ in part.facts}


def _find_kept_versions(batch: Sequence[tuple[int, object]]) -> set[int]:
    return {fact.version for _, fact in batch if isinstance(fact, ChipsStayed)}


def _places(course: Course, facts: Sequence[object]) -> dict[int, int]:
    standing = [at for part in course if not part.surplus for at, _ in part.facts]
    places = {at: place for place, at in enumerate(standing)}
    stayed = {
        fact.version: at
        for at, fact in enumerate(facts, 1)
        if isinstance(fact, ChipsStayed) and fact.version in places
    }
    return {stayed.get(at, at): place for at, place in places.items()}
