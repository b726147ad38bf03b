"""Whist a version later: how many tricks were counted is stored in another shape, and games from
before are read as ever.
"""

from dataclasses import dataclass, replace
from typing import Any

from scoring.game import AnyGame
from tests.fifth_game.whist import SHAPES, WHIST, State, TricksCounted


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksWon:
    """Schema 2 of `whist.tricks_counted`: what North–South and East–West won, as a pair."""

    won: tuple[int, int]

    ns = property(lambda self: self.won[0])
    ew = property(lambda self: self.won[1])


def _evolve(state: State | None, event: Any) -> State:
    after: State = WHIST.evolve(
        state, TricksCounted(ns=event.ns, ew=event.ew) if isinstance(event, TricksWon) else event
    )
    return after


def _decide(command: Any, state: State | None) -> list[Any]:
    return [_now(event) for event in WHIST.decide(command, state)]


def _decide_sheet(sheet: Any, state: State) -> tuple[list[Any], State]:
    events, after = WHIST.decide_sheet(sheet, state)
    return [_now(event) for event in events], after


def _now(event: Any) -> Any:
    return _won(event) if isinstance(event, TricksCounted) else event


def _won(counted: TricksCounted) -> TricksWon:
    return TricksWon(won=(counted.ns, counted.ew))


# Its events are not those of Whist, whose type `replace` would keep: it passes through as one of
# the games, whichever.
_BEFORE: AnyGame = WHIST
WHIST_LATER: AnyGame = replace(
    _BEFORE,
    shapes={**SHAPES, ("whist.tricks_counted", 2): TricksWon},
    upcasters={("whist.tricks_counted", 1): _won},
    evolve=_evolve,
    decide=_decide,
    decide_sheet=_decide_sheet,
)
