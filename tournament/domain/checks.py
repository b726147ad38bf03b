"""Checks of a name and of a word chosen from several; each raises NotationError."""

from collections.abc import Collection

from scoring.errors import NotationError


def check_length(name: str, longest: int) -> None:
    """Raise NotationError for a name, kept under `name`, of no or too many characters."""
    if not 0 < len(name) <= longest:
        raise NotationError(
            "a name of 1 to %(longest_name)s characters is expected here",
            path="name",
            longest_name=longest,
        )


def check_word(word: str, words: Collection[str], path: str) -> None:
    """Raise NotationError for a word that is none of these."""
    if word not in words:
        raise NotationError("one of %(words)s is expected here", path=path, words=", ".join(words))
