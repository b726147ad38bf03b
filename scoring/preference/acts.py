"""The acts of a table by the noun they add to, read from plain values (a form's or the API's)."""

from collections.abc import Callable, Mapping

from scoring.errors import NotationError, sentence
from scoring.openings import check_only_excuses
from scoring.preference import commands, sheet
from scoring.preference.auction import CALLS
from scoring.preference.contracts import CONTRACTS
from scoring.preference.rules import Rules
from scoring.shape import an_object, one_of, required

NO_TOTALS = sentence("the tricks of all three are missing")


def _hand(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=sheet.OPENING_KEYS)
    check_only_excuses(sheet.RULINGS.read_all(given), "an opening")
    return sheet.read_opening(given)


def _call(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=("seat", "call"))
    return commands.MakeCall(
        seat=sheet.read_seat(given.get("seat"), "seat"),
        call=one_of(given.get("call"), CALLS, "call"),
    )


def _contract(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=("soloist", "contract"))
    return commands.NameContract(
        soloist=sheet.read_seat(given.get("soloist"), "soloist"),
        contract=one_of(given.get("contract"), CONTRACTS, "contract"),
    )


def _read_throw_in(value: object, rules: Rules) -> commands.Command:
    an_object(value, "", keys=())
    return commands.ThrowIn()


def _defence(value: object, rules: Rules) -> commands.Command:
    return commands.ChooseDefence(choices=sheet.read_defenders(value))


def _deal(value: object, rules: Rules) -> commands.Command:
    given = an_object(value, "", keys=sheet.DEAL_KEYS)
    if not given:
        raise NotationError(
            "what was dealt is expected here: the holdings, the widow or the discards",
            path="deal",
            rule="R3",
        )
    for key in ("widow", "discards"):
        if given.get(key) == []:
            raise NotationError("%(key)s has two cards or is absent", path=key, key=key)
    return commands.RecordDeal(
        holdings=sheet.read_deal(given["deal"]) if "deal" in given else (),
        widow=sheet.read_cards(given.get("widow", []), "widow"),
        discards=sheet.read_cards(given.get("discards", []), "discards"),
    )


def _trick(value: object, rules: Rules) -> commands.Command:
    return commands.PlayTrick(
        cards=sheet.read_cards(
            required(an_object(value, "", keys=("cards",)), "cards", ""), "cards"
        )
    )


def _winner(value: object, rules: Rules) -> commands.Command:
    return commands.TakeTrick(
        seat=sheet.read_seat(an_object(value, "", keys=("seat",)).get("seat"), "seat")
    )


def _totals(value: object, rules: Rules) -> commands.Command:
    given: Mapping[str, object] = an_object(value, "", keys=("tricks", "in_succession"))
    return commands.CountTricks(
        tricks=sheet.read_tricks(required(given, "tricks", "", missing=NO_TOTALS)),
        in_succession=sheet.read_succession(given["in_succession"], "in_succession")
        if given.get("in_succession") is not None
        else None,
    )


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], commands.Command]] = {
    "hands": _hand,
    "calls": _call,
    "contracts": _contract,
    "throw-ins": _read_throw_in,
    "defences": _defence,
    "deals": _deal,
    "tricks": _trick,
    "winners": _winner,
    "totals": _totals,
}
