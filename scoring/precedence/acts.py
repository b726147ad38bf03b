"""The acts of a table by the noun they add to, read from plain values (a form's or the API's)."""

from collections.abc import Callable
from dataclasses import replace

from scoring.openings import check_only_excuses
from scoring.precedence import sheet
from scoring.precedence.commands import (
    CallMisdeal,
    Command,
    CountTricks,
    MakeBid,
    NameContract,
    PlayTrick,
    RecordDeal,
    TakeTrick,
)
from scoring.precedence.rules import Rules
from scoring.precedence.seats import TEAMS
from scoring.shape import a_number, an_object, each_required, one_of, required


def _hand(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=(*sheet.OPENING_KEYS, "misdeal"))
    check_only_excuses(sheet.RULINGS.read_all(given), "an opening")
    opening = sheet.read_opening(given)
    return (
        CallMisdeal(opening=replace(opening, misdealt=True))
        if sheet.read_misdealt(given)
        else opening
    )


def _misdeal(value: object, rules: Rules) -> Command:
    an_object(value, "", keys=())
    return CallMisdeal()


def _meld(value: object, rules: Rules) -> Command:
    return sheet.read_meld(value, "", rules.variant)


def _bid(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("seat", "tricks"))
    return MakeBid(
        seat=sheet.read_seat(given.get("seat"), "seat"),
        tricks=a_number(required(given, "tricks", ""), "tricks"),
    )


def _contract(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("side", "tricks"))
    return NameContract(
        side=one_of(given.get("side"), TEAMS, "side"),
        tricks=a_number(required(given, "tricks", ""), "tricks"),
    )


def _deal(value: object, rules: Rules) -> Command:
    return RecordDeal(holdings=sheet.read_deal(value, rules.variant))


def _trick(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("cards",))
    return PlayTrick(cards=sheet.read_cards(required(given, "cards", ""), "cards", rules.variant))


def _winner(value: object, rules: Rules) -> Command:
    return TakeTrick(seat=sheet.read_seat(an_object(value, "", keys=("seat",)).get("seat"), "seat"))


def _totals(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=TEAMS)
    ns, ew = each_required(given, "", sheet.NO_TRICKS)
    return CountTricks(ns=a_number(ns, "NS"), ew=a_number(ew, "EW"))


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], Command]] = {
    "hands": _hand,
    "misdeals": _misdeal,
    "melds": _meld,
    "bids": _bid,
    "contracts": _contract,
    "deals": _deal,
    "tricks": _trick,
    "winners": _winner,
    "totals": _totals,
}
