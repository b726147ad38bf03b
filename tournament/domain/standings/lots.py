"""Lots: numbers drawn from a tournament's seed, the same on every machine and in every version."""

import hashlib

DOMAIN = "accord lots 1"
BITS_LEFT_OUT = 11  # a seed of 53 bits is a whole number in every JSON


def lot(seed: int, *purpose: str | int) -> int:
    """A number of 64 bits that belongs to this seed and purpose, as good as drawn at random
    (SHA-256).
    """
    text = "\n".join((DOMAIN, str(seed), *map(str, purpose)))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])


def draw_one_of[T](choices: tuple[T, ...], seed: int, *purpose: str | int) -> T:
    """One of the choices, each as likely as far as 64 bits can tell."""
    return choices[lot(seed, *purpose) * len(choices) >> 64]


def other_lots(seed: int, number: int) -> int:
    """The seed of the lots that round `number` is drawn with next, when those of `seed` are to be
    others: a number of 53 bits.
    """
    return lot(seed, "other lots", number) >> BITS_LEFT_OUT
