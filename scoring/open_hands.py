"""The hand that is open while earlier ones are corrected: it stands on top of them when its opening still holds."""

from typing import Any

from scoring.course import Part
from scoring.errors import RuleViolation, sentence
from scoring.events import ChipsMoved, HandExcused
from scoring.game import Game


def decide_open_hand(game: Game, part: Part, before: Any, state: Any) -> list[Any]:
    """The facts of the open hand on top of `state`; it was opened on top of `before`. Raises RuleViolation when it can't have been."""
    act = _opening(game, part, before)
    recorded = game.decide(act, before)
    facts = [fact for _, fact in part.facts]
    try:
        return [*game.decide(act, state), *facts[len(recorded) :]]
    except RuleViolation as violation:
        message = sentence(
            "the hand that is open could not have been opened then: %(message)s. Close it or undo its opening first",
            message=violation.sentence,
        )
        raise RuleViolation(violation.code, rule=violation.rule, message=message) from None


def _opening(game: Game, part: Part, before: Any) -> Any:
    """The act that opened it."""
    opened = part.first
    keys = ("dealer", "trump", "stock", "at", "note")
    given = {key: getattr(opened, key) for key in keys if getattr(opened, key, None)}
    given |= {key: list(given[key]) for key in ("stock",) if key in given}
    excused = [fact for _, fact in part.facts if isinstance(fact, HandExcused)]
    given["players"] = dict(opened.players)
    given["rulings"] = [{"kind": "accept_hand", "excuses": list(fact.excuses), "by": fact.by, "reason": fact.reason} for fact in excused]
    bought = [fact for _, fact in part.facts if isinstance(fact, ChipsMoved) and fact.why == "buy_in"]
    if bought:
        seats = {account: seat for seat, account in game.evolve(before, opened).hand.accounts.items()}
        given["buy_ins"] = {seats[fact.target]: fact.chips for fact in bought}
    return game.acts["hands"](given, before.rules)
