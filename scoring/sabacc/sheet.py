"""A whole hand of Contract Sabacc as a table wrote it down, read from a record or a form
(salon-record/1).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.commands import AcceptHand, AcceptPlay, AdjustPoints, AdjustTricks, MoveChips, Ruling
from scoring.errors import NotationError, sentence
from scoring.openings import check_counts_for_nothing, read_dealing
from scoring.rulings import Rulings
from scoring.sabacc.auction import BIDS, PASS
from scoring.sabacc.cards import BIT, SPELLINGS
from scoring.sabacc.commands import MakeCall, NameContract, OpenHand
from scoring.sabacc.pots import ANTE
from scoring.sabacc.rules import Rules
from scoring.sabacc.score import BONUS_NAMES
from scoring.sabacc.state import ALL, HOLDING, SEAT_NAMES
from scoring.seating import check_seat
from scoring.shape import (
    a_list,
    a_list_of_codes,
    an_object,
    by_seat,
    each_required,
    each_under,
    kind_of,
    one_of,
    perhaps,
    required,
)

OPENING_KEYS = ("dealer", "players", "buy_ins", "rulings", "note", "at")
CALL_KEYS = ("calls", "declarer", "contract")
PLAY_KEYS = ("deal", "talon", "aside", "plays", "points", "bonus")
NO_DECLARER, NO_CONTRACT = (
    sentence("the declarer is missing here"),
    sentence("the contract is missing here"),
)
NO_POINTS = sentence("the declarer's card points are missing")
NO_RESULT = sentence("the declarer's card points are missing, or every trick card by card")
NO_HOLDING = {
    seat: sentence("the cards dealt to %(seat)s are missing", seat=name)
    for seat, name in SEAT_NAMES.items()
}
KEYS = (*OPENING_KEYS, *CALL_KEYS, *PLAY_KEYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One hand as written down; what the table didn't write is None or empty. `named` is who
    declares what, `points` are doubled."""

    opening: OpenHand
    rulings: tuple[Ruling, ...] = ()
    calls: tuple[MakeCall, ...] = ()
    named: NameContract | None = None
    deal: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    talon: tuple[str, ...] | None = None
    aside: tuple[str, ...] | None = None
    plays: tuple[tuple[str, ...], ...] = ()
    points: int | None = None
    bonus: tuple[str, str] | None = None
    bonus_said: bool = False

    @property
    def is_void(self) -> bool:
        """Whether nobody bid (S4)."""
        if self.named is not None:
            return self.named.declarer is None
        return all(call.call == PASS for call in self.calls)


def read_sheet(value: object, rules: Rules) -> Sheet:
    """Read one hand of a record. Raises NotationError with the path inside the hand."""
    given = an_object(value, "", keys=KEYS)
    calls = each_under(given, "calls", _read_call)
    named = _read_named(given, calls)
    rulings = RULINGS.read_all(given)
    if named.declarer is None if named is not None else all(call.call == PASS for call in calls):
        _check_void(given, rulings)
    elif "plays" not in given and "points" not in given:
        raise NotationError(NO_RESULT, path="points", rule="S8")
    return Sheet(
        opening=read_opening(given),
        rulings=tuple(ruling for ruling in rulings if not isinstance(ruling, AcceptHand)),
        calls=calls,
        named=named,
        deal=tuple(by_seat(given["deal"], "deal", ALL, read_cards).items())
        if "deal" in given
        else None,
        talon=perhaps(given, "talon", read_cards),
        aside=perhaps(given, "aside", read_cards),
        plays=each_under(given, "plays", read_cards),
        points=read_points(given["points"], "points") if given.get("points") is not None else None,
        bonus=read_bonus(given.get("bonus")),
        bonus_said="bonus" in given,
    )


def read_opening(given: Mapping[str, object]) -> OpenHand:
    """Read a hand's opening: dealer, seats, buy-ins, excuses. Raises NotationError."""
    return OpenHand(dealer=perhaps(given, "dealer", read_seat), **read_dealing(given, ALL, RULINGS))


def read_seat(value: object, path: str) -> str:
    """One of the seats, of which a game has the first three to five. Raises NotationError."""
    return one_of(value, ALL, path)


def read_named(given: Mapping[str, object]) -> NameContract:
    """Read the declarer and the contract; both null if no bid was made. Raises
    NotationError.
    """
    declarer, contract = required(given, "declarer", "", missing=NO_DECLARER), given.get("contract")
    if declarer is None:
        if contract is not None:
            raise NotationError(
                "a contract has a declarer; both are null when nobody bid",
                path="contract",
                rule="S4",
            )
        return NameContract(declarer=None, contract=None)
    if contract is None:
        raise NotationError(NO_CONTRACT, path="contract")
    return NameContract(
        declarer=read_seat(declarer, "declarer"), contract=one_of(contract, BIDS, "contract")
    )


