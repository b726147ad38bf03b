"""The play of cards as every trick game offers it: who plays next, and which cards may come."""

from collections.abc import Callable, Collection, Mapping, Sequence

from scoring.errors import RuleViolation
from scoring.shape import JsonObject

type Refused = dict[str, dict[str, str]]  # cards with the rule and the reason


def nothing_ends(refused: Mapping[str, object], lying: Sequence[str]) -> Refused:
    """Nothing more is refused where any card may be the last of a trick."""
    return {}


def offer_play(
    order: Sequence[str],
    drafted: Sequence[str],
    cards: Collection[str],
    *,
    check: Callable[[tuple[str, ...], str], None],
    winner_of: Callable[[tuple[str, ...]], str],
    suit_of: Callable[[str], str | None],
    unended: Callable[[Refused, tuple[str, ...]], Refused] = nothing_ends,
) -> JsonObject:
    """Return the seat that plays next on the cards already `drafted` for the open trick,
    the seat that wins it so far, and which of `cards` may come.

    `order` are the seats from the leader on. `check` refuses a card that may not follow those that
    lie; `unended` says which more may not be the last of the trick, beside those refused. `refused`
    has for each card that may not be played its rule and the reason, `legal` the others; a complete
    trick has no `seat`. Raises RuleViolation when a drafted card itself may not lie there,
    ValueError for what is no card.
    """
    lying = tuple(drafted)
    unknown = [card for card in lying if card not in cards]
    if unknown or len(lying) > len(order):
        raise ValueError(
            f"{unknown[0][:8]} is no card" if unknown else f"a trick is {len(order)} cards here"
        )
    for place, card in enumerate(lying):
        check(lying[:place], card)
    known = {
        "led": suit_of(lying[0]) if lying else None,
        "winning": winner_of(lying) if lying else None,
        "order": list(order),
        "drafted": list(lying),
    }
    if len(lying) == len(order):
        return {**known, "seat": None, "refused": {}, "legal": []}
    refused = _refused(cards, lambda card: check(lying, card))
    if len(lying) == len(order) - 1:
        refused |= unended(refused, lying)
    return {
        **known,
        "seat": order[len(lying)],
        "refused": refused,
        "legal": [card for card in cards if card not in refused],
    }


def _refused(cards: Collection[str], check: Callable[[str], None]) -> Refused:
    refused = {}
    for card in cards:
        try:
            check(card)
        except RuleViolation as refusal:
            refused[card] = {"rule": refusal.rule, "message": refusal.message}
    return refused
