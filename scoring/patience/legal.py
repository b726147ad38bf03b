"""Which acts a patience takes next, said exactly (see `scoring.legal`)."""

from collections.abc import Mapping, Sequence

from scoring.errors import RuleViolation
from scoring.french import card_name
from scoring.legal import Form, LegalNext, number, without_empty
from scoring.patience.deal import (
    CARDS,
    EMPTY,
    FOUNDATIONS,
    FULL,
    PACKS,
    STOCK,
    SUITS,
    Deal,
    check_fits,
    list_open_foundations,
)
from scoring.shape import GREATEST, JsonObject

STOCK_FORM: Form = {"pack": STOCK, "copies": PACKS, "optional": True}


def legal_next(table: JsonObject) -> LegalNext:
    """The forms of the acts that may come next, by collection; `table` is what `table()` gave."""
    stage, hand = table["stage"], table["hand"]
    if stage == "over":
        return {}
    if stage == "opening":
        return {"hands": [{"stock": STOCK_FORM}]}
    counted = {"totals": [_totals(table)]}
    if stage == "king":
        return {"kings": [{"card": [f"K{suit}" for suit in SUITS]}], **counted}
    used_up = not hand["left"]
    return without_empty(
        {
            "wastes": _wastes(hand),
            "builds": _builds(hand),
            "turns": [{}] if used_up and hand["redeals_left"] > 0 and hand["waste"] else [],
            "ends": [
                {
                    "minutes": number(0, GREATEST // 60, optional=True),
                    "seconds": number(0, optional=True),
                }
            ]
            if used_up
            else [],
            **counted,
        }
    )


def _list_next_cards(hand: JsonObject) -> list[str]:
    """The cards that may turn up next: the one that is known, else every one that isn't out
    twice.
    """
    if not hand["left"]:
        return []
    if hand["next_card"]:
        return [hand["next_card"]]
    return [card for card in CARDS if card not in hand["seen_out"]]


def _wastes(hand: JsonObject) -> list[Form]:
    coming = _list_next_cards(hand)
    if hand["next_card"]:
        return [{"card": [*coming, None]}, {"cards": number(1, hand["left"])}]
    return [{"card": coming}] if coming else []


def _builds(hand: JsonObject) -> list[Form]:
    """List the foundations for each card that may turn up, and for the top of the waste
    (O2 to O4).
    """
    deal, top = deal_of(hand), hand["waste_card"]
    known = [None] if hand["next_card"] else []
    forms: list[Form] = [
        {
            "foundation": list_open_foundations(deal, card),
            "card": [card, *known],
            "from": ["stock", None],
        }
        for card in _list_next_cards(hand)
    ]
    forms += (
        [{"foundation": list_open_foundations(deal, top), "card": [top, None], "from": ["waste"]}]
        if top
        else []
    )
    return [form for form in forms if form["foundation"]]


def _totals(table: JsonObject) -> Form:
    """Lengths that a deal can come to, from those it has; no foundation starts before the one to
    its left (O2, O3, O5).
    """
    hand = table["hand"]
    least = [foundation["length"] for foundation in hand["foundations"]]
    if table["first_king"] == "removed":
        least[0] = max(1, least[0])
    return {
        "built": {"each": [number(length, FULL) for length in least], "unbroken": True},
        "passes": number(hand["pass"], table["passes"]),
        "seconds": number(0, optional=True),
    }


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """Return what can be done with the next card of the stock, the top of the waste, and
    the waste as a whole.

    `table` is what `table()` gave, in stage `play`; `drafted` is the card that has turned up where
    the stock's order isn't known. `card` is that card or the known one, None while it has to be
    named: then `legal` are the cards it may be, `refused` the others with rule and reason, and
    `fits` those that some foundation takes. `stock_to` and `waste_to` are foundations by number,
    `closed_to` says for the rest why not. `run` is how many known cards may go to the waste at
    once, as neither they nor its top fit anywhere.

    Raises RuleViolation for a drafted card that can't turn up, ValueError for what is no card.
    """
    hand = table["hand"]
    refused = {card: _both_out(card) for card in hand["seen_out"]}
    card = hand["next_card"] or _check_drafted(hand, drafted, refused)
    deal, top = deal_of(hand), hand["waste_card"]
    asks = bool(hand["left"]) and card is None
    return {
        "card": card,
        "known": hand["next_card"] is not None,
        "drafted": [] if hand["next_card"] or card is None else [card],
        "refused": refused if asks else {},
        "legal": [each for each in CARDS if each not in refused] if asks else [],
        "stock_to": list_open_foundations(deal, card) if card else [],
        "waste_to": list_open_foundations(deal, top) if top else [],
        "closed_to": _list_closed_foundations(deal, card or top),
        "fits": [
            each for each in CARDS if each not in refused and list_open_foundations(deal, each)
        ]
        if asks
        else [],
        "may_waste": card is not None,
        "run": 0
        if hand["waste_card"] and list_open_foundations(deal, hand["waste_card"])
        else hand["run"],
        "may_turn": not hand["left"] and hand["redeals_left"] > 0 and hand["waste"] > 0,
        "may_end": not hand["left"],
    }


def _check_drafted(
    hand: JsonObject, drafted: Sequence[str], refused: Mapping[str, Mapping[str, str]]
) -> str | None:
    if not drafted or not hand["left"]:
        return None
    card = drafted[-1]
    if card not in CARDS:
        raise ValueError(f"{card[:8]} is no card")
    if card in refused:
        raise RuleViolation("bad_total", **refused[card])
    return card


def _both_out(card: str) -> dict[str, str]:
    return {
        "rule": "O4",
        "message": f"both cards {card_name(card)} are out already; two packs have two",
    }


def _list_closed_foundations(deal: Deal, card: str | None) -> dict[int, dict[str, str]]:
    """For each foundation that doesn't take this card the rule and the reason."""
    closed = {}
    for foundation in range(1, FOUNDATIONS + 1) if card else ():
        try:
            check_fits(deal, card or "", foundation, "")
        except RuleViolation as refusal:
            closed[foundation] = {"rule": refusal.rule, "message": refusal.message}
    return closed


def deal_of(hand: JsonObject) -> Deal:
    """As much of a deal as says what fits where."""
    return EMPTY._replace(lengths=tuple(foundation["length"] for foundation in hand["foundations"]))
