"""The cards of a deal as they lie: two packs of 52, stock, waste and foundations, which rank each
foundation takes, where each move takes them (O1 to O5); and the stock of a duplicate deal, the same
order for everybody.
"""

from typing import NamedTuple

from scoring import shuffling
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.french import card_name, rank_name, spellings

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
DOMAIN = b"order_of_precedence stock 1"


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


type Card = str


class Deal(NamedTuple):
    """The cards as they lie. `tops` are the foundations' top cards, "" where none is; the last of
    `waste` is its top.

    `stock` is the order of this pass as far as it is known, `size` how many cards it has, `dealt`
    how many of them are out. `first` is the order of the first pass, once it is over. `moves` are
    those so far as a record writes them, each with a space after it: one text, as every move makes
    it anew.
    """

    waste: tuple[Card, ...]
    dealt: int
    moves: str
    stock: tuple[Card, ...]
    lengths: tuple[int, ...]
    tops: tuple[Card, ...]
    size: int
    passes: int = 1
    first: tuple[Card, ...] = ()

    @property
    def stock_left(self) -> int:
        """Number of cards still in the stock."""
        return self.size - self.dealt

    @property
    def move(self) -> int:
        """The number of the next move, from 0."""
        return self.moves.count(" ")

    @property
    def next_card(self) -> Card | None:
        """The next card of the stock, None where it isn't known or there is none."""
        return self.stock[self.dealt] if self.dealt < len(self.stock) else None

    @property
    def out(self) -> tuple[Card, ...]:
        """The cards of the first pass that are known, in the order dealt."""
        return self.first or self.stock


EMPTY = Deal(
    waste=(),
    dealt=0,
    moves="",
    stock=(),
    lengths=(0,) * FOUNDATIONS,
    tops=("",) * FOUNDATIONS,
    size=STOCK,
)


def begun(stock: tuple[Card, ...], *, king_removed: bool) -> Deal:
    """A deal before its first move; `stock` is the order of all its cards, or empty when that isn't
    known (O1).
    """
    if not king_removed:
        return EMPTY._replace(stock=stock)
    if not stock:
        return EMPTY._replace(size=STOCK - 1)
    place = next(place for place, card in enumerate(stock) if card[0] == "K")
    return with_king(
        EMPTY._replace(stock=stock[:place] + stock[place + 1 :], size=STOCK - 1), stock[place]
    )


def with_king(deal: Deal, card: Card) -> Deal:
    """The deal with its first King put on foundation 1 (O1)."""
    return deal._replace(lengths=(1, *deal.lengths[1:]), tops=(card, *deal.tops[1:]))


def move_to_waste(deal: Deal, card: Card) -> Deal:
    """The deal after the next card of the stock went to the waste (O4)."""
    waste, dealt, moves, stock = deal[:4]
    if dealt == len(stock):
        stock = (*stock, card)
    return Deal(waste + (card,), dealt + 1, moves + "- ", stock, *deal[4:])  # noqa: RUF005 - one copy, not two


def built(deal: Deal, card: Card, foundation: int, *, waste: bool) -> Deal:
    """The deal after a card went to a foundation, from the waste or from the stock (O3, O4)."""
    cards, dealt, moves, stock, lengths, tops = deal[:6]
    here = foundation - 1
    lengths = (*lengths[:here], lengths[here] + 1, *lengths[foundation:])
    tops = (*tops[:here], card, *tops[foundation:])
    if waste:
        return Deal(cards[:-1], dealt, f"{moves}w{foundation} ", stock, lengths, tops, *deal[6:])
    if dealt == len(stock):
        stock = (*stock, card)
    return Deal(cards, dealt + 1, f"{moves}{foundation} ", stock, lengths, tops, *deal[6:])


def turned(deal: Deal) -> Deal:
    """The deal after the waste was turned over: its first card is dealt first again (O5)."""
    return deal._replace(
        waste=(),
        dealt=0,
        stock=deal.waste,
        size=len(deal.waste),
        passes=deal.passes + 1,
        first=deal.out,
        moves=f"{deal.moves}turn ",
    )


def list_open_foundations(deal: Deal, card: Card) -> list[int]:
    """The foundations on which this card may be built now, by number."""
    return [foundation for foundation in range(1, FOUNDATIONS + 1) if _fits(deal, card, foundation)]


def _fits(deal: Deal, card: Card, foundation: int) -> bool:
    length = deal.lengths[foundation - 1]
    waits = length == 0 and foundation > 1 and not deal.lengths[foundation - 2]
    return TAKES[foundation - 1][length] == card[0] and not waits


def check_fits(deal: Deal, card: Card, foundation: int, path: str) -> None:
    """Raise RuleViolation `bad_build` unless this card may be built there now (O2, O3)."""
    if _fits(deal, card, foundation):
        return
    length = deal.lengths[foundation - 1]
    if length == FULL:
        raise RuleViolation(
            "bad_build",
            "foundation %(foundation)s is full with %(full)s cards",
            rule="O3",
            path=path,
            foundation=foundation,
            full=FULL,
        )
    if length == 0 and foundation > 1 and not deal.lengths[foundation - 2]:
        message = sentence(
            "foundation %(foundation)s waits until foundation %(earlier)s has its first card",
            foundation=foundation,
            earlier=foundation - 1,
        )
        raise RuleViolation("bad_build", message, rule="O2", path=path)
    wanted = rank_name(TAKES[foundation - 1][length])
    taken, card_named = _a(wanted), card_name(card)
    message = sentence(
        "foundation %(foundation)s takes %(taken)s, not the %(card)s",
        foundation=foundation,
        taken=taken,
        card=card_named,
    )
    if length == 0:
        message = sentence(
            "foundation %(foundation)s starts with %(taken)s, not the %(card)s",
            foundation=foundation,
            taken=taken,
            card=card_named,
        )
    raise RuleViolation("bad_build", message, rule="O3" if length else "O2", path=path)


def _a(rank: str) -> str:
    return f"an {rank}" if rank in ("Ace", "8") else f"a {rank}"


def commitment(seed: str) -> str:
    """Return the commitment published for a seed before anyone plays: a SHA-256 in
    hexadecimal digits.

    It tells nothing of the order as long as nobody can guess the seed.
    """
    return shuffling.commitment(seed, DOMAIN)


def stock_of(seed: str) -> tuple[str, ...]:
    """The order of two packs that belongs to a seed, each order as likely as any other."""
    return shuffling.shuffle_cards(CARDS * PACKS, seed, DOMAIN)
