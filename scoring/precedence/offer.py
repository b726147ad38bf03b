"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.errors import RuleViolation
from scoring.legal import unclosed
from scoring.precedence.cards import BIT, CARDS
from scoring.precedence.seats import ROUND
from scoring.precedence.state import Play
from scoring.precedence.tricks import check_following, check_possible, winner_of


def offer(table: Mapping[str, Any], drafted: Sequence[str]) -> dict[str, Any]:
    """Who plays next on the cards already `drafted` for the open trick, who wins it so far, and which cards may come.

    `table` is what `table()` gave, in stage `play`. `refused` has for each card that may not be played its rule and the
    reason, `legal` the others; with four drafted cards the trick is complete and `seat` is None. Raises RuleViolation
    when a drafted card itself may not lie there, ValueError for what is no card.
    """
    hand = table["hand"]
    play = _play(hand)
    accepted = {(trick, seat) for trick, seat in hand["accepted"]}
    unknown = [card for card in drafted if card not in BIT]
    if unknown or len(drafted) > 4:
        raise ValueError(f"{unknown[0][:8]} is no card" if unknown else "a trick is 4 cards")
    led = drafted[0][1] if drafted else None
    gone = play.played
    for place, card in enumerate(drafted):
        _check(play, ROUND[play.leader][place], card, led if place else None, gone, accepted)
        gone |= BIT[card]
    winning = winner_of(drafted, play.leader, hand["trump"]) if drafted else None
    known = {"led": led, "winning": winning, "order": list(ROUND[play.leader]), "drafted": list(drafted)}
    if len(drafted) == 4:
        return {**known, "seat": None, "refused": {}, "legal": []}
    seat = ROUND[play.leader][len(drafted)]
    refused = _refused(play, seat, led, gone, accepted)
    if len(drafted) == 3:
        refused |= unclosed(
            refused, {card: winner_of([*drafted, card], play.leader, hand["trump"]) for card in CARDS}, hand["refused_takers"]
        )
    return {**known, "seat": seat, "refused": refused, "legal": [card for card in CARDS if card not in refused]}


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


def _play(hand: Mapping[str, Any]) -> Play:
    cards = hand["cards"]
    return Play(
        leader=cards["leader"],
        winners=tuple(hand["winners"]),
        played=cards["played"],
        shown=tuple(cards["shown"]),
        held=tuple(cards["held"]) if cards["held"] is not None else None,
        lacking=tuple(cards["lacking"]),
    )
