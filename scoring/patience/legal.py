"""Which acts a patience takes next, said exactly (see `scoring.legal`)."""

from scoring.legal import Form, LegalNext, number, without_empty
from scoring.patience.cards import CARDS, FULL, PACKS, STOCK, SUITS
from scoring.patience.deal import taken_by
from scoring.patience.offer import deal_of
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


def _coming(hand: JsonObject) -> list[str]:
    """The cards that may turn up next: the one that is known, else every one that isn't out
    twice.
    """
    if not hand["left"]:
        return []
    if hand["next_card"]:
        return [hand["next_card"]]
    return [card for card in CARDS if card not in hand["seen_out"]]


def _wastes(hand: JsonObject) -> list[Form]:
    coming = _coming(hand)
    if hand["next_card"]:
        return [{"card": [*coming, None]}, {"cards": number(1, hand["left"])}]
    return [{"card": coming}] if coming else []


def _builds(hand: JsonObject) -> list[Form]:
    """Where each card that may turn up, and the top of the waste, can go (O2 to O4)."""
    deal, top = deal_of(hand), hand["waste_card"]
    known = [None] if hand["next_card"] else []
    forms: list[Form] = [
        {"foundation": taken_by(deal, card), "card": [card, *known], "from": ["stock", None]}
        for card in _coming(hand)
    ]
    forms += (
        [{"foundation": taken_by(deal, top), "card": [top, None], "from": ["waste"]}] if top else []
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
