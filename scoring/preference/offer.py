"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.errors import RuleViolation
from scoring.legal import unclosed
from scoring.preference.cards import BIT, CARDS
from scoring.preference.events import CardsDealt
from scoring.preference.state import Hand, Play
from scoring.preference.tricks import check_card, reading_of, winner_of


def offer(table: Mapping[str, Any], drafted: Sequence[str]) -> dict[str, Any]:
    """Who plays next on the cards already `drafted` for the open trick, who wins it so far, and which cards may come.

    `table` is what `table()` gave, in stage `play`. `refused` has for each card that may not be played its rule and the
    reason, `legal` the others; a complete trick has no `seat`. Raises RuleViolation when a drafted card itself may not
    lie there, ValueError for what is no card.
    """
    hand, lying = _hand(table["hand"]), tuple(drafted)
    order = hand.play.order
    unknown = [card for card in lying if card not in BIT]
    if unknown or len(lying) > len(order):
        raise ValueError(f"{unknown[0][:8]} is no card" if unknown else f"a trick is {len(order)} cards here")
    gone = hand.play.played
    for place, card in enumerate(lying):
        _check_next(hand, lying[:place], card, gone)
        gone |= BIT[card]
    known = {
        "led": lying[0][1] if lying else None,
        "winning": winner_of(hand, order, lying) if lying else None,
        "order": list(order),
        "drafted": list(lying),
    }
    if len(lying) == len(order):
        return {**known, "seat": None, "refused": {}, "legal": []}
    refused = _refused(hand, lying, gone)
    if len(lying) == len(order) - 1:
        winners = {card: winner_of(hand, order, (*lying, card)) for card in CARDS}
        refused |= unclosed(refused, winners, table["hand"]["refused_takers"])
    return {**known, "seat": order[len(lying)], "refused": refused, "legal": [card for card in CARDS if card not in refused]}


def _refused(hand: Hand, lying: tuple[str, ...], gone: int) -> dict[str, dict[str, str]]:
    refused = {}
    for card in CARDS:
        try:
            _check_next(hand, lying, card, gone)
        except RuleViolation as refusal:
            refused[card] = {"rule": refusal.rule, "message": refusal.message}
    return refused


def _check_next(hand: Hand, lying: tuple[str, ...], card: str, gone: int) -> None:
    """Raise RuleViolation when this card may not follow those that are `lying` in the open trick; `gone` are all cards played."""
    place, order = len(lying), hand.play.order
    read = reading_of(hand, order, (*lying, card))
    check_card(hand, order[place], card, ((*lying, card)[0], read.best[place], read.denied[place]), gone, "")


def _hand(hand: Mapping[str, Any]) -> Hand:
    """As much of the open hand as the duties of a card need."""
    cards = hand["cards"]
    play = Play(
        order=tuple(cards["order"]),
        cards=tuple(tuple(trick) for trick in hand["plays"]),
        winners=tuple(hand["winners"]),
        played=cards["played"],
        held=tuple(cards["held"]),
        denied=tuple(cards["denied"]),
        spare=tuple(cards["spare"]),
    )
    return Hand(
        play=play,
        moves=(),
        number=hand["number"],
        dealer=hand["dealer"],
        accounts={},
        players=(),
        soloist=hand["soloist"],
        contract=hand["contract"],
        defence=hand["defence"],
        deal=CardsDealt(holdings=tuple(map(tuple, hand["dealt"]))) if hand["dealt"] is not None else None,
        accepted=frozenset((trick, seat) for trick, seat in hand["accepted"]),
    )
