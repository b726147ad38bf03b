"""The languages that pages can be written in: English in its two usages, and whatever has a folder
of its own in `locale/`.
"""

from pathlib import Path

from django.utils.translation import get_language_info

ENGLISH = (("en-gb", "British English"), ("en-us", "American English"))


def languages_in(folder: Path) -> list[tuple[str, str]]:
    """The languages on offer: English, and those whose catalogue is compiled in this folder, each
    by its own name.
    """
    found = sorted(
        path.parent.parent.name.replace("_", "-").lower()
        for path in folder.glob("*/LC_MESSAGES/django.mo")
    )
    return [
        *ENGLISH,
        *((code, own_name(code)) for code in found if code not in dict(ENGLISH) and code != "en"),
    ]


def language_called(code: str) -> str:
    """Return the name of a language in that language."""
    return dict(ENGLISH).get(code) or own_name(code)


def own_name(code: str) -> str:
    """The name Django knows a language by, in that language; its code where it knows none."""
    try:
        known = get_language_info(code)["name_local"]
    except KeyError:
        known = code
    return str(known).capitalize()