def _read_named(given: Mapping[str, object], calls: Sequence[MakeCall]) -> NameContract | None:
    if calls and "declarer" not in given and "contract" not in given:
        return None
    return read_named(given)


def _read_call(value: object, path: str) -> MakeCall:
    pair = a_list(value, path)
    if len(pair) != 2:
        raise NotationError('a call is a seat and what it said, as ["B", "push"]', path=path)
    return MakeCall(
        seat=read_seat(pair[0], f"{path}[0]"), call=one_of(pair[1], (PASS, *BIDS), f"{path}[1]")
    )


def _check_void(given: Mapping[str, object], rulings: Sequence[Ruling]) -> None:
    said = next(
        (
            key
            for key in PLAY_KEYS
            if key in given and given[key] is not None and key not in ("deal", "talon")
        ),
        None,
    )
    if said is not None:
        raise NotationError(
            "a hand that nobody bid has no %(said)s", path=said, rule="S4", said=said
        )
    check_counts_for_nothing(rulings, "a hand that nobody bid")


def read_cards(value: object, path: str) -> tuple[str, ...]:
    """The codes of these cards. Raises NotationError for the first that is none."""
    return a_list_of_codes(value, path, BIT, read_card)


def read_card(value: object, path: str) -> str:
    """The code of a card written as `14C` or in full. Raises NotationError."""
    code = SPELLINGS.get(value) if isinstance(value, str) else None
    if code is not None:
        return code
    shown = f'"{value[:24]}" is no card' if isinstance(value, str) else "this is no card"
    raise NotationError(
        "%(shown)s; a card is 1 to 14 and a suit of C, F, S, T, as 14C, or a Sabacc "
        "from -1 to -21, or 0",
        path=path,
        shown=shown,
    )


def read_points(value: object, path: str) -> int:
    """Card points doubled, from a multiple of 0.5. Raises NotationError."""
    if type(value) not in (int, float):
        raise NotationError(
            "card points are a number, not %(value)s", path=path, rule="S8", value=kind_of(value)
        )
    doubled = value * 2  # type: ignore[operator]
    if not abs(doubled) <= 2_000_000 or doubled != int(doubled):
        raise NotationError("card points are a multiple of 0.5, as 45.5", path=path, rule="S8")
    return int(doubled)


RULINGS = Rulings(
    kinds=("accept_play", "adjust_tricks", "adjust_points", "move_chips"),
    seats=ALL,
    sides=ALL,
    pots=(ANTE,),
    tricks=HOLDING[3],
    read_points=read_points,
)


def read_bonus(value: object) -> tuple[str, str] | None:
    """The kind of a bonus and the seat that earned it, or None. Raises NotationError."""
    if value is None:
        return None
    given = an_object(value, "bonus", keys=("kind", "seat"))
    kind = one_of(required(given, "kind", "bonus"), BONUS_NAMES, "bonus.kind")
    return kind, read_seat(required(given, "seat", "bonus"), "bonus.seat")


def check_seats(sheet: Sheet, seats: Sequence[str]) -> None:
    """Raise NotationError for a seat on the sheet that nobody has in this game, or a deal that
    leaves a seat out.
    """
    for seat, path in _seats_named(sheet):
        check_seat(seat, tuple(seats), path)
    if sheet.deal is not None:
        check_holdings(dict(sheet.deal), seats)


def check_holdings(holdings: Mapping[str, object], seats: Sequence[str]) -> None:
    """Raise NotationError for a deal that leaves one of these seats out."""
    each_required(holdings, "deal", {seat: NO_HOLDING[seat] for seat in seats})


def _seats_named(sheet: Sheet) -> list[tuple[str, str]]:
    opening = sheet.opening
    named = [(opening.dealer, "dealer")] if opening.dealer else []
    named += [(seat, f"players.{seat}") for seat, _ in opening.players] + [
        (seat, f"buy_ins.{seat}") for seat, _ in opening.buy_ins
    ]
    named += [(call.seat, f"calls[{place}][0]") for place, call in enumerate(sheet.calls)]
    named += [(sheet.named.declarer, "declarer")] if sheet.named and sheet.named.declarer else []
    named += [(seat, f"deal.{seat}") for seat, _ in sheet.deal or ()]
    named += [(sheet.bonus[1], "bonus.seat")] if sheet.bonus else []
    return named + [
        (seat, "rulings") for ruling in sheet.rulings for seat in seats_ruled_on(ruling)
    ]


def seats_ruled_on(ruling: Ruling) -> list[str]:
    """The seats that a ruling is about."""
    match ruling:
        case AcceptPlay():
            return [ruling.seat]
        case AdjustPoints():
            return [ruling.side]
        case AdjustTricks() | MoveChips():
            return [seat for seat in (ruling.source, ruling.target) if seat and seat != ANTE]
    return []
