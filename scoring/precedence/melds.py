"""Melds: what may be shown together, and what it is worth (P6 to P10)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation, Sentence, sentence
from scoring.precedence.cards import PLACE, RANKS, SUIT_NAMES, bits
from scoring.precedence.events import MeldDeclared
from scoring.precedence.seats import SEAT_NAMES

SET_SIZES = {"triad": 3, "quad": 4}
KINDS = ("run", "triad", "quad")
SHORTEST_RUN = 3
HOLDING = 13


def meld_points(kind: str, size: int) -> int:
    """Points of a made meld: run of 3 = 3, longer run = 6, triad = 5, quad = 12 (P7)."""
    if kind == "run":
        return 3 if size == SHORTEST_RUN else 6
    return 5 if kind == "triad" else 12


def check_meld(meld: MeldDeclared, shown: Sequence[MeldDeclared], *, overlap: bool) -> None:
    """Raise RuleViolation `bad_meld` unless this meld may be shown beside those already `shown`
    (P6, P9, P10).
    """
    path = f"melds[{len(shown)}]"
    _check_kind(meld, path)
    for earlier in shown:
        _check_beside(meld, earlier, path, overlap=overlap)
    own = bits(card for other in (*shown, meld) if other.seat == meld.seat for card in other.cards)
    if own.bit_count() > HOLDING:
        _refuse(
            "P6",
            sentence(
                "%(seat)s would show %(cards)s cards; a holding has 13",
                seat=SEAT_NAMES[meld.seat],
                cards=own.bit_count(),
            ),
            path,
        )


def _check_kind(meld: MeldDeclared, path: str) -> None:
    cards = meld.cards
    shown = f"{SEAT_NAMES[meld.seat]} shows {' '.join(cards) or 'no cards'}"
    if len(set(cards)) != len(cards):
        _refuse(
            "P6",
            sentence(
                "%(shown)s: a card stands there twice; each card of a meld is another one",
                shown=shown,
            ),
            f"{path}.cards",
        )
    if meld.kind == "run" and not _is_run(cards):
        _refuse(
            "P6",
            sentence(
                "%(shown)s: a run is 3 or more cards of one suit in sequence, Emperor high, "
                "without a gap",
                shown=shown,
            ),
            f"{path}.cards",
        )
    if meld.kind != "run" and not _is_set(cards, SET_SIZES[meld.kind]):
        _refuse(
            "P6",
            sentence(
                "%(shown)s: a %(kind)s is %(set_sizes)s cards of one rank",
                shown=shown,
                kind=meld.kind,
                set_sizes=SET_SIZES[meld.kind],
            ),
            f"{path}.cards",
        )


def _is_run(cards: tuple[str, ...]) -> bool:
    low, high = _ends(cards) if cards else (0, 0)
    return (
        len(cards) >= SHORTEST_RUN
        and len({card[1] for card in cards}) == 1
        and high - low == len(cards) - 1
    )


def _is_set(cards: tuple[str, ...], size: int) -> bool:
    return len(cards) == size and len({card[0] for card in cards}) == 1


def _check_beside(meld: MeldDeclared, earlier: MeldDeclared, path: str, *, overlap: bool) -> None:
    common = set(meld.cards) & set(earlier.cards)
    if meld.seat != earlier.seat:
        if common:
            card = min(common)
            _refuse(
                "P10",
                sentence(
                    "%(seat)s has already shown %(card)s; no two players can show the same card",
                    seat=SEAT_NAMES[earlier.seat],
                    card=card,
                ),
                f"{path}.cards",
            )
        return
    if common and (not overlap or (meld.kind == "run") == (earlier.kind == "run")):
        allowed = (
            sentence("once in a run and once in a triad or quad")
            if overlap
            else sentence("to one meld only")
        )
        _refuse(
            "P9",
            sentence(
                "%(common)s is already in a %(kind)s; a card belongs %(allowed)s",
                common=min(common),
                kind=earlier.kind,
                allowed=allowed,
            ),
            f"{path}.cards",
        )
    if (
        meld.kind == earlier.kind == "run"
        and meld.cards[0][1] == earlier.cards[0][1]
        and _join(meld.cards, earlier.cards)
    ):
        suit = SUIT_NAMES[meld.cards[0][1]]
        message = sentence(
            "%(seat)s's two runs of %(suit)s join end to end; declare them as one run",
            seat=SEAT_NAMES[meld.seat],
            suit=suit,
        )
        _refuse("P10", message, f"{path}.cards")


def _join(cards: tuple[str, ...], others: tuple[str, ...]) -> bool:
    low, high = _ends(cards)
    other_low, other_high = _ends(others)
    return high + 1 == other_low or other_high + 1 == low


def _ends(cards: tuple[str, ...]) -> tuple[int, int]:
    ranks = [RANKS.index(card[0]) for card in cards]
    return min(ranks), max(ranks)


def _refuse(rule: str, message: Sentence, path: str) -> None:
    raise RuleViolation("bad_meld", message, rule=rule, path=path)


def in_order(cards: Sequence[str]) -> tuple[str, ...]:
    """The cards suit by suit, low to high."""
    return tuple(sorted(cards, key=PLACE.__getitem__))
