"""The French cards: ranks, suits, and the ways to write one."""

from collections.abc import Sequence

RANK_NAMES = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
SUIT_NAMES = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}


def rank_name(rank: str) -> str:
    """The rank as it is said: `10`, `Queen`."""
    return RANK_NAMES.get(rank, rank)


def card_name(card: str) -> str:
    """The card as it is said: `Queen of Hearts`."""
    return f"{rank_name(card[0])} of {SUIT_NAMES[card[1]]}"


def spellings(cards: Sequence[str]) -> dict[str, str]:
    """Every way to write these cards, to their codes: `TH`, `10H`, `10 of Hearts`, `10 of
    hearts`.
    """
    written = {card: card for card in cards}
    written |= {"10" + card[1]: card for card in cards if card[0] == "T"}
    written |= {card_name(card): card for card in cards}
    return written | {
        f"{rank_name(card[0])} of {SUIT_NAMES[card[1]].lower()}": card for card in cards
    }
