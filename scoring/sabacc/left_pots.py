"""Chips a game leaves in its Ante Pot, and the game that begins with them (S13).

Chips never leave the books of a game: what is brought comes from its account `earlier`, what is
taken goes to its account `later`, in two games by one command. So every game balances by itself,
and so do all of them together.
"""

from scoring.chips import EARLIER, LATER
from scoring.commands import GivePotBack, StartGame, TakePot, Undo
from scoring.common_state import decide_undo, reversal
from scoring.errors import RuleViolation, sentence
from scoring.events import ChipsMoved, OpeningPot, PotReturned, PotTaken, SharedEvent
from scoring.left_pots import RULE, pot_is_taken
from scoring.sabacc.pots import ANTE
from scoring.sabacc.state import State


def opening_pot(state: State) -> OpeningPot | None:
    """The pot of an earlier game that this one began with and holds: one that was not played gave
    it back.
    """
    if state.closed is not None and not state.closed.has_result:
        return None
    return state.opening_pot


def pot_at_the_end(state: State) -> int:
    """Return the chips in the Ante Pot, or those there until a later game took them."""
    return state.balances.get(ANTE, 0) + state.balances.get(LATER, 0)


def move_opening_pot(command: StartGame) -> list[ChipsMoved]:
    """The chips that a game begins with."""
    pot = command.opening_pot
    if pot is None:
        return []
    return [ChipsMoved(source=EARLIER, target=ANTE, chips=pot.chips, why="opening_pot", rule=RULE)]


def take(command: TakePot, state: State) -> list[SharedEvent]:
    """The facts of the pot taken by a later game.

    Raises RuleViolation `out_of_turn` where this game is not over, `pot_taken` where another game
    has it, `no_chips` or `bad_total` where the pot holds fewer or more than these chips.
    """
    game, held, asked = state.record, state.balances.get(ANTE, 0), command.chips
    if state.closed is None:
        message = sentence("game %(game)s is not over; its Ante Pot is taken when it is", game=game)
        raise RuleViolation("out_of_turn", message, rule=RULE, path="opening_pot.from")
    if state.taken is not None:
        message = sentence(
            "the Ante Pot of game %(game)s was taken already, by game %(taker)s",
            game=game,
            taker=state.taken.game,
        )
        raise RuleViolation("pot_taken", message, rule=RULE, path="opening_pot.from")
    if held != asked:
        message = sentence(
            "game %(game)s has left %(held)s chips in its Ante Pot, not %(chips)s",
            game=game,
            held=held,
            chips=asked,
        )
        code = "no_chips" if held < asked else "bad_total"
        raise RuleViolation(code, message, rule=RULE, path="opening_pot.chips")
    move = ChipsMoved(source=ANTE, target=LATER, chips=command.chips, why="pot_taken", rule=RULE)
    return [PotTaken(game=command.game, chips=command.chips), move]


def give_back(command: GivePotBack, state: State) -> list[SharedEvent]:
    """The facts of the pot given back: it is as if it had not been taken."""
    at, move = next((at, move) for at, move in reversed(state.moves) if move.target == LATER)
    return [PotReturned(), reversal(move, at, why="pot_returned")]


def undo(command: Undo, state: State) -> list[SharedEvent]:
    """The facts of an act taken back. Raises RuleViolation `pot_taken` where another game has this
    one's pot, else as `decide_undo`.
    """
    if state.taken is not None:
        raise pot_is_taken(state.taken)
    return [*decide_undo(command, state)]
