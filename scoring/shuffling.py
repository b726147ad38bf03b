"""Cards in an order that belongs to a seed, each order as likely as any other, the same on every
machine and in every version.

A `domain` says what the seed is for, so that nothing that is made of it elsewhere tells of its
order.
"""

import hashlib
from collections.abc import Iterator, Sequence

WORD = 4  # bytes of the hash that make one number


def commitment(seed: str, domain: bytes) -> str:
    """Return the commitment published for a seed before anyone plays: a SHA-256 in
    hexadecimal digits.

    It tells nothing of the order as long as nobody can guess the seed.
    """
    return hashlib.sha256(b"\n".join((domain, b"commitment", seed.encode()))).hexdigest()


def shuffle_cards[Card](cards: Sequence[Card], seed: str, domain: bytes) -> tuple[Card, ...]:
    """The order of these cards that belongs to a seed."""
    order = list(cards)
    numbers = _numbers(seed, domain)
    for last in range(len(order) - 1, 0, -1):
        place = below(last + 1, numbers)
        order[last], order[place] = order[place], order[last]
    return tuple(order)


def below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 to `bound` - 1, each as likely, out of numbers of four bytes."""
    fair = 256**WORD // bound * bound
    return next(number for number in numbers if number < fair) % bound


def _numbers(seed: str, domain: bytes) -> Iterator[int]:
    """Numbers of four bytes without end: SHA-256 of the seed and a count, block by block."""
    count = 0
    while True:
        block = hashlib.sha256(
            b"\n".join((domain, b"block", str(count).encode(), seed.encode()))
        ).digest()
        yield from (
            int.from_bytes(block[place : place + WORD]) for place in range(0, len(block), WORD)
        )
        count += 1
