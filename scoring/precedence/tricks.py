"""Tricks: who wins them, who must follow, and how a revoke shows (P13 to P15)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation, sentence
from scoring.precedence.cards import (
    ALL_BITS,
    BIT,
    CARDS,
    RANKS,
    SUIT_BITS,
    SUIT_NAMES,
    SUITS,
    cards_of,
)
from scoring.precedence.seats import INDEX, ROUND, SEAT_NAMES, SEATS
from scoring.precedence.state import NOT_LACKING, NOTHING_SHOWN, Play

TRICKS = 13
SUIT_PLACE = {suit: place for place, suit in enumerate(SUITS)}
# The places of the four seats clockwise from each.
PLACES = {leader: tuple(INDEX[seat] for seat in seats) for leader, seats in ROUND.items()}


def _strengths(trump: str, led: str) -> dict[str, int]:
    """Return the strength of each card in a trick: trumps above the suit led, any other
    card nothing.
    """
    strengths = dict.fromkeys(CARDS, 0)
    for place, rank in enumerate(RANKS, start=1):
        strengths[rank + led] = place
        strengths[rank + trump] = place + len(RANKS)
    return strengths


STRENGTHS = {trump: {led: _strengths(trump, led) for led in SUITS} for trump in SUITS}


def winner_of(cards: Sequence[str], leader: str, trump: str) -> str:
    """The seat that wins a trick: the highest trump, else the highest card of the suit led
    (P13).
    """
    strength = STRENGTHS[trump][cards[0][1]]
    return ROUND[leader][cards.index(max(cards, key=strength.__getitem__))]


def after_trick(
    play: Play, cards: tuple[str, ...], trump: str, accepted: frozenset[tuple[int, str]]
) -> Play:
    """The play with this trick added. It refuses nothing: what happened, happened."""
    leader, earlier, winners, played, shown, held, lacking = play
    first, second, third, fourth = cards
    taken = BIT[first] | BIT[second] | BIT[third] | BIT[fourth]
    if shown != NOTHING_SHOWN:
        shown = _without(shown, taken)
    if held is not None:
        held = _without(held, taken)
    if taken & ~SUIT_BITS[first[1]]:
        lacking = _update_lacking(lacking, leader, cards, len(winners) + 1, accepted)
    winner = winner_of(cards, leader, trump)
    return tuple.__new__(
        Play, (winner, (*earlier, cards), (*winners, winner), played | taken, shown, held, lacking)
    )


def _without(holdings: tuple[int, ...], taken: int) -> tuple[int, ...]:
    north, east, south, west = holdings
    return north & ~taken, east & ~taken, south & ~taken, west & ~taken


def _update_lacking(
    lacking: tuple[int, ...],
    leader: str,
    cards: Sequence[str],
    trick: int,
    accepted: frozenset[tuple[int, str]],
) -> tuple[int, ...]:
    """`lacking` with what one trick adds to it: who did not follow has no card of the suit led."""
    led = cards[0][1]
    now, suit = list(lacking), SUIT_PLACE[led]
    for seat, card in zip(ROUND[leader], cards, strict=True):
        if card[1] != led:
            place = 4 * INDEX[seat] + suit
            if not now[place] and (trick, seat) not in accepted:
                now[place] = trick
    return tuple(now)


def find_lacking(play: Play, leader: str, accepted: frozenset[tuple[int, str]]) -> tuple[int, ...]:
    """Return the empty suits that the tricks so far reveal, the first led by `leader`; an
    `accepted` play tells nothing.
    """
    lacking: tuple[int, ...] = NOT_LACKING
    for trick, (first, cards) in enumerate(
        zip((leader, *play.winners), play.cards, strict=False), start=1
    ):
        lacking = _update_lacking(lacking, first, cards, trick, accepted)
    return lacking


def check_trick(play: Play, cards: Sequence[str], accepted: frozenset[tuple[int, str]]) -> None:
    """Raise RuleViolation for the first card that may not be played, in the order played (P13 to
    P15).

    `bad_total` a card played before, `card_not_held`, `revoke`, `must_play_declared`; the path is
    `plays[t][i]`.
    """
    if _plainly_legal(play, cards):
        return
    led, played, trick = None, play.played, play.trick
    for place, (seat, card) in enumerate(zip(ROUND[play.leader], cards, strict=True)):
        path = f"plays[{trick - 1}][{place}]"
        check_possible(play, seat, card, played, path)
        if (trick, seat) not in accepted:
            check_following(play, seat, card, led, path)
        led = cards[0][1]
        played |= BIT[card]


def _plainly_legal(play: Play, cards: Sequence[str]) -> bool:
    """Whether nothing can be wrong with a trick; False means: look closer."""
    leader, _, _, played, shown, held, lacking = play
    if held is None and shown == NOTHING_SHOWN and lacking == NOT_LACKING:
        first, second, third, fourth = cards
        taken = BIT[first] | BIT[second] | BIT[third] | BIT[fourth]
        return taken.bit_count() == len(cards) and not taken & played
    everybody_shown = shown[0] | shown[1] | shown[2] | shown[3]
    led, led_bits = cards[0][1], ALL_BITS
    for mine, card in zip(PLACES[leader], cards, strict=True):
        bit, suit = BIT[card], card[1]
        if played & bit or lacking[4 * mine + SUIT_PLACE[suit]]:
            return False
        if held is not None and (not held[mine] & bit or (suit != led and held[mine] & led_bits)):
            return False
        if everybody_shown:
            own = shown[mine]
            due = own & led_bits if suit == led else own
            if (
                (due and not due & bit)
                or everybody_shown & bit & ~own
                or (suit != led and own & led_bits)
            ):
                return False
        played |= bit
        led_bits = SUIT_BITS[led]
    return True


def check_possible(play: Play, seat: str, card: str, played: int, path: str) -> None:
    """Raise RuleViolation when the card was played before (`bad_total`) or is another seat's
    (`card_not_held`).
    """
    bit = BIT[card]
    if played & bit:
        raise RuleViolation(
            "bad_total",
            "%(card)s is played twice; it can be played once",
            rule="P13",
            path=path,
            card=card,
        )
    if play.held is not None and not play.held[INDEX[seat]] & bit:
        raise RuleViolation(
            "card_not_held",
            "%(seat)s was not dealt %(card)s and holds %(cards)s",
            rule="P13",
            path=path,
            seat=SEAT_NAMES[seat],
            card=card,
            cards=_list(play.held[INDEX[seat]]),
        )
    for other, shown in enumerate(play.shown):
        if shown & bit and other != INDEX[seat]:
            owner = SEAT_NAMES[SEATS[other]]
            message = sentence(
                "%(seat)s can't play %(card)s: %(owner)s showed it in a meld",
                seat=SEAT_NAMES[seat],
                card=card,
                owner=owner,
            )
            raise RuleViolation("card_not_held", message, rule="P10", path=path)


def check_following(play: Play, seat: str, card: str, led: str | None, path: str) -> None:
    """Raise `revoke` (P13) or `must_play_declared` (P15); following comes first (P14). `led` is
    None for the leader.
    """
    mine = INDEX[seat]
    bit, shown = BIT[card], play.shown[mine]
    _check_earlier_revoke(play, seat, card, path)
    if led is not None and card[1] != led:
        known = shown | (play.held[mine] if play.held is not None else 0)
        if known & SUIT_BITS[led]:
            legal = shown & SUIT_BITS[led] or known & SUIT_BITS[led]
            message = sentence(
                "%(seat)s can follow %(suit)s and must, so not %(card)s but %(cards)s",
                seat=SEAT_NAMES[seat],
                suit=SUIT_NAMES[led],
                card=card,
                cards=_list(legal),
            )
            raise RuleViolation("revoke", message, rule="P13", path=path)
    due = shown & SUIT_BITS[led] if led is not None and card[1] == led else shown
    if due and not due & bit:
        message = sentence(
            "%(seat)s must play a declared card before %(card)s: %(cards)s",
            seat=SEAT_NAMES[seat],
            card=card,
            cards=_list(due),
        )
        raise RuleViolation("must_play_declared", message, rule="P15", path=path)


def _check_earlier_revoke(play: Play, seat: str, card: str, path: str) -> None:
    trick = play.lacking[4 * INDEX[seat] + SUIT_PLACE[card[1]]]
    if not trick:
        return
    suit = SUIT_NAMES[card[1]]
    message = sentence(
        "%(seat)s did not follow %(suit)s in trick %(trick)s and plays %(card)s now; a "
        "card of %(suit)s was due in trick %(trick)s",
        seat=SEAT_NAMES[seat],
        suit=suit,
        trick=trick,
        card=card,
    )
    raise RuleViolation("revoke", message, rule="P13", path=path)


def _list(held: int) -> str:
    return " ".join(cards_of(held)) or "nothing"
