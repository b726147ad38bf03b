"""Tricks: who wins them, who must follow or play a Sabacc, and how a revoke shows (S7)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation, sentence
from scoring.sabacc.cards import (
    BIT,
    CARDS,
    SABACC,
    SUIT_BITS,
    SUIT_NAMES,
    SUIT_OF,
    SUIT_PLACE,
    bits,
    listed,
)
from scoring.sabacc.state import INDEX, NOT_LACKING, ROUND, Play


def _strengths(led: str) -> dict[str, int]:
    """Return the strength of each card in a trick: Sabaccs above the suit led, any other
    card nothing.
    """
    return {
        card: place for place, card in enumerate(CARDS, start=1) if SUIT_OF[card] in (led, SABACC)
    }


STRENGTHS = {suit: dict.fromkeys(CARDS, 0) | _strengths(suit) for suit in SUIT_PLACE}
# The cards to be played before one that doesn't follow, by the suit led: for a Sabacc the suit, for
# others Sabaccs too.
DUE_BEFORE = {
    True: SUIT_BITS,
    False: {suit: cards | SUIT_BITS[SABACC] for suit, cards in SUIT_BITS.items()},
}


def winner_of(cards: Sequence[str], order: Sequence[str]) -> str:
    """The seat that wins a trick: the strongest Sabacc, else the highest card of the suit led (S7).

    `order` are the seats as they played.
    """
    strength = STRENGTHS[SUIT_OF[cards[0]]]
    return order[cards.index(max(cards, key=strength.__getitem__))]


def after_trick(play: Play, cards: tuple[str, ...], accepted: frozenset[tuple[int, str]]) -> Play:
    """The play with this trick added. It refuses nothing: what happened, happened."""
    leader, earlier, winners, played, held, out, taken_up, loose, declarer, lacking = play
    order = ROUND[len(cards)][leader]
    taken = bits(cards)
    if held is not None:
        left = ~taken
        held = tuple([own & left for own in held])
    if taken & ~SUIT_BITS[SUIT_OF[cards[0]]]:
        lacking = _update_lacking(lacking, order, cards, len(winners) + 1, accepted)
    winner = winner_of(cards, order)
    known = (played | taken, held, out, taken_up, loose & ~taken, declarer, lacking)
    return tuple.__new__(Play, (winner, (*earlier, cards), (*winners, winner), *known))


def _update_lacking(
    lacking: tuple[int, ...],
    order: Sequence[str],
    cards: Sequence[str],
    trick: int,
    accepted: frozenset[tuple[int, str]],
) -> tuple[int, ...]:
    """`lacking` with what one trick adds: who did not follow has none of the suit led, who played
    no Sabacc then has none either.
    """
    now = list(lacking)
    led = SUIT_OF[cards[0]]
    for seat, card in zip(order, cards, strict=True):
        suit = SUIT_OF[card]
        if suit == led or (trick, seat) in accepted:
            continue
        for none_of in (led,) if suit == SABACC else (led, SABACC):
            place = 5 * INDEX[seat] + SUIT_PLACE[none_of]
            now[place] = now[place] or trick
    return tuple(now)


def find_lacking(play: Play, first: str, accepted: frozenset[tuple[int, str]]) -> tuple[int, ...]:
    """Return the empty suits that the tricks so far reveal, the first led by `first`; an
    `accepted` play tells nothing.
    """
    lacking: tuple[int, ...] = NOT_LACKING
    for trick, (leader, cards) in enumerate(
        zip((first, *play.winners), play.cards, strict=False), start=1
    ):
        lacking = _update_lacking(lacking, ROUND[len(cards)][leader], cards, trick, accepted)
    return lacking


def check_trick(play: Play, cards: Sequence[str], accepted: frozenset[tuple[int, str]]) -> None:
    """Raise RuleViolation for the first card that may not be played, in the order played (S7).

    `bad_total` a card played before, `card_not_held`, `revoke`, `must_trump`; the path is
    `plays[t][i]`.
    """
    order = ROUND[len(cards)][play.leader]
    if _plainly_legal(play, order, cards):
        return
    led, played, trick = None, play.played, play.trick
    for place, (seat, card) in enumerate(zip(order, cards, strict=True)):
        path = f"plays[{trick - 1}][{place}]"
        check_possible(play, seat, card, played, path)
        if (trick, seat) not in accepted:
            check_following(play, seat, card, led, path)
        led = SUIT_OF[cards[0]]
        played |= BIT[card]


def _plainly_legal(play: Play, order: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether nothing can be wrong with a trick; False means: look closer."""
    led = SUIT_OF[cards[0]]
    if play.held is not None:
        return not play.loose and _plainly_held(play.held, order, cards, led)
    lacking, gone = play.lacking, play.played | play.out | play.taken_up
    for seat, card in zip(order, cards, strict=True):
        bit = BIT[card]
        if gone & bit or lacking[5 * INDEX[seat] + SUIT_PLACE[SUIT_OF[card]]]:
            return False
        gone |= bit
    return True


