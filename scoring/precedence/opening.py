"""Starting a game and opening a hand: seats, stakes, dealer, trump (P1, P3 to P5, P25)."""

from collections.abc import Sequence
from functools import reduce

from scoring.chips import BANK
from scoring.commands import AcceptHand, StartGame
from scoring.common_state import moved
from scoring.deciding import check_may_open, game_started
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import ChipsMoved, HandExcused
from scoring.game import Turns
from scoring.precedence.accounts import ACCORD, HAND
from scoring.precedence.cards import SUIT_NAMES, SUITS
from scoring.precedence.commands import Command, OpenHand
from scoring.precedence.events import Event, GameStarted, HandOpened
from scoring.precedence.payments import pay
from scoring.precedence.rules import Rules
from scoring.precedence.seating import accounts_of, check_seating
from scoring.precedence.seats import LEFT, SEAT_NAMES, SEATS
from scoring.precedence.state import Hand, Play, State
from scoring.purses import bought, paid
from scoring.seating import substitutions

NEXT_SUIT = dict(zip(SUITS, SUITS[1:] + SUITS[0], strict=True))


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, chips given out, the Accord stakes
    paid (P3).
    """
    if not isinstance(command, StartGame) or not isinstance(command.rules, Rules):
        raise RuleViolation("out_of_turn", "the game hasn't been started", rule="P3")
    rules = command.rules
    players = dict(command.players)
    if tuple(players) != SEATS:
        raise NotationError(
            "Precedence is played by four, at the seats N, E, S and W", path="players"
        )
    if len(set(players.values())) != 4:
        raise NotationError("one player sits in two seats; each seat has its own", path="players")
    started = game_started(GameStarted, command)
    return [started, *_opening_chips(rules), *_accord_stakes(rules)]


def _opening_chips(rules: Rules) -> list[ChipsMoved]:
    if not rules.opening_chips:
        return []
    return [
        ChipsMoved(source=BANK, target=seat, chips=rules.opening_chips, why="opening", rule="Chips")
        for seat in SEATS
    ]


def _accord_stakes(rules: Rules) -> list[ChipsMoved]:
    return paid(
        [(seat, rules.accord_stake) for seat in SEATS],
        ACCORD,
        accounts=dict(zip(SEATS, SEATS, strict=True)),
        balances=dict.fromkeys(SEATS, rules.opening_chips or 0),
        limited=rules.opening_chips is not None,
        why="accord_stake",
        rule="P3",
        path="options.opening_chips",
        names=SEAT_NAMES,
    )


def turns(rules: Rules, seats: Sequence[str]) -> Turns:
    """The deal passes to the left, the trump to the next suit where it rotates (P1, P5)."""
    return Turns(LEFT, {} if rules.trump == "declared" else NEXT_SUIT)


def next_dealer(state: State) -> str | None:
    """Who deals next by rotation; None before the first hand (P1, P25)."""
    if not state.done:
        return None
    last = state.done[-1]
    return last.hand.dealer if last.result is None else LEFT[last.hand.dealer]


def next_trump(state: State) -> str | None:
    """The trump of the next hand by rotation; None when the table names it (P5, P25)."""
    if state.redealt is not None:
        return state.redealt.trump or None
    if state.rules.trump == "declared":
        return None
    return NEXT_SUIT[state.done[-1].hand.trump] if state.done else state.rules.first_trump


def decide_opening(command: OpenHand, state: State) -> list[Event]:
    """The facts of a hand's opening: dealer, trump, excuses, buy-ins, antes.

    Raises `game_over`, `bad_dealer`, `bad_trump`, `no_chips`, or NotationError.
    """
    check_may_open(state, over="P23", unopened="P4")
    excuses = {code for ruling in command.accepted for code in ruling.excuses}
    check_seating(state.players, command.players)
    opened = HandOpened(
        number=state.played + 1,
        dealer=_dealer(command, state, excuses),
        trump=_trump(command, state, excuses),
        players=substitutions(state.players, command.players),
        at=command.at,
        note=command.note,
    )
    excused = [_excused(ruling) for ruling in command.accepted]
    return [opened, *excused, *_payments(command, state, opened, frozenset(excuses))]


def _excused(ruling: AcceptHand) -> HandExcused:
    return HandExcused(excuses=ruling.excuses, by=ruling.by, reason=ruling.reason)


def _dealer(command: OpenHand, state: State, excuses: set[str]) -> str:
    expected = next_dealer(state)
    if command.dealer is None:
        if expected is None:
            raise NotationError("the first hand names its dealer", path="dealer", rule="P1")
        return expected
    if expected is not None and command.dealer != expected and "bad_dealer" not in excuses:
        why = (
            sentence("after a misdeal the same dealer deals again")
            if state.redealt
            else sentence("the deal passes to the left")
        )
        message = sentence(
            "%(seat)s deals this hand, not %(other_seat)s: %(why)s",
            seat=SEAT_NAMES[expected],
            other_seat=SEAT_NAMES[command.dealer],
            why=why,
        )
        raise RuleViolation(
            "bad_dealer", message, rule="P25" if state.redealt else "P1", path="dealer"
        )
    return command.dealer


def _trump(command: OpenHand, state: State, excuses: set[str]) -> str:
    expected = next_trump(state)
    if command.trump is None:
        if expected is None and command.misdealt:
            return ""
        if expected is None:
            raise RuleViolation(
                "bad_trump",
                "each hand of this game names its trump: V, F, B or C",
                rule="P5",
                path="trump",
            )
        return expected
    if expected is not None and command.trump != expected and "bad_trump" not in excuses:
        why = (
            sentence("after a misdeal the trump stays")
            if state.redealt
            else sentence("trumps go round Void, Frontier, Border, Core")
        )
        message = sentence(
            "%(suit)s is trump in this hand, not %(other_suit)s: %(why)s",
            suit=SUIT_NAMES[expected],
            other_suit=SUIT_NAMES[command.trump],
            why=why,
        )
        raise RuleViolation(
            "bad_trump", message, rule="P25" if state.redealt else "P5", path="trump"
        )
    return command.trump


def _payments(
    command: OpenHand, state: State, opened: HandOpened, excuses: frozenset[str]
) -> list[ChipsMoved]:
    accounts = accounts_of(state.players, opened.players)
    if command.buy_ins and state.rules.opening_chips is None:
        raise NotationError(
            "a buy-in needs opening_chips; without them chips are counted from 0",
            path="buy_ins",
            rule="Chips",
        )
    buy_ins = bought(command.buy_ins, accounts)
    if state.redealt is not None:
        return buy_ins
    balances = reduce(moved, buy_ins, state.balances)
    hand = Hand(
        Play(LEFT[opened.dealer]),
        (),
        opened.number,
        opened.dealer,
        opened.trump,
        accounts,
        opened.players,
        excuses=excuses,
    )
    antes = [(seat, state.rules.ante) for seat in SEATS]
    return [
        *buy_ins,
        *pay(state._replace(balances=balances), hand, antes, HAND, why="ante", rule="P4", path=""),
    ]
