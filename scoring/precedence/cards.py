"""The 52 cards of Precedence: codes, full names, and sets of cards as bits (P2, P13)."""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

SUITS = "VFBC"
RANKS = "23456789TOCPE"
SUIT_NAMES = {"V": "Void", "F": "Frontier", "B": "Border", "C": "Core"}
COURT = {"T": "10", "O": "Officer", "C": "Commander", "P": "StellarPilot", "E": "Emperor"}
VARIANTS = ("core", "frontier", "void")

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
PLACE = {card: place for place, card in enumerate(CARDS)}
BIT = {card: 1 << place for card, place in PLACE.items()}
SUIT_BITS = {suit: 0b1111111111111 << 13 * index for index, suit in enumerate(SUITS)}
ALL_BITS = (1 << len(CARDS)) - 1


def rank_name(rank: str, variant: str) -> str:
    """The rank as it is said: `10`, `Officer`, and `StellarPilot` or `Voidpilot` by variant
    (P2).
    """
    if rank == "P" and variant != "core":
        return "Voidpilot"
    return COURT.get(rank, rank)


def card_name(card: str, variant: str) -> str:
    """The card as it is said: `Emperor of Void`."""
    return f"{rank_name(card[0], variant)} of {SUIT_NAMES[card[1]]}"


def _spellings(variant: str) -> dict[str, str]:
    spellings = {card: card for card in CARDS}
    spellings |= {"10" + suit: "T" + suit for suit in SUITS}
    return spellings | {card_name(card, variant): card for card in CARDS}


# Every way to write a card under a variant, to its code: `TV`, `10V`, `10 of Void`.
SPELLINGS = {variant: _spellings(variant) for variant in VARIANTS}
# The pilot's name that belongs to another variant, to its code.
WRONG_PILOTS = {
    variant: {f"{name} of {SUIT_NAMES[suit]}": "P" + suit for suit in SUITS}
    for variant in VARIANTS
    for name in ("StellarPilot", "Voidpilot")
    if name != rank_name("P", variant)
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
