"""Starting a game and opening a hand: seats, dealer, antes (S1, S12)."""

from collections.abc import Sequence

from scoring.balances import opening_chips, opening_payments
from scoring.deciding import (
    check_may_open,
    excused,
    excuses_of,
    fact_of,
    hand_opened,
    require_start,
)
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.game import Turns
from scoring.sabacc.commands import Command, OpenHand
from scoring.sabacc.events import Event, GameStarted, HandOpened
from scoring.sabacc.left_pots import move_opening_pot
from scoring.sabacc.pots import ANTE
from scoring.sabacc.rules import Rules
from scoring.sabacc.state import RIGHT, SEATINGS, State
from scoring.seating import accounts_of, check_players, check_seat, check_seating


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, a pot brought (S13), chips given
    out. Raises NotationError.
    """
    start, rules = require_start(command, Rules, rule="S1")
    seats = [seat for seat, _ in start.players]
    expected = sentence(
        "Contract Sabacc is played by three to five, at the first of the seats A, B, C, D, E"
    )
    check_players(start.players, SEATINGS, expected)
    if rules.hands is not None and rules.hands % len(seats):
        message = sentence(
            "the number of hands is a multiple of the number of players, %(players)s, not "
            "%(hands)s",
            players=len(seats),
            hands=rules.hands,
        )
        raise NotationError(message, path="options.hands", rule="S12")
    return [fact_of(GameStarted, start), *move_opening_pot(start), *opening_chips(rules, seats)]


def turns(rules: Rules, seats: Sequence[str]) -> Turns:
    """The deal passes to the right (S12)."""
    return Turns(RIGHT[len(seats)])


def next_dealer(state: State) -> str | None:
    """Return the seat that deals next: the player at the last dealer's right; None before
    the first hand (S12).
    """
    return RIGHT[len(state.players)][state.done[-1].hand.dealer] if state.done else None


def decide_opening(command: OpenHand, state: State) -> list[Event]:
    """The facts of a hand's opening: dealer, excuses, buy-ins, antes.

    Raises `game_over`, `bad_dealer`, `no_chips`, or NotationError.
    """
    check_may_open(state, over="S12", unopened="S1")
    check_seating(state.players, command.players)
    opened = hand_opened(HandOpened, command, state, dealer=_dealer(command, state))
    accounts = accounts_of(state.players, opened.players)
    payments = opening_payments(
        command, state, accounts, ante=state.rules.ante, pot=ANTE, rule="S1"
    )
    return [opened, *excused(command), *payments]


def _dealer(command: OpenHand, state: State) -> str:
    expected = next_dealer(state)
    if command.dealer is None:
        if expected is None:
            raise NotationError("the first hand names its dealer", path="dealer", rule="S12")
        return expected
    check_seat(command.dealer, state.seats, "dealer")
    excused_dealer = "bad_dealer" in excuses_of(command)
    if expected is not None and command.dealer != expected and not excused_dealer:
        message = sentence(
            "%(expected)s deals this hand, not %(dealer)s: the deal passes to the right",
            expected=expected,
            dealer=command.dealer,
        )
        raise RuleViolation("bad_dealer", message, rule="S12", path="dealer")
    return command.dealer
