"""Players who don't exist play a hand of any game by chance: whatever its table offers next, until
the hand is over.

Nothing of the rules is said again here. Chance comes in as a `random.Random`, so the same seed
gives the same hand.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from scoring.game import AnyGame
from scoring.legal import Form
from scoring.shape import GREATEST, JsonMapping

# How a table that writes down no cards records a hand, by the collections of all games.
SAID = ("hands", "calls", "bids", "contracts", "defences", "kings", "totals")
PASSES = 0.5  # how often who could pass does


def hand_by_chance(rng: Random, game: AnyGame, state: Any) -> tuple[list[object], Any]:  # noqa: ANN401 - the state of that game
    """The acts of the next hand and the state after them; `state` stands between two hands."""
    acts: list[object] = []
    while not acts or state.hand is not None:
        forms = game.legal_next(game.table(state))
        collection = rng.choice([name for name in SAID if name in forms])
        act = game.acts[collection](one_of_form(rng, rng.choice(forms[collection])), state.rules)
        state = game.folded(game.decide(act, state), state)
        acts.append(act)
    return acts, state


def one_of_form(rng: Random, form: Form) -> dict[str, object]:
    """An act that belongs to a form, without what may be left out."""
    chosen = {name: _one_of(rng, values) for name, values in form.items() if name != "sums"}
    return {name: value for name, value in chosen.items() if value is not None}


def _one_of(rng: Random, values: Sequence[object] | JsonMapping) -> object:
    """A value of one of the sets that `scoring.legal` describes, cards apart."""
    if not isinstance(values, Mapping):
        passed = "pass" in values and rng.random() < PASSES
        return "pass" if passed else rng.choice(values)
    if values.get("optional"):
        return None
    if "fields" in values:
        return one_of_form(rng, values["fields"])
    if "each" in values:
        return _lengths(rng, values["each"])
    return _a_number(rng, values)


def _lengths(rng: Random, each: Sequence[JsonMapping]) -> list[object]:
    """A number of each of these sets; after a 0 only more of them."""
    found: list[object] = []
    for numbers in each:
        found.append(0 if 0 in found else _a_number(rng, numbers))
    return found


def _a_number(rng: Random, numbers: JsonMapping) -> float:
    least, most, step = numbers["least"], numbers["most"], numbers["step"]
    if most == GREATEST:
        return float(least) if least % 1 else int(least)
    number = least + step * rng.randint(0, int((most - least) // step))
    return number if number % 1 else int(number)
