"""The hand that is open while earlier ones are corrected: it stands on top of them when its opening
still holds.
"""

from scoring.common_state import GameState
from scoring.course import Part
from scoring.errors import RuleViolation, sentence
from scoring.events import ChipsMoved, HandExcused
from scoring.game import AnyGame


def decide_open_hand(
    game: AnyGame, part: Part, before: GameState, state: GameState
) -> list[object]:
    """The facts of the open hand on top of `state`; it was opened on top of `before`. Raises
    RuleViolation when it can't have been.
    """
    act = _opening(game, part, before)
    recorded = game.decide(act, before)
    facts = [fact for _, fact in part.facts]
    try:
        return [*game.decide(act, state), *facts[len(recorded) :]]
    except RuleViolation as violation:
        message = sentence(
            "the hand that is open could not have been opened then: %(message)s. Close it "
            "or undo its opening first",
            message=violation.sentence,
        )
        raise RuleViolation(violation.code, message, rule=violation.rule) from None


def _opening(game: AnyGame, part: Part, before: GameState) -> object:
    """The act that opened it."""
    opened = part.first
    players: tuple[tuple[str, str], ...] = getattr(opened, "players", ())
    keys = ("dealer", "trump", "stock", "at", "note")
    given = {key: getattr(opened, key) for key in keys if getattr(opened, key, None)}
    given |= {key: list(given[key]) for key in ("stock",) if key in given}
    excused = [fact for _, fact in part.facts if isinstance(fact, HandExcused)]
    given["players"] = dict(players)
    given["rulings"] = [
        {"kind": "accept_hand", "excuses": list(fact.excuses), "by": fact.by, "reason": fact.reason}
        for fact in excused
    ]
    bought = [
        fact for _, fact in part.facts if isinstance(fact, ChipsMoved) and fact.why == "buy_in"
    ]
    if bought:
        seats = {
            account: seat for seat, account in game.evolve(before, opened).hand.accounts.items()
        }
        given["buy_ins"] = {seats[fact.target]: fact.chips for fact in bought}
    return game.acts["hands"](given, before.rules)
