"""Duplicate deals of a game of four holdings: the same cards at every table, from a seed that is
made known afterwards and committed to before, as a stock is.

Cards are written as the game writes them; its pack comes as an argument.
"""

from collections.abc import Sequence

from scoring import shuffling

HOLDINGS = 4
DOMAIN = b"accord deals 1"

type Deal = tuple[tuple[str, ...], ...]  # a holding for each seat, from the first on


def commitment(seed: str) -> str:
    """What is made known of a seed of deals before anyone plays: a SHA-256 in hexadecimal
    digits.
    """
    return shuffling.commitment(seed, DOMAIN)


def deal_of(seed: str, number: int, pack: Sequence[str]) -> Deal:
    """Deal `number` of a seed: the pack in four equal holdings, each in the order of the pack.

    Every way to deal is as likely, and no deal tells anything of another.
    """
    order = shuffling.shuffled(pack, seed, DOMAIN + b" deal %d" % number)
    size = len(pack) // HOLDINGS
    place_of = {card: place for place, card in enumerate(pack)}
    return tuple(
        tuple(sorted(order[first : first + size], key=place_of.__getitem__))
        for first in range(0, len(pack), size)
    )
