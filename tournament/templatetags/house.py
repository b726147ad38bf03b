"""What the pages about the house write in one word."""

from collections.abc import Sequence

from django import template

from tournament.formats.local.languages import language_called as called
from tournament.queries.word_lists import list_words as in_words

register = template.Library()


@register.filter
def listed(words: Sequence[str]) -> str:
    """`9, 10 and 11`."""
    return in_words(words)


@register.filter
def language_called(code: str) -> str:
    """`en-gb` → British English."""
    return called(code)
