"""Starting a game and opening a hand: seats, stakes, dealer, trump (P1, P3 to P5, P25)."""

from collections.abc import Sequence

from scoring.balances import opening_chips, opening_payments, paid
from scoring.deciding import (
    check_may_open,
    excused,
    excuses_of,
    fact_of,
    hand_opened,
    require_start,
)
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import ChipsMoved
from scoring.game import Turns
from scoring.precedence.cards import SUIT_NAMES, SUITS
from scoring.precedence.commands import Command, OpenHand
from scoring.precedence.events import Event, GameStarted, HandOpened
from scoring.precedence.melds import SET_SIZES, SHORTEST_RUN, meld_points
from scoring.precedence.pots import ACCORD, HAND
from scoring.precedence.rules import Rules, are_by_side
from scoring.precedence.score import AUDIT_AT, AUDIT_POINTS, TRICK_POINTS
from scoring.precedence.seating import accounts_of, check_seating
from scoring.precedence.seats import LEFT, SEAT_NAMES, SEATS
from scoring.precedence.state import State
from scoring.seating import check_players

NEXT_SUIT = dict(zip(SUITS, SUITS[1:] + SUITS[0], strict=True))


def decide_start(command: Command) -> list[Event]:
    """The game's first facts: who sits where under which rules, chips given out, the Accord stakes
    paid (P3).
    """
    start, rules = require_start(command, Rules, rule="P3")
    expected = sentence("Precedence is played by four, at the seats N, E, S and W")
    check_players(start.players, (SEATS,), expected)
    started = fact_of(GameStarted, start)
    return [started, *opening_chips(rules, SEATS), *_accord_stakes(rules)]


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
    """The deal passes to the left, the trump to the next suit where it rotates (P1, P5); the game
    ends by points (P7, P16 to P19, P23).
    """
    points = {
        "target": rules.target_score,
        "trick": TRICK_POINTS,
        "audit_at": AUDIT_AT,
        "audit_points": AUDIT_POINTS,
        "carry": rules.excess_reset == "carry",
        "run": meld_points("run", SHORTEST_RUN),
        "long_run": meld_points("run", SHORTEST_RUN + 1),
        "triad": meld_points("triad", SET_SIZES["triad"]),
        "quad": meld_points("quad", SET_SIZES["quad"]),
        **({"by_side": True} if are_by_side(rules) else {}),
    }
    return Turns(LEFT, {} if rules.trump == "declared" else NEXT_SUIT, points)


def next_dealer(state: State) -> str | None:
    """Return the seat that deals next by rotation; None before the first hand (P1, P25)."""
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
    check_seating(state.players, command.players)
    excuses = excuses_of(command)
    opened = hand_opened(
        HandOpened,
        command,
        state,
        dealer=_dealer(command, state, excuses),
        trump=_trump(command, state, excuses),
    )
    payments = opening_payments(
        command,
        state,
        accounts_of(state.players, opened.players),
        ante=state.rules.ante if state.redealt is None else 0,
        pot=HAND,
        rule="P4",
        names=SEAT_NAMES,
    )
    return [opened, *excused(command), *payments]


def _dealer(command: OpenHand, state: State, excuses: frozenset[str]) -> str:
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


def _trump(command: OpenHand, state: State, excuses: frozenset[str]) -> str:
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
