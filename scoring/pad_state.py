"""Values every pad shows of a game in the same form: the act that `Undo` would take
back, and the place of the game.
"""

from collections.abc import Mapping
from dataclasses import fields

from scoring.common_state import GameState
from scoring.shape import JsonObject
from scoring.trick_states import TrickState


def undoable(state: GameState, shapes: Mapping[tuple[str, int], type]) -> JsonObject | None:
    """Return the act that can be taken back: the version of its first event, and that
    event under the name in `shapes`.
    """
    if not state.trail or state.act is None:
        return None
    stored_name = next(name for (name, _), shape in shapes.items() if shape is type(state.act))
    values = {field.name: getattr(state.act, field.name) for field in fields(state.act)}
    return {"version": state.trail[-1].version + 1, "act": {"type": stored_name, **values}}


def place(state: TrickState) -> dict[str, int]:
    """Return the place of a game of tricks: the number of the open or next hand, and of
    the next trick in an open one (else 0).
    """
    return {
        "hand": state.hand.number if state.hand else state.played + 1,
        "trick": state.hand.play.trick if state.hand else 0,
    }
