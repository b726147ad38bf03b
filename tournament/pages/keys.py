"""Keys: what a page offers to press, and what it shows but does not offer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A button: the value it sends, what stands on it, and its name for those who don't see it (empty: the same)."""

    value: str
    label: str
    spoken: str = ""
    shortcut: str = ""
    offered: bool = True
