"""The house rules of Contract Sabacc: every option with its default, its rule and its sense."""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.options import OPENING_CHIPS, Option, rules_reader

OPTIONS = (
    Option(
        name="hands",
        rule="S12",
        default=None,
        title="Hands",
        sense="A multiple of the number of players. Empty: everybody deals once.",
        least=3,
        optional=True,
    ),
    Option(
        name="ante",
        rule="S1",
        default=1,
        title="Ante",
        sense="Each player pays this into the Ante Pot at every hand.",
    ),
    Option(
        name="first_caller",
        rule="S3",
        default="left",
        title="Who bids first",
        sense=(
            "The player at the dealer's left, or the one at the dealer's right. It goes on "
            "counterclockwise."
        ),
        choices=(("left", "Dealer's left"), ("right", "Dealer's right")),
    ),
    Option(
        name="wager",
        rule="S5",
        default="all_match",
        title="Wagers",
        sense=(
            "Everybody stakes what the contract asks, or each the stake of their own highest bid."
        ),
        choices=(("all_match", "Everybody"), ("bidders_only", "Bidders only")),
    ),
    Option(
        name="ante_pot_end",
        rule="S13",
        default="split",
        title="Ante Pot at the end",
        sense="What is left is shared equally, or stays for further games.",
        choices=(("split", "Shared"), ("leave", "Stays")),
    ),
    OPENING_CHIPS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of one game, every one spelled out; `hands` is None where everybody deals
    once.
    """

    hands: int | None
    ante: int
    first_caller: str
    wager: str
    ante_pot_end: str
    opening_chips: int | None


# The rules of a game from its options, defaults where nothing is given. Raises NotationError.
read_rules: Callable[[object], Rules] = rules_reader(Rules, OPTIONS)


def hands_of(rules: Rules, players: int) -> int:
    """Return the number of hands of the game (S12)."""
    return players if rules.hands is None else rules.hands
