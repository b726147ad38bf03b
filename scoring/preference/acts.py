"""The acts of a table by the noun they add to, read from plain values (a form's or the API's)."""

from collections.abc import Callable, Mapping

from scoring.errors import NotationError, sentence
from scoring.openings import check_only_excuses
from scoring.preference.auction import CALLS
from scoring.preference.commands import (
    ChooseDefence,
    Command,
    CountTricks,
    MakeCall,
    NameContract,
    PlayTrick,
    RecordDeal,
    TakeTrick,
    ThrowIn,
)
from scoring.preference.contracts import CONTRACTS
from scoring.preference.rules import Rules
from scoring.preference.sheet import (
    DEAL_KEYS,
    OPENING_KEYS,
    RULINGS,
    read_cards,
    read_deal,
    read_defenders,
    read_opening,
    read_seat,
    read_succession,
    read_tricks,
)
from scoring.shape import an_object, one_of, required

NO_TOTALS = sentence("the tricks of all three are missing")


def _hand(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=OPENING_KEYS)
    check_only_excuses(RULINGS.read(given), "an opening")
    return read_opening(given)


def _call(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("seat", "call"))
    return MakeCall(
        seat=read_seat(given.get("seat"), "seat"), call=one_of(given.get("call"), CALLS, "call")
    )


def _contract(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("soloist", "contract"))
    return NameContract(
        soloist=read_seat(given.get("soloist"), "soloist"),
        contract=one_of(given.get("contract"), CONTRACTS, "contract"),
    )


def _thrown_in(value: object, rules: Rules) -> Command:
    an_object(value, "", keys=())
    return ThrowIn()


def _defence(value: object, rules: Rules) -> Command:
    return ChooseDefence(choices=read_defenders(value))


def _deal(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=DEAL_KEYS)
    if not given:
        raise NotationError(
            "what was dealt is expected here: the holdings, the widow or the discards",
            path="deal",
            rule="R3",
        )
    for key in ("widow", "discards"):
        if given.get(key) == []:
            raise NotationError("%(key)s has two cards or is absent", path=key, key=key)
    return RecordDeal(
        holdings=read_deal(given["deal"]) if "deal" in given else (),
        widow=read_cards(given.get("widow", []), "widow"),
        discards=read_cards(given.get("discards", []), "discards"),
    )


def _trick(value: object, rules: Rules) -> Command:
    return PlayTrick(
        cards=read_cards(required(an_object(value, "", keys=("cards",)), "cards", ""), "cards")
    )


def _winner(value: object, rules: Rules) -> Command:
    return TakeTrick(seat=read_seat(an_object(value, "", keys=("seat",)).get("seat"), "seat"))


def _totals(value: object, rules: Rules) -> Command:
    given: Mapping[str, object] = an_object(value, "", keys=("tricks", "in_succession"))
    return CountTricks(
        tricks=read_tricks(required(given, "tricks", "", missing=NO_TOTALS)),
        in_succession=read_succession(given["in_succession"], "in_succession")
        if given.get("in_succession") is not None
        else None,
    )


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], Command]] = {
    "hands": _hand,
    "calls": _call,
    "contracts": _contract,
    "throw-ins": _thrown_in,
    "defences": _defence,
    "deals": _deal,
    "tricks": _trick,
    "winners": _winner,
    "totals": _totals,
}
