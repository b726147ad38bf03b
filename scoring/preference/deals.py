"""Deals, widow, discards and plays taken as a whole: counts, duplicates and cards held, before any
rule of play (R3, R5).
"""

from collections.abc import Sequence

from scoring.errors import RuleViolation, sentence
from scoring.preference import tricks
from scoring.preference.cards import BIT, PACK, bits
from scoring.preference.contracts import CONTRACT_NAMES, WITH_WIDOW
from scoring.preference.events import CardsDealt
from scoring.preference.state import INDEX, SEAT_NAMES, SEATS, UNKNOWN, Hand, Play

HOLDING = 10
WIDOW = 2


def check_deal(deal: CardsDealt, contract: str, soloist: str) -> None:
    """Raise RuleViolation for what can't have been dealt or discarded under this contract.

    `bad_total`: holdings that aren't 10 cards, a widow that isn't 2, a card dealt twice;
    `bad_discard`: discards that aren't 2, under a contract without the widow, or of cards that the
    soloist had not.
    """
    _check_sizes(deal)
    dealt = 0
    for path, cards in (
        *((f"deal.{seat}", cards) for seat, cards in zip(SEATS, deal.holdings, strict=False)),
        ("widow", deal.widow),
    ):
        for place, card in enumerate(cards):
            if dealt & BIT[card]:
                message = sentence("%(card)s is dealt twice; each card is dealt once", card=card)
                raise RuleViolation("bad_total", message, rule="R3", path=f"{path}[{place}]")
            dealt |= BIT[card]
    if deal.discards:
        _check_discards(deal, contract, soloist)


def _check_sizes(deal: CardsDealt) -> None:
    for seat, cards in zip(SEATS, deal.holdings, strict=False):
        if len(cards) != HOLDING:
            message = sentence(
                "%(seat)s was dealt %(cards)s cards; a holding has 10",
                seat=SEAT_NAMES[seat],
                cards=len(cards),
            )
            raise RuleViolation("bad_total", message, rule="R3", path=f"deal.{seat}")
    if len(deal.widow) not in (0, WIDOW):
        raise RuleViolation(
            "bad_total",
            "the widow is 2 cards, not %(widow)s",
            rule="R3",
            path="widow",
            widow=len(deal.widow),
        )


def _check_discards(deal: CardsDealt, contract: str, soloist: str) -> None:
    if contract not in WITH_WIDOW:
        message = sentence(
            "%(contract)s is played without the widow; nothing is discarded",
            contract=CONTRACT_NAMES[contract],
        )
        raise RuleViolation("bad_discard", message, rule="R5", path="discards")
    if len(set(deal.discards)) != WIDOW or len(deal.discards) != WIDOW:
        message = sentence(
            "the soloist discards two different cards, not %(discards)s",
            discards=" ".join(deal.discards),
        )
        raise RuleViolation("bad_discard", message, rule="R5", path="discards")
    mine = _possible(deal, soloist, soloist, contract)
    for place, card in enumerate(deal.discards):
        if not mine & BIT[card]:
            message = sentence(
                "%(seat)s had no %(card)s to discard: it was not among the ten and the widow",
                seat=SEAT_NAMES[soloist],
                card=card,
            )
            raise RuleViolation("bad_discard", message, rule="R5", path=f"discards[{place}]")


def check_in_order(plays: Sequence[tuple[str, ...]], hand: Hand) -> None:
    """Raise the RuleViolation of the first play that was wrong, which may show only by what its
    seat played later.

    `hand` is before the first trick. Everybody held what they played afterwards, so a breach is
    found where it was made, with what should have been played then.
    """
    order, held = hand.play.order, [0, 0, 0]
    for cards in plays:
        for seat, card in zip(order, cards, strict=True):
            held[INDEX[seat]] |= BIT[card]
        order = tricks.turned(order, tricks.winner_of(hand, order, cards))
    known = (
        own if not spare else later
        for own, spare, later in zip(hand.play.held, hand.play.spare, held, strict=True)
    )
    hand = hand._replace(play=hand.play._replace(held=tuple(known), spare=(0, 0, 0)))
    for cards in plays:
        tricks.check_trick(hand, cards)
        hand = hand._replace(play=tricks.after_trick(hand, cards))


def _possible(deal: CardsDealt, seat: str, soloist: str, contract: str) -> int:
    """The cards that a seat may have had, the widow taken up, before anything was discarded."""
    uses_widow = seat == soloist and contract in WITH_WIDOW
    if not deal.holdings:
        return PACK if uses_widow else PACK & ~bits(deal.widow)
    widow = PACK & ~bits(card for cards in deal.holdings for card in cards)
    return bits(deal.holdings[INDEX[seat]]) | (widow if uses_widow else 0)


def after_deal(play: Play, deal: CardsDealt, contract: str, soloist: str) -> Play:
    """The play with what the deal tells of each seat's cards."""
    gone = bits(deal.discards)
    held = tuple(_possible(deal, seat, soloist, contract) & ~gone for seat in SEATS)
    spare = tuple(cards.bit_count() - HOLDING if deal.holdings else UNKNOWN for cards in held)
    return play._replace(held=held, spare=spare)


def check_counts(plays: Sequence[Sequence[str]], size: int) -> None:
    """Raise RuleViolation `bad_total` for more than 10 tricks, a trick that isn't `size` cards, or
    a card played twice.
    """
    if len(plays) > tricks.TRICKS:
        raise RuleViolation(
            "bad_total",
            "a hand has 10 tricks, not %(plays)s",
            rule="R3",
            path="plays",
            plays=len(plays),
        )
    if len(set().union(*plays)) == size * len(plays) and all(len(cards) == size for cards in plays):
        return
    played = 0
    for trick, cards in enumerate(plays):
        if len(cards) != size:
            raise RuleViolation(
                "bad_total",
                "a trick is %(size)s cards here, not %(cards)s",
                rule="R9",
                path=f"plays[{trick}]",
                size=size,
                cards=len(cards),
            )
        for place, card in enumerate(cards):
            if played & BIT[card]:
                message = sentence("%(card)s is played twice; it can be played once", card=card)
                raise RuleViolation(
                    "bad_total", message, rule="R3", path=f"plays[{trick}][{place}]"
                )
            played |= BIT[card]


def check_held(plays: Sequence[tuple[str, ...]], hand: Hand) -> None:
    """Raise RuleViolation `card_not_held` for the first card that its seat can't have held. `hand`
    is before the first trick.
    """
    if hand.deal is None:
        return
    order = hand.play.order
    for trick, cards in enumerate(plays):
        for place, (seat, card) in enumerate(zip(order, cards, strict=True)):
            tricks.check_possible(hand, seat, card, 0, f"plays[{trick}][{place}]")
        order = tricks.turned(order, tricks.winner_of(hand, order, cards))
