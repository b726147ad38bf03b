"""The stock of a duplicate deal: the same order for everybody, from a seed that is published
afterwards (O7).

Before anyone plays its `commitment` is made known; after the last deal the seed, and then anybody
can check both.
"""

import hashlib
from collections.abc import Iterator

from scoring.patience.cards import CARDS, PACKS

DOMAIN = b"order_of_precedence stock 1"
WORD = 4  # bytes of the hash that make one number


def commitment(seed: str) -> str:
    """What is made known of a seed before anyone plays: a SHA-256 in hexadecimal digits.

    It tells nothing of the order as long as nobody can guess the seed.
    """
    return hashlib.sha256(b"\n".join((DOMAIN, b"commitment", seed.encode()))).hexdigest()


def stock_of(seed: str) -> tuple[str, ...]:
    """The order of two packs that belongs to a seed, each order as likely as any other."""
    stock = list(CARDS) * PACKS
    numbers = _numbers(seed)
    for last in range(len(stock) - 1, 0, -1):
        place = below(last + 1, numbers)
        stock[last], stock[place] = stock[place], stock[last]
    return tuple(stock)


def below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 to `bound` - 1, each as likely, out of numbers of four bytes."""
    fair = 256**WORD // bound * bound
    return next(number for number in numbers if number < fair) % bound


def _numbers(seed: str) -> Iterator[int]:
    """Numbers of four bytes without end: SHA-256 of the seed and a count, block by block."""
    count = 0
    while True:
        block = hashlib.sha256(
            b"\n".join((DOMAIN, b"block", str(count).encode(), seed.encode()))
        ).digest()
        yield from (
            int.from_bytes(block[place : place + WORD]) for place in range(0, len(block), WORD)
        )
        count += 1
