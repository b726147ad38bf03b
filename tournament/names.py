"""How names are kept: two that look the same are the same."""

import unicodedata

LONGEST_NAME = 80
JOINERS = "\u200c\u200d"  # They show nothing themselves, yet some scripts can't be written without them.
UNSEEN = frozenset({"Cc", "Cf", "Cs"})


def plain_name(name: str) -> str:
    """A name as it is kept: composed letters (NFC), single spaces, none at the ends, nothing that can't be seen."""
    seen = "".join(letter for letter in " ".join(name.split()) if letter in JOINERS or unicodedata.category(letter) not in UNSEEN)
    return " ".join(unicodedata.normalize("NFC", seen).split())
