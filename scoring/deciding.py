"""What is decided alike in games that are dealt: rulings, the end before its time, and acts one after the other."""

from collections.abc import Callable, Iterable
from typing import Any

from scoring.commands import AcceptHand, AcceptPlay, AdjustPoints, AdjustTricks, EndGame, MoveChips, StartGame, Undo
from scoring.errors import RuleViolation, sentence
from scoring.events import ChipsMoved, ChipsRuled, GameClosed, PlayAccepted, PointsAdjusted, TricksAdjusted
from scoring.purses import is_limited
from scoring.spine import decide_undo


def no_open_hand(state: Any, *, over: str, unopened: str) -> RuleViolation:
    """Why there is no open hand: `game_over` or `out_of_turn`, with these rules."""
    if state.closed is not None:
        return RuleViolation("game_over", rule=over, message=sentence("the game is over; start another one"))
    return RuleViolation("out_of_turn", rule=unopened, message=sentence("no hand is open; open the next hand first"))


def check_calling(state: Any, *, rule: str) -> None:
    """Raise RuleViolation `out_of_turn` for a call after everybody has passed: that was the end of the hand."""
    last = state.done[-1].hand if state.hand is None and state.done else None
    if last is not None and last.calls and not last.contract:
        message = sentence("everybody has passed, so the bidding of hand %(number)s is over", number=last.number)
        raise RuleViolation("out_of_turn", rule=rule, message=message, path=f"calls[{len(last.calls)}]")


def check_may_open(state: Any, *, over: str, unopened: str) -> None:
    """Raise RuleViolation `game_over` or `out_of_turn`, with these rules, where no hand can be opened."""
    if state.closed is not None:
        raise RuleViolation("game_over", rule=over, message=sentence("the game is over; no further hand belongs to it"))
    if state.hand is not None:
        raise RuleViolation(
            "out_of_turn", rule=unopened, message=sentence("hand %(number)s is still open; finish it first", number=state.hand.number)
        )


def ending(command: EndGame, state: Any, *, over: str, rule: str) -> GameClosed:
    """The fact that a game is called or abandoned. Raises RuleViolation `game_over` or `out_of_turn` unless a hand is just over."""
    if state.closed is not None:
        raise RuleViolation("game_over", rule=over, message=sentence("the game is over already"), path="ended")
    if state.hand is not None:
        message = sentence("a hand is open; close it or take it back before the game is ended")
        raise RuleViolation("out_of_turn", rule=rule, message=message, path="ended")
    if not state.results:
        message = sentence("a game can be ended only after a hand was played; say that it was not played")
        raise RuleViolation("out_of_turn", rule=rule, message=message, path="ended")
    return GameClosed(kind=command.kind, by=command.by, reason=command.reason)


def ruled_play(command: AcceptPlay) -> list[Any]:
    """The fact that a play stands as it happened."""
    return [PlayAccepted(trick=command.trick, seat=command.seat, by=command.by, reason=command.reason)]


def ruled_tricks(command: AdjustTricks) -> list[Any]:
    """The fact that tricks were taken from a side or given to one."""
    return [TricksAdjusted(source=command.source, target=command.target, tricks=command.tricks, by=command.by, reason=command.reason)]


def ruled_points(command: AdjustPoints) -> list[Any]:
    """The fact that points were given to a side or taken from it."""
    return [PointsAdjusted(side=command.side, points=command.points, by=command.by, reason=command.reason)]


def ruled_chips(command: MoveChips, hand: Any, state: Any, pots: Iterable[str]) -> list[Any]:
    """The facts of chips moved by a ruling. Raises RuleViolation `no_chips` where they aren't there; one of the `pots` never owes."""
    source = hand.accounts.get(command.source, command.source)
    target = hand.accounts.get(command.target, command.target)
    held = state.balances.get(source, 0)
    if held < command.chips and (source in pots or is_limited(state, hand)):
        message = sentence(
            "%(source)s has %(held)s chips, so %(chips)s can't be moved from there", source=command.source, held=held, chips=command.chips
        )
        raise RuleViolation("no_chips", rule="Chips", message=message, path="rulings")
    move = ChipsMoved(source=source, target=target, chips=command.chips, why="ruling", rule="Infractions")
    return [ChipsRuled(by=command.by, reason=command.reason), move]


def undo(command: Undo, state: Any) -> list[Any]:
    """The facts of an act taken back. Raises RuleViolation `out_of_turn` when it names another act than the last."""
    return [*decide_undo(command, state)]


def refuse_excuse(command: AcceptHand, state: Any) -> list[Any]:
    """Raise RuleViolation: a hand is excused as it is opened, not later."""
    raise RuleViolation("out_of_turn", rule="Infractions", message=sentence("a hand is excused when it is opened"), path="rulings")


def refusing_start(rule: str) -> Callable[[StartGame, Any], list[Any]]:
    """Refuses, by this rule, to start a game that goes on."""

    def refuse(command: StartGame, state: Any) -> list[Any]:
        raise RuleViolation("out_of_turn", rule=rule, message=sentence("this game has been started already"))

    return refuse


def ruled_in_time[Decided](rulings: Iterable[object], decided: Callable[[bool], Decided]) -> Decided:
    """A whole hand with its rulings at their place in a record, or first of all where the chips that they moved are missing else.

    `decided` is told whether they come first. Raises the refusal of the first way where neither is possible.
    """
    try:
        return decided(False)
    except RuleViolation as refusal:
        if refusal.code != "no_chips" or not any(isinstance(ruling, MoveChips) for ruling in rulings):
            raise
        try:
            return decided(True)
        except RuleViolation:
            raise refusal from None


def acting[State](
    decide: Callable[[Any, State], list[Any]], evolve: Callable[[State, Any], State]
) -> Callable[[Iterable[Any], State, list[Any]], State]:
    """Decides acts one after the other: adds their facts to the list it is given, and returns the state they lead to."""

    def act(commands: Iterable[Any], state: State, events: list[Any]) -> State:
        for command in commands:
            for event in decide(command, state):
                events.append(event)
                state = evolve(state, event)
        return state

    return act
