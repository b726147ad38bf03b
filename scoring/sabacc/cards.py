"""The 78 cards of Contract Sabacc: codes, full names, card points, and sets of cards as
bits (S8).
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_

SUITS = "CFST"
SABACC = "-"
SUIT_NAMES = {"C": "coins", "F": "flasks", "S": "sabres", "T": "staves", SABACC: "Sabaccs"}
RANK_NAMES = {11: "Legate", 12: "Commander", 13: "Mistress", 14: "Master"}
SABACC_NAMES = {"0": "Idiot", "-1": "Magician", "-21": "Universe"}

# From the weakest to the strongest: -1 to -21, then the Idiot.
SABACCS = (*(f"-{number}" for number in range(1, 22)), "0")
CARDS = (*(f"{rank}{suit}" for suit in SUITS for rank in range(1, 15)), *SABACCS)
PLACE = {card: place for place, card in enumerate(CARDS)}
BIT = {card: 1 << place for card, place in PLACE.items()}
PACK = (1 << len(CARDS)) - 1

SUIT_OF = {card: card[-1] if card[-1] in SUITS else SABACC for card in CARDS}
SUIT_PLACE = {suit: place for place, suit in enumerate((*SUITS, SABACC))}
SUIT_BITS = {
    suit: reduce(or_, (BIT[card] for card in CARDS if SUIT_OF[card] == suit)) for suit in SUIT_PLACE
}

MASTERS = tuple(f"14{suit}" for suit in SUITS)
HONOURS = ("0", "-1", "-21", *MASTERS)
HONOUR_BITS = reduce(or_, (BIT[card] for card in HONOURS))
MASTER_BITS = reduce(or_, (BIT[card] for card in MASTERS))
# What may be set aside freely: any card of a suit but its Master (S6).
ORDINARY_BITS = PACK & ~SUIT_BITS[SABACC] & ~MASTER_BITS

# Card points are doubled everywhere inside: an honour counts 9, all cards 182 (S8).
COURT_WORTH = {"13": 7, "12": 5, "11": 3}
WORTH = {
    card: 9 if card in HONOURS else COURT_WORTH.get(card[:-1], 1) if SUIT_OF[card] != SABACC else 1
    for card in CARDS
}
ALL_POINTS = sum(WORTH.values())
# What a pile is counted by: the worth of each card (doubled), and how many of them the pack has.
WORTHS = {"honours": 9, "mistresses": 7, "commanders": 5, "legates": 3, "others": 1}
IN_PACK = {kind: [*WORTH.values()].count(worth) for kind, worth in WORTHS.items()}


def card_name(card: str) -> str:
    """The card as it is said: `Master of coins`, `Sabacc -5`, `the Idiot`."""
    if card in SABACC_NAMES:
        return f"the {SABACC_NAMES[card]}"
    if SUIT_OF[card] == SABACC:
        return f"Sabacc {card}"
    rank = int(card[:-1])
    return f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[card[-1]]}"


def _spellings() -> dict[str, str]:
    spellings = {card: card for card in CARDS}
    for card in CARDS:
        name = card_name(card)
        spellings |= {name: card, name.removeprefix("the "): card}
    spellings |= {
        card_name(card).title().replace(" Of ", " of "): card
        for card in CARDS
        if SUIT_OF[card] != SABACC
    }
    return spellings


# Every way to write a card, to its code: `14C`, `Master of coins`, `Master of Coins`.
SPELLINGS = _spellings()


def bits(cards: Iterable[str]) -> int:
    """The set of these cards."""
    held = 0
    for card in cards:
        held |= BIT[card]
    return held


def cards_of(held: int) -> Iterator[str]:
    """The cards of a set, suit by suit, low to high, Sabaccs last."""
    while held:
        low = held & -held
        yield CARDS[low.bit_length() - 1]
        held ^= low


def listed(held: int) -> str:
    """The cards of a set as a message shows them."""
    return " ".join(cards_of(held)) or "nothing"


def points_of(cards: Iterable[str]) -> int:
    """Card points of these cards, doubled."""
    return sum(map(WORTH.__getitem__, cards))


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards suit by suit, low to high, Sabaccs last."""
    return tuple(sorted(cards, key=PLACE.__getitem__))
