"""The course of a game: its start, each hand and its end as they count, with every undo and
correction in effect.

A correction edits the course; the game's state is the fold of what then stands. So a corrected game
is folded from the same facts as one that was recorded right the first time.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from scoring import events
from scoring.attestations import (
    ATTESTATIONS,
    ActHandedOver,
    Attestation,
    GameFinalised,
    SeatLinkMade,
)
from scoring.common_state import GameState, relabel_versions
from scoring.confirmation import UNSAID, Confirmation, with_fact
from scoring.game import AnyGame

type Placed = tuple[int, object]  # a stream version, and the fact that is stored there


class Part(NamedTuple):
    """The start of a game, one hand as it was dealt, an end before its time, or its pot taken; each
    fact with its stream version.

    `surplus` when it comes after the end of the game: it doesn't count. `corrected` when a
    correction was about it. `attested` is what was said about it: what a correction is about loses
    that, what follows from one keeps it. `begun` is the start it was recorded after, where that was
    stated anew since, with other options perhaps; else nothing.
    """

    facts: tuple[Placed, ...]
    surplus: bool = False
    corrected: bool = False
    attested: tuple[Attestation, ...] = ()
    begun: tuple[Placed, ...] = ()

    @property
    def opened(self) -> int:
        """The stream version of its first fact: no other part has it."""
        return self.facts[0][0]

    @property
    def first(self) -> object:
        """Its first fact."""
        return self.facts[0][1]

    @property
    def is_end(self) -> bool:
        """Whether it is the end of a game that was called or abandoned."""
        return isinstance(self.first, events.GameClosed)

    @property
    def is_taking(self) -> bool:
        """Whether it is the pot of a game that is over, taken by another game."""
        return isinstance(self.first, events.PotTaken)


# The start first, hands as they were played, the end, and the pot taken last.
type Course = tuple[Part, ...]


def course_of(game: AnyGame, facts: Iterable[Placed], begun: Course = ()) -> Course:
    """The course after these facts, from the start or from an earlier course."""
    parts, opening = list(begun), opening_shapes(game)
    coming = iter(facts)
    for version, fact in coming:
        edit = EDITS.get(type(fact))
        if edit is not None:
            edit(parts, fact, coming)
        elif isinstance(fact, events.ChipsMoved) and fact.reverses is not None:
            # Chips that go back are no part of the course: what brought them isn't either.
            continue
        elif (
            not parts
            or type(fact) in opening
            or isinstance(fact, events.PotTaken)
            or (isinstance(fact, events.GameClosed) and fact.kind != "played")
        ):
            parts.append(Part(((version, fact),)))
        else:
            parts[-1] = parts[-1]._replace(facts=(*parts[-1].facts, (version, fact)))
        if edit is None and parts[0].attested and not parts[-1].is_taking:
            parts[0] = parts[0]._replace(attested=())  # A game that goes on is final no longer.
    return tuple(parts)


def fold_course(game: AnyGame, course: Course, version: int) -> GameState:
    """The state of a game with this course, whose stream is at `version`.

    An act can be taken back as ever, except that what ended a game with surplus hands is corrected
    instead.
    """
    facts = [placed for part in course if not part.surplus for placed in part.facts]
    state: GameState = relabel_versions(
        game.folded(fact for _, fact in facts), [at for at, _ in facts], version
    )
    return state._replace(trail=()) if any(part.surplus for part in course) else state


def hands_of(course: Course) -> list[Part]:
    """The hands of a course in the order played, misdealt and surplus ones too."""
    return [part for part in course[1:] if not part.is_end and not part.is_taking]


def marks_of(course: Course) -> tuple[int, ...]:
    """The numbers of the closed hands that were corrected themselves, inserted ones too."""
    counted = [part for part in hands_of(course) if part.corrected and not part.surplus]
    return tuple(
        fact.number
        for part in counted
        for _, fact in part.facts
        if isinstance(fact, events.HandClosed)
    )


def confirmation_of(course: Course, *, closed: bool) -> Confirmation:
    """Return the statements about the hands that count, and about the game if it is
    `closed`.
    """
    hands = {}
    for number, place in enumerate(find_closed_places(course), 1):
        said = UNSAID
        for fact in course[place].attested:
            said = with_fact(said, fact)
        if said != UNSAID:
            hands[number] = said
    of_game = course[0].attested
    final = closed and any(isinstance(fact, GameFinalised) for fact in of_game)
    links = {fact.seat: fact.place for fact in of_game if isinstance(fact, SeatLinkMade)}
    return Confirmation(hands, final=final, links=links)


def find_closed_places(parts: Sequence[Part]) -> list[int]:
    """Return the places in `parts` of the closed hands that count, in the order of their
    numbers.
    """
    counted = (place for place, part in enumerate(parts) if not part.surplus)
    return [
        place
        for place in counted
        if any(isinstance(fact, events.HandClosed) for _, fact in parts[place].facts)
    ]


def opening_shapes(game: AnyGame) -> frozenset[type]:
    """The shapes of the fact with which a hand of this game begins."""
    return frozenset(
        shape for (name, _), shape in game.shapes.items() if name == f"{game.name}.hand_opened"
    )


def _expect_corrections(
    parts: list[Part], fact: events.GameCorrected, coming: Iterator[Placed]
) -> None:
    """Do nothing: the corrected facts follow."""


def _void_part(parts: list[Part], fact: events.PartVoided, coming: Iterator[Placed]) -> None:
    del parts[_place(parts, fact.opened)]


def _set_aside(parts: list[Part], fact: events.PartSetAside, coming: Iterator[Placed]) -> None:
    place = _place(parts, fact.opened)
    parts[place] = parts[place]._replace(surplus=True)


def _restate_part(parts: list[Part], fact: events.PartRestated, coming: Iterator[Placed]) -> None:
    place = _place(parts, fact.opened)
    before = parts[place]
    attested = () if fact.corrected and place else before.attested
    if place == 0:
        parts[1:] = [
            part if part.begun else part._replace(begun=before.facts) for part in parts[1:]
        ]
    parts[place] = Part(
        _resolve_facts(before, islice(coming, fact.facts)),
        corrected=before.corrected or fact.corrected,
        attested=attested,
    )


def _insert_part(parts: list[Part], fact: events.PartInserted, coming: Iterator[Placed]) -> None:
    parts.insert(
        _place(parts, fact.after) + 1,
        Part(_resolve_facts(None, islice(coming, fact.facts)), corrected=True),
    )


def _resolve_facts(before: Part | None, facts: Iterable[Placed]) -> tuple[Placed, ...]:
    """The facts of a part stated anew; chips that stayed are the move that brought them, with its
    version.
    """
    moves = dict(before.facts) if before else {}
    return tuple(
        (fact.version, moves[fact.version]) if isinstance(fact, events.ChipsStayed) else (at, fact)
        for at, fact in facts
    )


def _retract_facts(
    parts: list[Part], fact: events.EntryRetracted, coming: Iterator[Placed]
) -> None:
    """Drop everything from that version on, as the facts stand in the course."""
    for number in range(len(parts) - 1, -1, -1):
        for place, (at, _) in enumerate(parts[number].facts):
            if at == fact.version:
                said = parts[number].attested if number == 0 else ()
                parts[number:] = (
                    [parts[number]._replace(facts=parts[number].facts[:place], attested=said)]
                    if place
                    else []
                )
                return


def _return_pot(parts: list[Part], fact: events.PotReturned, coming: Iterator[Placed]) -> None:
    parts[:] = [part for part in parts if not part.is_taking]


def _attest_part(parts: list[Part], fact: Attestation, coming: Iterator[Placed]) -> None:
    if isinstance(fact, ActHandedOver):
        return
    if isinstance(fact, GameFinalised | SeatLinkMade):
        place = 0
    else:
        place = find_closed_places(parts)[fact.hand - 1]
    parts[place] = parts[place]._replace(attested=(*parts[place].attested, fact))


def _place(parts: Sequence[Part], opened: int) -> int:
    return next(place for place, part in enumerate(parts) if part.opened == opened)


EDITS: dict[type, Callable[[list[Part], Any, Iterator[Placed]], None]] = {
    events.GameCorrected: _expect_corrections,
    events.PartVoided: _void_part,
    events.PartSetAside: _set_aside,
    events.PartRestated: _restate_part,
    events.PartInserted: _insert_part,
    events.EntryRetracted: _retract_facts,
    events.PotReturned: _return_pot,
    **dict.fromkeys(ATTESTATIONS, _attest_part),
}
