"""Tricks: who wins them, what a card tells about the rest of a holding, and which cards may be
played (R10 to R12).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.errors import RuleViolation, Sentence, sentence
from scoring.french import SUIT_NAMES
from scoring.preference.cards import BIT, HIGHER, SUIT_BITS, bits, listed
from scoring.preference.contracts import MISERES, TRUMP
from scoring.preference.state import INDEX, NOTHING_DENIED, RIGHT, ROUND, SEAT_NAMES, Hand, Play

TRICKS = 10


def players_of(soloist: str, defence: dict[str, str]) -> tuple[str, ...]:
    """Those who play, clockwise from the soloist (R9)."""
    return tuple(seat for seat in ROUND[soloist] if defence.get(seat) != "out")


def first_order(contract: str, playing: tuple[str, ...]) -> tuple[str, ...]:
    """Those who play, clockwise from the first leader: the soloist, first in `playing`, or in
    `no_trump` the one at their right (R10).
    """
    if contract != "no_trump":
        return playing
    leader = RIGHT[playing[0]] if RIGHT[playing[0]] in playing else playing[-1]
    return turned(playing, leader)


def turned(order: tuple[str, ...], leader: str) -> tuple[str, ...]:
    """The same players, clockwise from this leader."""
    place = order.index(leader)
    return order[place:] + order[:place]


def beats(card: str, best: str, trump: str) -> bool:
    """Whether a card wins over the best one so far: higher in its suit, or a trump on
    another suit.
    """
    if card[1] == best[1]:
        return bool(HIGHER[best] & BIT[card])
    return card[1] == trump


def must_head(hand: Hand, order: Sequence[str], place: int) -> bool:
    """Whether who plays at this place of the trick has to head it if able (R11).

    Nobody has to in a misère, nor who comes next after the soloist's lead where both defenders
    play; a lone defender has (R12).
    """
    if hand.contract in MISERES:
        return False
    return place != 1 or order[0] != hand.soloist or len(order) == 2


def find_cards_denied(card: str, led: str, best: str, trump: str, *, heads: bool) -> int:
    """The cards that whoever plays this card may not hold: `led` is the card led, `best` the best
    before it (R11).
    """
    if card[1] == led[1]:
        return HIGHER[best] if heads and best[1] == led[1] and not BIT[card] & HIGHER[best] else 0
    missing = SUIT_BITS[led[1]]
    if not trump:
        return missing
    if card[1] != trump:
        return missing | SUIT_BITS[trump]
    return missing | HIGHER[best] if best[1] == trump and not BIT[card] & HIGHER[best] else missing


class Reading(NamedTuple):
    """Inferences from the cards of a trick, by place: the best card before each, the cards
    it denies; and the set of them and the place that wins.
    """

    best: tuple[str, ...]
    denied: tuple[int, ...]
    cards: int
    wins: int


def reading_of(hand: Hand, order: Sequence[str], cards: tuple[str, ...]) -> Reading:
    """Return what a trick, complete or not, tells under the hand's contract."""
    return _reading(
        cards, TRUMP[hand.contract], must_head(hand, order, 1), must_head(hand, order, 2)
    )


@lru_cache(maxsize=1024)
def _reading(cards: tuple[str, ...], trump: str, second_heads: bool, third_heads: bool) -> Reading:
    # Remembered, because a trick is read when it is checked and again when it is folded.
    best, denied, wins = [cards[0]], [0], 0
    for place, heads in enumerate((second_heads, third_heads)[: len(cards) - 1], start=1):
        before = cards[wins]
        best.append(before)
        denied.append(find_cards_denied(cards[place], cards[0], before, trump, heads=heads))
        if beats(cards[place], before, trump):
            wins = place
    return Reading(tuple(best), tuple(denied), bits(cards), wins)


def winner_of(hand: Hand, order: Sequence[str], cards: tuple[str, ...]) -> str:
    """The seat that wins a trick, or stands to win it, whose cards lie in this order of seats."""
    return order[reading_of(hand, order, cards).wins]


def after_trick(hand: Hand, cards: tuple[str, ...]) -> Play:
    """The play with this trick added. It refuses nothing: what happened, happened."""
    order, earlier, winners, played, held, denied, spare = hand.play
    read = reading_of(hand, order, cards)
    if any(read.denied):
        denied = _update_denied(denied, order, read.denied, len(winners) + 1, hand.accepted)
    leader, left = order[read.wins], ~read.cards
    first, second, third = held
    now = (first & left, second & left, third & left)
    return Play(
        turned(order, leader),
        (*earlier, cards),
        (*winners, leader),
        played | read.cards,
        now,
        denied,
        spare,
    )


def _update_denied(
    denied: tuple[int, ...],
    order: Sequence[str],
    more: tuple[int, ...],
    trick: int,
    accepted: frozenset[tuple[int, str]],
) -> tuple[int, ...]:
    """`denied` with what one trick adds to it; an `accepted` play tells nothing."""
    now = list(denied)
    for seat, missing in zip(order, more, strict=True):
        if missing and (trick, seat) not in accepted:
            now[INDEX[seat]] |= missing
    return tuple(now)


def find_denied(hand: Hand, accepted: frozenset[tuple[int, str]]) -> tuple[int, ...]:
    """Return the cards that the tricks so far deny, by seat; an `accepted` play tells
    nothing.
    """
    denied = list(NOTHING_DENIED)
    for trick, _, seat, _, _, missing in _every_card(hand):
        if (trick, seat) not in accepted:
            denied[INDEX[seat]] |= missing
    return tuple(denied)


