"""Starting a game and opening a hand: seats, dealer, antes (R1 to R3)."""

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
from scoring.preference.commands import Command, OpenHand
from scoring.preference.events import Event, GameStarted, HandOpened
from scoring.preference.payments import POT
from scoring.preference.rules import Rules
from scoring.preference.state import LEFT, SEAT_NAMES, SEATS, State
from scoring.seating import accounts_of, check_players, check_seating


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, and the chips given out."""
    start, rules = require_start(command, Rules, rule="R1")
    expected = sentence("Preference is played by three, at the seats A, B and C")
    check_players(start.players, (SEATS,), expected)
    return [fact_of(GameStarted, start), *opening_chips(rules, SEATS)]


def turns(rules: Rules, seats: Sequence[str]) -> Turns:
    """The deal passes to the left, of a hand thrown in too (R1)."""
    return Turns(LEFT)


def next_dealer(state: State) -> str | None:
    """Return the seat that deals next by rotation; None before the first hand (R1)."""
    return LEFT[state.done[-1].hand.dealer] if state.done else None


def antes_due(state: State) -> int:
    """Return the chips each player pays before the next deal: the ante when the pot is
    empty, else 0 (R2).
    """
    return 0 if state.balances.get(POT, 0) else state.rules.ante


def decide_opening(command: OpenHand, state: State) -> list[Event]:
    """The facts of a hand's opening: dealer, excuses, buy-ins, antes.

    Raises `game_over`, `bad_dealer`, `no_chips`, or NotationError.
    """
    check_may_open(state, over="R1", unopened="R1")
    check_seating(state.players, command.players)
    opened = hand_opened(HandOpened, command, state, dealer=_dealer(command, state))
    accounts = accounts_of(state.players, opened.players)
    payments = opening_payments(
        command,
        state,
        accounts,
        ante=antes_due(state),
        pot=POT,
        rule="R2",
        names={seat: SEAT_NAMES[account[0]] for seat, account in accounts.items()},
    )
    return [opened, *excused(command), *payments]


def _dealer(command: OpenHand, state: State) -> str:
    expected = next_dealer(state)
    if command.dealer is None:
        if expected is None:
            raise NotationError("the first hand names its dealer", path="dealer", rule="R3")
        return expected
    excused_dealer = "bad_dealer" in excuses_of(command)
    if expected is not None and command.dealer != expected and not excused_dealer:
        message = sentence(
            "%(seat)s deals this hand, not %(other_seat)s: the deal passes to the left",
            seat=SEAT_NAMES[expected],
            other_seat=SEAT_NAMES[command.dealer],
        )
        raise RuleViolation("bad_dealer", message, rule="R1", path="dealer")
    return command.dealer
