"""What a refusal says, in the language of whoever is told: its sentence is translated as a whole,
then its values are put in.
"""

from django.utils.translation import gettext as _

from scoring import errors
from scoring.errors import Refusal, Sentence


def refusal_words(refusal: Refusal) -> str:
    """Why something was refused, in the language that is spoken now."""
    return in_words(refusal.sentence)


def in_words(said: Sentence) -> str:
    """A sentence with its values; one that nobody has translated stays English."""
    return errors.in_words(said, _)
