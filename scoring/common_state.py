"""Parts of the fold that every game shares: chips by account, and acts that can be
taken back.

A game's state is a NamedTuple with at least the fields of `CommonState`; its own fields come after
or between them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, Self

from scoring.commands import Undo
from scoring.errors import RuleViolation, sentence
from scoring.events import ChipsMoved, EntryRetracted, GameClosed
from scoring.shape import Fields, a_number, an_object, required


class CommonState(Protocol):
    """The fields by which chips and retractions fold.

    `balances` are chips by account, `bought` what the bank gave each. `moves` are the chips moved
    since the hand before was opened, with the stream version of each; `trail` holds the states that
    `Undo` may return to, oldest first, each without a trail; `opened` is the version before the
    last opening.
    """

    @property
    def version(self) -> int: ...
    @property
    def balances(self) -> Mapping[str, int]: ...
    @property
    def bought(self) -> Mapping[str, int]: ...
    @property
    def moves(self) -> tuple[tuple[int, ChipsMoved], ...]: ...
    @property
    def trail(self) -> tuple[Self, ...]: ...
    @property
    def opened(self) -> int: ...

    @property
    def _replace(self) -> Callable[..., Self]: ...


class ClosedHand(Protocol):
    """A hand that is over, as the game's own fold has it."""

    @property
    def hand(self) -> object: ...


class GameState(CommonState, Protocol):
    """State of any game besides: the players, the game and its rules, and how far it has
    come.

    `hand` is the open one, `done` are the hands that are over, `results` those of them that count,
    `played` their number, `closed` how the game ended; `act` is the fact that the last act began
    with.
    """

    @property
    def record(self) -> str: ...
    @property
    def rules(self) -> object: ...
    @property
    def players(self) -> Mapping[str, str]: ...
    @property
    def table(self) -> str | None: ...
    @property
    def played_on(self) -> str | None: ...
    @property
    def note(self) -> str | None: ...
    @property
    def act(self) -> Fields | None: ...
    @property
    def hand(self) -> object | None: ...
    @property
    def done(self) -> Sequence[ClosedHand]: ...
    @property
    def results(self) -> Sequence[ClosedHand]: ...
    @property
    def played(self) -> int: ...
    @property
    def closed(self) -> GameClosed | None: ...


def mark_act[State: CommonState](state: State, act: object) -> State:
    """The state with itself on the trail: an act begins here, and `Undo` can return to
    before it.
    """
    return state._replace(act=act, trail=(*state.trail, state._replace(trail=())))


def retract_entries[State: CommonState](state: State, event: EntryRetracted) -> State:
    """The state before everything from `event.version` on, chips apart: those go back by moves of
    their own.
    """
    version = state.version + 1
    for place in range(len(state.trail) - 1, -1, -1):
        before = state.trail[place]
        if before.version == event.version - 1:
            return before._replace(
                version=version, balances=state.balances, trail=state.trail[:place]
            )
    return state._replace(version=version)


def trim_trail[State: CommonState](state: State) -> State:
    """The state as a hand opens: what came before the last hand can't be taken back any more."""
    trail = since_opening(state)
    return state._replace(
        moves=moves_since(trail[0], state) if trail else state.moves,
        trail=trail or state.trail,
        opened=state.version - 1,
    )


def since_opening[State: CommonState](state: State) -> tuple[State, ...]:
    """The states to return to from the last opening on, that of the opening first; none where it
    can't be taken back.

    Versions tell acts apart and never which came first: a corrected hand has later ones than the
    hands after it.
    """
    for place, before in enumerate(state.trail):
        if before.version == state.opened:
            return state.trail[place:]
    return ()


def moves_since(before: CommonState, state: CommonState) -> tuple[tuple[int, ChipsMoved], ...]:
    """The chips moved between a state of the trail and this one, with the stream version of
    each.
    """
    earlier = {at for at, _ in before.moves}
    return tuple(move for move in state.moves if move[0] not in earlier)


def reversal(move: ChipsMoved, at: int, *, why: str) -> ChipsMoved:
    """The move that takes back the one at stream version `at`."""
    return ChipsMoved(
        source=move.target,
        target=move.source,
        chips=move.chips,
        why=why,
        rule=move.rule,
        reverses=at,
    )


def read_undo(value: object) -> Undo:
    """An `Undo` as a form or a program sends it. Raises NotationError."""
    said = required(an_object(value, "", keys=("version",)), "version", "")
    return Undo(version=a_number(said, "version"))


def decide_undo(command: Undo, state: CommonState) -> list[EntryRetracted | ChipsMoved]:
    """The facts of an `Undo`. Raises RuleViolation `out_of_turn` when it names another act than the
    last.
    """
    if not state.trail or state.trail[-1].version != command.version - 1:
        message = sentence("only the last act can be taken back here; look at the table again")
        raise RuleViolation("out_of_turn", message, rule="Corrections", path="version")
    taken_back = moves_since(state.trail[-1], state)
    return [
        EntryRetracted(version=command.version),
        *(reversal(move, at, why="undo") for at, move in reversed(taken_back)),
    ]


def relabel_versions[State: CommonState](
    state: State, versions: Sequence[int], version: int
) -> State:
    """A state folded from facts counted 1, 2, 3 … with the stream version that each of them really
    has; it is itself at `version`.
    """
    trail = tuple(
        _relabel_state(before, versions, versions[before.version] - 1) for before in state.trail
    )
    return _relabel_state(state, versions, version)._replace(trail=trail)


def _relabel_state[State: CommonState](
    state: State, versions: Sequence[int], version: int
) -> State:
    moves = tuple((versions[at - 1], move) for at, move in state.moves)
    return state._replace(
        version=version, moves=moves, opened=versions[state.opened] - 1 if state.opened else 0
    )


def moved(balances: Mapping[str, int], event: ChipsMoved) -> dict[str, int]:
    """The balances after chips moved."""
    after = {**balances}
    after[event.source] = after.get(event.source, 0) - event.chips
    after[event.target] = after.get(event.target, 0) + event.chips
    return after


def plus(sums: Mapping[str, int], key: str, chips: int) -> dict[str, int]:
    """The sums with chips added under one key."""
    return {**sums, key: sums.get(key, 0) + chips}
