"""Two entries of one hand, made independently, compared at the coarser detail (Corrections and
confirmation).
"""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.common_state import GameState
from scoring.game import AnyGame
from scoring.legacy_hands import as_taken, as_taken_beside
from scoring.shape import JsonObject
from scoring.sheets import HandSheet


class Outcomes(NamedTuple):
    """The outcomes of two entries of a hand: each result with its explanation, {} where a hand has
    none, and the tricks, as (number, winner, winner), that they give to different seats.
    """

    first: JsonObject
    second: JsonObject
    tricks: Sequence[tuple[int, str, str]]


# What a table writes beside the hand itself.
WORDS = frozenset({"note", "at", "players", "buy_ins", "rulings"})
ADMITTING = frozenset({"accept_hand", "accept_play"})


def second_sheet(game: AnyGame, first: JsonObject, second: JsonObject, rules: object) -> HandSheet:
    """The second entry as a sheet: with who sat, what was bought and what was let stand in the
    first. Raises NotationError.
    """
    known = {key: first[key] for key in ("players", "buy_ins") if key in first}
    admitted = [ruling for ruling in first.get("rulings", ()) if ruling["kind"] in ADMITTING]
    sheet: HandSheet = game.read_sheet(
        _of_the_hand(second) | known | ({"rulings": admitted} if admitted else {}), rules
    )
    return sheet


def second_entry_of(
    game: AnyGame, before: GameState, first: JsonObject, second: JsonObject
) -> tuple[JsonObject, bool]:
    """A second entry as a record holds it, without words, and whether it says the same as the first
    wherever both say something.

    `before` is the game before that hand, `first` the hand as a record holds it; rulings that
    adjusted it are left out. Raises Refusal for a second entry that the rules refuse, unless the
    first was taken before they did and this is the same.
    """
    one, other = _both_decided(game, before, first, second)
    mine, theirs = _hand(game, one), _hand(game, other)
    same = _result(game, one, before) == _result(game, other, before)
    return theirs, same and _same_detail(mine, theirs) and _same_winners(one, other)


def compare_outcomes(
    game: AnyGame, before: GameState, first: JsonObject, second: JsonObject
) -> Outcomes:
    """Return the outcomes of two entries of a hand. Raises Refusal where the rules refuse one of
    them.
    """
    states = _both_decided(game, before, first, second)
    found = [game.hand_results(state, before.played) for state in states]
    pairs = enumerate(zip(*map(_winners, states), strict=False), 1)
    return Outcomes(
        first=found[0][0] if found[0] else {},
        second=found[1][0] if found[1] else {},
        tricks=[(trick, one, other) for trick, (one, other) in pairs if one != other],
    )


def _both_decided(
    game: AnyGame, before: GameState, first: JsonObject, second: JsonObject
) -> tuple[GameState, GameState]:
    recorded, entered = (second_sheet(game, first, hand, before.rules) for hand in (first, second))
    return (
        _decide_sheet(game, before, as_taken(game, recorded, before)),
        _decide_sheet(game, before, as_taken_beside(game, entered, recorded, before)),
    )


def _decide_sheet(game: AnyGame, before: GameState, sheet: HandSheet) -> GameState:
    after: GameState = game.decide_sheet(sheet, before)[1]
    return after


def _result(game: AnyGame, state: GameState, before: GameState) -> JsonObject | None:
    found = game.hand_results(state, before.played)
    return found[0]["result"] if found else None


def _hand(game: AnyGame, state: GameState) -> JsonObject:
    return _of_the_hand(game.write_hands(state)[-1])


def _of_the_hand(hand: JsonObject) -> JsonObject:
    return {key: value for key, value in hand.items() if key not in WORDS}


def _same_detail(one: JsonObject, other: JsonObject) -> bool:
    return all(one[key] == other[key] for key in one.keys() & other.keys())


def _same_winners(one: GameState, other: GameState) -> bool:
    """Whether the winners of the tricks that both wrote down, by cards or by seat, are the same."""
    return all(mine == theirs for mine, theirs in zip(_winners(one), _winners(other), strict=False))


def _winners(state: GameState) -> Sequence[str]:
    return getattr(getattr(state.done[-1].hand, "play", None), "winners", ())
