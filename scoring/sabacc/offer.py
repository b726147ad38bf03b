"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.errors import RuleViolation
from scoring.events import TricksAdjusted
from scoring.legal import reasons, refusal_of
from scoring.sabacc.cards import BIT, CARDS, SUIT_OF
from scoring.sabacc.deals import check_end
from scoring.sabacc.score import adjusted_tricks
from scoring.sabacc.seats import HOLDING, ROUND
from scoring.sabacc.state import Hand, Play
from scoring.sabacc.tricks import after_trick, check_following, check_possible, winner_of


def offer(table: Mapping[str, Any], drafted: Sequence[str]) -> dict[str, Any]:
    """Who plays next on the cards already `drafted` for the open trick, who wins it so far, and which cards may come.

    `table` is what `table()` gave, in stage `play`. `refused` has for each card that may not be played its rule and the
    reason, `legal` the others; when all cards are drafted the trick is complete and `seat` is None. Raises RuleViolation
    when a drafted card itself may not lie there, ValueError for what is no card.
    """
    hand = table["hand"]
    play, players = _play(hand), len(table["seats"])
    accepted = {(trick, seat) for trick, seat in hand["accepted"]}
    unknown = [card for card in drafted if card not in BIT]
    if unknown or len(drafted) > players:
        raise ValueError(f"{unknown[0][:8]} is no card" if unknown else f"a trick is {players} cards")
    order = ROUND[players][play.leader]
    led = SUIT_OF[drafted[0]] if drafted else None
    gone = play.played
    for place, card in enumerate(drafted):
        _check(play, order[place], card, led if place else None, gone, accepted)
        gone |= BIT[card]
    winning = winner_of(drafted, order) if drafted else None
    known = {"led": led, "winning": winning, "order": list(order), "drafted": list(drafted)}
    if len(drafted) == players:
        return {**known, "seat": None, "refused": {}, "legal": []}
    refused = _refused(play, order[len(drafted)], led, gone, accepted)
    if play.trick == table["tricks_in_all"] and len(drafted) == players - 1:
        refused |= _unended(table, tuple(drafted), refused)
    return {**known, "seat": order[len(drafted)], "refused": refused, "legal": [card for card in CARDS if card not in refused]}


def _refused(play: Play, seat: str, led: str | None, gone: int, accepted: set[tuple[int, str]]) -> dict[str, dict[str, str]]:
    refused = {}
    for card in CARDS:
        try:
            _check(play, seat, card, led, gone, accepted)
        except RuleViolation as refusal:
            refused[card] = {"rule": refusal.rule, "message": refusal.message}
    return refused


def _check(play: Play, seat: str, card: str, led: str | None, gone: int, accepted: set[tuple[int, str]]) -> None:
    check_possible(play, seat, card, gone, "")
    if (play.trick, seat) not in accepted:
        check_following(play, seat, card, led, "")


def _unended(table: Mapping[str, Any], drafted: tuple[str, ...], refused: Mapping[str, object]) -> dict[str, dict[str, str]]:
    """The last cards that would show an aside that can't have been, or leave tricks that a ruling makes impossible (S6, S11)."""
    hand = hand_of(table)
    ended = {card: after_trick(hand.play, (*drafted, card), hand.accepted) for card in CARDS if card not in refused}
    return reasons({card: refusal_of(check_closing, hand._replace(play=play), None) for card, play in ended.items()})


def check_closing(hand: Hand, state: None = None) -> None:
    """Raise RuleViolation for a hand that can't end as it was played or counted: its aside, or its tricks after rulings."""
    check_end(hand)
    if hand.counted is None and len(hand.play.winners) == HOLDING[len(hand.accounts)]:
        adjusted_tricks(hand)


def hand_of(table: Mapping[str, Any]) -> Hand:
    """As much of the open hand as its play, its count and its end need."""
    hand = table["hand"]
    rulings = [ruling for ruling in hand.get("rulings", ()) if ruling["kind"] == "adjust_tricks"]
    adjusted = (
        TricksAdjusted(source=each.get("from"), target=each.get("to"), tricks=each["tricks"], by=each["by"], reason=each["reason"])
        for each in rulings
    )
    return Hand(
        play=_play(hand),
        moves=(),
        number=hand["number"],
        dealer=hand["dealer"],
        first=hand["first_caller"],
        accounts={seat: seat for seat in table["seats"]},
        settled=True,
        declarer=hand["declarer"],
        contract=hand["contract"],
        aside=tuple(hand["aside"]) if hand["aside"] is not None else None,
        accepted=frozenset((trick, seat) for trick, seat in hand["accepted"]),
        adjusted=tuple(adjusted),
    )


def _play(hand: Mapping[str, Any]) -> Play:
    cards = hand["cards"]
    return Play(
        leader=cards["leader"],
        cards=tuple(tuple(trick) for trick in hand["plays"]),
        winners=tuple(hand["winners"]),
        played=int(cards["played"], 16),
        held=tuple(int(own, 16) for own in cards["held"]) if cards["held"] is not None else None,
        out=int(cards["out"], 16),
        taken_up=int(cards["taken_up"], 16),
        loose=int(cards["loose"], 16),
        declarer=hand["declarer"],
        lacking=tuple(cards["lacking"]),
    )
