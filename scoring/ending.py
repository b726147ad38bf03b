"""Ends of a game before its rules end it: called, abandoned, or not played at all
(Called games).
"""

from scoring.chips import BANK
from scoring.commands import EndGame
from scoring.common_state import GameState, moves_since, reversal, since_opening
from scoring.errors import RuleViolation, sentence
from scoring.events import NOT_PLAYED, ChipsMoved, EntryRetracted, GameClosed
from scoring.game import AnyGame
from scoring.shape import a_text, an_object, one_of, required

RULE = "Called games"
KINDS = ("called", "abandoned", NOT_PLAYED)


def read_end(value: object, *, by: str) -> EndGame:
    """The end of a game as it was written, which `by` says. Raises NotationError."""
    given = an_object(value, "", keys=("kind", "reason"))
    kind = one_of(given.get("kind"), KINDS, "kind")
    reason = a_text(required(given, "reason", ""), "reason", shortest=1)
    return EndGame(kind=kind, by=by, reason=reason)


def decide_end(game: AnyGame, command: EndGame, state: GameState) -> list[object]:
    """The facts of a game that ends before its time: an open hand is taken back first, and what it
    paid with it.

    A game that was not played has no result, and every chip goes back to where it came from. Raises
    RuleViolation `game_over`, or `out_of_turn`: what is called or abandoned has a closed hand, what
    was not played has none.
    """
    if state.closed is not None:
        raise RuleViolation("game_over", "the game is over already", rule=RULE, path="ended")
    voided = _open_hand_taken_back(state)
    before = game.folded(voided, state)
    if command.kind != NOT_PLAYED:
        return [*voided, *game.decide(command, before)]
    if state.results:
        message = sentence("a hand of this game was played; call it or abandon it")
        raise RuleViolation("out_of_turn", message, rule=RULE, path="ended")
    return [
        *voided,
        GameClosed(kind=NOT_PLAYED, by=command.by, reason=command.reason),
        *_return_chips(before),
    ]


def _open_hand_taken_back(state: GameState) -> list[EntryRetracted | ChipsMoved]:
    """The facts that take back all of the open hand, the last chips first; none where no hand is
    open.
    """
    if state.hand is None:
        return []
    before = since_opening(state)[0]
    paid = reversed(moves_since(before, state))
    return [
        EntryRetracted(version=before.version + 1),
        *(reversal(move, at, why="undo") for at, move in paid),
    ]


def _return_chips(state: GameState) -> list[ChipsMoved]:
    """The moves after which every account holds nothing: pots go back to who paid, what was bought
    to the bank.
    """
    net = {
        account: chips - state.bought.get(account, 0)
        for account, chips in sorted(state.balances.items())
        if account != BANK
    }
    owed = {account: -chips for account, chips in net.items() if chips < 0}
    moves = []
    for source, left in ((account, chips) for account, chips in net.items() if chips > 0):
        for target in owed:
            chips = min(left, owed[target])
            left, owed[target] = left - chips, owed[target] - chips
            moves += [_back(source, target, chips)] if chips else []
    return [
        *moves,
        *(_back(account, BANK, chips) for account, chips in sorted(state.bought.items()) if chips),
    ]


def _back(source: str, target: str, chips: int) -> ChipsMoved:
    return ChipsMoved(source=source, target=target, chips=chips, why=NOT_PLAYED, rule=RULE)
