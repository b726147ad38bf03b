"""Tricks: who wins them, who must follow, and how a revoke shows (P13 to P15)."""

from collections.abc import Sequence

from scoring.errors import RuleViolation
from scoring.precedence.cards import BIT, PLACE, SUIT_BITS, SUIT_NAMES, SUITS, cards_of
from scoring.precedence.seats import INDEX, ROUND, SEAT_NAMES, SEATS
from scoring.precedence.state import NOT_LACKING, Play

TRICKS = 13
SUIT_PLACE = {suit: place for place, suit in enumerate(SUITS)}


def winner_of(cards: Sequence[str], leader: str, trump: str) -> str:
    """The seat that wins a trick: the highest trump, else the highest card of the suit led (P13)."""
    led = cards[0][1]
    best, best_strength = 0, -1
    for place, card in enumerate(cards):
        suit = card[1]
        strength = PLACE[card] % 13 + (26 if suit == trump else 13 if suit == led else 0)
        if strength > best_strength:
            best, best_strength = place, strength
    return ROUND[leader][best]


def after_trick(play: Play, cards: tuple[str, ...], trump: str, accepted: frozenset[tuple[int, str]]) -> Play:
    """The play with this trick added. It refuses nothing: what happened, happened."""
    led = cards[0][1]
    trick = play.trick
    played, lacking = play.played, play.lacking
    shown, held = play.shown, play.held
    taken = 0
    for seat, card in zip(ROUND[play.leader], cards, strict=True):
        taken |= BIT[card]
        if card[1] != led and not (accepted and (trick, seat) in accepted):
            lacking = _lacks(lacking, 4 * INDEX[seat] + SUIT_PLACE[led], trick)
    if any(shown):
        shown = tuple(bits & ~taken for bits in shown)
    if held is not None:
        held = tuple(bits & ~taken for bits in held)
    winner = winner_of(cards, play.leader, trump)
    return Play(winner, (*play.cards, cards), (*play.winners, winner), played | taken, shown, held, lacking)


def _lacks(lacking: tuple[int, ...], place: int, trick: int) -> tuple[int, ...]:
    if lacking[place]:
        return lacking
    return (*lacking[:place], trick, *lacking[place + 1 :])


def lacking_after(play: Play, leader: str, accepted: frozenset[tuple[int, str]]) -> tuple[int, ...]:
    """What the tricks so far, the first led by `leader`, tell of empty suits; an `accepted` play tells nothing."""
    lacking = NOT_LACKING
    for trick, (first, cards) in enumerate(zip((leader, *play.winners), play.cards, strict=False), start=1):
        for seat, card in zip(ROUND[first], cards, strict=True):
            if card[1] != cards[0][1] and (trick, seat) not in accepted:
                lacking = _lacks(lacking, 4 * INDEX[seat] + SUIT_PLACE[cards[0][1]], trick)
    return lacking


def check_trick(play: Play, cards: Sequence[str], accepted: frozenset[tuple[int, str]]) -> None:
    """Raise RuleViolation for the first card that may not be played, in the order played (P13 to P15).

    `bad_total` a card played before, `card_not_held`, `revoke`, `must_play_declared`; the path is `plays[t][i]`.
    """
    led = cards[0][1]
    played = play.played
    trick = play.trick
    simple = not any(play.shown)
    for place, (seat, card) in enumerate(zip(ROUND[play.leader], cards, strict=True)):
        if not (simple and _plainly_legal(play, INDEX[seat], card, led, played)):
            path = f"plays[{trick - 1}][{place}]"
            check_possible(play, seat, card, played, path)
            if (trick, seat) not in accepted:
                check_following(play, seat, card, led if place else None, path)
        played |= BIT[card]


def _plainly_legal(play: Play, mine: int, card: str, led: str, played: int) -> bool:
    """Whether nothing can be wrong where no melds are shown; False means: look closer."""
    bit, suit = BIT[card], card[1]
    if played & bit or play.lacking[4 * mine + SUIT_PLACE[suit]]:
        return False
    if play.held is None:
        return True
    held = play.held[mine]
    return bool(held & bit) and (suit == led or not held & SUIT_BITS[led])


def check_possible(play: Play, seat: str, card: str, played: int, path: str) -> None:
    """Raise RuleViolation when the card was played before (`bad_total`) or is another seat's (`card_not_held`)."""
    bit = BIT[card]
    if played & bit:
        raise RuleViolation("bad_total", rule="P13", message=f"{card} is played twice; it can be played once", path=path)
    if play.held is not None and not play.held[INDEX[seat]] & bit:
        raise RuleViolation(
            "card_not_held",
            rule="P13",
            message=f"{SEAT_NAMES[seat]} was not dealt {card} and holds {_list(play.held[INDEX[seat]])}",
            path=path,
        )
    for other, shown in enumerate(play.shown):
        if shown & bit and other != INDEX[seat]:
            owner = SEAT_NAMES[SEATS[other]]
            message = f"{SEAT_NAMES[seat]} can't play {card}: {owner} showed it in a meld"
            raise RuleViolation("card_not_held", rule="P10", message=message, path=path)


def check_following(play: Play, seat: str, card: str, led: str | None, path: str) -> None:
    """Raise `revoke` (P13) or `must_play_declared` (P15); following comes first (P14). `led` is None for the leader."""
    mine = INDEX[seat]
    bit, shown = BIT[card], play.shown[mine]
    _check_earlier_revoke(play, seat, card, path)
    if led is not None and card[1] != led:
        known = shown | (play.held[mine] if play.held is not None else 0)
        if known & SUIT_BITS[led]:
            legal = shown & SUIT_BITS[led] or known & SUIT_BITS[led]
            message = f"{SEAT_NAMES[seat]} can follow {SUIT_NAMES[led]} and must, so not {card} but {_list(legal)}"
            raise RuleViolation("revoke", rule="P13", message=message, path=path)
    due = shown & SUIT_BITS[led] if led is not None and card[1] == led else shown
    if due and not due & bit:
        message = f"{SEAT_NAMES[seat]} must play a declared card before {card}: {_list(due)}"
        raise RuleViolation("must_play_declared", rule="P15", message=message, path=path)


def _check_earlier_revoke(play: Play, seat: str, card: str, path: str) -> None:
    trick = play.lacking[4 * INDEX[seat] + SUIT_PLACE[card[1]]]
    if not trick:
        return
    suit = SUIT_NAMES[card[1]]
    message = f"{SEAT_NAMES[seat]} did not follow {suit} in trick {trick} and plays {card} now; a card of {suit} was due in trick {trick}"
    raise RuleViolation("revoke", rule="P13", message=message, path=path)


def _list(held: int) -> str:
    return " ".join(cards_of(held)) or "nothing"
