"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.errors import RuleViolation
from scoring.preference.cards import BIT, CARDS
from scoring.preference.contracts import TRUMP
from scoring.preference.events import CardsDealt
from scoring.preference.state import Hand, Play
from scoring.preference.tricks import best_of, check_card, denied_by, must_head, told, winner_of


def offer(table: Mapping[str, Any], drafted: Sequence[str]) -> dict[str, Any]:
    """Who plays next on the cards already `drafted` for the open trick, who wins it so far, and which cards may come.

    `table` is what `table()` gave, in stage `play`. `refused` has for each card that may not be played its rule and the
    reason, `legal` the others; a complete trick has no `seat`. Raises RuleViolation when a drafted card itself may not
    lie there, ValueError for what is no card.
    """
    hand = _hand(table["hand"])
    order, trump = hand.play.order, TRUMP[hand.contract]
    unknown = [card for card in drafted if card not in BIT]
    if unknown or len(drafted) > len(order):
        raise ValueError(f"{unknown[0][:8]} is no card" if unknown else f"a trick is {len(order)} cards here")
    gone = hand.play.played
    for seat, card, before, missing in told(hand, order, drafted):
        check_card(hand, seat, card, (drafted[0], before, missing), gone, "")
        gone |= BIT[card]
    known = {
        "led": drafted[0][1] if drafted else None,
        "winning": winner_of(order, drafted, trump) if drafted else None,
        "order": list(order),
        "drafted": list(drafted),
    }
    if len(drafted) == len(order):
        return {**known, "seat": None, "refused": {}, "legal": []}
    refused = _refused(hand, drafted, gone)
    return {**known, "seat": order[len(drafted)], "refused": refused, "legal": [card for card in CARDS if card not in refused]}


def _refused(hand: Hand, drafted: Sequence[str], gone: int) -> dict[str, dict[str, str]]:
    refused = {}
    order, place, trump = hand.play.order, len(drafted), TRUMP[hand.contract]
    heads = must_head(hand, order, place)
    for card in CARDS:
        led, best = (drafted[0], drafted[best_of(drafted, trump)]) if drafted else (card, card)
        missing = denied_by(card, led, best, trump, heads=heads) if drafted else 0
        try:
            check_card(hand, order[place], card, (led, best, missing), gone, "")
        except RuleViolation as refusal:
            refused[card] = {"rule": refusal.rule, "message": refusal.message}
    return refused


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
