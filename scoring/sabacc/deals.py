"""Deal, talon, aside and plays taken as a whole: counts, duplicates and cards held, before any rule
of play (S2, S6).
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from scoring.errors import RuleViolation, sentence
from scoring.sabacc.auction import WITH_TALON
from scoring.sabacc.cards import (
    BIT,
    HONOUR_BITS,
    MASTER_BITS,
    ORDINARY_BITS,
    PACK,
    SABACC,
    SUIT_BITS,
    SUIT_OF,
    bits,
    card_name,
)
from scoring.sabacc.state import HOLDING, INDEX, ROUND, TALON, Hand, Play
from scoring.sabacc.tricks import after_trick, check_possible, check_trick, winner_of


def check_deal(
    holdings: Sequence[Sequence[str]], seats: Sequence[str], talon: Iterable[str]
) -> None:
    """Raise RuleViolation `bad_total` unless everybody has as many cards as S2 says, and no card
    lies in two places.
    """
    size = HOLDING[len(seats)]
    for seat, cards in zip(seats, holdings, strict=True):
        if len(cards) != size:
            message = sentence(
                "%(seat)s was dealt %(cards)s cards; with %(seats)s players a holding has %(size)s",
                seat=seat,
                cards=len(cards),
                seats=len(seats),
                size=size,
            )
            raise RuleViolation("bad_total", message, rule="S2", path=f"deal.{seat}")
    dealt = bits(talon)
    if not dealt and len(set().union(*holdings)) == size * len(seats):
        return
    for seat, cards in zip(seats, holdings, strict=True):
        dealt = _without_twice(cards, dealt, f"deal.{seat}", rule="S2")


def check_talon(cards: Sequence[str], hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for a talon of the wrong size, or with a card that was dealt
    to somebody.
    """
    size = TALON[len(hand.accounts)]
    if len(cards) != size:
        message = sentence(
            "the talon has %(size)s cards with %(accounts)s players, not %(cards)s",
            size=size,
            accounts=len(hand.accounts),
            cards=len(cards),
        )
        raise RuleViolation("bad_total", message, rule="S2", path="talon")
    _without_twice(
        cards, bits(card for holding in hand.deal or () for card in holding), "talon", rule="S2"
    )


def check_aside(cards: Sequence[str], hand: Hand) -> None:
    """Raise RuleViolation for cards that can't be set aside: `bad_discard`, `card_not_held`,
    `bad_total` for one twice (S6).
    """
    if hand.contract not in WITH_TALON:
        message = sentence(
            "nothing is set aside in guard without and guard against; the talon stays where it lies"
        )
        raise RuleViolation("bad_discard", message, rule="S6", path="aside")
    size = TALON[len(hand.accounts)]
    if len(cards) != size:
        message = sentence(
            "as many cards are set aside as the talon had, %(size)s, not %(cards)s",
            size=size,
            cards=len(cards),
        )
        raise RuleViolation("bad_discard", message, rule="S6", path="aside")
    _without_twice(cards, 0, "aside", rule="S6")
    held = hand.play.held[INDEX[hand.play.declarer or ""]] if hand.play.held is not None else PACK
    for place, card in enumerate(cards):
        if not held & BIT[card]:
            message = sentence(
                "%(declarer)s does not hold %(card)s and can't set it aside",
                declarer=hand.declarer,
                card=card,
            )
            raise RuleViolation("card_not_held", message, rule="S6", path=f"aside[{place}]")
        if (HONOUR_BITS | MASTER_BITS) & BIT[card]:
            message = sentence(
                "%(card)s can't be set aside: no Master, and no Sabacc that is an honour",
                card=card_name(card),
            )
            raise RuleViolation("bad_discard", message, rule="S6", path=f"aside[{place}]")
    if hand.play.held is not None:
        check_sabaccs_aside(cards, held & ~bits(cards))


def check_sabaccs_aside(cards: Iterable[str], kept: int) -> None:
    """Raise RuleViolation `bad_discard` for a Sabacc set aside while a card was `kept` that could
    have been instead (S6).
    """
    sabacc = next((card for card in cards if SUIT_OF[card] == SABACC), None)
    if sabacc is not None and kept & ORDINARY_BITS:
        message = sentence(
            "%(sabacc)s can't be set aside: a Sabacc is only when nothing else is left but "
            "Masters and Sabaccs",
            sabacc=sabacc,
        )
        raise RuleViolation("bad_discard", message, rule="S6", path="aside")


def check_end(hand: Hand) -> None:
    """Raise RuleViolation `bad_discard` when what the declarer played shows that the aside was no
    legal one (S6).
    """
    if hand.contract not in WITH_TALON:
        return
    complete = len(hand.play.cards) == HOLDING[len(hand.accounts)]
    aside = (
        bits(hand.aside) if hand.aside is not None else PACK & ~hand.play.played if complete else 0
    )
    if not aside & ~ORDINARY_BITS:
        return
    masters = aside & (HONOUR_BITS | MASTER_BITS)
    if masters:
        card = next(card for card in BIT if BIT[card] & masters)
        message = sentence(
            "%(card)s was played by nobody, so it was set aside: no Master and no Sabacc "
            "that is an honour can be",
            card=card_name(card),
        )
        raise RuleViolation("bad_discard", message, rule="S6", path="plays")
    check_sabaccs_aside(
        (card for card in BIT if BIT[card] & aside & SUIT_BITS[SABACC]),
        bits(list_played_cards(hand, hand.declarer or "")),
    )


