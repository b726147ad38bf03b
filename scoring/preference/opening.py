"""Starting a game and opening a hand: seats, dealer, antes (R1 to R3)."""

from scoring.chips import BANK
from scoring.commands import AcceptHand, StartGame
from scoring.errors import NotationError, RuleViolation
from scoring.events import ChipsMoved, HandExcused
from scoring.own_seats import accounts_of, check_seating
from scoring.preference.commands import Command, OpenHand
from scoring.preference.events import Event, GameStarted, HandOpened
from scoring.preference.payments import POT, check_payment
from scoring.preference.rules import Rules
from scoring.preference.seats import LEFT, SEAT_NAMES, SEATS
from scoring.preference.state import State


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, and the chips given out."""
    if not isinstance(command, StartGame) or not isinstance(command.rules, Rules):
        raise RuleViolation("out_of_turn", rule="R1", message="the game hasn't been started")
    players = dict(command.players)
    if tuple(players) != SEATS:
        raise NotationError("Preference is played by three, at the seats A, B and C", path="players")
    if len(set(players.values())) != len(SEATS):
        raise NotationError("one player sits in two seats; each seat has its own", path="players")
    started = GameStarted(
        record=command.record,
        rules=command.rules,
        players=command.players,
        table=command.table,
        played_on=command.played_on,
        note=command.note,
    )
    given = command.rules.opening_chips
    if not given:
        return [started]
    return [started, *(ChipsMoved(source=BANK, target=seat, chips=given, why="opening", rule="Chips") for seat in SEATS)]


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
    if state.closed is not None:
        raise RuleViolation("game_over", rule="R1", message="the game is over; no further hand belongs to it")
    if state.hand is not None:
        raise RuleViolation("out_of_turn", rule="R1", message=f"hand {state.hand.number} is still open; finish it first")
    excuses = {code for ruling in command.accepted for code in ruling.excuses}
    check_seating(state.players, command.players)
    opened = HandOpened(
        number=state.played + 1,
        dealer=_dealer(command, state, excuses),
        players=tuple((seat, player) for seat, player in command.players if state.players[seat] != player),
        at=command.at,
        note=command.note,
    )
    excused = [HandExcused(excuses=ruling.excuses, by=ruling.by, reason=ruling.reason) for ruling in command.accepted]
    return [opened, *excused, *_payments(command, state, accounts_of(state.players, opened.players), excuses)]


def _dealer(command: OpenHand, state: State, excuses: set[str]) -> str:
    expected = next_dealer(state)
    if command.dealer is None:
        if expected is None:
            raise NotationError("the first hand names its dealer", path="dealer", rule="R3")
        return expected
    if expected is not None and command.dealer != expected and "bad_dealer" not in excuses:
        message = f"{SEAT_NAMES[expected]} deals this hand, not {SEAT_NAMES[command.dealer]}: the deal passes to the left"
        raise RuleViolation("bad_dealer", rule="R1", message=message, path="dealer")
    return command.dealer


def _payments(command: OpenHand, state: State, accounts: dict[str, str], excuses: set[str]) -> list[ChipsMoved]:
    if command.buy_ins and state.rules.opening_chips is None:
        raise NotationError("a buy-in needs opening_chips; without them chips are counted from 0", path="buy_ins", rule="Chips")
    bought = [ChipsMoved(source=BANK, target=accounts[seat], chips=chips, why="buy_in", rule="Chips") for seat, chips in command.buy_ins]
    balances = dict(state.balances)
    for move in bought:
        balances[move.target] = balances.get(move.target, 0) + move.chips
    ante = antes_due(state)
    antes = [ChipsMoved(source=accounts[seat], target=POT, chips=ante, why="ante", rule="R2") for seat in SEATS if ante]
    for move in antes:
        check_payment(state.rules, balances, move, excuses)
    return [*bought, *antes]


def refuse_excuse(command: AcceptHand, state: State) -> list[Event]:
    """Raise RuleViolation: a hand is excused as it is opened, not later."""
    raise RuleViolation("out_of_turn", rule="Infractions", message="a hand is excused when it is opened", path="rulings")
