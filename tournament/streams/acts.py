"""The events of a game or another stream as the acts they were: what happened, the chips it moved,
and whether it was taken back later.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.chain import Stored
from ledger.drafts import CHIPS_MOVED
from ledger.reading import read_stream
from scoring import events
from scoring.attestations import ATTESTATIONS
from scoring.common_state import GameState
from scoring.game import AnyGame
from scoring.shape import JsonObject
from tournament.streams.codec import Unread
from tournament.streams.entries import Entry, entries_of, readable_entries_of
from tournament.streams.types import StreamType

HAND_CLOSED = "hand.closed"
GAME_CLOSED = "game.closed"
RETRACTED = "entry.retracted"
MISDEALT = "hand.misdealt"
RULINGS = "ruling."
CORRECTED = "game.corrected"
HANDED_OVER = "act.handed_over"
CHIPS = frozenset({CHIPS_MOVED, "chips.stayed"})
BESIDE = CHIPS | {HANDED_OVER}
PARTS = (events.PartInserted, events.PartRestated, events.PartSetAside, events.PartVoided)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An act: its entry, and the entries of the chips that moved with it, in the order stored;
    `undoes` is the first entry it took back.

    A correction is one act, too: `stated` are the acts that it states anew or adds, and `end` is
    its last entry. `handed_over` is the entry that says so of an act from another phone.
    """

    entry: Entry
    chips: tuple[Entry, ...]
    undoes: Entry | None
    stated: tuple["Moment", ...] = ()
    end: Entry | None = None
    handed_over: Entry | None = None

    @property
    def first(self) -> Stored:
        """The event stored first."""
        return min((self.entry, *self.chips), key=_version).stored

    @property
    def last(self) -> Stored:
        """The event stored last."""
        return self._last.stored

    @property
    def hand(self) -> int:
        """The hand it belongs to, 0 for the start and the end of the game, and for what happens
        outside games.
        """
        entry = self.entry
        if isinstance(entry.fact, Unread):
            return 0
        if type(entry.fact) in ATTESTATIONS:
            return getattr(entry.fact, "hand", 0)
        if (
            isinstance(entry.kind, StreamType)
            or entry.before is None
            or isinstance(entry.fact, events.GameClosed | events.GameCorrected)
        ):
            return 0
        return entry.game.place(
            entry.after if isinstance(entry.fact, events.EntryRetracted) else entry.before
        )["hand"]

    @property
    def before(self) -> JsonObject | None:
        """The table before it."""
        return self.entry.game.table(self.entry.before) if self.entry.before is not None else None

    @property
    def after(self) -> JsonObject:
        """The table after its last entry."""
        return self.entry.game.table(self.state)

    @property
    def state(self) -> Any:  # noqa: ANN401 - what the kind folds into
        """The game after its last entry."""
        return self._last.after

    @property
    def _last(self) -> Entry:
        return self.handed_over or self.end or max((self.entry, *self.chips), key=_version)

    @property
    def closed(self) -> JsonObject | None:
        """The result of the hand that it closed, and why it is so."""
        if not isinstance(self.entry.fact, events.HandClosed):
            return None
        return last_result(self.entry.game, self.entry.after)


def last_result(game: AnyGame, state: GameState) -> JsonObject | None:
    """The result of the last closed hand with its explanation, None before the first."""
    results = game.hand_results(state, state.played - 1) if state.played else []
    return results[-1] if results else None


def moments_of(log: int, stream: str, *, whole: bool = True) -> list[Moment]:
    """Every act of a stream in order, a correction as one; empty where there is no such stream.

    Raises UnknownShape for an event that nothing here reads; unless the stream has to be `whole`,
    it ends there with one act whose fact is Unread.
    """
    return _moments((entries_of if whole else readable_entries_of)(list(read_stream(log, stream))))


