"""The 32 cards of Preference: codes, full names, and sets of cards as bits (R3, R4)."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

from scoring.french import spellings

SUITS = "CSDH"
RANKS = "789TJQKA"

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
PLACE = {card: place for place, card in enumerate(CARDS)}
BIT = {card: 1 << place for card, place in PLACE.items()}
PACK = (1 << len(CARDS)) - 1
SUIT_BITS = {suit: 0b11111111 << 8 * index for index, suit in enumerate(SUITS)}
# The cards of the same suit above each card.
HIGHER = {card: SUIT_BITS[card[1]] & ~(2 * bit - 1) for card, bit in BIT.items()}
SPELLINGS = spellings(CARDS)


def bits(cards: Iterable[str]) -> int:
    """The set of these cards."""
    return reduce(or_, map(BIT.__getitem__, cards), 0)


def cards_of(held: int) -> Iterator[str]:
    """The cards of a set, suit by suit, low to high."""
    while held:
        low = held & -held
        yield CARDS[low.bit_length() - 1]
        held ^= low


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards suit by suit, low to high."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def listed(held: int) -> str:
    """A set of cards as a message names it."""
    return " ".join(cards_of(held)) or "nothing"
