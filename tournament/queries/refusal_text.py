"""What a refusal says, in the language of whoever is told: its sentence is translated as a whole,
then its values are put in.
"""

from django.utils.translation import gettext as _

from scoring.errors import Refusal, Sentence

# Values that are words of the game or of the desk and not somebody's own: by the name of their
# place in a sentence.
TERMS = frozenset(
    {
        "seat",
        "other_seat",
        "partner",
        "suit",
        "other_suit",
        "contract",
        "other_contract",
        "bonus",
        "phase",
        "phases",
        "needed",
        "value",
    }
)


def refusal_words(refusal: Refusal) -> str:
    """Why something was refused, in the language that is spoken now."""
    return in_words(refusal.sentence)


def in_words(said: Sentence) -> str:
    """A sentence with its values; one that nobody has translated stays English."""
    words = _(said.template) if said.template else ""
    if not said.values:
        return words
    return words % {name: _value(name, value) for name, value in said.values.items()}


def _value(name: str, value: object) -> object:
    if isinstance(value, Sentence):
        return in_words(value)
    if isinstance(value, tuple):
        return ", ".join(str(_value(name, each)) for each in value)
    return _(value) if name in TERMS and isinstance(value, str) and value else value