def list_played_cards(hand: Hand, seat: str) -> tuple[str, ...]:
    """The cards that a seat played, in order."""
    players = len(hand.accounts)
    leaders = (hand.first_leader, *hand.play.winners)
    return tuple(
        cards[ROUND[players][leader].index(seat)]
        for leader, cards in zip(leaders, hand.play.cards, strict=False)
    )


def check_counts(plays: Sequence[Sequence[str]], hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for too many tricks, a trick of too many or too few cards, a
    card that is there twice.
    """
    players = len(hand.accounts)
    if len(plays) > HOLDING[players]:
        message = sentence(
            "a hand of %(players)s players has %(holding)s tricks, not %(plays)s",
            players=players,
            holding=HOLDING[players],
            plays=len(plays),
        )
        raise RuleViolation("bad_total", message, rule="S2", path="plays")
    apart = hand.play.out if hand.play.held is None else 0
    if all(len(cards) == players for cards in plays):
        all_cards = set().union(*plays)
        if len(all_cards) == players * len(plays) and not (apart and bits(all_cards) & apart):
            return
    played = apart
    for trick, cards in enumerate(plays):
        if len(cards) != players:
            message = sentence(
                "a trick is %(players)s cards, not %(cards)s", players=players, cards=len(cards)
            )
            raise RuleViolation("bad_total", message, rule="S7", path=f"plays[{trick}]")
        played = _without_twice(cards, played, f"plays[{trick}]", rule="S7")


def check_held(plays: Sequence[Sequence[str]], hand: Hand) -> None:
    """Raise RuleViolation `card_not_held` for the first card that another seat was dealt or took
    up.
    """
    leader, players = hand.play.leader, len(hand.accounts)
    if hand.play.held is None and not hand.play.taken_up:
        return
    for trick, cards in enumerate(plays):
        order = ROUND[players][leader]
        for place, (seat, card) in enumerate(zip(order, cards, strict=True)):
            check_possible(hand.play, seat, card, 0, f"plays[{trick}][{place}]")
        leader = winner_of(cards, order)


def check_in_order(plays: Sequence[Sequence[str]], hand: Hand) -> None:
    """Raise the RuleViolation of the first play that was wrong, which may show only by what its
    seat played later.

    `hand` is before the first trick. Everybody held what they played afterwards, so a breach is
    found where it was made, with what should have been played then.
    """
    leader, players = hand.play.leader, len(hand.accounts)
    held = [0] * players
    for cards in plays:
        order = ROUND[players][leader]
        for seat, card in zip(order, cards, strict=True):
            held[INDEX[seat]] |= BIT[card]
        leader = winner_of(cards, order)
    dealt = [*(hand.play.held or held)]
    if hand.play.loose:
        mine = INDEX[hand.declarer or ""]
        dealt[mine] = held[mine]
    play = hand.play._replace(held=tuple(dealt), loose=0)
    for cards in plays:
        check_trick(play, cards, hand.accepted)
        play = after_trick(play, tuple(cards), hand.accepted)


def apply_known_cards(play: Play, hand: Hand) -> Play:
    """The play with what deal, talon and aside tell of who can have which card."""
    with_talon = hand.contract in WITH_TALON
    aside = bits(hand.aside) if hand.aside is not None else 0
    dealt = tuple(map(bits, hand.deal)) if hand.deal is not None else None
    talon = PACK & ~reduce(or_, dealt) if dealt is not None else bits(hand.talon or ())
    held = (
        _after_talon(hand, dealt, talon if with_talon else 0, aside) if dealt is not None else None
    )
    return play._replace(
        held=held,
        out=aside if with_talon else talon,
        taken_up=talon & ~aside if with_talon else 0,
        loose=held[INDEX[hand.declarer or ""]] & ~(HONOUR_BITS | MASTER_BITS)
        if held and with_talon and not aside
        else 0,
    )


def _after_talon(hand: Hand, dealt: Sequence[int], taken_up: int, aside: int) -> tuple[int, ...]:
    seated = zip(hand.accounts, dealt, strict=True)
    return tuple(
        (cards | taken_up) & ~aside if seat == hand.declarer else cards for seat, cards in seated
    )


def _without_twice(cards: Sequence[str], seen: int, path: str, *, rule: str) -> int:
    """The cards seen with these added. Raises RuleViolation `bad_total` for one that was seen
    before.
    """
    for place, card in enumerate(cards):
        if seen & BIT[card]:
            message = sentence(
                "%(card)s is there twice; each card of the pack is there once", card=card
            )
            raise RuleViolation("bad_total", message, rule=rule, path=f"{path}[{place}]")
        seen |= BIT[card]
    return seen
