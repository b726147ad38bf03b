"""The acts of a table by the noun they add to, read from plain values (a form's or the API's)."""

from collections.abc import Callable
from dataclasses import replace

from scoring.openings import check_only_excuses
from scoring.precedence.commands import (
    CallMisdeal,
    Command,
    CountTricks,
    MakeBid,
    PlayTrick,
    RecordDeal,
    TakeTrick,
)
from scoring.precedence.rules import Rules
from scoring.precedence.seats import TEAMS
from scoring.precedence.sheet import (
    NO_TRICKS,
    OPENING_KEYS,
    RULINGS,
    read_cards,
    read_deal,
    read_meld,
    read_misdealt,
    read_opening,
    read_seat,
)
from scoring.shape import a_number, an_object, each_required, required


def _hand(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=(*OPENING_KEYS, "misdeal"))
    check_only_excuses(RULINGS.read(given), "an opening")
    opening = read_opening(given)
    return CallMisdeal(opening=replace(opening, misdealt=True)) if read_misdealt(given) else opening


def _misdeal(value: object, rules: Rules) -> Command:
    an_object(value, "", keys=())
    return CallMisdeal()


def _meld(value: object, rules: Rules) -> Command:
    return read_meld(value, "", rules.variant)


def _bid(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("seat", "tricks"))
    return MakeBid(
        seat=read_seat(given.get("seat"), "seat"),
        tricks=a_number(required(given, "tricks", ""), "tricks"),
    )


def _deal(value: object, rules: Rules) -> Command:
    return RecordDeal(holdings=read_deal(value, rules.variant))


def _trick(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("cards",))
    return PlayTrick(cards=read_cards(required(given, "cards", ""), "cards", rules.variant))


def _winner(value: object, rules: Rules) -> Command:
    return TakeTrick(seat=read_seat(an_object(value, "", keys=("seat",)).get("seat"), "seat"))


def _totals(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=TEAMS)
    ns, ew = each_required(given, "", NO_TRICKS)
    return CountTricks(ns=a_number(ns, "NS"), ew=a_number(ew, "EW"))


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], Command]] = {
    "hands": _hand,
    "misdeals": _misdeal,
    "melds": _meld,
    "bids": _bid,
    "deals": _deal,
    "tricks": _trick,
    "winners": _winner,
    "totals": _totals,
}
