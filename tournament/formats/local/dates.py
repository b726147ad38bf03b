"""Formats of dates and times: templates have the British one, other usages have their
own pattern for each.

A language without patterns here keeps the order of the British ones, with its own names of months
and days.
"""

from collections.abc import Mapping
from datetime import date, datetime

from django.utils.formats import date_format
from django.utils.translation import get_language

DAY = "j F Y"
MOMENT = "j F Y, H:i"
# The patterns of Django's `date` filter that pages use, and how the same is written elsewhere.
PATTERNS: Mapping[str, Mapping[str, str]] = {
    "en-us": {
        "j F Y": "F j, Y",
        "j F Y, H:i": "F j, Y, g:i A",
        "l j F, H:i": "l, F j, g:i A",
        "j F": "F j",
        "j F, H:i": "F j, g:i A",
        "j F, H:i:s": "F j, g:i:s A",
        "j M": "M j",
        "j M Y": "M j, Y",
        "j M H:i": "M j, g:i A",
        "j M H:i:s": "M j, g:i:s A",
        "j M Y H:i": "M j, Y, g:i A",
        "H:i": "g:i A",
        "H:i:s": "g:i:s A",
    },
}


def pattern(british: str) -> str:
    """This pattern as it is used in the language that is spoken now."""
    return PATTERNS.get(get_language() or "", {}).get(british, british)


def date_text(value: date | datetime, british: str = DAY) -> str:
    """A date or a time as it is written in the language that is spoken now."""
    return date_format(value, pattern(british))
