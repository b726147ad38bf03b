"""Duplicate deals of a game of four holdings: the same cards at every table, from a seed that is
made known afterwards and committed to before, as a stock is.

Cards are written as the game writes them; its pack comes as an argument.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring import shuffling
from scoring.errors import RuleViolation, sentence

HOLDINGS = 4
DOMAIN = b"accord deals 1"

type Deal = tuple[tuple[str, ...], ...]  # a holding for each seat, from the first on


def commitment(seed: str) -> str:
    """Return the commitment to a seed of deals, published before anyone plays: a
    SHA-256 in hexadecimal digits.
    """
    return shuffling.commitment(seed, DOMAIN)


def deal_of(seed: str, number: int, pack: Sequence[str]) -> Deal:
    """Deal `number` of a seed: the pack in four equal holdings, each in the order of the pack.

    Every way to deal is as likely, and no deal tells anything of another.
    """
    order = shuffling.shuffle_cards(pack, seed, DOMAIN + b" deal %d" % number)
    size = len(pack) // HOLDINGS
    place_of = {card: place for place, card in enumerate(pack)}
    return tuple(
        tuple(sorted(order[first : first + size], key=place_of.__getitem__))
        for first in range(0, len(pack), size)
    )


def check_deal(deal: Sequence[Sequence[str]], pack: Sequence[str]) -> None:
    """Refuse a deal that isn't the whole pack in four equal holdings.

    Raises RuleViolation `bad_total`, naming the cards that are strange, doubled and missing.
    """
    cards = [card for holding in deal for card in holding]
    wrong = tuple(_wrong(cards, pack))
    if wrong:
        message = sentence(
            "a deal is %(pack)s cards, each once, and here are %(cards)s: %(wrong)s",
            pack=len(pack),
            cards=len(cards),
            wrong=wrong,
        )
        raise RuleViolation("bad_total", message, path="deal")
    size = len(pack) // HOLDINGS
    if [len(holding) for holding in deal] != [size] * HOLDINGS:
        raise RuleViolation(
            "bad_total",
            "a deal is %(holdings)s holdings of %(size)s cards, not of %(sizes)s",
            path="deal",
            holdings=HOLDINGS,
            size=size,
            sizes=tuple(len(holding) for holding in deal),
        )


def _wrong(cards: Sequence[str], pack: Sequence[str]) -> Iterator[object]:
    dealt = Counter(cards)
    for card in dealt:
        if card not in pack:
            yield sentence("%(card)s is no card of this game", card=card)
    for card in pack:
        if dealt[card] > 1:
            yield sentence("%(card)s is there %(times)s times", card=card, times=dealt[card])
        elif not dealt[card]:
            yield sentence("%(card)s is missing", card=card)
