"""The parts that a subject of a tournament declares in one place.

Its commands, its facts, how the commands are decided and what the facts change.
`subjects` has them all. Persons are given by name in a command and by their ids in
a fact; `reason` and `by` as they were written in the command, by their digests in
the fact. Points are hundredths.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.deciding import Decisions
from scoring.folding import Changes
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """An act of a director, in the imperative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A fact of a tournament, in the past tense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfEntry:
    """About one entry, by its id."""

    entry: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfRound:
    """About one round, by its number."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable(OfRound):
    """About one table of a round, by its label."""

    table: int


# How an act sent as JSON or by a form at a time (microseconds UTC) is read; raises NotationError.
type Reader = Callable[[object, int], Command]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A part of what directors do. Whoever adds an act writes it into these tables of its module,
    next to the command and its fact.
    """

    decisions: Decisions[State, Event]
    """How each command is decided: its facts, or a refusal."""
    changes: Changes[State]
    """What each fact changes; the first fact of all makes the state instead."""
    shapes: Mapping[tuple[str, int], type[Event]]
    """The facts by stored name and schema, the latest of each name last. A class may be renamed, a
    stored name never.
    """
    readers: Mapping[str, Reader]
    """The collections that its acts are sent to, and how they are read."""


def schemas(
    name: str, latest: int, shape: type[Event], *, first: int = 1
) -> dict[tuple[str, int], type[Event]]:
    """A fact that is stored under `name` with the schemas from `first` to `latest`: all of them are
    read as this shape.
    """
    return {(name, schema): shape for schema in range(first, latest + 1)}


def on_entry[Fact: OfEntry](
    change: Callable[[EntryState, Fact], EntryState],
) -> Callable[[State, Fact], State]:
    """Apply a fact that concerns only one entry."""

    return lambda state, event: state.with_entry(event.entry, lambda each: change(each, event))


def on_round[Fact: OfRound](
    change: Callable[[RoundState, Fact], RoundState],
) -> Callable[[State, Fact], State]:
    """Apply a fact that concerns only one round."""
    return lambda state, event: state.with_round(event.round, lambda each: change(each, event))


def on_table[Fact: AtTable](
    change: Callable[[TableState, Fact], TableState],
) -> Callable[[State, Fact], State]:
    """Apply a fact that concerns only one table of a round."""

    return on_round(
        lambda each, event: each.with_table(event.table, lambda table: change(table, event))
    )
