"""What a refusal says, in the language of whoever is told: its sentence is translated as a whole,
then its values are put in.
"""

from django.utils.translation import gettext as _

from scoring import errors
from scoring.errors import Refusal, Sentence
from tournament.server.rules_archive import texts_of_rules


def refusal_words(refusal: Refusal) -> str:
    """Why something was refused, in the language that is spoken now."""
    return in_words(refusal.sentence)


def in_words(said: Sentence) -> str:
    """A sentence with its values; one that nobody has translated stays English."""
    return errors.in_words(said, _)


def words_of_rules() -> dict[str, str]:
    """What the texts of the rules are called in the language that is spoken now, without those that
    nobody has translated: for pages that have the rules themselves.
    """
    called = {text: _(text) for text in texts_of_rules()}
    return {text: words for text, words in called.items() if words != text}
