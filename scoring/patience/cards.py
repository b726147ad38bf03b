"""Two packs of 52 cards, and which rank each foundation takes (O2, O3)."""

from scoring.errors import NotationError
from scoring.french import spellings

SEATS = ("A",)
SUITS = "SHDC"
RANKS = "A23456789TJQK"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
CODES = frozenset(CARDS)
SPELLINGS = spellings(CARDS)
PACKS = 2
STOCK = PACKS * len(CARDS)

BASES = "KQJT9876"
FOUNDATIONS = len(BASES)
FULL = len(RANKS)
# The rank that each foundation takes next by its length, "" when it is full: down from its base,
# King on Ace.
TAKES = tuple(
    (*(RANKS[(RANKS.index(base) - length) % FULL] for length in range(FULL)), "") for base in BASES
)


def read_card(value: object, path: str) -> str:
    """The code of a card written as `TH`, `10H` or in full. Raises NotationError."""
    code = SPELLINGS.get(value) if isinstance(value, str) else None
    if code is not None:
        return code
    shown = f'"{value[:24]}" is no card' if isinstance(value, str) else "this is no card"
    raise NotationError(
        "%(shown)s; a card is a rank of A, 2 to 9, T, J, Q, K and a suit of S, H, D, C, as KS",
        path=path,
        shown=shown,
    )
