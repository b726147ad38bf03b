"""The house rules of Order of Precedence: every option with its default, its rule and its sense."""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.options import Option, rules_reader

OPTIONS = (
    Option(
        name="first_king",
        rule="O1",
        default="removed",
        title="First King",
        sense=(
            "A King is put on the first foundation before the deal, or the foundation waits "
            "until a King turns up."
        ),
        choices=(("removed", "Put out before"), ("first_available", "When one turns up")),
    ),
    Option(
        name="redeals",
        rule="O5",
        default=2,
        title="Redeals",
        sense="So many times the waste is turned over as the new stock.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of one game, every one spelled out."""

    first_king: str
    redeals: int

    @property
    def passes(self) -> int:
        """Number of passes through the stock (O5)."""
        return self.redeals + 1


# The rules of a game from its options, defaults where nothing is given. Raises NotationError.
read_rules: Callable[[object], Rules] = rules_reader(Rules, OPTIONS)
