"""Sharing what lies in a pot."""

from collections.abc import Sequence

BANK = "bank"
# Where chips come from that another game left in its pot, and where those go that another game
# took: each game's own books balance.
EARLIER, LATER = "earlier", "later"
OUTSIDE = frozenset({BANK, EARLIER, LATER})


def share(chips: int, among: Sequence[str]) -> list[tuple[str, int]]:
    """Share whole chips equally; those left over go one each to the first of `among` (Odd chips).

    `among` is in the order in which odd chips are given. Shares of 0 are left out.
    """
    each, odd = divmod(chips, len(among))
    shares = ((who, each + (place < odd)) for place, who in enumerate(among))
    return [(who, part) for who, part in shares if part]
