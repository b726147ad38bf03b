"""The text of a refusal, in the language of its reader: its sentence is translated as
a whole, then its values are put in.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import errors
from scoring.errors import Refusal, Sentence
from tournament.server.browser_python.rules_archive import texts_of_rules

LANGUAGES = 16  # that are remembered


def refusal_words(refusal: Refusal) -> str:
    """Why something was refused, in the language that is spoken now."""
    return in_words(refusal.sentence)


def in_words(said: Sentence) -> str:
    """A sentence with its values; one that nobody has translated stays English."""
    return errors.in_words(said, _)


def words_of_rules() -> Mapping[str, str]:
    """The texts of the rules in the active language, without those that are not
    translated: for pages that have the rules themselves.
    """
    return _words_of_rules(_, get_language())


@lru_cache(maxsize=LANGUAGES)  # to look up every text takes longer than the rest of such a page
def _words_of_rules(translated: Callable[[str], str], language: str | None) -> Mapping[str, str]:
    called = {text: translated(text) for text in texts_of_rules()}
    return {text: words for text, words in called.items() if words != text}
