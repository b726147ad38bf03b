"""A whole hand of Precedence as a table wrote it down, read from a record or a form
(salon-record/1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring import shape
from scoring.commands import AcceptHand, Ruling
from scoring.errors import NotationError, sentence
from scoring.openings import check_counts_for_nothing, read_dealing
from scoring.precedence.cards import BIT, SPELLINGS, SUITS, WRONG_PILOTS
from scoring.precedence.commands import DeclareMeld, OpenHand
from scoring.precedence.melds import KINDS
from scoring.precedence.pots import POT_NAMES
from scoring.precedence.rules import Rules, are_by_side
from scoring.precedence.seats import SEAT_NAMES, SEATS, TEAM_NAMES, TEAMS
from scoring.precedence.tricks import TRICKS
from scoring.rulings import Rulings

OPENING_KEYS = ("dealer", "trump", "players", "buy_ins", "rulings", "note", "at")
PLAY_KEYS = ("plays", "winners", "tricks")
OF_A_MISDEAL = frozenset({"dealer", "players", "buy_ins", "note", "at", "misdeal"})
NOT_BID = {
    "bids": sentence("the bids are missing here"),
    "contracts": sentence("the contracts of both sides are missing here"),
}
NO_BID = {
    seat: sentence("%(seat)s's bid is missing", seat=name) for seat, name in SEAT_NAMES.items()
}
NO_CONTRACT = {
    team: sentence("%(seat)s's contract is missing", seat=name) for team, name in TEAM_NAMES.items()
}
NO_HOLDING = {
    seat: sentence("the cards dealt to %(seat)s are missing", seat=name)
    for seat, name in SEAT_NAMES.items()
}
NO_TRICKS = {
    team: sentence("%(seat)s's tricks are missing", seat=name) for team, name in TEAM_NAMES.items()
}
KEYS = (*OPENING_KEYS, "melds", "bids", "contracts", *PLAY_KEYS, "deal", "misdeal")
RULINGS = Rulings(
    kinds=("accept_play", "adjust_tricks", "adjust_points", "move_chips"),
    seats=SEATS,
    sides=TEAMS,
    pots=tuple(POT_NAMES),
    tricks=TRICKS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One hand as written down; what the table didn't write is None or empty."""

    opening: OpenHand
    misdeal: bool = False
    rulings: tuple[Ruling, ...] = ()
    melds: tuple[DeclareMeld, ...] = ()
    bids: tuple[tuple[str, int], ...] = ()
    contracts: tuple[tuple[str, int], ...] = ()
    deal: tuple[tuple[str, ...], ...] | None = None
    plays: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    tricks: tuple[int, int] | None = None


def read_sheet(value: object, rules: Rules) -> Sheet:
    """Read one hand of a record. Raises NotationError with the path inside the hand."""
    variant = rules.variant
    given = shape.an_object(value, "", keys=KEYS)
    opening = read_opening(given)
    if read_misdealt(given):
        return _read_misdeal(given, opening, variant)
    due = "contracts" if are_by_side(rules) else "bids"
    if not given.keys() & NOT_BID.keys():
        raise NotationError(NOT_BID[due], path=due)
    bids, contracts = _read_bids(given), _read_contracts(given)
    if "bids" in given:
        shape.each_required(bids, "bids", NO_BID)
    if "contracts" in given:
        shape.each_required(contracts, "contracts", NO_CONTRACT)
    if not any(key in given for key in PLAY_KEYS):
        raise NotationError(
            "how the tricks went is missing here: plays, winners or tricks",
            path="tricks",
            rule="P13",
        )
    return Sheet(
        opening=opening,
        rulings=_read_rulings_of_play(given),
        melds=_read_melds(given, variant),
        bids=tuple(bids.items()),
        contracts=tuple(contracts.items()),
        deal=_read_dealt(given, variant),
        plays=shape.each_under(
            given, "plays", lambda cards, path: read_cards(cards, path, variant)
        ),
        winners=shape.each_under(given, "winners", read_seat),
        tricks=shape.perhaps(given, "tricks", _read_tricks),
    )


def read_opening(given: Mapping[str, object]) -> OpenHand:
    """Read a hand's opening: dealer, trump, seats, buy-ins, excuses. Raises NotationError."""
    return OpenHand(
        dealer=shape.perhaps(given, "dealer", read_seat),
        trump=shape.perhaps(given, "trump", lambda suit, path: shape.one_of(suit, SUITS, path)),
        **read_dealing(given, SEATS, RULINGS),
    )


def read_seat(value: object, path: str) -> str:
    """One of the four seats. Raises NotationError."""
    return shape.one_of(value, SEATS, path)


def read_misdealt(given: Mapping[str, object]) -> bool:
    """Whether the hand was dealt wrongly. Raises NotationError."""
    misdeal = given.get("misdeal", False)
    if not isinstance(misdeal, bool):
        raise NotationError("misdeal is true or absent", path="misdeal")
    return misdeal


