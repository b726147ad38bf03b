"""Starting a game and opening a hand: seats, dealer, antes (S1, S12)."""

from collections.abc import Sequence
from functools import reduce

from scoring.chips import BANK
from scoring.commands import StartGame
from scoring.common_state import moved
from scoring.deciding import check_may_open, game_started
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import ChipsMoved, HandExcused
from scoring.game import Turns
from scoring.purses import bought
from scoring.sabacc.commands import Command, OpenHand
from scoring.sabacc.events import Event, GameStarted, HandOpened
from scoring.sabacc.left_pots import brought
from scoring.sabacc.pots import ANTE, pay
from scoring.sabacc.rules import Rules
from scoring.sabacc.seats import RIGHT, SEATINGS
from scoring.sabacc.state import Hand, Play, State
from scoring.seating import accounts_of, check_seat, check_seating, substitutions


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, a pot brought (S13), chips given
    out. Raises NotationError.
    """
    if not isinstance(command, StartGame) or not isinstance(command.rules, Rules):
        raise RuleViolation("out_of_turn", "the game hasn't been started", rule="S1")
    rules, players = command.rules, dict(command.players)
    if tuple(players) not in SEATINGS:
        raise NotationError(
            "Contract Sabacc is played by three to five, at the first of the seats A, B, C, D, E",
            path="players",
        )
    if len(set(players.values())) != len(players):
        raise NotationError("one player sits in two seats; each seat has its own", path="players")
    if rules.hands is not None and rules.hands % len(players):
        message = sentence(
            "the number of hands is a multiple of the number of players, %(players)s, not "
            "%(hands)s",
            players=len(players),
            hands=rules.hands,
        )
        raise NotationError(message, path="options.hands", rule="S12")
    started = game_started(GameStarted, command, opening_pot=command.opening_pot)
    return [started, *brought(command), *_opening_chips(rules, tuple(players))]


def _opening_chips(rules: Rules, seats: Sequence[str]) -> list[ChipsMoved]:
    if not rules.opening_chips:
        return []
    return [
        ChipsMoved(source=BANK, target=seat, chips=rules.opening_chips, why="opening", rule="Chips")
        for seat in seats
    ]


def turns(rules: Rules, seats: Sequence[str]) -> Turns:
    """The deal passes to the right (S12)."""
    return Turns(RIGHT[len(seats)])


def next_dealer(state: State) -> str | None:
    """Who deals next: the player at the last dealer's right; None before the first hand (S12)."""
    return RIGHT[len(state.players)][state.done[-1].hand.dealer] if state.done else None


def decide_opening(command: OpenHand, state: State) -> list[Event]:
    """The facts of a hand's opening: dealer, excuses, buy-ins, antes.

    Raises `game_over`, `bad_dealer`, `no_chips`, or NotationError.
    """
    check_may_open(state, over="S12", unopened="S1")
    excuses = frozenset(code for ruling in command.accepted for code in ruling.excuses)
    check_seating(state.players, command.players)
    dealer = _dealer(command, state, excuses)
    seated = substitutions(state.players, command.players)
    opened = HandOpened(
        number=state.played + 1, dealer=dealer, players=seated, at=command.at, note=command.note
    )
    excused = [
        HandExcused(excuses=ruling.excuses, by=ruling.by, reason=ruling.reason)
        for ruling in command.accepted
    ]
    return [opened, *excused, *_payments(command, state, opened, excuses)]


def _dealer(command: OpenHand, state: State, excuses: frozenset[str]) -> str:
    expected = next_dealer(state)
    if command.dealer is None:
        if expected is None:
            raise NotationError("the first hand names its dealer", path="dealer", rule="S12")
        return expected
    check_seat(command.dealer, state.seats, "dealer")
    if expected is not None and command.dealer != expected and "bad_dealer" not in excuses:
        message = sentence(
            "%(expected)s deals this hand, not %(dealer)s: the deal passes to the right",
            expected=expected,
            dealer=command.dealer,
        )
        raise RuleViolation("bad_dealer", message, rule="S12", path="dealer")
    return command.dealer


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
    for seat, _ in command.buy_ins:
        check_seat(seat, state.seats, f"buy_ins.{seat}")
    buy_ins = bought(command.buy_ins, accounts)
    balances = reduce(moved, buy_ins, state.balances)
    hand = Hand(
        Play(opened.dealer),
        (),
        opened.number,
        opened.dealer,
        opened.dealer,
        accounts,
        excuses=excuses,
    )
    antes = [(seat, state.rules.ante) for seat in state.seats]
    return [
        *buy_ins,
        *pay(state._replace(balances=balances), hand, antes, ANTE, why="ante", rule="S1", path=""),
    ]
