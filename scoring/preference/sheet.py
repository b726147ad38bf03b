"""A whole hand of Preference as a table wrote it down, read from a record or a form
(salon-record/1).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import shape
from scoring.commands import AcceptHand, Ruling
from scoring.errors import NotationError, sentence
from scoring.openings import check_counts_for_nothing, read_dealing
from scoring.preference.auction import CALLS
from scoring.preference.cards import BIT, SPELLINGS
from scoring.preference.commands import OpenHand
from scoring.preference.contracts import CHOICES, CONTRACTS
from scoring.preference.payments import POT_NAMES
from scoring.preference.rules import Rules
from scoring.preference.state import SEAT_NAMES, SEATS
from scoring.preference.tricks import TRICKS
from scoring.rulings import Rulings

OPENING_KEYS = ("dealer", "players", "buy_ins", "rulings", "note", "at")
PLAY_KEYS = ("plays", "winners", "tricks")
DEAL_KEYS = ("deal", "widow", "discards")
NO_SOLOIST, NO_CONTRACT = (
    sentence("the soloist is missing here"),
    sentence("the contract is missing here"),
)
NO_TRICKS = {
    seat: sentence("%(seat)s's tricks are missing", seat=name) for seat, name in SEAT_NAMES.items()
}
NO_HOLDING = {
    seat: sentence("the cards dealt to %(seat)s are missing", seat=name)
    for seat, name in SEAT_NAMES.items()
}
KEYS = (
    *OPENING_KEYS,
    "calls",
    "soloist",
    "contract",
    "defenders",
    *PLAY_KEYS,
    "in_succession",
    *DEAL_KEYS,
)
RULINGS = Rulings(
    kinds=("accept_play", "adjust_tricks", "move_chips"),
    seats=SEATS,
    sides=SEATS,
    pots=tuple(POT_NAMES),
    tricks=TRICKS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One hand as written down; what the table didn't write is None or empty. Without a soloist it
    was thrown in.
    """

    opening: OpenHand
    rulings: tuple[Ruling, ...] = ()
    calls: tuple[tuple[str, str], ...] = ()
    soloist: str | None = None
    contract: str = ""
    defenders: tuple[tuple[str, str], ...] = ()
    deal: tuple[tuple[str, ...], ...] = ()
    widow: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    plays: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    tricks: tuple[int, int, int] | None = None
    in_succession: bool | None = None


def read_sheet(value: object, rules: Rules) -> Sheet:
    """Read one hand of a record. Raises NotationError with the path inside the hand."""
    given = shape.an_object(value, "", keys=KEYS)
    opening = read_opening(given)
    rulings = tuple(
        ruling for ruling in RULINGS.read_all(given) if not isinstance(ruling, AcceptHand)
    )
    calls = shape.each_under(given, "calls", _read_call)
    if shape.required(given, "soloist", "", missing=NO_SOLOIST) is None:
        _check_thrown_in(given)
        return Sheet(
            opening=opening,
            rulings=rulings,
            calls=calls,
            deal=_read_holdings(given),
            widow=_read_widow(given),
        )
    sheet = Sheet(
        opening=opening,
        rulings=rulings,
        calls=calls,
        soloist=read_seat(given["soloist"], "soloist"),
        contract=shape.one_of(
            shape.required(given, "contract", "", missing=NO_CONTRACT), CONTRACTS, "contract"
        ),
        defenders=read_defenders(given.get("defenders", {})),
        deal=_read_holdings(given),
        widow=_read_widow(given),
        discards=read_cards(given.get("discards", []), "discards"),
        plays=shape.each_under(given, "plays", read_cards),
        winners=shape.each_under(given, "winners", read_seat),
        tricks=_read_all_tricks(given) if "tricks" in given else None,
        in_succession=shape.perhaps(given, "in_succession", read_succession),
    )
    _check_complete(given, sheet)
    return sheet


def _check_thrown_in(given: Mapping[str, object]) -> None:
    for key in ("contract", "defenders", *PLAY_KEYS, "in_succession", "discards"):
        if given.get(key) is not None:
            raise NotationError(
                "a deal without a soloist was thrown in and has no %(key)s",
                path=key,
                rule="R7",
                key=key,
            )
    check_counts_for_nothing(RULINGS.read_all(given), "a deal that was thrown in")