def _read_misdeal(given: Mapping[str, object], opening: OpenHand, variant: str) -> Sheet:
    """A misdeal with what happened before it was seen; nothing was played that counts."""
    played = [key for key in given if key in PLAY_KEYS]
    if played:
        raise NotationError(
            "a misdeal has no %(played)s; it is dealt again as the next hand",
            path=played[0],
            rule="P25",
            played=played[0],
        )
    check_counts_for_nothing(RULINGS.read_all(given), "a misdeal")
    return Sheet(
        opening=replace(opening, misdealt=True),
        misdeal=True,
        rulings=_read_rulings_of_play(given),
        melds=_read_melds(given, variant),
        bids=tuple(_read_bids(given).items()),
        contracts=tuple(_read_contracts(given).items()),
        deal=_read_dealt(given, variant),
    )


def _read_bids(given: Mapping[str, object]) -> dict[str, int]:
    return shape.by_seat(given.get("bids", {}), "bids", SEATS, shape.a_number)


def _read_contracts(given: Mapping[str, object]) -> dict[str, int]:
    return shape.by_seat(given.get("contracts", {}), "contracts", TEAMS, shape.a_number)


def _read_rulings_of_play(given: Mapping[str, object]) -> tuple[Ruling, ...]:
    return tuple(ruling for ruling in RULINGS.read_all(given) if not isinstance(ruling, AcceptHand))


def _read_melds(given: Mapping[str, object], variant: str) -> tuple[DeclareMeld, ...]:
    return shape.each_under(given, "melds", lambda meld, path: read_meld(meld, path, variant))


def read_meld(value: object, path: str, variant: str) -> DeclareMeld:
    """A meld as a seat shows it. Raises NotationError; whether it is one is for the rules."""
    given = shape.an_object(value, path, keys=("seat", "kind", "cards"))
    cards = shape.a_list(shape.required(given, "cards", path), shape.inside(path, "cards"))
    return DeclareMeld(
        seat=shape.one_of(given.get("seat"), SEATS, shape.inside(path, "seat")),
        kind=shape.one_of(given.get("kind"), KINDS, shape.inside(path, "kind")),
        cards=tuple(
            read_card(card, f"{path}.cards[{place}]", variant) for place, card in enumerate(cards)
        ),
    )


def read_deal(value: object, variant: str) -> tuple[tuple[str, ...], ...]:
    """Four holdings by seat, in the order N E S W. Raises NotationError."""
    holdings = shape.by_seat(
        value, "deal", SEATS, lambda cards, path: read_cards(cards, path, variant)
    )
    return shape.each_required(holdings, "deal", NO_HOLDING)


def _read_dealt(given: Mapping[str, object], variant: str) -> tuple[tuple[str, ...], ...] | None:
    return shape.perhaps(given, "deal", lambda deal, _: read_deal(deal, variant))


def read_cards(value: object, path: str, variant: str) -> tuple[str, ...]:
    """The codes of these cards. Raises NotationError for the first that is none."""
    return shape.a_list_of_codes(
        value, path, BIT, lambda card, path: read_card(card, path, variant)
    )


def read_card(value: object, path: str, variant: str) -> str:
    """The code of a card written as `TV`, `10V` or in full. Raises NotationError, for the other
    pilot's name too (P2).
    """
    if isinstance(value, str):
        code = SPELLINGS[variant].get(value)
        if code is not None:
            return code
        if value in WRONG_PILOTS[variant]:
            wrong, right = (
                ("Voidpilot", "StellarPilot")
                if variant == "core"
                else ("StellarPilot", "Voidpilot")
            )
            raise NotationError(
                "there is no %(wrong)s in a %(variant)s game; the card is the %(right)s",
                path=path,
                rule="P2",
                wrong=wrong,
                variant=variant,
                right=right,
            )
        shown = f'"{value[:24]}" is no card'
    else:
        shown = "this is no card"
    raise NotationError(
        "%(shown)s; a card is a rank of 2 to 9, T, O, C, P, E and a suit of V, F, B, C, as EV",
        path=path,
        shown=shown,
    )


def _read_tricks(value: object, path: str) -> tuple[int, int]:
    given = shape.by_seat(value, path, TEAMS, shape.a_number)
    ns, ew = shape.each_required(given, path, NO_TRICKS)
    return ns, ew


def complete_sheet(value: shape.JsonObject, recorded: shape.JsonObject) -> shape.JsonObject:
    """Complete a corrected sheet; of a hand that turned out to be misdealt, keep only its
    opening and the chips moved (P25).

    One that was recorded as a misdeal keeps what happened before that was seen.
    """
    if value.get("misdeal") is not True:
        return value
    before = {
        key: recorded[key]
        for key in ("melds", "bids", "contracts", "deal")
        if recorded.get("misdeal") and key in recorded
    }
    opening = {key: part for key, part in value.items() if key in OF_A_MISDEAL}
    standing = [
        ruling
        for ruling in value.get("rulings", ())
        if ruling["kind"] in ("accept_hand", "move_chips")
    ]
    return before | opening | ({"rulings": standing} if standing else {})
