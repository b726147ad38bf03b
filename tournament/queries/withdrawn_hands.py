"""Hands that count no longer: those that a correction took out or replaced, why and by whom, and
those after a corrected end.

No row has them, since nothing counts by them any more: they are read from the events, once for each
version of a game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from ledger.reading import read_stream
from scoring.effective_history import hands_of, opening_shapes
from scoring.events import GameCorrected, HandClosed, PartRestated, PartVoided
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.accounts.actor_names import actors_in_words
from tournament.models import Game
from tournament.queries.seats_as_of import name_seats_in_states
from tournament.salons.public_names import Audience
from tournament.streams.acts import last_result
from tournament.streams.entries import Entry, entries_of
from tournament.streams.folds import read_course
from tournament.streams.texts import words_of

REMEMBERED = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """A closed hand that counts no longer as it was: its number and result then, and the entry that
    closed it.

    `called` is what each seat is called by who sat there. `reason` and `by` say why and by whom it
    was corrected, "" where they were erased; `who` entered the correction, at entry `corrected_at`
    of the log.
    """

    number: int
    closed: JsonObject
    called: Mapping[str, str]
    position: int
    corrected_at: int
    reason: str
    by: str
    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _WithdrawnHand:
    """The same before its words are looked up."""

    hand: Entry
    correction: Entry


def list_withdrawn_hands(row: Game, audience: Audience) -> list[Withdrawn]:
    """Every hand of a game that was withdrawn by a correction, in the order of the corrections."""
    if not row.marks:
        return []
    found = _read_withdrawn_hands(row.salon.log_id, row.pk, row.version)
    facts = [each.correction.fact for each in found]
    words = words_of(row.salon, {digest for fact in facts for digest in (fact.by, fact.reason)})
    actors = actors_in_words(row.salon, {each.correction.stored.actor for each in found}, audience)
    called = name_seats_in_states(
        row.salon, GAMES[row.kind], [each.hand.after for each in found], audience
    )
    return [
        _hand_in_words(each, seats, words, actors)
        for each, seats in zip(found, called, strict=True)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Surplus:
    """A closed hand that was played after the end of the game as it counts now: its result then,
    and the entry that closed it.

    `called` is what each seat is called by who sat there.
    """

    closed: JsonObject
    called: Mapping[str, str]
    position: int


def surplus_hands(row: Game, audience: Audience) -> list[Surplus]:
    """The hands that a correction of the game's end left after it, in the order played."""
    if not row.marks or not row.marks["surplus"]:
        return []
    closings = _surplus(row.salon.log_id, row.pk, row.version)
    called = name_seats_in_states(
        row.salon, GAMES[row.kind], [entry.after for entry in closings], audience
    )
    return [
        Surplus(
            closed=last_result(entry.game, entry.after) or {},
            called=seats,
            position=entry.stored.position,
        )
        for entry, seats in zip(closings, called, strict=True)
    ]


@lru_cache(maxsize=REMEMBERED)
def _surplus(log: int, stream: str, version: int) -> tuple[Entry, ...]:
    """The entries that closed them. A stored event never changes, so what its first `version` ones
    say stays right.
    """
    entries = entries_of(list(islice(read_stream(log, stream), version)))
    game = entries[0].game
    course = read_course(log, stream, game, version=version).course
    facts = [placed for part in hands_of(course) if part.surplus for placed in part.facts]
    return tuple(entries[at - 1] for at, fact in facts if isinstance(fact, HandClosed))


def _hand_in_words(
    each: _WithdrawnHand,
    called: Mapping[str, str],
    words: Mapping[str, str],
    actors: Mapping[str, str],
) -> Withdrawn:
    fact, stored = each.correction.fact, each.correction.stored
    return Withdrawn(
        number=each.hand.fact.number,
        closed=last_result(each.hand.game, each.hand.after) or {},
        called=called,
        position=each.hand.stored.position,
        corrected_at=stored.position,
        reason=words.get(fact.reason, ""),
        by=words.get(fact.by, ""),
        who=actors[stored.actor],
    )


@lru_cache(maxsize=REMEMBERED)
def _read_withdrawn_hands(log: int, stream: str, version: int) -> tuple[_WithdrawnHand, ...]:
    """A stored event never changes, so what its first `version` ones say stays right."""
    entries = entries_of(list(islice(read_stream(log, stream), version)))
    opened = {
        entry.stored.version
        for entry in entries
        if type(entry.fact) in opening_shapes(entries[0].game)
    }
    return tuple(
        _WithdrawnHand(hand=hand, correction=correction)
        for correction, beginnings in _corrections(entries)
        for beginning in beginnings
        if beginning in opened
        for hand in islice(_find_closing(entries, beginning, correction), 1)
    )


def _corrections(entries: Sequence[Entry]) -> Iterator[tuple[Entry, list[int]]]:
    """Each correction, with the versions at which what it withdrew begins."""
    for place, entry in enumerate(entries):
        if isinstance(entry.fact, GameCorrected):
            parts = [each.fact for each in entries[place + 1 : place + 1 + entry.fact.facts]]
            yield (
                entry,
                [
                    part.opened
                    for part in parts
                    if isinstance(part, PartVoided)
                    or (isinstance(part, PartRestated) and part.corrected)
                ],
            )


def _find_closing(entries: Sequence[Entry], beginning: int, correction: Entry) -> Iterator[Entry]:
    """The entry that closed the hand that begins there, until this correction."""
    gone = (
        entry for entry in entries[beginning:] if entry.taken_back == correction.stored.position
    )
    return (entry for entry in gone if isinstance(entry.fact, HandClosed))
