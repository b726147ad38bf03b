"""A difference between a row and its events, as an audit reports it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A row that isn't what its events say.

    `table` and `key` name it; `column` is "" where the whole row is missing or extra, or the stream
    can't be folded.
    """

    table: str
    key: str
    column: str
    message: str
    mended: bool = False


def short(value: object) -> str:
    """A value as a message shows it, at most 80 characters."""
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
