"""Decisions shared by the games that are dealt: rulings, the end before its time, and
acts one after the other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, NoReturn

from scoring.balances import PaidHand, PaidState, is_limited
from scoring.commands import (
    AcceptHand,
    AcceptPlay,
    AdjustPoints,
    AdjustTricks,
    EndGame,
    MoveChips,
    Opening,
    Ruling,
    StartGame,
    Undo,
)
from scoring.common_state import GameState, decide_undo
from scoring.errors import RuleViolation, sentence
from scoring.events import (
    ChipsMoved,
    ChipsRuled,
    GameClosed,
    HandExcused,
    PlayAccepted,
    PointsAdjusted,
    SharedEvent,
    TricksAdjusted,
)
from scoring.seating import substitutions
from scoring.shape import Fields
from scoring.trick_states import ClosedCalledHand, TrickState


def fact_of[Fact: Fields](shape: type[Fact], command: Fields, **more: object) -> Fact:
    """The fact that a command led to: what it has in common with the command is as that says, and
    `more` is what the command doesn't say, or not so.
    """
    said = {name: getattr(command, name) for name in _list_shared_fields(shape, type(command))}
    return shape(**said | more)


@cache
def _list_shared_fields(fact: type[Fields], command: type[Fields]) -> tuple[str, ...]:
    """The fields that a fact has in common with a command."""
    return tuple(field.name for field in fields(fact) if hasattr(command, field.name))


def require_start[Rules](
    command: object, rules: type[Rules], *, rule: str
) -> tuple[StartGame, Rules]:
    """The act that begins a game, and its house rules. Raises RuleViolation `out_of_turn`, by this
    rule, for any other act.
    """
    if not isinstance(command, StartGame) or not isinstance(command.rules, rules):
        raise RuleViolation("out_of_turn", "the game hasn't been started", rule=rule)
    return command, command.rules


def hand_opened[Fact: Fields](
    shape: type[Fact], command: Opening, state: GameState, **more: object
) -> Fact:
    """The fact that the next hand began as the command says; it names only those who sit in
    another's seat.
    """
    seated = substitutions(state.players, command.players)
    return fact_of(shape, command, number=state.played + 1, players=seated, **more)


def excused(command: Opening) -> list[HandExcused]:
    """The facts of what a director excused as a hand is opened."""
    return [fact_of(HandExcused, ruling) for ruling in command.accepted]


def excuses_of(command: Opening) -> frozenset[str]:
    """The codes of what is excused."""
    return frozenset(code for ruling in command.accepted for code in ruling.excuses)


def no_open_hand(state: GameState, *, over: str, unopened: str) -> RuleViolation:
    """Why there is no open hand: `game_over` or `out_of_turn`, with these rules."""
    if state.closed is not None:
        return RuleViolation("game_over", "the game is over; start another one", rule=over)
    return RuleViolation("out_of_turn", "no hand is open; open the next hand first", rule=unopened)


def check_calling(hand: object, done: Sequence[ClosedCalledHand], *, rule: str) -> None:
    """Raise RuleViolation `out_of_turn` for a call after everybody has passed: that was the end of
    the last hand, and no other `hand` is open.
    """
    last = done[-1].hand if hand is None and done else None
    if last is not None and last.calls and not last.contract:
        message = sentence(
            "everybody has passed, so the bidding of hand %(number)s is over", number=last.number
        )
        raise RuleViolation("out_of_turn", message, rule=rule, path=f"calls[{len(last.calls)}]")


def check_may_open(state: TrickState, *, over: str, unopened: str) -> None:
    """Raise RuleViolation `game_over` or `out_of_turn`, with these rules, where no hand can be
    opened.
    """
    if state.closed is not None:
        raise RuleViolation(
            "game_over", "the game is over; no further hand belongs to it", rule=over
        )
    if state.hand is not None:
        raise RuleViolation(
            "out_of_turn",
            "hand %(number)s is still open; finish it first",
            rule=unopened,
            number=state.hand.number,
        )


def ending(command: EndGame, state: GameState, *, over: str, rule: str) -> GameClosed:
    """The fact that a game is called or abandoned. Raises RuleViolation `game_over` or
    `out_of_turn` unless a hand is just over.
    """
    if state.closed is not None:
        raise RuleViolation("game_over", "the game is over already", rule=over, path="ended")
    if state.hand is not None:
        message = sentence("a hand is open; close it or take it back before the game is ended")
        raise RuleViolation("out_of_turn", message, rule=rule, path="ended")
    if not state.results:
        message = sentence(
            "a game can be ended only after a hand was played; say that it was not played"
        )
        raise RuleViolation("out_of_turn", message, rule=rule, path="ended")
    return fact_of(GameClosed, command)


# The facts of rulings that move no chips.
RULED: Mapping[type, type[PlayAccepted | TricksAdjusted | PointsAdjusted]] = {
    AcceptPlay: PlayAccepted,
    AdjustTricks: TricksAdjusted,
    AdjustPoints: PointsAdjusted,
}


def names_who_plays(ruling: Ruling, state: object) -> None:
    """Nothing to check where the seats are always the same: a ruling was read with those."""


def build_shared_decisions[State: PaidState](
    open_hand: Callable[[State], PaidHand],
    *,
    start: str,
    pots: Iterable[str],
    check: Callable[[Ruling, State], None] = names_who_plays,
) -> dict[type, Callable[[Any, State], Sequence[SharedEvent]]]:
    """Build the decisions that every trick game shares: a director's rulings on the open
    hand, undo, and the acts refused everywhere.

    `check` refuses a ruling about somebody who doesn't play; `pots` never owe; by rule `start` no
    game starts twice.
    """

    def ruled(command: Ruling, state: State) -> list[SharedEvent]:
        hand = open_hand(state)
        check(command, state)
        if isinstance(command, MoveChips):
            return _rule_chips(command, hand, state, pots)
        return [fact_of(RULED[type(command)], command)]

    return {
        **dict.fromkeys((AcceptPlay, AdjustTricks, AdjustPoints, MoveChips), ruled),
        AcceptHand: refuse_excuse,
        StartGame: build_start_refusal(start),
        Undo: decide_undo,
    }


def _rule_chips(
    command: MoveChips, hand: PaidHand, state: PaidState, pots: Iterable[str]
) -> list[SharedEvent]:
    """Chips moved by a ruling. Raises RuleViolation `no_chips` where they aren't there; one of the
    `pots` never owes.
    """
    source = hand.accounts.get(command.source, command.source)
    target = hand.accounts.get(command.target, command.target)
    held = state.balances.get(source, 0)
    if held < command.chips and (source in pots or is_limited(state, hand)):
        message = sentence(
            "%(source)s has %(held)s chips, so %(chips)s can't be moved from there",
            source=command.source,
            held=held,
            chips=command.chips,
        )
        raise RuleViolation("no_chips", message, rule="Chips", path="rulings")
    move = ChipsMoved(
        source=source, target=target, chips=command.chips, why="ruling", rule="Infractions"
    )
    return [ChipsRuled(by=command.by, reason=command.reason), move]


def refuse_excuse(command: AcceptHand, state: object) -> NoReturn:
    """Raise RuleViolation: a hand is excused as it is opened, not later."""
    raise RuleViolation(
        "out_of_turn", "a hand is excused when it is opened", rule="Infractions", path="rulings"
    )


def build_start_refusal(rule: str) -> Callable[[StartGame, object], NoReturn]:
    """Refuses, by this rule, to start a game that goes on."""

    def refuse(command: StartGame, state: object) -> NoReturn:
        raise RuleViolation("out_of_turn", "this game has been started already", rule=rule)

    return refuse


def decide_with_rulings[Decided](
    rulings: Iterable[object], decided: Callable[[bool], Decided]
) -> Decided:
    """A whole hand with its rulings at their place in a record, or first of all where the chips
    that they moved are missing else.

    `decided` is told whether they come first. Raises the refusal of the first way where neither is
    possible.
    """
    try:
        return decided(False)
    except RuleViolation as refusal:
        if refusal.code != "no_chips" or not any(
            isinstance(ruling, MoveChips) for ruling in rulings
        ):
            raise
        try:
            return decided(True)
        except RuleViolation:
            raise refusal from None


# How an act of each kind is decided: each function takes the kind it stands under.
type Decisions[State, Event] = Mapping[type, Callable[[Any, State], Sequence[Event]]]


def build_decide[Command, State, Event](
    start: Callable[[Command], list[Event]], decisions: Decisions[State, Event]
) -> Callable[[Command, State | None], list[Event]]:
    """The `decide` of a game: the facts that follow from an act, by `start` where there is no state
    yet.

    It raises RuleViolation with the rule that forbids the act, NotationError for one that has no
    sense in this game.
    """

    def decide(command: Command, state: State | None) -> list[Event]:
        return start(command) if state is None else [*decisions[type(command)](command, state)]

    return decide


def build_act[Command, State, Event](
    decide: Callable[[Command, State], list[Event]], evolve: Callable[[State, Event], State]
) -> Callable[[Iterable[Command], State, list[Event]], State]:
    """Decides acts one after the other: adds their facts to the list it is given, and returns the
    state they lead to.
    """

    def act(commands: Iterable[Command], state: State, events: list[Event]) -> State:
        for command in commands:
            for event in decide(command, state):
                events.append(event)
                state = evolve(state, event)
        return state

    return act