def _read_holdings(given: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
    return read_deal(given["deal"]) if "deal" in given else ()


def _read_widow(given: Mapping[str, object]) -> tuple[str, ...]:
    widow = read_cards(given.get("widow", []), "widow")
    if "widow" in given and not widow:
        raise NotationError("%(key)s has two cards or is absent", path="widow", key="widow")
    return widow


def _check_complete(given: Mapping[str, object], sheet: Sheet) -> None:
    assert sheet.soloist is not None
    if sheet.soloist in dict(sheet.defenders):
        raise NotationError(
            "the soloist is no defender", path=f"defenders.{sheet.soloist}", rule="R9"
        )
    if "discards" in given and not sheet.discards:
        raise NotationError("%(key)s has two cards or is absent", path="discards", key="discards")
    if sheet.in_succession is not None and sheet.contract != "no_trump":
        raise NotationError(
            "six in succession are asked for in no_trump only", path="in_succession", rule="R13"
        )
    both_out = [choice for _, choice in sheet.defenders] == ["out", "out"]
    if not both_out and not any(key in given for key in PLAY_KEYS):
        raise NotationError(
            "how the tricks went is missing here: plays, winners or tricks",
            path="tricks",
            rule="R13",
        )
    counted = sheet.tricks is not None and max(len(sheet.plays), len(sheet.winners)) < TRICKS
    if counted and sheet.contract == "no_trump" and sheet.in_succession is None:
        message = sentence(
            "in_succession is missing here: whether the soloist won six tricks in a row, "
            "true or false"
        )
        raise NotationError(message, path="in_succession", rule="R13")


def read_opening(given: Mapping[str, object]) -> OpenHand:
    """Read a hand's opening: dealer, seats, buy-ins, excuses. Raises NotationError."""
    return OpenHand(
        dealer=shape.perhaps(given, "dealer", read_seat), **read_dealing(given, SEATS, RULINGS)
    )


def read_seat(value: object, path: str) -> str:
    """One of the three seats. Raises NotationError."""
    return shape.one_of(value, SEATS, path)


def _read_call(value: object, path: str) -> tuple[str, str]:
    pair = shape.a_list(value, path)
    if len(pair) != 2:
        raise NotationError(
            'a call is a seat and what it said, as ["B", "one"]', path=path, rule="R6"
        )
    return read_seat(pair[0], f"{path}[0]"), shape.one_of(pair[1], CALLS, f"{path}[1]")


def read_defenders(value: object) -> tuple[tuple[str, str], ...]:
    """Read the choices of the defenders, by seat. Raises NotationError."""
    return tuple(
        shape.by_seat(
            value, "defenders", SEATS, lambda choice, path: shape.one_of(choice, CHOICES, path)
        ).items()
    )


def read_deal(value: object) -> tuple[tuple[str, ...], ...]:
    """Three holdings by seat, in the order A B C. Raises NotationError."""
    holdings = shape.by_seat(value, "deal", SEATS, read_cards)
    return shape.each_required(holdings, "deal", NO_HOLDING)


def read_cards(value: object, path: str) -> tuple[str, ...]:
    """The codes of these cards. Raises NotationError for the first that is none."""
    return shape.a_list_of_codes(value, path, BIT, read_card)


def read_card(value: object, path: str) -> str:
    """The code of a card written as `TH`, `10H` or in full. Raises NotationError."""
    code = SPELLINGS.get(value) if isinstance(value, str) else None
    if code is not None:
        return code
    shown = f'"{value[:24]}" is no card' if isinstance(value, str) else "this is no card"
    raise NotationError(
        "%(shown)s; a card is a rank of 7, 8, 9, T, J, Q, K, A and a suit of C, S, D, H, as AH",
        path=path,
        shown=shown,
    )


def read_tricks(value: object) -> tuple[int, int, int]:
    """Tricks by seat, in the order A B C. Raises NotationError."""
    given = shape.by_seat(value, "tricks", SEATS, shape.a_number)
    first, second, third = shape.each_required(given, "tricks", NO_TRICKS)
    return first, second, third


def _read_all_tricks(given: Mapping[str, object]) -> tuple[int, int, int]:
    """The tricks of a whole hand, in which who keeps out has none without saying so (R9)."""
    tricks, defenders = given["tricks"], given.get("defenders", {})
    if not isinstance(tricks, dict) or not isinstance(defenders, dict):
        return read_tricks(tricks)
    return read_tricks({seat: 0 for seat in SEATS if defenders.get(seat) == "out"} | tricks)


def read_succession(value: object, path: str) -> bool:
    """Whether six tricks were in a row: true or false. Raises NotationError."""
    if isinstance(value, bool):
        return value
    raise NotationError("true or false is expected here", path=path, rule="R13")


def complete_sheet(value: shape.JsonObject, recorded: shape.JsonObject) -> shape.JsonObject:
    """Complete a corrected sheet with the calls as they were recorded if they led to the
    same contract.
    """
    same_end = all(value.get(key) == recorded.get(key) for key in ("soloist", "contract"))
    if "calls" not in recorded or not same_end:
        return value
    return {"calls": recorded["calls"]} | value
