"""The acts of a table by the noun they add to, read from plain values (a form's or the API's)."""

from collections.abc import Callable

from scoring.openings import check_only_excuses
from scoring.sabacc.auction import BIDS, PASS
from scoring.sabacc.commands import (
    Command,
    CountPoints,
    MakeCall,
    PlayTrick,
    RecordDeal,
    SetAside,
    ShowTalon,
)
from scoring.sabacc.piles import read_pile
from scoring.sabacc.rules import Rules
from scoring.sabacc.sheet import (
    NO_POINTS,
    OPENING_KEYS,
    RULINGS,
    check_holdings,
    read_bonus,
    read_cards,
    read_named,
    read_opening,
    read_points,
    read_seat,
)
from scoring.sabacc.state import ALL
from scoring.shape import JsonObject, an_object, by_seat, one_of, required


def _hand(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=OPENING_KEYS)
    check_only_excuses(RULINGS.read(given), "an opening")
    return read_opening(given)


def _call(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("seat", "call"))
    return MakeCall(
        seat=read_seat(given.get("seat"), "seat"),
        call=one_of(given.get("call"), (PASS, *BIDS), "call"),
    )


def _contract(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("declarer", "contract"))
    return read_named({"declarer": None, **given})


def _deal(value: object, rules: Rules) -> Command:
    holdings = by_seat(value, "deal", ALL, read_cards)
    check_holdings(holdings, ALL[: len(holdings)])
    return RecordDeal(holdings=tuple(holdings.values()))


def _talon(value: object, rules: Rules) -> Command:
    return ShowTalon(cards=_cards(value))


def _aside(value: object, rules: Rules) -> Command:
    return SetAside(cards=_cards(value))


def _trick(value: object, rules: Rules) -> Command:
    return PlayTrick(cards=_cards(value))


def _cards(value: object) -> tuple[str, ...]:
    return read_cards(required(an_object(value, "", keys=("cards",)), "cards", ""), "cards")


def _totals(value: object, rules: Rules) -> Command:
    given: JsonObject = an_object(value, "", keys=("points", "bonus"))
    kind, seat = read_bonus(given.get("bonus")) or (None, None)
    return CountPoints(
        points=read_points(required(given, "points", "", missing=NO_POINTS), "points"),
        bonus=kind,
        seat=seat,
    )


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], Command]] = {
    "hands": _hand,
    "calls": _call,
    "contracts": _contract,
    "deals": _deal,
    "talons": _talon,
    "asides": _aside,
    "tricks": _trick,
    "totals": _totals,
    "piles": read_pile,
}
