"""Starting a game and opening a hand: seats, dealer, antes (R1 to R3)."""

from collections.abc import Sequence
from functools import reduce

from scoring.chips import BANK
from scoring.commands import StartGame
from scoring.common_state import moved
from scoring.deciding import check_may_open, game_started
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import ChipsMoved, HandExcused
from scoring.game import Turns
from scoring.preference.commands import Command, OpenHand
from scoring.preference.events import Event, GameStarted, HandOpened
from scoring.preference.payments import POT, check_payment
from scoring.preference.rules import Rules
from scoring.preference.seats import LEFT, SEAT_NAMES, SEATS
from scoring.preference.state import State
from scoring.purses import bought
from scoring.seating import accounts_of, check_seating, substitutions


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, and the chips given out."""
    if not isinstance(command, StartGame) or not isinstance(command.rules, Rules):
        raise RuleViolation("out_of_turn", "the game hasn't been started", rule="R1")
    players = dict(command.players)
    if tuple(players) != SEATS:
        raise NotationError(
            "Preference is played by three, at the seats A, B and C", path="players"
        )
    if len(set(players.values())) != len(SEATS):
        raise NotationError("one player sits in two seats; each seat has its own", path="players")
    started = game_started(GameStarted, command)
    given = command.rules.opening_chips
    if not given:
        return [started]
    return [
        started,
        *(
            ChipsMoved(source=BANK, target=seat, chips=given, why="opening", rule="Chips")
            for seat in SEATS
        ),
    ]


def turns(rules: Rules, seats: Sequence[str]) -> Turns:
    """The deal passes to the left, of a hand thrown in too (R1)."""
    return Turns(LEFT)


def next_dealer(state: State) -> str | None:
    """Who deals next by rotation; None before the first hand (R1)."""
    return LEFT[state.done[-1].hand.dealer] if state.done else None


def antes_due(state: State) -> int:
    """What each player pays before the next deal: the ante when the pot is empty, else 0 (R2)."""
    return 0 if state.balances.get(POT, 0) else state.rules.ante


def decide_opening(command: OpenHand, state: State) -> list[Event]:
    """The facts of a hand's opening: dealer, excuses, buy-ins, antes.

    Raises `game_over`, `bad_dealer`, `no_chips`, or NotationError.
    """
    check_may_open(state, over="R1", unopened="R1")
    excuses = {code for ruling in command.accepted for code in ruling.excuses}
    check_seating(state.players, command.players)
    opened = HandOpened(
        number=state.played + 1,
        dealer=_dealer(command, state, excuses),
        players=substitutions(state.players, command.players),
        at=command.at,
        note=command.note,
    )
    excused = [
        HandExcused(excuses=ruling.excuses, by=ruling.by, reason=ruling.reason)
        for ruling in command.accepted
    ]
    return [
        opened,
        *excused,
        *_payments(command, state, accounts_of(state.players, opened.players), excuses),
    ]


def _dealer(command: OpenHand, state: State, excuses: set[str]) -> str:
    expected = next_dealer(state)
    if command.dealer is None:
        if expected is None:
            raise NotationError("the first hand names its dealer", path="dealer", rule="R3")
        return expected
    if expected is not None and command.dealer != expected and "bad_dealer" not in excuses:
        message = sentence(
            "%(seat)s deals this hand, not %(other_seat)s: the deal passes to the left",
            seat=SEAT_NAMES[expected],
            other_seat=SEAT_NAMES[command.dealer],
        )
        raise RuleViolation("bad_dealer", message, rule="R1", path="dealer")
    return command.dealer


def _payments(
    command: OpenHand, state: State, accounts: dict[str, str], excuses: set[str]
) -> list[ChipsMoved]:
    if command.buy_ins and state.rules.opening_chips is None:
        raise NotationError(
            "a buy-in needs opening_chips; without them chips are counted from 0",
            path="buy_ins",
            rule="Chips",
        )
    buy_ins = bought(command.buy_ins, accounts)
    balances = reduce(moved, buy_ins, state.balances)
    ante = antes_due(state)
    antes = [
        ChipsMoved(source=accounts[seat], target=POT, chips=ante, why="ante", rule="R2")
        for seat in SEATS
        if ante
    ]
    for move in antes:
        check_payment(state.rules, balances, move, excuses)
    return [*buy_ins, *antes]
