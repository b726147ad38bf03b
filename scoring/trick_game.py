"""A trick game as one value: what such games do alike is said here, a variant says only what
differs.
"""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.game import Game
from scoring.options import Choice, rules_as_options
from scoring.pad_state import place
from scoring.shape import Fields
from scoring.sheets import HandSheet
from scoring.trick_states import TrickState


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickGame[State: TrickState, Command, Event, Rules: Fields, Sheet: HandSheet](
    Game[State, Command, Event, Rules, Sheet]
):
    """A game of tricks.

    Beside this value the modules of a variant lean on what is decided alike: `deciding` (rulings,
    undo, ends), `folding` (frames to return to, chips, rulings), `card_play` (whose turn it is,
    which cards are left) and `purses`.
    """

    write_rules: Callable[[Rules], dict[str, Choice]] = rules_as_options
    """Every option by name; what has no value is left out."""
    place: Callable[[State], dict[str, int]] = place
    """The number of the open or next hand, and of the next trick in an open one (else 0)."""