def _plainly_held(
    held: Sequence[int], order: Sequence[str], cards: Sequence[str], led: str
) -> bool:
    """Whether everybody holds what they play, and nothing that was due before it."""
    for seat, card in zip(order, cards, strict=True):
        own, suit = held[INDEX[seat]], SUIT_OF[card]
        if not own & BIT[card] or (suit != led and own & DUE_BEFORE[suit == SABACC][led]):
            return False
    return True


def check_possible(play: Play, seat: str, card: str, played: int, path: str) -> None:
    """Raise RuleViolation when the card was played before or lies apart (`bad_total`), or is
    another's (`card_not_held`).
    """
    bit = BIT[card]
    if played & bit:
        raise RuleViolation(
            "bad_total",
            "%(card)s is played twice; it can be played once",
            rule="S7",
            path=path,
            card=card,
        )
    if play.held is not None and not play.held[INDEX[seat]] & bit:
        message = sentence(
            "%(seat)s doesn't hold %(card)s; %(seat)s holds %(listed)s",
            seat=seat,
            card=card,
            listed=listed(play.held[INDEX[seat]]),
        )
        raise RuleViolation("card_not_held", message, rule="S7", path=path)
    if play.out & bit:
        message = sentence(
            "%(card)s lies in the talon or was set aside; it can't be played too", card=card
        )
        raise RuleViolation("bad_total", message, rule="S6", path=path)
    if play.taken_up & bit and seat != play.declarer:
        message = sentence(
            "%(seat)s can't play %(card)s: %(declarer)s took it up with the talon",
            seat=seat,
            card=card,
            declarer=play.declarer,
        )
        raise RuleViolation("card_not_held", message, rule="S6", path=path)


def check_following(play: Play, seat: str, card: str, led: str | None, path: str) -> None:
    """Raise `revoke` or `must_trump` (S7). `led` is the suit, None for the leader."""
    _check_earlier_revoke(play, seat, card, path)
    suit = SUIT_OF[card]
    if led is None or suit == led or play.held is None:
        return
    certain = play.held[INDEX[seat]] & ~play.loose
    if certain & SUIT_BITS[led]:
        message = sentence(
            "%(seat)s can follow %(suit)s and must, so not %(card)s but %(listed)s",
            seat=seat,
            suit=SUIT_NAMES[led],
            card=card,
            listed=listed(certain & SUIT_BITS[led]),
        )
        raise RuleViolation("revoke", message, rule="S7", path=path)
    if suit != SABACC and certain & SUIT_BITS[SABACC]:
        message = sentence(
            "%(seat)s has no %(suit)s and must play a Sabacc, so not %(card)s but %(listed)s",
            seat=seat,
            suit=SUIT_NAMES[led],
            card=card,
            listed=listed(certain & SUIT_BITS[SABACC]),
        )
        raise RuleViolation("must_trump", message, rule="S7", path=path)


def _check_earlier_revoke(play: Play, seat: str, card: str, path: str) -> None:
    suit = SUIT_OF[card]
    trick = play.lacking[5 * INDEX[seat] + SUIT_PLACE[suit]]
    if not trick:
        return
    led = SUIT_OF[play.cards[trick - 1][0]]
    if led == suit:
        message = sentence(
            "%(seat)s did not follow %(suit)s in trick %(trick)s and plays %(card)s now; it "
            "was due in trick %(trick)s",
            seat=seat,
            suit=SUIT_NAMES[led],
            trick=trick,
            card=card,
        )
        raise RuleViolation("revoke", message, rule="S7", path=path)
    message = sentence(
        "%(seat)s had no %(suit)s in trick %(trick)s, played no Sabacc, and plays "
        "%(card)s now; it was due in trick %(trick)s",
        seat=seat,
        suit=SUIT_NAMES[led],
        trick=trick,
        card=card,
    )
    raise RuleViolation("must_trump", message, rule="S7", path=path)
