"""The house rules of Precedence: every option with its default, its rule and its sense."""

from collections.abc import Callable
from dataclasses import dataclass

from scoring.options import OPENING_CHIPS, YES_NO, Option, rules_reader
from scoring.precedence.cards import SUIT_NAMES

OPTIONS = (
    Option(
        name="target_score",
        rule="P23",
        default=250,
        title="Play to",
        sense=(
            "The first side at this score or above wins. If both are equal, another hand is played."
        ),
        least=1,
    ),
    Option(
        name="hands_limit",
        rule="P23",
        default=None,
        title="Hands at most",
        sense=(
            "The game ends after this many hands even if nobody has reached the score. "
            "Empty: no limit."
        ),
        least=1,
        optional=True,
    ),
    Option(
        name="excess_reset",
        rule="P19",
        default="zero",
        title="After an audit",
        sense=(
            "At 10 Excess a side loses 100. Then its Excess starts again at 0, or only the "
            "ten are taken off."
        ),
        choices=(("zero", "Back to 0"), ("carry", "Keep the rest")),
    ),
    Option(
        name="no_winner_pot",
        rule="P21",
        default="carry",
        title="When neither side makes it",
        sense=(
            "The Hand Pot waits for the next hand, goes back to those who paid, or is "
            "shared by all four."
        ),
        choices=(("carry", "Waits"), ("refund", "Goes back"), ("split", "Shared")),
    ),
    Option(
        name="trump",
        rule="P5",
        default="rotate",
        title="Trump",
        sense="Void, Frontier, Border, Core by turns, or named by the table at each hand.",
        choices=(("rotate", "By turns"), ("declared", "Named")),
    ),
    Option(
        name="first_trump",
        rule="P5",
        default="V",
        title="First trump",
        sense="The trump of hand 1 where trumps go by turns.",
        choices=tuple(SUIT_NAMES.items()),
    ),
    Option(
        name="variant",
        rule="P2",
        default="core",
        title="Variant",
        sense=(
            "In a core game the second highest card is the StellarPilot, in the other two "
            "the Voidpilot."
        ),
        choices=(("core", "Core"), ("frontier", "Frontier"), ("void", "Void")),
    ),
    Option(
        name="meld_overlap",
        rule="P9",
        default=False,
        title="A card in two melds",
        sense="A card may serve once in a run and once in a triad or quad.",
        choices=YES_NO,
    ),
    Option(
        name="contracts",
        rule="P11",
        default=None,
        title="What is bid",
        sense=(
            "Each player bids, or each side names one contract. Then partners pay for it by "
            "halves, the larger half whoever of them sits nearer to the dealer's left."
        ),
        choices=((None, "Each player"), ("side", "Each side")),
    ),
    Option(
        name="accord_stake",
        rule="P3",
        default=5,
        title="Accord stake",
        sense="Each player pays this into the Accord Pot once, for the winners of the game.",
    ),
    Option(
        name="ante",
        rule="P4",
        default=1,
        title="Ante (small blind)",
        sense="Each player pays this into the Hand Pot at every hand.",
    ),
    Option(
        name="trick_stake",
        rule="P12",
        default=1,
        title="For each trick bid",
        sense="The bidder pays this into the Hand Pot.",
    ),
    Option(
        name="meld_stake",
        rule="P8",
        default=1,
        title="For each meld shown",
        sense="Its declarer pays this into the Hand Pot.",
    ),
    OPENING_CHIPS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of one game, every one spelled out; chips and points are whole numbers."""

    target_score: int
    hands_limit: int | None
    excess_reset: str
    no_winner_pot: str
    trump: str
    first_trump: str
    variant: str
    meld_overlap: bool
    accord_stake: int
    ante: int
    trick_stake: int
    meld_stake: int
    opening_chips: int | None
    contracts: str | None = None


# The rules of a game from its options, defaults where nothing is given. Raises NotationError.
read_rules: Callable[[object], Rules] = rules_reader(Rules, OPTIONS)


def are_by_side(rules: Rules) -> bool:
    """Whether each side names its Team Contract, and nobody bids alone (P11)."""
    return rules.contracts == "side"
