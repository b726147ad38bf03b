"""Melds: what may be shown together, and what it is worth (P6 to P10)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation
from scoring.precedence.cards import BIT, PLACE, RANKS, SUIT_NAMES, bits
from scoring.precedence.events import MeldDeclared
from scoring.precedence.seats import SEAT_NAMES

SET_SIZES = {"triad": 3, "quad": 4}
KINDS = ("run", "triad", "quad")
HOLDING = 13


def meld_points(kind: str, size: int) -> int:
    """Points of a made meld: run of 3 = 3, longer run = 6, triad = 5, quad = 12 (P7)."""
    if kind == "run":
        return 3 if size == 3 else 6
    return 5 if kind == "triad" else 12


def check_meld(meld: MeldDeclared, shown: Sequence[MeldDeclared], *, overlap: bool) -> None:
    """Raise RuleViolation `bad_meld` unless this meld may be shown beside those already `shown` (P6, P9, P10)."""
    path = f"melds[{len(shown)}]"
    _check_kind(meld, path)
    for earlier in shown:
        _check_beside(meld, earlier, path, overlap=overlap)
    own = bits(card for other in (*shown, meld) if other.seat == meld.seat for card in other.cards)
    if own.bit_count() > HOLDING:
        _refuse("P6", f"{SEAT_NAMES[meld.seat]} would show {own.bit_count()} cards; a holding has 13", path)


def _check_kind(meld: MeldDeclared, path: str) -> None:
    cards = meld.cards
    if len(set(cards)) != len(cards):
        _refuse("P6", "a card stands twice in this meld; each card of a meld is another one", f"{path}.cards")
    if meld.kind == "run":
        _check_run(cards, path)
        return
    size = SET_SIZES[meld.kind]
    if len(cards) != size or len({card[0] for card in cards}) != 1:
        _refuse("P6", f"a {meld.kind} is {size} cards of one rank", f"{path}.cards")


def _check_run(cards: tuple[str, ...], path: str) -> None:
    places = sorted(PLACE[card] for card in cards)
    one_suit = len({card[1] for card in cards}) == 1
    if len(cards) < 3 or not one_suit or places[-1] - places[0] != len(cards) - 1:
        _refuse("P6", "a run is 3 or more cards of one suit in sequence, Emperor high, without a gap", f"{path}.cards")


def _check_beside(meld: MeldDeclared, earlier: MeldDeclared, path: str, *, overlap: bool) -> None:
    common = set(meld.cards) & set(earlier.cards)
    if meld.seat != earlier.seat:
        if common:
            card = min(common)
            _refuse("P10", f"{SEAT_NAMES[earlier.seat]} has already shown {card}; no two players can show the same card", f"{path}.cards")
        return
    if common and (not overlap or (meld.kind == "run") == (earlier.kind == "run")):
        allowed = "once in a run and once in a triad or quad" if overlap else "to one meld only"
        _refuse("P9", f"{min(common)} is already in a {earlier.kind}; a card belongs {allowed}", f"{path}.cards")
    if meld.kind == earlier.kind == "run" and meld.cards[0][1] == earlier.cards[0][1] and _join(meld.cards, earlier.cards):
        suit = SUIT_NAMES[meld.cards[0][1]]
        _refuse("P10", f"these two runs of {suit} join end to end; declare them as one run", f"{path}.cards")


def _join(cards: tuple[str, ...], others: tuple[str, ...]) -> bool:
    low, high = _ends(cards)
    other_low, other_high = _ends(others)
    return high + 1 == other_low or other_high + 1 == low


def _ends(cards: tuple[str, ...]) -> tuple[int, int]:
    ranks = [RANKS.index(card[0]) for card in cards]
    return min(ranks), max(ranks)


def _refuse(rule: str, message: str, path: str) -> None:
    raise RuleViolation("bad_meld", rule=rule, message=message, path=path)


def in_order(cards: Sequence[str]) -> tuple[str, ...]:
    """The cards suit by suit, low to high."""
    return tuple(sorted(cards, key=PLACE.__getitem__))


def shown_bits(melds: Sequence[MeldDeclared], seat: str) -> int:
    """The set of cards that a seat has shown."""
    held = 0
    for meld in melds:
        if meld.seat == seat:
            for card in meld.cards:
                held |= BIT[card]
    return held