def _every_card(hand: Hand) -> Iterator[tuple[int, Sequence[str], str, str, str, int]]:
    """Trick, order, seat, card, the card led and what it denies, for each card played so far."""
    order = first_order(hand.contract, players_of(hand.soloist, dict(hand.defence or {})))
    for trick, (cards, winner) in enumerate(
        zip(hand.play.cards, hand.play.winners, strict=False), start=1
    ):
        for seat, card, missing in zip(
            order, cards, reading_of(hand, order, cards).denied, strict=True
        ):
            yield trick, order, seat, card, cards[0], missing
        order = turned(order, winner)


def check_trick(hand: Hand, cards: tuple[str, ...]) -> None:
    """Raise RuleViolation for the first card that may not be played, in the order played (R11,
    R12).

    `bad_total` a card played before, `card_not_held`, `revoke`, `must_trump`, `must_head`; the path
    is `plays[t][i]`.
    """
    play = hand.play
    read, played = reading_of(hand, play.order, cards), play.played
    for place, (seat, card, missing) in enumerate(zip(play.order, cards, read.denied, strict=True)):
        mine, bit = INDEX[seat], BIT[card]
        denied, held = play.denied[mine], play.held[mine]
        if (
            not held & bit & ~played & ~denied
            or ((denied | missing) & held & ~played).bit_count() > play.spare[mine]
        ):
            check_card(
                hand,
                seat,
                card,
                (cards[0], read.best[place], missing),
                played,
                f"plays[{play.trick - 1}][{place}]",
            )
        played |= bit


def check_card(
    hand: Hand, seat: str, card: str, against: tuple[str, str, int], played: int, path: str
) -> None:
    """Raise RuleViolation when this card may not be played to the next trick, as `check_trick`
    does.

    `against` are the card led, the best before it, and what the card denies; `played` the cards
    that are gone.
    """
    play, mine = hand.play, INDEX[seat]
    check_possible(hand, seat, card, played, path)
    if (play.trick, seat) in hand.accepted:
        return
    if play.denied[mine] & BIT[card]:
        _refuse_earlier(hand, seat, card, path)
    led, best, missing = against
    due = missing & play.held[mine] & ~played
    if ((play.denied[mine] | missing) & play.held[mine] & ~played).bit_count() > play.spare[mine]:
        _refuse_now(hand, seat, card, (led, best, due), played, path)


def check_possible(hand: Hand, seat: str, card: str, played: int, path: str) -> None:
    """Raise RuleViolation when the card was played before (`bad_total`) or isn't this seat's
    (`card_not_held`).
    """
    if played & BIT[card]:
        raise RuleViolation(
            "bad_total",
            "%(card)s is played twice; it can be played once",
            rule="R3",
            path=path,
            card=card,
        )
    held = hand.play.held[INDEX[seat]]
    if held & BIT[card]:
        return
    name = SEAT_NAMES[seat]
    if hand.deal is not None and hand.deal.holdings:
        message = sentence(
            "%(seat)s doesn't hold %(card)s but %(listed)s",
            seat=name,
            card=card,
            listed=listed(held & ~played),
        )
    else:
        message = sentence(
            "%(seat)s can't hold %(card)s: it lay in the widow or was discarded",
            seat=name,
            card=card,
        )
    raise RuleViolation("card_not_held", message, rule="R3", path=path)


def _refuse_earlier(hand: Hand, seat: str, card: str, path: str) -> None:
    """Say which earlier play of the seat this card belies."""
    trick, order, earlier, led = next(
        (trick, order, earlier, led)
        for trick, order, who, earlier, led, missing in _every_card(hand)
        if who == seat and missing & BIT[card] and (trick, seat) not in hand.accepted
    )
    code, what = _breach(earlier, led, BIT[card], TRUMP[hand.contract])
    message = sentence(
        "%(seat)s did not %(what)s in trick %(trick)s with %(earlier)s and plays "
        "%(card)s now, which was due then",
        seat=SEAT_NAMES[seat],
        what=what,
        trick=trick,
        earlier=earlier,
        card=card,
    )
    raise RuleViolation(code, message, rule=_rule_of(code, hand, order), path=path)


def _refuse_now(
    hand: Hand, seat: str, card: str, against: tuple[str, str, int], played: int, path: str
) -> None:
    led, best, due = against
    code, what = _breach(card, led, due, TRUMP[hand.contract])
    held = hand.play.held[INDEX[seat]] & ~played
    legal = held & SUIT_BITS[led[1]] or held & SUIT_BITS[TRUMP[hand.contract] or led[1]]
    if code == "must_head":
        legal &= HIGHER[best]
    message = sentence(
        "%(seat)s can %(what)s and must, so not %(card)s but %(listed)s",
        seat=SEAT_NAMES[seat],
        what=what,
        card=card,
        listed=listed(legal),
    )
    raise RuleViolation(code, message, rule=_rule_of(code, hand, hand.play.order), path=path)


def _rule_of(code: str, hand: Hand, order: Sequence[str]) -> str:
    """The rule that a breach in a trick of this order is about: who alone follows the soloist's
    lead heads it by R12.
    """
    return "R12" if code == "must_head" and len(order) == 2 and order[0] == hand.soloist else "R11"


def _breach(card: str, led: str, due: int, trump: str) -> tuple[str, Sentence]:
    """Which duty a card broke when those `due` were held: the error's code and what should have
    been done.
    """
    if card[1] != led[1] and due & SUIT_BITS[led[1]]:
        return "revoke", sentence("follow %(suit)s", suit=SUIT_NAMES[led[1]])
    if trump and card[1] not in (led[1], trump):
        return "must_trump", sentence("trump")
    return "must_head", sentence("head the trick")
