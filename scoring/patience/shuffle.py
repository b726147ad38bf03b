"""The stock of a duplicate deal: the same order for everybody, from a seed that is published
afterwards (O7).

Before anyone plays its `commitment` is made known; after the last deal the seed, and then anybody
can check both.
"""

from scoring import shuffling
from scoring.patience.cards import CARDS, PACKS

DOMAIN = b"order_of_precedence stock 1"


def commitment(seed: str) -> str:
    """What is made known of a seed before anyone plays: a SHA-256 in hexadecimal digits.

    It tells nothing of the order as long as nobody can guess the seed.
    """
    return shuffling.commitment(seed, DOMAIN)


def stock_of(seed: str) -> tuple[str, ...]:
    """The order of two packs that belongs to a seed, each order as likely as any other."""
    return shuffling.shuffled(CARDS * PACKS, seed, DOMAIN)
