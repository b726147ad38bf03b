"""The house rules of Preference: every option with its default, its rule and its sense."""

from dataclasses import dataclass

from scoring.errors import NotationError, sentence
from scoring.options import OPENING_CHIPS, YES_NO, Option, rules_reader

PLAYERS = 3

OPTIONS = (
    Option(
        name="hands",
        rule="R1",
        default=12,
        title="Hands",
        sense=(
            "How many deals the game lasts, a multiple of three, so that everybody deals as "
            "often. Thrown-in deals count."
        ),
        least=PLAYERS,
        most=999,
    ),
    Option(
        name="ante",
        rule="R2",
        default=10,
        title="Ante",
        sense=(
            "Each player pays this into the pot before the first deal, and again whenever "
            "the pot is empty."
        ),
    ),
    Option(
        name="take",
        rule="R14",
        default=10,
        title="For a made contract",
        sense="The soloist takes this from the pot, or what is there.",
    ),
    Option(
        name="forfeit",
        rule="R14",
        default=20,
        title="For a failed contract",
        sense="The soloist pays this into the pot.",
    ),
    Option(
        name="duty",
        rule="R15",
        default=10,
        title="For fewer than two tricks",
        sense="A defender who went along and won fewer than two tricks pays this into the pot.",
    ),
    Option(
        name="concede",
        rule="R9",
        default="six_trick",
        title="Defenders may keep out of",
        sense=(
            "Contracts of six tricks, whatever their value, or contracts of value 6 and "
            "more, misères among them."
        ),
        choices=(("six_trick", "Six tricks"), ("value_6", "Value 6 and up")),
    ),
    Option(
        name="misere_duty",
        rule="R15",
        default=False,
        title="Duty in a misère",
        sense="Defenders owe two tricks against a misère, too.",
        choices=YES_NO,
    ),
    Option(
        name="insister_pays",
        rule="R16",
        default=False,
        title="Who insists pays",
        sense=(
            "When the soloist makes it against an insisted defender, the one who insisted "
            "pays the duty."
        ),
        choices=YES_NO,
    ),
    OPENING_CHIPS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of one game, every one spelled out; amounts in chips."""

    hands: int
    ante: int
    take: int
    forfeit: int
    duty: int
    concede: str
    misere_duty: bool
    insister_pays: bool
    opening_chips: int | None


def read_rules(given: object) -> Rules:
    """The rules of a game from its options, defaults where nothing is given. Raises
    NotationError.
    """
    rules = rules_reader(Rules, OPTIONS)(given)
    if rules.hands % PLAYERS:
        message = sentence(
            "hands is a multiple of 3, so that everybody deals as often, not %(hands)s",
            hands=rules.hands,
        )
        raise NotationError(message, path="options.hands", rule="R1")
    return rules
