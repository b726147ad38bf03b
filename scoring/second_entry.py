"""Two entries of one hand, made independently, compared at the coarser detail (Corrections and confirmation)."""

from collections.abc import Mapping
from typing import Any

from scoring.game import Game

WORDS = frozenset({"note", "at", "players", "buy_ins", "rulings"})  # what a table writes beside the hand itself
ADMITTING = frozenset({"accept_hand", "accept_play"})


def second_sheet(game: Game, first: Mapping[str, Any], second: Mapping[str, Any], rules: Any) -> Any:
    """The second entry as a sheet: with who sat, what was bought and what was let stand in the first. Raises NotationError."""
    known = {key: first[key] for key in ("players", "buy_ins") if key in first}
    admitted = [ruling for ruling in first.get("rulings", ()) if ruling["kind"] in ADMITTING]
    return game.read_sheet(_of_the_hand(second) | known | ({"rulings": admitted} if admitted else {}), rules)


def second_entry_of(game: Game, before: Any, first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """A second entry as a record holds it, without words, and whether it says the same as the first wherever both say something.

    `before` is the game before that hand, `first` the hand as a record holds it; rulings that adjusted it are left out.
    Raises Refusal for a second entry that the rules refuse.
    """
    one = _decided(game, before, second_sheet(game, first, first, before.rules))
    other = _decided(game, before, second_sheet(game, first, second, before.rules))
    mine, theirs = _hand(game, one), _hand(game, other)
    same = _result(game, one, before) == _result(game, other, before)
    return theirs, same and _same_detail(mine, theirs) and _same_winners(one, other)


def _decided(game: Game, before: Any, sheet: Any) -> Any:
    return game.decide_sheet(sheet, before)[1]


def _result(game: Game, state: Any, before: Any) -> dict[str, Any] | None:
    found = game.hand_results(state, before.played)
    return found[0]["result"] if found else None


def _hand(game: Game, state: Any) -> dict[str, Any]:
    return _of_the_hand(game.write_hands(state)[-1])


def _of_the_hand(hand: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in hand.items() if key not in WORDS}


def _same_detail(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[key] == other[key] for key in one.keys() & other.keys())


def _same_winners(one: Any, other: Any) -> bool:
    """Whether the winners of the tricks that both wrote down, by cards or by seat, are the same."""
    winners = [getattr(getattr(state.done[-1].hand, "play", None), "winners", ()) for state in (one, other)]
    return all(mine == theirs for mine, theirs in zip(*winners, strict=False))
