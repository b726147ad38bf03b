"""The 32 cards of Preference: codes, full names, and sets of cards as bits (R3, R4)."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

SUITS = "CSDH"
RANKS = "789TJQKA"
SUIT_NAMES = {"C": "Clubs", "S": "Spades", "D": "Diamonds", "H": "Hearts"}
COURT = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
PLACE = {card: place for place, card in enumerate(CARDS)}
BIT = {card: 1 << place for card, place in PLACE.items()}
PACK = (1 << len(CARDS)) - 1
SUIT_BITS = {suit: 0b11111111 << 8 * index for index, suit in enumerate(SUITS)}
# The cards of the same suit above each card.
HIGHER = {card: SUIT_BITS[card[1]] & ~(2 * bit - 1) for card, bit in BIT.items()}


def card_name(card: str) -> str:
    """The card as it is said: `Ace of Hearts`."""
    return f"{COURT.get(card[0], card[0])} of {SUIT_NAMES[card[1]]}"


# Every way to write a card, to its code: `TH`, `10H`, `10 of Hearts`.
SPELLINGS = {
    **{card: card for card in CARDS},
    **{"10" + suit: "T" + suit for suit in SUITS},
    **{card_name(card): card for card in CARDS},
}


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
