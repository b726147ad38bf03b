"""Ends of a hand and of a game: the settlement, the close, the pot shared at last (R14
to R17).
"""

from scoring.commands import EndGame
from scoring.deciding import ending, no_open_hand
from scoring.events import GameClosed, HandClosed
from scoring.preference.events import Event
from scoring.preference.evolve import evolve
from scoring.preference.payments import POT, check_payment, final_shares, settlement
from scoring.preference.score import count_adjusted_tricks
from scoring.preference.state import Hand, State


def open_hand_of(state: State) -> Hand:
    """The open hand. Raises RuleViolation `game_over` or `out_of_turn` when there is none."""
    if state.hand is None:
        raise no_open_hand(state, over="R1", unopened="R1")
    return state.hand


def close(state: State, event: Event) -> list[Event]:
    """The last fact of a hand, and what follows from it: the settlement, the hand closed, perhaps
    the game.

    Raises RuleViolation `no_chips`, or `bad_total` for a ruling that leaves tricks that can't be.
    """
    hand = open_hand_of(evolve(state, event))
    count_adjusted_tricks(hand)
    pot = state.balances.get(POT, 0)
    moves = settlement(hand, state.rules, pot)
    for move in moves:
        check_payment(state.rules, state.balances, move, hand.excuses)
    events: list[Event] = [event, *moves, HandClosed(number=hand.number)]
    if state.played + 1 < state.rules.hands:
        return events
    left = pot + sum(-move.chips if move.source == POT else move.chips for move in moves)
    return [*events, GameClosed(kind="played"), *final_shares(hand.dealer, left)]


def decide_end(command: EndGame, state: State) -> list[Event]:
    """The game called or abandoned after a closed hand, and the pot shared. Raises `game_over` or
    `out_of_turn`.
    """
    closing = ending(command, state, over="R1", rule="R17")
    return [closing, *final_shares(state.done[-1].hand.dealer, state.balances.get(POT, 0))]
