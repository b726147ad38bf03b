"""Lots: numbers drawn from a tournament's seed, the same on every machine and in every version."""

import hashlib

DOMAIN = "accord lots 1"


def lot(seed: int, *purpose: str | int) -> int:
    """A number of 64 bits that belongs to this seed and purpose, as good as drawn at random
    (SHA-256).
    """
    text = "\n".join((DOMAIN, str(seed), *map(str, purpose)))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])


def drawn_one_of[T](choices: tuple[T, ...], seed: int, *purpose: str | int) -> T:
    """One of the choices, each as likely as far as 64 bits can tell."""
    return choices[lot(seed, *purpose) * len(choices) >> 64]
