"""The acts of a table by the noun they add to, read from plain values (a form's or the API's)."""

from collections.abc import Callable

from scoring.openings import check_only_excuses
from scoring.sabacc import commands, sheet
from scoring.sabacc.auction import BIDS, PASS
from scoring.sabacc.piles import read_pile
from scoring.sabacc.rules import Rules
from scoring.sabacc.state import ALL
from scoring.shape import JsonObject, an_object, by_seat, one_of, required


def _hand(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=sheet.OPENING_KEYS)
    check_only_excuses(sheet.RULINGS.read_all(given), "an opening")
    return sheet.read_opening(given)


def _call(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=("seat", "call"))
    return commands.MakeCall(
        seat=sheet.read_seat(given.get("seat"), "seat"),
        call=one_of(given.get("call"), (PASS, *BIDS), "call"),
    )


def _contract(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=("declarer", "contract"))
    return sheet.read_named({"declarer": None, **given})


def _deal(value: object, rules: Rules) -> commands.Command:
    holdings = by_seat(value, "deal", ALL, sheet.read_cards)
    sheet.check_holdings(holdings, ALL[: len(holdings)])
    return commands.RecordDeal(holdings=tuple(holdings.values()))


def _talon(value: object, rules: Rules) -> commands.Command:
    return commands.ShowTalon(cards=_cards(value))


def _aside(value: object, rules: Rules) -> commands.Command:
    return commands.SetAside(cards=_cards(value))


def _trick(value: object, rules: Rules) -> commands.Command:
    return commands.PlayTrick(cards=_cards(value))


def _cards(value: object) -> tuple[str, ...]:
    return sheet.read_cards(required(an_object(value, "", keys=("cards",)), "cards", ""), "cards")


def _totals(value: object, rules: Rules) -> commands.Command:
    given: JsonObject = an_object(value, "", keys=("points", "bonus"))
    kind, seat = sheet.read_bonus(given.get("bonus")) or (None, None)
    return commands.CountPoints(
        points=sheet.read_points(required(given, "points", "", missing=sheet.NO_POINTS), "points"),
        bonus=kind,
        seat=seat,
    )


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], commands.Command]] = {
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
