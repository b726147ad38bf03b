"""Deals and plays taken as a whole: counts, duplicates and cards held, before any rule of play
(P10, P13).
"""

from collections.abc import Sequence

from scoring.errors import RuleViolation, Sentence, sentence
from scoring.precedence.cards import BIT, CARDS
from scoring.precedence.events import MeldDeclared
from scoring.precedence.melds import HOLDING
from scoring.precedence.seats import INDEX, ROUND, SEAT_NAMES, SEATS
from scoring.precedence.state import Hand
from scoring.precedence.tricks import TRICKS, after_trick, check_possible, check_trick, winner_of


def check_deal(holdings: Sequence[Sequence[str]], melds: Sequence[MeldDeclared]) -> None:
    """Raise RuleViolation `bad_total` unless this is the whole pack, 13 cards each; `card_not_held`
    for a meld of other cards.
    """
    check_pack(holdings)
    for place, meld in enumerate(melds):
        check_dealt(meld, holdings, f"melds[{place}]")


def check_dealt(meld: MeldDeclared, holdings: Sequence[Sequence[str]] | None, path: str) -> None:
    """Raise RuleViolation `card_not_held` for a meld of cards that another seat was dealt, where
    the deal is known.
    """
    missing = [
        card
        for card in meld.cards
        if holdings is not None and card not in holdings[INDEX[meld.seat]]
    ]
    if missing:
        message = sentence(
            "%(seat)s showed %(missing)s, which was not dealt there",
            seat=SEAT_NAMES[meld.seat],
            missing=missing[0],
        )
        raise RuleViolation("card_not_held", message, rule="P6", path=f"{path}.cards")


def check_pack(holdings: Sequence[Sequence[str]]) -> None:
    """Raise RuleViolation `bad_total` unless these are four holdings of 13 cards, every
    card once.
    """
    if all(len(cards) == HOLDING for cards in holdings) and len(set().union(*holdings)) == len(
        CARDS
    ):
        return
    dealt = 0
    for seat, cards in zip(SEATS, holdings, strict=True):
        if len(cards) != HOLDING:
            message = _describe_miscount(seat, cards, left=_undealt_cards(holdings))
            raise RuleViolation("bad_total", message, rule="P13", path=f"deal.{seat}")
        for place, card in enumerate(cards):
            if dealt & BIT[card]:
                message = sentence(
                    "%(card)s is dealt twice; each card is in one holding", card=card
                )
                raise RuleViolation("bad_total", message, rule="P13", path=f"deal.{seat}[{place}]")
            dealt |= BIT[card]


def _undealt_cards(holdings: Sequence[Sequence[str]]) -> list[str]:
    """The cards of the pack that nobody was dealt."""
    return [card for card in CARDS if not any(card in cards for cards in holdings)]


def _describe_miscount(seat: str, cards: Sequence[str], *, left: Sequence[str]) -> Sentence:
    """Describe the fault of a holding that isn't 13 cards; if it lacks exactly the cards
    dealt to no one, name them.
    """
    if left and len(cards) + len(left) == HOLDING:
        return sentence(
            "%(seat)s was dealt %(cards)s cards; a holding has 13, and nobody was dealt %(left)s",
            seat=SEAT_NAMES[seat],
            cards=len(cards),
            left=" ".join(left),
        )
    return sentence(
        "%(seat)s was dealt %(cards)s cards; a holding has 13",
        seat=SEAT_NAMES[seat],
        cards=len(cards),
    )


def check_held(plays: Sequence[Sequence[str]], hand: Hand) -> None:
    """Raise RuleViolation `card_not_held` for the first card that another seat was dealt or has
    shown.
    """
    leader, held = hand.play.leader, hand.play.held
    if held is None and not hand.melds:
        return
    for trick, cards in enumerate(plays):
        for place, (seat, card) in enumerate(zip(ROUND[leader], cards, strict=True)):
            if held is None or not held[INDEX[seat]] & BIT[card]:
                check_possible(hand.play, seat, card, 0, f"plays[{trick}][{place}]")
        leader = winner_of(cards, leader, hand.trump)


def check_in_order(plays: Sequence[Sequence[str]], hand: Hand) -> None:
    """Raise the RuleViolation of the first play that was wrong, which may show only by what its
    seat played later.

    `hand` is before the first trick. Everybody held what they played afterwards, so a breach is
    found where it was made, with what should have been played then.
    """
    held, leader = [0, 0, 0, 0], hand.play.leader
    for cards in plays:
        for seat, card in zip(ROUND[leader], cards, strict=True):
            held[INDEX[seat]] |= BIT[card]
        leader = winner_of(cards, leader, hand.trump)
    play = hand.play if hand.play.held is not None else hand.play._replace(held=tuple(held))
    for cards in plays:
        check_trick(play, cards, hand.accepted)
        play = after_trick(play, tuple(cards), hand.trump, hand.accepted)


def check_counts(plays: Sequence[Sequence[str]]) -> None:
    """Raise RuleViolation `bad_total` for more than 13 tricks, a trick that isn't 4 cards, or a
    card played twice.
    """
    if len(plays) > TRICKS:
        raise RuleViolation(
            "bad_total",
            "a hand has 13 tricks, not %(plays)s",
            rule="P13",
            path="plays",
            plays=len(plays),
        )
    if all(len(cards) == 4 for cards in plays) and len(set().union(*plays)) == 4 * len(plays):
        return
    played = 0
    for trick, cards in enumerate(plays):
        if len(cards) != 4:
            raise RuleViolation(
                "bad_total",
                "a trick is 4 cards, not %(cards)s",
                rule="P13",
                path=f"plays[{trick}]",
                cards=len(cards),
            )
        for place, card in enumerate(cards):
            if played & BIT[card]:
                message = sentence("%(card)s is played twice; it can be played once", card=card)
                raise RuleViolation(
                    "bad_total", message, rule="P13", path=f"plays[{trick}][{place}]"
                )
            played |= BIT[card]