def moments_to_come(log: int, stream: str, coming: Sequence[Stored]) -> list[Moment]:
    """The acts that these events would be, were they stored after those of the stream."""
    stored = list(read_stream(log, stream))
    moments = _moments(entries_of([*stored, *coming]))
    return [moment for moment in moments if moment.last.version > len(stored)]


def _moments(entries: Sequence[Entry]) -> list[Moment]:
    by_version = {entry.stored.version: entry for entry in entries}
    return list(
        _with_corrections(
            [_moment(group, by_version) for group in _group_acts(entries)], by_version
        )
    )


def every_act(moments: Iterable[Moment]) -> Iterator[Moment]:
    """These acts, each correction followed by the acts that it states anew."""
    for moment in moments:
        yield moment
        yield from moment.stated


def find_withdrawn_versions(moments: Sequence[Moment]) -> set[int]:
    """The stream versions of acts that had been taken back or withdrawn by the last of these."""
    if not moments:
        return set()
    last, entries = moments[-1].last.position, (moment.entry for moment in every_act(moments))
    return {
        entry.stored.version
        for entry in entries
        if entry.taken_back is not None and entry.taken_back <= last
    }


def replay_until(moments: Sequence[Moment], by: int) -> tuple[Any, int]:
    """A game with what stands today of all that had been played `by` a time, and when the last of
    it was (microseconds UTC).
    """
    standing = sorted(
        (moment for moment in every_act(moments) if moment.entry.place is not None), key=_place
    )
    start, game = standing[0], standing[0].entry.game
    state, at = start.state, start.last.occurred_at
    for moment in standing[1:]:
        if moment.last.occurred_at > by:
            break
        at = moment.last.occurred_at
        for entry in sorted((moment.entry, *moment.chips), key=_version):
            state = game.evolve(state, entry.fact)
    return state, min(at, by)


def _place(moment: Moment) -> int:
    """The place in its game of an act that counts today."""
    return moment.entry.place or 0


def _with_corrections(
    moments: Iterable[Moment], by_version: Mapping[int, Entry]
) -> Iterator[Moment]:
    """The acts, those that a correction states gathered in it."""
    coming = iter(moments)
    for moment in coming:
        if not isinstance(moment.entry.fact, events.GameCorrected):
            yield moment
            continue
        end = by_version[moment.entry.stored.version + moment.entry.fact.facts]
        stated: list[Moment] = []
        while (stated[-1] if stated else moment).last.version < end.stored.version:
            stated.append(next(coming))
        acts = tuple(each for each in stated if not isinstance(each.entry.fact, PARTS))
        yield replace(moment, stated=acts, end=replace(end, after=moment.entry.after))


def _group_acts(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Each act with its chips: chips follow what moved them, but a hand is settled just before it
    is closed.
    """
    group: list[Entry] = []
    for entry in entries:
        is_beside = entry.stored.type in BESIDE and not isinstance(entry.fact, Unread)
        if is_beside or not group:
            group.append(entry)
            continue
        # The act that closes a hand moves no chips of its own.
        closes = (
            isinstance(entry.fact, events.HandClosed)
            and entry.stored.command == group[-1].stored.command
        )
        paid = group[1:] if closes else []
        yield group[: len(group) - len(paid)]
        group = [*paid, entry]
    if group:
        yield group


def _moment(group: Sequence[Entry], by_version: Mapping[int, Entry]) -> Moment:
    main = next(
        entry for entry in group if entry.stored.type not in CHIPS or isinstance(entry.fact, Unread)
    )
    undoes = (
        by_version.get(main.fact.version) if isinstance(main.fact, events.EntryRetracted) else None
    )
    beside = [entry for entry in group if entry is not main]
    return Moment(
        entry=main,
        chips=tuple(entry for entry in beside if entry.stored.type != HANDED_OVER),
        undoes=undoes,
        handed_over=next((entry for entry in beside if entry.stored.type == HANDED_OVER), None),
    )


def _version(entry: Entry) -> int:
    return entry.stored.version
