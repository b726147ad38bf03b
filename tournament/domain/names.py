"""Storing, comparing and ordering names: two that look the same are the same."""

import re
import unicodedata

LONGEST_NAME = 80
# A name with a note that tells its bearer from others of that name.
NOTE_EXAMPLE = "%s (North)"
WITH_NOTE = re.compile(r"(.*\S) \(([^()]+)\)")
# They show nothing themselves, yet some scripts can't be written without them.
JOINERS = "\u200c\u200d"
# Letters that are no accent on another letter, and are typed as these where a keyboard lacks them.
TYPED_AS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)
UNSEEN = frozenset({"Cc", "Cf", "Cs"})


def plain_name(name: str) -> str:
    """A name as it is kept: composed letters (NFC), single spaces, none at the ends, nothing that
    can't be seen.
    """
    seen = "".join(
        letter
        for letter in " ".join(name.split())
        if letter in JOINERS or unicodedata.category(letter) not in UNSEEN
    )
    return " ".join(unicodedata.normalize("NFC", seen).split())


def without_note(name: str) -> str:
    """A name without the note that tells its bearer from others of that name: `Anna Berg` of `Anna
    Berg (North)`.
    """
    found = WITH_NOTE.fullmatch(name)
    return found[1] if found else name


def note_of(name: str) -> str:
    """The note of a name, "" for none: `North` of `Anna Berg (North)`."""
    found = WITH_NOTE.fullmatch(name)
    return found[2] if found else ""


def folded(text: str) -> str:
    """The text as it is compared: lower case, without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(TYPED_AS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def in_alphabet(name: str) -> tuple[str, str]:
    """Return the sort key of a name: Ł sorts with L and É with E, and names that fold
    alike in the order of their letters.
    """
    return folded(name), name
